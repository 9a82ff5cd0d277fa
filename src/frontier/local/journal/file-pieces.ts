import { readSync } from 'node:fs'
import { ByteReader } from '../../../base/structures/byte-reader.ts'

const PIECE_BYTES = 1 << 20

/** Reads the first `bytes` bytes of a file from the beginning, a piece at a time. */
export class FilePieces {
  private readonly fd: number
  private readonly bytes: number
  private readonly piece = Buffer.allocUnsafeSlow(PIECE_BYTES)
  private readonly reader = new ByteReader(this.piece, 0, 0)
  /** How much was read of the file, and how much of that is in the piece. */
  private readBytes = 0
  private held = 0

  constructor(fd: number, bytes: number) {
    this.fd = fd
    this.bytes = bytes
  }

  /** All pieces, one after the other; each is valid until the next. */
  *all(): Iterable<Buffer> {
    for (this.fill(0); this.held > 0; this.fill(0)) yield this.piece.subarray(0, this.held)
  }

  /** A reader that goes on where it was, with at least so many bytes before its end; fewer at the end of the file. */
  atLeast(bytes: number): ByteReader {
    const { reader } = this
    if (this.held - reader.at < bytes && this.readBytes < this.bytes) {
      this.fill(this.piece.copy(this.piece, 0, reader.at, this.held))
      reader.moveTo(0, this.held)
    }
    return reader
  }

  /** Reads on after the first `kept` bytes of the piece. */
  private fill(kept: number): void {
    const wanted = Math.min(PIECE_BYTES - kept, this.bytes - this.readBytes)
    const got = wanted === 0 ? 0 : readSync(this.fd, this.piece, kept, wanted, this.readBytes)
    this.readBytes += got
    this.held = kept + got
  }
}
