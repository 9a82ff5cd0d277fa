import type { RowGroup } from 'hyparquet'
import { unixClock } from '../../base/clock.ts'
import { version } from '../../base/version.ts'
import { csvLine } from '../../base/words/csv.ts'
import type { Column, FormatName, TableRow, Value } from '../tables.ts'
import { WetEncoder, wetInfo } from './wet.ts'

/** What encodes rows in this format. */
export async function encoderFor(format: FormatName, columns: readonly Column[]): Promise<RowEncoder> {
  if (format === 'wet') return new WetEncoder()
  if (format === 'parquet') return new (await import('./parquet.ts')).ParquetEncoder(columns)
  return new LineEncoder(format === 'csv' ? csvLines(columns) : jsonLines(columns))
}

/** What a file in this format has around its rows. */
export async function frameFor(format: FormatName, columns: readonly Column[]): Promise<FileFrame> {
  if (format === 'wet') return new PlainFrame(wetInfo(`Escalona/${version()}`, unixClock()))
  if (format === 'parquet') return new (await import('./parquet.ts')).ParquetFrame(columns)
  return new PlainFrame(format === 'csv' ? Buffer.from(csvLine(columns.map(({ name }) => name))) : undefined)
}

function csvLines(columns: readonly Column[]): (row: TableRow) => string {
  return row => csvLine(columns.map(({ name, kind }) => (kind === 'time' ? isoTime(row[name]!) : row[name]!)))
}

function isoTime(value: Value): Value {
  return value === null ? null : new Date(value as number).toISOString()
}

/** Rows as JSON, one object per line, with all keys in the order of the columns. What a terminal might obey, the extractor has left out. */
function jsonLines(columns: readonly Column[]): (row: TableRow) => string {
  const keys = columns.map(({ name }, at) => `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`)
  return row => {
    let line = ''
    for (let at = 0; at < columns.length; at++) line += keys[at]! + jsonOf(row[columns[at]!.name]!, columns[at]!)
    return `${line}}\n`
  }
}

function jsonOf(value: Value, { kind }: Column): string {
  return kind === 'time' ? `"${new Date(value as number).toISOString()}"` : JSON.stringify(value)
}

const PART_BYTES = 1 << 20
/** A UTF-16 unit never takes more in UTF-8. */
const MOST_UNIT_BYTES = 3
const NOTHING = new Uint8Array(0)

/** Gathers rows as lines of text. Each is encoded by itself: one that is not ASCII would make a long text of many slower to encode. */
class LineEncoder implements RowEncoder {
  private readonly lineOf: (row: TableRow) => string
  private bytes = Buffer.allocUnsafeSlow(2 * PART_BYTES)
  private length = 0
  private rows = 0

  constructor(lineOf: (row: TableRow) => string) {
    this.lineOf = lineOf
  }

  get isFull(): boolean {
    return this.length >= PART_BYTES
  }

  add(row: TableRow): void {
    const line = this.lineOf(row)
    const needed = this.length + line.length * MOST_UNIT_BYTES
    if (needed > this.bytes.length) this.bytes = grown(this.bytes, this.length, needed)
    this.length += this.bytes.write(line, this.length)
    this.rows++
  }

  take(): EncodedRows | undefined {
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
class PlainFrame implements FileFrame {
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

/** Encoded rows. Parts of several threads are put one after the other. */
export interface EncodedRows {
  /** In memory of their own: they may be transferred to another thread. */
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly rows: number
  /** Of Parquet: what the end of the file says about these rows, with places from the beginning of `bytes` on. */
  readonly group?: RowGroup
}

/** Encodes rows; runs in the threads. */
export interface RowEncoder {
  add(row: TableRow): void
  /** Whether there is enough for a part. */
  readonly isFull: boolean
  /** The rows since the last call; undefined when there are none. */
  take(): EncodedRows | undefined
}

/** What a file has around its parts, and where they are; runs in the main thread. */
export interface FileFrame {
  /** What the file begins with. */
  head(): Uint8Array
  /** To be called for each part, in order. */
  place(part: EncodedRows): void
  /** What the file ends with. */
  end(): Uint8Array
}
