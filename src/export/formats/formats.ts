import { unixClock } from '../../base/clock.ts'
import { version } from '../../base/version.ts'
import { csvLine } from '../../base/words/csv.ts'
import type { Column, FormatName, Row, Value } from '../tables.ts'
import type { FileFrame, RowEncoder } from './format.ts'
import { jsonLines } from './jsonl.ts'
import { LineEncoder, PlainFrame } from './text-lines.ts'
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

function csvLines(columns: readonly Column[]): (row: Row) => string {
  return row => csvLine(columns.map(({ name, kind }) => (kind === 'time' ? isoTime(row[name]!) : row[name]!)))
}

function isoTime(value: Value): Value {
  return value === null ? null : new Date(value as number).toISOString()
}
