import { LF } from '../base/structures/bytes.ts'
import { type ClassicKernel, LONGEST_LINE_BYTES } from '../url/classic-kernel.ts'
import type { ScriptChunk } from './chunk.ts'
import { readCommand } from './commands.ts'

/** How far a reader is, so that another can go on: the line it read last, and the ADD_URLS that it is in. */
export interface Progress {
  readonly line: number
  readonly adding:
    | { readonly line: number; readonly urls: number; readonly read: number; readonly hasWarned?: boolean }
    | undefined
}

export const AT_START: Progress = { line: 0, adding: undefined }

/** Why a reader pauses: the chunk is full, or it is about to wait for its source. */
type ReaderPause = 'full' | 'before reading'

/**
 * Reads a command file into chunks: commands as they are written, and the lines after ADD_URLS scanned by the kernel. It looks
 * at a command only to know how many URLs follow; what it means is decided elsewhere.
 */
export class ScriptReader {
  progress: Progress
  private readonly input: Input
  private readonly kernel: ClassicKernel
  private readonly chunk: () => ScriptChunk

  /** `chunk` returns the one to be filled now. */
  constructor(input: Input, kernel: ClassicKernel, chunk: () => ScriptChunk, progress = AT_START) {
    this.input = input
    this.kernel = kernel
    this.chunk = chunk
    this.progress = progress
  }

  /** Reads to the end of the file. */
  *steps(): Generator<ReaderPause, void, void> {
    const { input } = this
    for (;;) {
      if (this.progress.adding !== undefined) yield* this.readUrls()
      const end = input.lineEnd()
      if (end >= 0) {
        this.readLine(end)
        if (this.chunk().isFull) yield 'full'
        continue
      }
      yield 'before reading'
      if (!input.fill()) return
    }
  }

  private readLine(end: number): void {
    const { input } = this
    const line = this.progress.line + 1
    if (line === 1) input.skipBom()
    const command = readCommand(input.bytes, input.at, end)
    if (command !== undefined) this.chunk().addCommand(line, input.bytes.subarray(input.at, end))
    const isAdding = typeof command === 'object' && command.name === 'ADD_URLS' && command.n > 0
    this.progress = { line, adding: isAdding ? { line, urls: command.n, read: 0 } : undefined }
    input.at = end + 1
  }

  /** Reads the URLs of the last ADD_URLS, or what is left of them. */
  private *readUrls(): Generator<ReaderPause, void, void> {
    const { input } = this
    while (this.progress.adding !== undefined) {
      const { line, urls, read } = this.progress.adding
      if (input.lineEnd() >= 0 && this.scan(urls - read) > 0) {
        if (this.chunk().isFull) yield 'full'
        continue
      }
      yield 'before reading'
      if (input.fill()) continue
      this.chunk().addCutOff(line, read)
      this.progress = { ...this.progress, adding: undefined }
    }
  }

  /** Scans as many lines as fit into a batch; returns how many. */
  private scan(most: number): number {
    const { input, kernel } = this
    const rows = kernel.scan(input.at, input.to, most)
    const { lines } = kernel
    if (lines === 0) return 0
    this.chunk().addLines(kernel, rows)
    const from = input.at
    input.at = kernel.next
    const { line, adding } = this.progress
    const read = adding!.read + lines
    const hasWarned = adding!.hasWarned || (kernel.refused('protocol') > 0 && this.warned(from, line + 1))
    this.progress = { line: line + lines, adding: read === adding!.urls ? undefined : { ...adding!, read, hasWarned } }
    return lines
  }

  /** Looks among the lines of the last scan for one that is a command: the number behind ADD_URLS is too large then. */
  private warned(from: number, firstLine: number): boolean {
    const { bytes, at: to } = this.input
    for (let start = from, line = firstLine; start < to; line++) {
      const end = bytes.indexOf(LF, start)
      if (isCapital(bytes[start]!)) {
        const command = readCommand(bytes, start, end)
        if (typeof command === 'object') {
          this.chunk().addCommand(line, Buffer.from(command.name), 'swallowed')
          return true
        }
      }
      start = end + 1
    }
    return false
  }
}

