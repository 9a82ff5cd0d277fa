import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { EscalonaError } from '../base/errors.ts'
import { printable } from '../base/printable.ts'
import { syncFolder } from '../base/sync-folder.ts'
import { reasonOf } from '../base/system-error.ts'
import { ArchiveWriter, isFull, type OpenFile } from './archive-writer.ts'
import { damaged } from './damaged.ts'
import { linesOf, removeUnfinished, writePart } from './index-files.ts'
import { ARCHIVE_FOLDER, type ArchiveFile, archiveFiles, finishedPath, openPath, PARTS_FOLDER } from './names.ts'
import { type Archived, type Contents, scanFile } from './scan.ts'
import type { Maker } from './warcinfo.ts'

export interface ArchiveOptions {
  readonly maker: Maker
  /** Unix time in milliseconds. */
  readonly now: () => number
  /** Told what was repaired. */
  readonly onRepair: (message: string) => void
}

export interface OpenedArchive {
  readonly writer: ArchiveWriter
  /**
   * Every answer in the newest two files and in those that were in progress, oldest first: a crawl that was killed may not
   * have settled the last of them.
   */
  readonly recent: readonly Archived[]
}

/** Files that are read and checked at opening, besides those in progress. */
const NEWEST = 2

/**
 * Opens the archive of a crawl's folder, and makes it when there is none. The newest files are read from end to end: a torn
 * tail is cut back to the last whole response with its request, other damage is an error. A last file that is not full goes
 * on to be filled, so every file but the last holds exactly 1,000 pages.
 */
export function openArchive(crawl: string, options: ArchiveOptions): OpenedArchive {
  try {
    return opened(crawl, options)
  } catch (error) {
    if (error instanceof EscalonaError) throw error
    const message = `cannot open the archive in ${printable(crawl)}: ${reasonOf(error)}`
    throw new EscalonaError('ARCHIVE_UNUSABLE', message, { cause: error })
  }
}

function opened(crawl: string, { maker, now, onRepair }: ArchiveOptions): OpenedArchive {
  for (const folder of [ARCHIVE_FOLDER, PARTS_FOLDER]) mkdirSync(join(crawl, folder), { recursive: true })
  removeUnfinished(crawl)
  const files = archiveFiles(crawl)
  const twice = files.find((file, i) => file.number === files[i + 1]?.number)
  if (twice !== undefined) throw damaged(finishedPath(crawl, twice.name), 0, 'it is there twice, once as .open')
  const recent: Archived[] = []
  let current: OpenFile | undefined
  let lastNumber = 0
  for (const [i, file] of files.entries()) {
    const isLast = i === files.length - 1
    lastNumber = file.number
    if (!file.isOpen && i < files.length - NEWEST) continue
    const contents = repaired(crawl, file, onRepair)
    if (contents.end === 0) lastNumber--
    else if (isLast && !isFull(contents.pages, contents.archived.length)) current = goOn(crawl, file, contents)
    else if (file.isOpen || contents.tornBytes > 0) finish(crawl, file, contents)
    for (const one of contents.archived) recent.push(one)
  }
  syncFolder(join(crawl, ARCHIVE_FOLDER))
  return { writer: new ArchiveWriter({ crawl, maker, now, current, lastNumber }), recent }
}

/** Cuts a torn tail; a file of which nothing is whole goes. */
function repaired(crawl: string, file: ArchiveFile, onRepair: (message: string) => void): Contents {
  const path = pathOf(crawl, file)
  const contents = scanFile(path, file.name)
  if (contents.end === 0) rmSync(path)
  else if (contents.tornBytes > 0) cutAndSync(path, contents.end)
  if (contents.tornBytes > 0)
    onRepair(`${printable(path)}: cut off ${contents.tornBytes} bytes of a record not finished`)
  return contents
}

function cutAndSync(path: string, end: number): void {
  const fd = openSync(path, 'r+')
  try {
    ftruncateSync(fd, end)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** What was archived before a sudden end is on disk from now on, so it may be settled. */
function goOn(crawl: string, file: ArchiveFile, { archived, cdx, end, pages }: Contents): OpenFile {
  const path = openPath(crawl, file.name)
  if (!file.isOpen) renameSync(finishedPath(crawl, file.name), path)
  const fd = openSync(path, 'r+')
  fsyncSync(fd)
  return { name: file.name, fd, end, pages, lines: linesOf(archived, cdx), isSynced: true }
}

/** A file that is full, or that others follow. */
function finish(crawl: string, file: ArchiveFile, { archived, cdx, end }: Contents): void {
  writePart(crawl, file.name, linesOf(archived, cdx))
  if (!file.isOpen) return
  cutAndSync(openPath(crawl, file.name), end)
  renameSync(openPath(crawl, file.name), finishedPath(crawl, file.name))
}

function pathOf(crawl: string, file: ArchiveFile): string {
  return file.isOpen ? openPath(crawl, file.name) : finishedPath(crawl, file.name)
}
