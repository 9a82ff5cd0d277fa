import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Where the archive's things lie in a crawl's folder. */
export const ARCHIVE_FOLDER = 'archive'
/** Index lines of one file each, sorted; `index.cdxj` is made from them. */
export const PARTS_FOLDER = 'index'
export const INDEX_FILE = 'index.cdxj'
/** What a file in progress is called behind its name. */
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
