import { LF, VT } from '../base/bytes.ts'
import type { ChunkId, TextArena } from '../scheduler/text-arena.ts'

/** Where bytes come from. Fills `buffer` from `offset` on with at most `length` bytes; tells how many, 0 at the end. */
export interface ByteSource {
  read(buffer: Buffer, offset: number, length: number): number
}

/** A longer line is cut here and gets a control character, so that as a URL it is malformed and as a command unknown. */
export const MAX_LINE_BYTES = 1 << 24

const BOM = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * A file as lines, in chunks that belong to the scheduler's own arena: what is read is already where URLs are kept. A
 * line that is cut by the end of a chunk is carried over to the next. Behind the bytes in use always stands an LF.
 */
export class Input {
  /** The chunk that is being read, from `at` to `to`. */
  chunkId: ChunkId
  at = 0
  to = 0
  private readonly source: ByteSource
  private readonly texts: TextArena
  private readonly chunkBytes: number
  /** So much of the chunk may be filled. */
  private room: number
  private isAtEnd = false

  constructor(source: ByteSource, texts: TextArena, chunkBytes: number) {
    this.source = source
    this.texts = texts
    this.chunkBytes = chunkBytes
    this.room = chunkBytes
    this.chunkId = texts.open(chunkBytes)
    this.bytes[0] = LF
  }

  get bytes(): Buffer {
    return this.texts.chunk(this.chunkId).bytes
  }

  /** Where the LF of the line at `at` is, or -1 when it is not there yet. */
  lineEnd(): number {
    const end = this.bytes.indexOf(LF, this.at)
    return end < this.to ? end : -1
  }

  /** Steps over a byte order mark at the very start. */
  skipBom(): void {
    if (this.to >= BOM.length && this.bytes.subarray(0, BOM.length).equals(BOM)) this.at = BOM.length
  }

  /** Gets more bytes behind those that are not used up yet. False at the end of the file. */
  fill(): boolean {
    if (this.isAtEnd) return false
    if (this.to === this.room) this.moveOn()
    if (this.to - this.at >= MAX_LINE_BYTES) this.cutLine()
    const got = this.read(this.to)
    this.to += got
    if (this.isAtEnd && this.to > this.at && this.bytes[this.to - 1] !== LF) this.bytes[this.to++] = LF
    this.bytes[this.to] = LF
    return got > 0 || this.to > this.at
  }

  private read(at: number): number {
    const got = this.isAtEnd ? 0 : this.source.read(this.bytes, at, this.room - at)
    this.isAtEnd = got === 0
    return got
  }

  /** Carries what is left over to a new chunk, a larger one when it is a single line that filled the old one. */
  private moveOn(): void {
    const { bytes, chunkId, at, to } = this
    const rest = to - at
    this.room = Math.max(this.chunkBytes, 2 * rest)
    this.chunkId = this.texts.open(this.room)
    bytes.copy(this.bytes, 0, at, to)
    if (this.texts.heldShare(chunkId) === 0) this.texts.release(chunkId)
    this.at = 0
    this.to = rest
  }

  /** Drops the rest of a line that is too long. */
  private cutLine(): void {
    this.to = this.at + MAX_LINE_BYTES
    this.bytes[this.to++] = VT
    for (let got = this.read(this.to); got > 0; got = this.read(this.to)) {
      const end = this.bytes.subarray(this.to, this.to + got).indexOf(LF)
      if (end < 0) continue
      this.bytes.copyWithin(this.to, this.to + end, this.to + got)
      this.to += got - end
      return
    }
  }
}
