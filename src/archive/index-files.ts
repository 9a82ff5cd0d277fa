import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { EscalonaError } from '../base/errors.ts'
import { syncFolder } from '../base/files/sync-folder.ts'
import { replaceFile, UNFINISHED } from '../base/files/whole-file.ts'
import { whyOf } from '../base/system-error.ts'
import { wholeLine } from './cdx-line.ts'
import { noteChanged, noteMerged, sortedText } from './index-state.ts'
import { mergedLines, writeLines } from './merged-lines.ts'
import {
  ARCHIVE_FOLDER,
  archiveFiles,
  finishedPath,
  INDEX_FILE,
  indexedFiles,
  PARTS_FOLDER,
  partPath,
} from './names.ts'
import { type Archived, scanFile } from './scan.ts'

/** Writes the lines of one finished file, sorted. They are on disk afterwards, under their name. */
export function writePart(crawl: string, file: string, lines: readonly string[]): void {
  noteChanged(crawl, file)
  replaceFile(partPath(crawl, file), write => write(Buffer.from(sortedText(lines), 'latin1')))
  // Otherwise a power cut could leave a finished file with a part from before it was opened again.
  syncFolder(join(crawl, PARTS_FOLDER))
}

/** The lines of a file that was read. */
export function linesOf(archived: readonly Archived[], cdx: readonly string[]): string[] {
  return archived.map(({ file, offset }, i) => wholeLine(cdx[i]!, file, offset))
}

/** Removes what a sudden end left half written. */
export function removeUnfinished(crawl: string): void {
  rmSync(join(crawl, INDEX_FILE + UNFINISHED), { force: true })
  for (const folder of [PARTS_FOLDER, ARCHIVE_FOLDER].map(name => join(crawl, name))) {
    const names = readdirSync(folder).filter(name => name.endsWith(UNFINISHED))
    for (const name of names) rmSync(join(folder, name))
  }
}

/**
 * Makes `index.cdxj` from the parts of all finished files: one sorted file, in memory that does not grow with it. A part
 * that is missing is made again from its file; the part of a file that was moved away counts as well.
 */
export function finishIndex(crawl: string): void {
  try {
    mergeParts(crawl)
  } catch (error) {
    if (error instanceof EscalonaError) throw error
    throw new EscalonaError(
      'ARCHIVE_INDEX_UNWRITTEN',
      { path: join(crawl, INDEX_FILE), why: whyOf(error) },
      { cause: error },
    )
  }
}

function mergeParts(crawl: string): void {
  const files = archiveFiles(crawl)
  for (const { name, isOpen } of files) if (!isOpen && !existsSync(partPath(crawl, name))) rebuildPart(crawl, name)
  const inProgress = new Set(files.filter(file => file.isOpen).map(({ name }) => name))
  const names = indexedFiles(crawl).flatMap(({ name }) => (inProgress.has(name) ? [] : name))
  const sources = names.map(name => partPath(crawl, name))
  const lines = mergedLines(sources, join(crawl, PARTS_FOLDER))
  replaceFile(join(crawl, INDEX_FILE), write => writeLines(lines, write))
  noteMerged(crawl, names)
  syncFolder(crawl)
}

function rebuildPart(crawl: string, name: string): void {
  const { archived, cdx } = scanFile(finishedPath(crawl, name), name)
  writePart(crawl, name, linesOf(archived, cdx))
}
