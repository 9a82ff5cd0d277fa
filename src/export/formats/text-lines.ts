import type { Row } from '../tables.ts'
import type { FileFrame, Part, RowEncoder } from './format.ts'

const PART_BYTES = 1 << 20
/** A UTF-16 unit never takes more in UTF-8. */
const MOST_UNIT_BYTES = 3
const NOTHING = new Uint8Array(0)

/** Gathers rows as lines of text. Each is encoded by itself: one that is not ASCII would make a long text of many slower to encode. */
export class LineEncoder implements RowEncoder {
  private readonly lineOf: (row: Row) => string
  private bytes = Buffer.allocUnsafeSlow(2 * PART_BYTES)
  private length = 0
  private rows = 0

  constructor(lineOf: (row: Row) => string) {
    this.lineOf = lineOf
  }

  get isFull(): boolean {
    return this.length >= PART_BYTES
  }

  add(row: Row): void {
    const line = this.lineOf(row)
    const needed = this.length + line.length * MOST_UNIT_BYTES
    if (needed > this.bytes.length) this.bytes = grown(this.bytes, this.length, needed)
    this.length += this.bytes.write(line, this.length)
    this.rows++
  }

  take(): Part | undefined {
    if (this.rows === 0) return undefined
    const part = { bytes: new Uint8Array(this.bytes.subarray(0, this.length)), rows: this.rows }
    this.length = this.rows = 0
    return part
  }
}

function grown(bytes: Buffer, length: number, needed: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafeSlow(needed)
  bytes.copy(larger, 0, 0, length)
  return larger
}

/** A file that is nothing but its parts, and perhaps a head. */
export class PlainFrame implements FileFrame {
  private readonly first: Uint8Array

  constructor(first: Uint8Array = NOTHING) {
    this.first = first
  }

  head(): Uint8Array {
    return this.first
  }

  place(): void {}

  end(): Uint8Array {
    return NOTHING
  }
}
