import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { EscalonaError } from '../base/errors.ts'
import { bytesAt } from '../base/files/open-file.ts'
import { replaceFile, syncFolder, UNFINISHED } from '../base/files/whole-file.ts'
import { whyOf } from '../base/system-error.ts'
import { wholeLine } from './cdx-line.ts'
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

/** The lines of a finished file, sorted; on disk afterwards. */
export function writePart(crawl: string, file: string, lines: readonly string[]): void {
  noteChanged(crawl, file)
  replaceFile(partPath(crawl, file), write => write(Buffer.from(sortedText(lines), 'latin1')))
  // Otherwise a power cut could leave a finished file with a part from before it was opened again.
  syncFolder(join(crawl, PARTS_FOLDER))
}

export function linesOf(archived: readonly Archived[], cdx: readonly string[]): string[] {
  return archived.map(({ file, offset }, i) => wholeLine(cdx[i]!, file, offset))
}

export function removeUnfinished(crawl: string): void {
  rmSync(join(crawl, INDEX_FILE + UNFINISHED), { force: true })
  for (const folder of [PARTS_FOLDER, ARCHIVE_FOLDER].map(name => join(crawl, name))) {
    const names = readdirSync(folder).filter(name => name.endsWith(UNFINISHED))
    for (const name of names) rmSync(join(folder, name))
  }
}

/**
 * Makes the sorted `index.cdxj` from the parts of all finished files, in constant memory. A missing part is made again from its file; the
 * part of a file that was moved away counts as well.
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

/** Under `index/`: the bytes of `index.cdxj`, then the name of each WARC file whose part is in it, one per line. */
const MERGED_FILE = 'merged'

/** Lines as a part or the index holds them. JavaScript orders by UTF-16, which for ASCII is by bytes, as LC_ALL=C does. */
export function sortedText(lines: readonly string[]): string {
  return [...lines]
    .sort()
    .map(line => `${line}\n`)
    .join('')
}

function noteMerged(crawl: string, names: Iterable<string>): void {
  const lines = Array.from(names, name => `${name}\n`)
  const text = `${sizeOf(join(crawl, INDEX_FILE))}\n${lines.join('')}`
  replaceFile(join(crawl, PARTS_FOLDER, MERGED_FILE), write => write(Buffer.from(text, 'latin1')))
}

function noteChanged(crawl: string, name: string): void {
  const names = new Set(mergedNames(crawl))
  if (names.delete(name)) noteMerged(crawl, names)
}

/** The files whose parts are in `index.cdxj`; none when it is another index. */
export function mergedNames(crawl: string): ReadonlySet<string> {
  const [bytes, ...names] = textIn(join(crawl, PARTS_FOLDER, MERGED_FILE)).split('\n')
  return bytes === String(sizeOf(join(crawl, INDEX_FILE))) ? new Set(names.filter(Boolean)) : new Set()
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? -1
}

function textIn(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

const MOST_AT_ONCE = 32
const READ_BYTES = 1 << 15
const WRITE_CHARS = 1 << 16

/** The lines of sorted files, merged in constant memory; of many files, some are merged first into temporary files in `folder`. */
export function* mergedLines(paths: readonly string[], folder: string): Generator<string, void, undefined> {
  const between: string[] = []
  try {
    let sources = paths
    while (sources.length > MOST_AT_ONCE) {
      const merged: string[] = []
      for (let i = 0; i < sources.length; i += MOST_AT_ONCE) {
        const path = join(folder, `merged-${between.length}${UNFINISHED}`)
        between.push(path)
        const some = sources.slice(i, i + MOST_AT_ONCE)
        replaceFile(path, write => writeLines(merge(some), write))
        merged.push(path)
      }
      sources = merged
    }
    yield* merge(sources)
  } finally {
    for (const path of between) rmSync(path, { force: true })
  }
}

function writeLines(lines: Iterable<string>, write: (bytes: Uint8Array) => void): void {
  let text = ''
  for (const line of lines) {
    text += `${line}\n`
    if (text.length < WRITE_CHARS) continue
    write(Buffer.from(text, 'latin1'))
    text = ''
  }
  write(Buffer.from(text, 'latin1'))
}

function* merge(paths: readonly string[]): Generator<string, void, undefined> {
  const sources: SortedLines[] = []
  try {
    for (const path of paths) sources.push(new SortedLines(path))
    const heap = sources.filter(source => source.line !== undefined)
    for (let i = heap.length >> 1; i >= 0; i--) sink(heap, i)
    while (heap.length > 0) {
      const first = heap[0]!
      yield first.line!
      first.advance()
      if (first.line === undefined) {
        const last = heap.pop()!
        if (last !== first) heap[0] = last
      }
      sink(heap, 0)
    }
  } finally {
    for (const source of sources) source.close()
  }
}

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

class SortedLines {
  line: string | undefined
  private readonly fd: number
  private at = 0
  private lines: string[] = []
  private next = 0
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
