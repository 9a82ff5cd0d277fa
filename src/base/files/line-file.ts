import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { LF } from '../structures/bytes.ts'
import { bytesAt } from './open-file.ts'

const READ_BYTES = 1 << 18
const SEARCH_BYTES = 1 << 20
/** A file with a longer line is not one of ours. */
export const MOST_LINE_BYTES = 1 << 24

/** `end`: the byte after it. */
export interface FileLine {
  readonly text: string
  readonly end: number
}

/** The whole lines of a file from a byte on, one piece in memory at a time. A file that doesn't exist has none. */
export function* linesFrom(path: string, from = 0): Generator<FileLine, void, undefined> {
  const fd = opened(path)
  if (fd === undefined) return
  try {
    let bytes = Buffer.allocUnsafe(READ_BYTES)
    let kept = 0
    for (let at = from; ; ) {
      if (kept === bytes.length) {
        if (kept >= MOST_LINE_BYTES) return
        bytes = Buffer.concat([bytes], bytes.length * 2)
      }
      const got = readSync(fd, bytes, kept, bytes.length - kept, at)
      if (got === 0) return
      at += got
      const piece = bytes.subarray(0, kept + got)
      const pieceAt = at - piece.length
      let start = 0
      for (let end = piece.indexOf(LF); end >= 0; end = piece.indexOf(LF, start)) {
        yield { text: piece.toString('utf8', start, end), end: pieceAt + end + 1 }
        start = end + 1
      }
      kept = piece.copy(bytes, 0, start)
    }
  } finally {
    closeSync(fd)
  }
}

/** The last whole line that begins with these bytes: a search from the end, without reading lines. */
export function lastLineWith(path: string, beginning: Uint8Array): FileLine | undefined {
  const fd = opened(path)
  if (fd === undefined) return undefined
  try {
    const wanted = Buffer.concat([Buffer.of(LF), beginning])
    for (let end = fstatSync(fd).size; end > 0; end -= SEARCH_BYTES) {
      const from = Math.max(0, end - SEARCH_BYTES)
      // A little more at the end: the line may continue in the piece that was searched before.
      const piece = bytesAt(fd, from, end - from + wanted.length)
      for (let at = piece.lastIndexOf(wanted); at >= 0; at = at === 0 ? -1 : piece.lastIndexOf(wanted, at - 1)) {
        const line = lineAt(fd, from + at + 1)
        if (line !== undefined) return line
      }
      if (from === 0 && piece.subarray(0, beginning.length).equals(beginning)) return lineAt(fd, 0)
    }
    return undefined
  } finally {
    closeSync(fd)
  }
}

/** The line that begins at a byte; undefined when it has no end yet. */
export function lineAt(fd: number, at: number): FileLine | undefined {
  for (let length = 4096; length <= MOST_LINE_BYTES; length *= 4) {
    const bytes = bytesAt(fd, at, length)
    const end = bytes.indexOf(LF)
    if (end >= 0) return { text: bytes.toString('utf8', 0, end), end: at + end + 1 }
    if (bytes.length < length) return undefined
  }
  return undefined
}

function opened(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export class LineAssembler {
  private pieces: string[] = []
  private chars = 0
  private readonly mostChars: number

  constructor(mostChars: number) {
    this.mostChars = mostChars
  }

  /** Undefined when a line is too long. */
  read(piece: string): string[] | undefined {
    this.chars += piece.length
    this.pieces.push(piece)
    if (!piece.includes('\n')) return this.chars > this.mostChars ? undefined : []
    const lines = this.pieces.join('').split('\n')
    const begun = lines.pop()!
    this.pieces = [begun]
    this.chars = begun.length
    return this.chars > this.mostChars || lines.some(line => line.length > this.mostChars) ? undefined : lines
  }
}
