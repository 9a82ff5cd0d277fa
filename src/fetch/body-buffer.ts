const FIRST_BYTES = 32 << 10

/**
 * Assembles a body, up to a limit. Pieces are copied into one buffer, so a server that sends a million one-byte pieces costs a
 * megabyte.
 */
export class BodyBuffer {
  length = 0
  private bytes: Uint8Array = EMPTY
  private readonly limit: number
  private readonly expected: number

  /** `expected`: the length announced, 0 when unknown; only a hint. */
  constructor(limit: number, expected: number) {
    this.limit = limit
    this.expected = Math.min(expected, limit)
  }

  /** Adds a piece; returns false when the limit cut something off. */
  add(piece: Uint8Array): boolean {
    const isWhole = this.length + piece.length <= this.limit
    const taken = isWhole ? piece : piece.subarray(0, this.limit - this.length)
    this.makeRoom(this.length + taken.length)
    this.bytes.set(taken, this.length)
    this.length += taken.length
    return isWhole
  }

  /** The body so far, as a view that is valid until more is added. */
  get view(): Uint8Array {
    return this.bytes.length === this.length ? this.bytes : this.bytes.subarray(0, this.length)
  }

  private makeRoom(needed: number): void {
    if (needed <= this.bytes.length) return
    const room = Math.min(Math.max(needed * 2, FIRST_BYTES), this.limit)
    const larger = Buffer.allocUnsafeSlow(needed <= this.expected ? this.expected : room)
    larger.set(this.view)
    this.bytes = larger
  }
}

export const EMPTY = new Uint8Array(0)
