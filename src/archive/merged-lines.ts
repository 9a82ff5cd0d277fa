import { closeSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile, UNFINISHED } from '../base/files/whole-file.ts'
import { bytesAt } from './member-reader.ts'

/** How many files are merged at a time; more are merged in rounds. */
const MOST_AT_ONCE = 32
const READ_BYTES = 1 << 15
const WRITE_CHARS = 1 << 16

/**
 * The lines of sorted files, sorted, in memory that does not grow with them. Where there are many files, some are merged first
 * into files in `folder`, which are removed at the end.
 */
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

/** Writes lines, which are ASCII, in large pieces. */
export function writeLines(lines: Iterable<string>, write: (bytes: Uint8Array) => void): void {
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
