import { readFileSync } from 'node:fs'

/** What the process needs besides connections: the program itself, the crawl's files, DNS. */
const RESERVED = 40
/** What each worker thread needs for itself. */
const PER_WORKER = 8

/** How many requests may be open at once, of those wanted, so that the limit of open files is not reached; at least one. */
export function openFilesAllow(wanted: number, workers: number): number {
  const free = openFilesLimit() - RESERVED - PER_WORKER * workers
  return Math.max(1, Math.min(wanted, free))
}

/** The soft limit of this process; no limit where the system doesn't say. */
function openFilesLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
    return soft === undefined || soft === 'unlimited' ? Infinity : Number(soft)
  } catch {
    return Infinity
  }
}
