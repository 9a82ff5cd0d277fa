import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { bytesAt, withFile } from '../base/files/open-file.ts'

export const ARCHIVE_FOLDER = 'archive'
/** Index lines of one file each, sorted; `index.cdxj` is made from them. */
export const PARTS_FOLDER = 'index'
export const INDEX_FILE = 'index.cdxj'
export const PAGES_FILE = 'pages.jsonl'
/** What a program extracted: one JSON object per line, as it was pushed. */
export const ITEMS_FILE = 'items.jsonl'
/** How much of the end of `pages.jsonl` is searched for the newest file: far more than the lines that a restart adds there. */
const NAMING_BYTES = 1 << 22
const NAME = /^(escalona-[0-9a-z]{8}-\d{14}-(\d{5,15}))\.(?:warc\.gz(\.open)?|(cdxj))$/

export interface ArchiveFile {
  readonly number: number
  /** Without `.open`: index and pages call it this from the beginning. */
  readonly name: string
  readonly isOpen: boolean
}

/** What the names of a crawl's files have in common: eight letters and digits, the end of its id in `crawl.json`. */
export function crawlIdOf(id: string): string {
  return id
    .replace(/[^0-9a-z]/g, '')
    .slice(-8)
    .padStart(8, '0')
}

export function fileName(number: number, crawlId: string, begunAtMs: number): string {
  const time = new Date(begunAtMs).toISOString().replace(/[-:T]|\..*/g, '')
  return `escalona-${crawlId}-${time}-${String(number).padStart(5, '0')}.warc.gz`
}

/** 0 for a name that is not ours. */
export function numberOf(name: string): number {
  return Number(NAME.exec(name)?.[2] ?? 0)
}

export function finishedPath(crawl: string, name: string): string {
  return join(crawl, ARCHIVE_FOLDER, name)
}

export function openPath(crawl: string, name: string): string {
  return join(crawl, ARCHIVE_FOLDER, `${name}.open`)
}

/** Says up to where the file in progress is on disk. */
export function syncedPath(crawl: string): string {
  return join(crawl, ARCHIVE_FOLDER, 'synced')
}

export function partPath(crawl: string, name: string): string {
  return join(crawl, PARTS_FOLDER, name.replace(/\.warc\.gz$/, '.cdxj'))
}

/** Oldest first. */
export function archiveFiles(crawl: string): ArchiveFile[] {
  const folder = join(crawl, ARCHIVE_FOLDER)
  if (!existsSync(folder)) return []
  return namedIn(folder).flatMap(({ isPart, ...file }) => (isPart ? [] : file))
}

/** The files that have a part in the index, oldest first, also those that were moved away since. */
export function indexedFiles(crawl: string): ArchiveFile[] {
  return namedIn(join(crawl, PARTS_FOLDER)).filter(({ isPart }) => isPart)
}

function namedIn(folder: string): (ArchiveFile & { readonly isPart: boolean })[] {
  const found = readdirSync(folder).flatMap(name => {
    const [, start, number, open, part] = NAME.exec(name) ?? []
    if (start === undefined) return []
    const isPart = part !== undefined
    return { number: Number(number), name: `${start}.warc.gz`, isOpen: open !== undefined, isPart }
  })
  return found.sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** 0 when `pages.jsonl` names no file. */
export function highestNumberInPages(crawl: string): number {
  const path = join(crawl, PAGES_FILE)
  if (!existsSync(path)) return 0
  const from = Math.max(0, statSync(path).size - NAMING_BYTES)
  const text = withFile(path, 'r', fd => bytesAt(fd, from, NAMING_BYTES)).toString('latin1')
  let highest = 0
  // A quote inside of a title or URL has a backslash before it, so this is always the key.
  for (const [, name] of text.matchAll(/"file":"(escalona-[0-9a-z-]{5,50}\.warc\.gz)"/g))
    highest = Math.max(highest, numberOf(name!))
  return highest
}

export function archiveBytes(crawl: string): number {
  const folder = join(crawl, ARCHIVE_FOLDER)
  const names = readdirSync(folder).filter(name => name.includes('.warc.gz'))
  return names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}
