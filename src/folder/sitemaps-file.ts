import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../base/files/whole-file.ts'

const SITEMAPS_FILE = 'sitemaps.json'

/** How many visits that a sitemap hinted at found a change, and how many did not. */
export interface HintRecord {
  isTrue: number
  isUntrue: number
}

/** What later runs know of sitemaps. Code that changes the maps keeps them small. */
export interface SitemapsKept {
  /** When the sitemaps of an origin's robots.txt (`https://a.org`), or the sitemap of a seed (`sitemap:URL`), were last read. Unix time. */
  readonly readAtMs: Map<string, number>
  readonly hints: Map<string, HintRecord>
}

export function noSitemaps(): SitemapsKept {
  return { readAtMs: new Map(), hints: new Map() }
}

/** Reads `sitemaps.json`. What can't be read is as if it were not there: sitemaps are read again then. */
export function readSitemapsFile(folder: string): SitemapsKept {
  const kept = noSitemaps()
  const { readAtMs, hints } = parsed(folder)
  for (const [name, atMs] of Object.entries(readAtMs ?? {})) if (isCount(atMs)) kept.readAtMs.set(name, atMs)
  for (const [host, counts] of Object.entries(hints ?? {})) {
    const [isTrue, isUntrue] = Array.isArray(counts) ? counts : []
    if (isCount(isTrue) && isCount(isUntrue)) kept.hints.set(host, { isTrue, isUntrue })
  }
  return kept
}

/** Written when a run ends in good order; one that was killed reads its sitemaps once more. */
export function writeSitemapsFile(folder: string, { readAtMs, hints }: SitemapsKept): void {
  const counts = [...hints].map(([host, { isTrue, isUntrue }]) => [host, [isTrue, isUntrue]] as const)
  const file = { readAtMs: Object.fromEntries(readAtMs), hints: Object.fromEntries(counts) }
  replaceFile(join(folder, SITEMAPS_FILE), write => write(Buffer.from(`${JSON.stringify(file)}\n`)))
}

function parsed(folder: string): { readonly readAtMs?: object | null; readonly hints?: object | null } {
  try {
    const file: unknown = JSON.parse(readFileSync(join(folder, SITEMAPS_FILE), 'utf8'))
    return typeof file === 'object' && file !== null ? file : {}
  } catch {
    return {}
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0
}
