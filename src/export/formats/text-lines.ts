import type { Row } from '../tables.ts'
import type { FileFrame, Part, RowEncoder } from './format.ts'

const PART_UNITS = 1 << 20
const NOTHING = new Uint8Array(0)

/** Gathers rows as lines of text. */
export class LineEncoder implements RowEncoder {
  private readonly lineOf: (row: Row) => string
  private lines = ''
  private rows = 0

  constructor(lineOf: (row: Row) => string) {
    this.lineOf = lineOf
  }

  get isFull(): boolean {
    return this.lines.length >= PART_UNITS
  }

  add(row: Row): void {
    this.lines += this.lineOf(row)
    this.rows++
  }

  take(): Part | undefined {
    if (this.rows === 0) return undefined
    const { lines, rows } = this
    this.lines = ''
    this.rows = 0
    return { bytes: new TextEncoder().encode(lines), rows }
  }
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
