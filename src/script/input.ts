import { LF } from '../base/structures/bytes.ts'
import { type ClassicKernel, LONGEST_LINE_BYTES } from '../url/classic-kernel.ts'

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
  /** What is not used up yet stands in the window from `at` to `to`. */
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

  /** How many bytes it has read and not used; undefined when nobody else could go on there: at the end, or in a cut line. */
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
