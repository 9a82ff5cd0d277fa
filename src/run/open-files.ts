import { readFileSync } from 'node:fs'

/** File descriptors needed besides connections: the program itself, the crawl's files, DNS. */
const RESERVED = 40
/** File descriptors that each worker thread needs. */
const PER_WORKER = 8

/** How many of the wanted requests may be open at once within the limit on open files; at least one. */
export function openFilesAllow(wanted: number, workers: number): number {
  const free = openFilesLimit() - RESERVED - PER_WORKER * workers
  return Math.max(1, Math.min(wanted, free))
}

/** The soft limit of this process; Infinity where the system does not report one. */
function openFilesLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
    return soft === undefined || soft === 'unlimited' ? Infinity : Number(soft)
  } catch {
    return Infinity
  }
}
