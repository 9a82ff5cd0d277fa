import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { constants, inflateRawSync } from 'node:zlib'
import { EscalonaError } from '../base/errors.ts'
import { bytesAt, withFile } from '../base/files/open-file.ts'
import { SyncedMark } from '../base/files/synced-mark.ts'
import { replaceByCopy, syncFolder } from '../base/files/whole-file.ts'
import { message, said } from '../base/messages/message.ts'
import { whyOf } from '../base/system-error.ts'
import { ArchiveWriter, isFull, type Maker, type OpenFile } from './archive-writer.ts'
import { HEAD_BYTES, isSoundHead } from './gzip-member.ts'
import { linesOf, removeUnfinished, writePart } from './index-files.ts'
import {
  ARCHIVE_FOLDER,
  type ArchiveFile,
  archiveFiles,
  finishedPath,
  highestNumberInPages,
  indexedFiles,
  openPath,
  PARTS_FOLDER,
  partPath,
  syncedPath,
} from './names.ts'
import { type Archived, type Contents, scanFile } from './scan.ts'
import { damaged } from './warc-record.ts'

export interface ArchiveOptions {
  readonly maker: Maker
  readonly now: () => number
  /** Called for everything that was repaired or is missing. */
  readonly onRepair: (message: string) => void
  /** `FolderLock.check` of the folder: called before each write. */
  readonly fence?: () => void
  /** `FolderLock.tookOver`: the former owner may still write to the file in progress, so it is replaced by a copy and finished as it is. */
  readonly tookOver?: boolean
}

export interface OpenedArchive {
  readonly writer: ArchiveWriter
  /** Every answer in the newest two files and in those in progress, oldest first: a killed crawl may not have settled the last of them. */
  readonly recent: readonly Archived[]
}

/** Read and checked at opening, besides those in progress. */
const NEWEST = 2

/**
 * Opens or makes the archive of a crawl's folder. The newest files are read from end to end; of the others the length is checked. The torn tail
 * of a file in progress is cut back to the last whole response with its request; other damage is an error, and nothing is ever cut from a
 * finished file. A last file that isn't full is filled further. A number is never given twice, even if its file is gone.
 */
export function openArchive(crawl: string, options: ArchiveOptions): OpenedArchive {
  try {
    return opened(crawl, options)
  } catch (error) {
    if (error instanceof EscalonaError) throw error
    throw new EscalonaError('ARCHIVE_UNUSABLE', { folder: crawl, why: whyOf(error) }, { cause: error })
  }
}

interface FileRead {
  readonly file: ArchiveFile
  readonly contents: Contents
}

function opened(
  crawl: string,
  { maker, now, onRepair, fence = () => {}, tookOver = false }: ArchiveOptions,
): OpenedArchive {
  for (const folder of [ARCHIVE_FOLDER, PARTS_FOLDER]) mkdirSync(join(crawl, folder), { recursive: true })
  fence()
  removeUnfinished(crawl)
  const files = archiveFiles(crawl)
  const twice = files.find((file, i) => file.name === files[i + 1]?.name)
  if (twice !== undefined) throw damaged(finishedPath(crawl, twice.name), 0, message('archive/there-twice'))
  reportMissing(crawl, files, onRepair)
  if (tookOver) for (const { name } of files.filter(file => file.isOpen)) replaceByCopy(openPath(crawl, name), fence)

  const mark = new SyncedMark(syncedPath(crawl))
  // Everything is read before anything is changed.
  const newest = readNewest(crawl, files, mark, fence)
  const kept = newest.filter(one => !isEmpty(one))
  const lastNumber = highestNumber(crawl, files, newest)
  fence()
  for (const one of newest) cutTornTail(crawl, one, onRepair)
  const last = kept.at(-1)
  const goesOn = !tookOver && last?.file.number === lastNumber && !isFull(last.contents.pages, last.contents.requests)
  for (const one of kept) if (one.file.isOpen && !(goesOn && one === last)) finish(crawl, one)
  const current = goesOn ? goOn(crawl, last!) : undefined
  try {
    syncFolder(join(crawl, ARCHIVE_FOLDER))
    if (current === undefined) mark.remove()
    else mark.write({ file: current.name, bytes: current.end, crc: 0 })
  } catch (error) {
    if (current !== undefined) closeSync(current.fd)
    mark.close()
    throw error
  }
  const writer = new ArchiveWriter({ crawl, maker, now, fence, mark, current, lastNumber })
  return { writer, recent: kept.flatMap(({ contents }) => contents.archived) }
}

/** Its lines of the index stay, and its number is not given again. */
function reportMissing(crawl: string, files: readonly ArchiveFile[], onRepair: (message: string) => void): void {
  const present = new Set(files.map(({ name }) => name))
  const missing = indexedFiles(crawl).filter(({ name }) => !present.has(name))
  if (missing.length === 0) return
  onRepair(
    said(missing.length === 1 ? 'archive/missing-file' : 'archive/missing-files', {
      files: missing.length,
      first: missing[0]!.name,
      folder: join(crawl, ARCHIVE_FOLDER),
    }),
  )
}