function isCapital(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a
}

/** Where bytes come from. Fills `buffer` from `offset` on with at most `length` bytes; returns how many, 0 at the end. */
export interface ByteSource {
  read(buffer: Buffer, offset: number, length: number): number
}

/** The longest line and its line end. */
const LARGEST_WINDOW_BYTES = LONGEST_LINE_BYTES + 1

const BOM = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * A file as lines, read straight into the kernel's window. A line that is cut by the end of the window is carried over to
 * its beginning; a window that is too small for a line grows. The bytes in use are always followed by an LF.
 */
export class Input {
  /** What is not used up yet is in the window from `at` to `to`. */
  at: number
  to: number
  private readonly source: ByteSource
  private readonly kernel: ClassicKernel
  /** How much of the window is used. */
  private room: number
  /** Before this there is no LF from `at` on. */
  private searched = 0
  private isAtEnd = false
  private isCutting = false

  constructor(source: ByteSource, kernel: ClassicKernel, windowBytes: number) {
    this.source = source
    this.kernel = kernel
    this.room = windowBytes
    this.at = this.to = kernel.start
    kernel.reserve(windowBytes)
    this.bytes[this.to] = LF
  }

  get bytes(): Buffer {
    return this.kernel.bytes
  }

  /** How many bytes it has read and not used; undefined where no other reader could continue: at the end, or in a cut line. */
  get unused(): number | undefined {
    return this.isAtEnd || this.isCutting ? undefined : this.to - this.at
  }

  /** Where the LF of the line at `at` is, or -1 when it is not there yet. Looks at no byte twice. */
  lineEnd(): number {
    const end = this.bytes.indexOf(LF, Math.max(this.at, this.searched))
    this.searched = Math.min(end, this.to)
    return end < this.to ? end : -1
  }

  /** Steps over a byte order mark at the very start. */
  skipBom(): void {
    if (this.bytes.subarray(this.at, Math.min(this.at + BOM.length, this.to)).equals(BOM)) this.at += BOM.length
  }

  /** Reads more bytes after those that are not used up yet. False at the end of the file. */
  fill(): boolean {
    if (this.isAtEnd) return false
    const { start } = this.kernel
    if (this.to === start + this.room) this.makeRoom()
    const got = this.source.read(this.bytes, this.to, start + this.room - this.to)
    this.isAtEnd = got === 0
    this.to += this.isCutting ? this.keepBehindLine(got) : got
    if (this.isAtEnd && this.to > this.at && this.bytes[this.to - 1] !== LF) this.bytes[this.to++] = LF
    this.bytes[this.to] = LF
    return !this.isAtEnd || this.to > this.at
  }

  /** Moves what is left to the beginning of the window, and makes the window larger if that is not enough. */
  private makeRoom(): void {
    const { start } = this.kernel
    const moved = this.at - start
    this.bytes.copyWithin(start, this.at, this.to)
    this.at -= moved
    this.to -= moved
    this.searched -= moved
    if (this.to - start < this.room) return
    if (this.room < LARGEST_WINDOW_BYTES) {
      this.room = Math.min(this.room * 2, LARGEST_WINDOW_BYTES)
      this.kernel.reserve(this.room)
    } else {
      // The line is too long: the rest of it is dropped as it comes.
      this.to = this.kernel.cut(this.at)
      this.searched = this.to
      this.isCutting = true
    }
  }

  /** Of this many new bytes, keeps those from the end of the line that is being cut; returns how many. */
  private keepBehindLine(got: number): number {
    const end = this.bytes.subarray(this.to, this.to + got).indexOf(LF)
    if (end < 0) return 0
    this.isCutting = false
    this.bytes.copyWithin(this.to, this.to + end, this.to + got)
    return got - end
  }
}
