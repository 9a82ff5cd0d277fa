import { closeSync, existsSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { EscalonaError } from '../base/errors.ts'
import { syncFolder } from '../base/files/sync-folder.ts'
import { replaceFile, UNFINISHED } from '../base/files/whole-file.ts'
import { reasonOf } from '../base/system-error.ts'
import { printable } from '../base/words/printable.ts'
import { wholeLine } from './cdx-line.ts'
import { noteMerged, sortedText } from './index-state.ts'
import { bytesAt } from './member-reader.ts'
import { words } from './messages.ts'
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

/** How many files are merged at a time; more are merged in rounds. */
const MOST_AT_ONCE = 128
const READ_BYTES = 1 << 15
const WRITE_CHARS = 1 << 16

/** Writes the lines of one finished file, sorted. They are on disk afterwards, under their name. */
export function writePart(crawl: string, file: string, lines: readonly string[]): void {
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
    const message = words().cannotWriteIndex(printable(join(crawl, INDEX_FILE)), reasonOf(error))
    throw new EscalonaError('ARCHIVE_INDEX_UNWRITTEN', message, { cause: error })
  }
}

function mergeParts(crawl: string): void {
  const files = archiveFiles(crawl)
  for (const { name, isOpen } of files) if (!isOpen && !existsSync(partPath(crawl, name))) rebuildPart(crawl, name)
  const inProgress = new Set(files.filter(file => file.isOpen).map(({ name }) => name))
  const names = indexedFiles(crawl).flatMap(({ name }) => (inProgress.has(name) ? [] : name))
  let sources = names.map(name => partPath(crawl, name))
  const between: string[] = []
  while (sources.length > MOST_AT_ONCE) {
    const merged: string[] = []
    for (let i = 0; i < sources.length; i += MOST_AT_ONCE) {
      const path = join(crawl, PARTS_FOLDER, `merged-${between.length}${UNFINISHED}`)
      const some = sources.slice(i, i + MOST_AT_ONCE)
      replaceFile(path, write => merge(some, write))
      merged.push(path)
      between.push(path)
    }
    sources = merged
  }
  replaceFile(join(crawl, INDEX_FILE), write => merge(sources, write))
  for (const path of between) rmSync(path)
  noteMerged(crawl, names)
  syncFolder(crawl)
}

function rebuildPart(crawl: string, name: string): void {
  const { archived, cdx } = scanFile(finishedPath(crawl, name), name)
  writePart(crawl, name, linesOf(archived, cdx))
}

/** Writes the lines of sorted files, sorted. */
function merge(paths: readonly string[], write: (bytes: Uint8Array) => void): void {
  const sources: SortedLines[] = []
  try {
    for (const path of paths) sources.push(new SortedLines(path))
    const heap = sources.filter(source => source.line !== undefined)
    for (let i = heap.length >> 1; i >= 0; i--) sink(heap, i)
    let text = ''
    while (heap.length > 0) {
      const first = heap[0]!
      text += `${first.line}\n`
      first.advance()
      if (first.line === undefined) {
        const last = heap.pop()!
        if (last !== first) heap[0] = last
      }
      sink(heap, 0)
      if (text.length < WRITE_CHARS) continue
      write(Buffer.from(text, 'latin1'))
      text = ''
    }
    write(Buffer.from(text, 'latin1'))
  } finally {
    for (const source of sources) source.close()
  }
}

/** Moves a source down a binary heap until no child has a smaller line. */
function sink(heap: SortedLines[], from: number): void {
  const moved = heap[from]
  if (moved === undefined) return
  let at = from
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && heap[child + 1]!.line! < heap[child]!.line!) child++
    if (moved.line! <= heap[child]!.line!) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = moved
}

/** The lines of a file, one after the other, read in pieces. */
class SortedLines {
  line: string | undefined
  private readonly fd: number
  private at = 0
  private lines: string[] = []
  private next = 0
  /** The beginning of a line whose end is not read yet. */
  private begun = ''

  constructor(path: string) {
    this.fd = openSync(path, 'r')
    try {
      this.advance()
    } catch (error) {
      this.close()
      throw error
    }
  }

  advance(): void {
    while (this.next >= this.lines.length) {
      const bytes = bytesAt(this.fd, this.at, READ_BYTES)
      if (bytes.length === 0) {
        this.line = undefined
        return
      }
      this.at += bytes.length
      this.lines = (this.begun + bytes.toString('latin1')).split('\n')
      this.begun = this.lines.pop()!
      this.next = 0
    }
    this.line = this.lines[this.next++]!
  }

  close(): void {
    closeSync(this.fd)
  }
}