function readNewest(crawl: string, files: readonly ArchiveFile[], mark: SyncedMark, fence: () => void): FileRead[] {
  const read: FileRead[] = []
  const synced = mark.read()
  const syncedBytes = (name: string) => (synced?.file === name ? synced.bytes : 0)
  for (const [i, file] of files.entries()) {
    fence()
    const { name, isOpen } = file
    if (!isOpen) checkLength(crawl, name)
    if (!isOpen && i < files.length - NEWEST) continue
    // A file with a part was finished once, or was about to be.
    const contents = isOpen
      ? scanFile(openPath(crawl, name), name, Math.max(syncedBytes(name), indexedEnd(crawl, name)))
      : scanFile(finishedPath(crawl, name), name)
    read.push({ file, contents })
  }
  return read
}

/** In progress and without an answer: a process from which the folder was taken may have begun it. */
function isEmpty({ file, contents }: FileRead): boolean {
  return file.isOpen && contents.requests === 0
}

/** Of all files that exist or ever did, except for empty ones. */
function highestNumber(crawl: string, files: readonly ArchiveFile[], newest: readonly FileRead[]): number {
  const empty = new Set(newest.filter(isEmpty).map(({ file }) => file))
  const highest = (known: readonly { readonly number: number }[]) => known.at(-1)?.number ?? 0
  const present = files.filter(file => !empty.has(file))
  return Math.max(highest(present), highest(indexedFiles(crawl)), highestNumberInPages(crawl))
}

function cutTornTail(crawl: string, one: FileRead, onRepair: (message: string) => void): void {
  const { end, tornBytes } = one.contents
  const path = openPath(crawl, one.file.name)
  if (isEmpty(one)) rmSync(path)
  else if (tornBytes > 0) cutAndSync(path, end)
  if (tornBytes > 0) onRepair(said('archive/cut-tail', { path, bytes: tornBytes }))
}

function cutAndSync(path: string, end: number): void {
  withFile(path, 'r+', fd => {
    ftruncateSync(fd, end)
    fsyncSync(fd)
  })
}

/** What was archived before a sudden end is on disk from now on, so it may be settled. */
function goOn(crawl: string, { file, contents }: FileRead): OpenFile {
  const { archived, cdx, end, pages, requests } = contents
  const path = openPath(crawl, file.name)
  if (!file.isOpen) renameSync(finishedPath(crawl, file.name), path)
  const fd = openSync(path, 'r+')
  try {
    fsyncSync(fd)
  } catch (error) {
    closeSync(fd)
    throw error
  }
  return { name: file.name, fd, end, pages, requests, lines: linesOf(archived, cdx), isSynced: true, isSigned: false }
}

function finish(crawl: string, { file, contents }: FileRead): void {
  const { archived, cdx, end } = contents
  cutAndSync(openPath(crawl, file.name), end)
  writePart(crawl, file.name, linesOf(archived, cdx))
  renameSync(openPath(crawl, file.name), finishedPath(crawl, file.name))
}

const TYPE_BYTES = 512
const PLACE = /"length": "(\d+)", "offset": "(\d+)", "filename": "[^"]*"\}$/gm

/** Where the last main record named in a file's part of the index ends; 0 without a part. */
function indexedEnd(crawl: string, name: string): number {
  const part = partPath(crawl, name)
  if (!existsSync(part)) return 0
  let end = 0
  for (const [, length, offset] of readFileSync(part, 'latin1').matchAll(PLACE)) {
    end = Math.max(end, Number(offset) + Number(length))
  }
  return end
}

/**
 * Throws when a finished file is shorter than its part of the index says, or ends inside a group. After the last answer comes its request,
 * perhaps with something between them, and then requests without an answer.
 */
export function checkLength(crawl: string, name: string): void {
  const indexed = indexedEnd(crawl, name)
  if (indexed === 0) return
  const path = finishedPath(crawl, name)
  withFile(path, 'r', fd => {
    const { size } = fstatSync(fd)
    for (let at = indexed, isOpen = true; isOpen || at < size; ) {
      const head = bytesAt(fd, at, HEAD_BYTES)
      const end = at + (isSoundHead(head) ? head.readUInt32LE(16) : HEAD_BYTES)
      if (size < end) throw damaged(path, size, message('archive/index-goes-further', { end }))
      isOpen = typeOf(fd, at, end) === 'metadata'
      at = end
    }
  })
}

/** Undefined when it isn't a record, which is noticed when it is read. */
function typeOf(fd: number, at: number, end: number): string | undefined {
  try {
    const member = bytesAt(fd, at + HEAD_BYTES, Math.min(end - at - HEAD_BYTES, TYPE_BYTES))
    const plain = inflateRawSync(member, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1 << 20 })
    return /^WARC\/1\.1\r\nWARC-Type: (\w+)\r\n/.exec(plain.toString('latin1', 0, 64))?.[1]
  } catch {
    return undefined
  }
}
