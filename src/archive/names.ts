import { closeSync, existsSync, fstatSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { bytesAt } from './member-reader.ts'

/** Where the archive's things lie in a crawl's folder. */
export const ARCHIVE_FOLDER = 'archive'
/** Index lines of one file each, sorted; `index.cdxj` is made from them. */
export const PARTS_FOLDER = 'index'
export const INDEX_FILE = 'index.cdxj'
export const PAGES_FILE = 'pages.jsonl'
/** Under `archive/`: up to where the file in progress is on disk. */
const SYNCED_FILE = 'synced'
/** How much of the end of `pages.jsonl` is searched for the newest file: far more than the lines that a restart adds there. */
const NAMING_BYTES = 1 << 22
/** What a file in progress is called after its name. */
const OPEN = '.open'

export interface ArchiveFile {
  readonly number: number
  /** Its name when it is finished; index and pages call it so from the beginning. */
  readonly name: string
  readonly isOpen: boolean
}

export function fileName(number: number): string {
  return `escalona-${String(number).padStart(5, '0')}.warc.gz`
}

export function finishedPath(crawl: string, name: string): string {
  return join(crawl, ARCHIVE_FOLDER, name)
}

export function openPath(crawl: string, name: string): string {
  return join(crawl, ARCHIVE_FOLDER, name + OPEN)
}

export function syncedPath(crawl: string): string {
  return join(crawl, ARCHIVE_FOLDER, SYNCED_FILE)
}

export function partPath(crawl: string, name: string): string {
  return join(crawl, PARTS_FOLDER, name.replace(/\.warc\.gz$/, '.cdxj'))
}

/** The files of an archive, oldest first. */
export function archiveFiles(crawl: string): ArchiveFile[] {
  const folder = join(crawl, ARCHIVE_FOLDER)
  if (!existsSync(folder)) return []
  const found = readdirSync(folder).flatMap(name => {
    const match = /^(escalona-(\d{5,})\.warc\.gz)(\.open)?$/.exec(name)
    return match === null ? [] : { number: Number(match[2]), name: match[1]!, isOpen: match[3] !== undefined }
  })
  return found.sort((a, b) => a.number - b.number)
}

/** The names of all files that have a part in the index, oldest first: also of those that were moved away since. */
export function indexedFiles(crawl: string): Omit<ArchiveFile, 'isOpen'>[] {
  const found = readdirSync(join(crawl, PARTS_FOLDER)).flatMap(name => {
    const match = /^(escalona-(\d{5,}))\.cdxj$/.exec(name)
    return match === null ? [] : { number: Number(match[2]), name: `${match[1]}.warc.gz` }
  })
  return found.sort((a, b) => a.number - b.number)
}

/** The highest number of a file that the end of `pages.jsonl` names; 0 when there is none. */
export function highestNumberInPages(crawl: string): number {
  const path = join(crawl, PAGES_FILE)
  if (!existsSync(path)) return 0
  const fd = openSync(path, 'r')
  try {
    const { size } = fstatSync(fd)
    const text = bytesAt(fd, Math.max(0, size - NAMING_BYTES), Math.min(size, NAMING_BYTES)).toString('latin1')
    let highest = 0
    // A quote inside of a title or URL has a backslash before it, so this is always the key.
    for (const [, digits] of text.matchAll(/"file":"escalona-(\d{5,15})\.warc\.gz"/g))
      highest = Math.max(highest, Number(digits))
    return highest
  } finally {
    closeSync(fd)
  }
}
