import { closeSync, fstatSync, openSync, statSync } from 'node:fs'
import { LF } from '../structures/bytes.ts'
import { MOST_LINE_BYTES } from './line-file.ts'
import { bytesAt } from './open-file.ts'

const MARK_BYTES = 64

/** `at`: where the first of them begins. */
export interface LinePiece {
  readonly bytes: Buffer
  readonly at: number
}

/** A file of lines to which another process appends, read in both directions from its end at the opening. Only whole lines count. */
export class FollowedFile {
  /** Everything from `start` to `end` has been read. */
  start = 0
  end = 0
  private readonly path: string
  private readonly readBytes: number
  private fd: number | undefined
  /** The last bytes before `end`, which must still be there. */
  private mark: Buffer = Buffer.alloc(0)

  constructor(path: string, readBytes = 1 << 18) {
    this.path = path
    this.readBytes = readBytes
  }

  get isOpen(): boolean {
    return this.fd !== undefined
  }

  /** At its end; false when it doesn't exist. */
  open(): boolean {
    this.close()
    try {
      this.fd = openSync(this.path, 'r')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw error
    }
    this.start = this.end = this.lastEnd(fstatSync(this.fd).size)
    this.remember()
    return true
  }

  /** Another process may have replaced the file, or cut it. */
  isSame(): boolean {
    if (this.fd === undefined) return false
    const now = statSync(this.path, { throwIfNoEntry: false })
    const { ino, dev, size } = fstatSync(this.fd)
    if (now === undefined || now.ino !== ino || now.dev !== dev || size < this.end) return false
    return this.bytes(this.end - this.mark.length, this.mark.length).equals(this.mark)
  }

  /** At least one line and about `readBytes`; undefined at the beginning of the file. */
  before(): LinePiece | undefined {
    for (let length = this.readBytes; this.start > 0; length *= 4) {
      const from = Math.max(0, this.start - length)
      const bytes = this.bytes(from, this.start - from)
      // The last byte ends the last line.
      const first = from === 0 ? 0 : bytes.subarray(0, -1).indexOf(LF) + 1
      if (first > 0 || from === 0) {
        this.start = from + first
        return { bytes: bytes.subarray(first), at: this.start }
      }
      if (length >= MOST_LINE_BYTES) break
    }
    this.start = 0
    return undefined
  }

  /** About `readBytes`; undefined when there is none. */
  after(): LinePiece | undefined {
    const newBytes = this.fd === undefined ? 0 : fstatSync(this.fd).size - this.end
    for (let length = this.readBytes; newBytes > 0 && length <= MOST_LINE_BYTES; length *= 4) {
      const bytes = this.bytes(this.end, Math.min(length, newBytes))
      const last = bytes.lastIndexOf(LF) + 1
      if (last > 0) {
        const at = this.end
        this.end += last
        this.remember()
        return { bytes: bytes.subarray(0, last), at }
      }
      if (length >= newBytes) break
    }
    return undefined
  }

  /** None after it was closed. */
  bytes(at: number, length: number): Buffer {
    return this.fd === undefined ? Buffer.alloc(0) : bytesAt(this.fd, at, length)
  }

  close(): void {
    if (this.fd !== undefined) closeSync(this.fd)
    this.fd = undefined
  }

  private remember(): void {
    const length = Math.min(MARK_BYTES, this.end)
    this.mark = this.bytes(this.end - length, length)
  }

  private lastEnd(size: number): number {
    for (let end = size; end > 0; ) {
      const from = Math.max(0, end - this.readBytes)
      const last = this.bytes(from, end - from).lastIndexOf(LF)
      if (last >= 0) return from + last + 1
      if (size - from > MOST_LINE_BYTES) return 0
      end = from
    }
    return 0
  }
}
