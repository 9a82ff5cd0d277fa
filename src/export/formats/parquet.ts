import { gzipSync } from 'node:zlib'
import type { ColumnChunk, RowGroup, SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { Column, TableRow } from '../tables.ts'
import type { EncodedRows, FileFrame, RowEncoder } from './formats.ts'

/** A row group is encoded at once, so these bound the memory that it takes. */
const GROUP_UNITS = 1 << 24
const GROUP_ROWS = 1 << 17
/** Faster and smaller than the package's own Snappy in JavaScript: docs/decisions/0020. */
const GZIP = { codec: 'GZIP', compressors: { GZIP: (bytes: Uint8Array) => gzipSync(bytes, { level: 1 }) } } as const
/** What every file begins and ends with. */
const MAGIC_BYTES = 4

const PHYSICAL = {
  code: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  words: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  flag: { type: 'BOOLEAN' },
} as const

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map(({ name, kind, isOptional = false }) => ({
      name,
      ...PHYSICAL[kind],
      repetition_type: isOptional ? ('OPTIONAL' as const) : ('REQUIRED' as const),
    })),
  ]
}

/** Gathers rows as columns; each part is one row group, as in the file. */
export class ParquetEncoder implements RowEncoder {
  private readonly columns: readonly Column[]
  private readonly schema: SchemaElement[]
  private data: (string | bigint | boolean | null)[][]
  private rows = 0
  private units = 0

  constructor(columns: readonly Column[]) {
    this.columns = columns
    this.schema = schemaOf(columns)
    this.data = columns.map(() => [])
  }

  get isFull(): boolean {
    return this.units >= GROUP_UNITS || this.rows >= GROUP_ROWS
  }

  add(row: TableRow): void {
    for (const [at, { name }] of this.columns.entries()) {
      const value = row[name]!
      if (typeof value === 'string') this.units += value.length
      this.data[at]!.push(typeof value === 'number' ? BigInt(value) : value)
    }
    this.rows++
  }

  take(): EncodedRows | undefined {
    if (this.rows === 0) return undefined
    const { rows } = this
    const writer = new ByteWriter(1 << 16)
    const parquet = new ParquetWriter({ writer, schema: this.schema, ...GZIP })
    const columnData = this.columns.map(({ name, hasFewValues = false }, at) => ({
      name,
      data: this.data[at]!,
      offsetIndex: false,
      ...(!hasFewValues && { encoding: 'PLAIN' as const }),
    }))
    parquet.write({ columnData, rowGroupSize: rows })
    this.data = this.columns.map(() => [])
    this.rows = this.units = 0
    const group = parquet.row_groups[0]!
    for (const [at, { kind }] of this.columns.entries()) if (kind === 'words') forgetBounds(group.columns[at]!)
    return { bytes: writer.getBytes().slice(MAGIC_BYTES), rows, group: moved(group, -MAGIC_BYTES) }
  }
}

/**
 * Drops the least and the greatest value of a column chunk. They are kept until the end of the file is written, and are found by
 * the order of UTF-16, which is not that of UTF-8: a reader that relies on them would miss rows. In ASCII both are the same.
 */
function forgetBounds({ meta_data }: ColumnChunk): void {
  if (meta_data !== undefined) delete meta_data.statistics
}

/** A row group `by` bytes further on. */
function moved(group: RowGroup, by: number): RowGroup {
  const distance = BigInt(by)
  return {
    ...group,
    columns: group.columns.map(({ file_offset, meta_data, ...rest }) => ({
      ...rest,
      file_offset: file_offset + distance,
      meta_data: meta_data && {
        ...meta_data,
        data_page_offset: meta_data.data_page_offset + distance,
        dictionary_page_offset:
          meta_data.dictionary_page_offset === undefined ? undefined : meta_data.dictionary_page_offset + distance,
      },
    })) as ColumnChunk[],
  }
}

/** Keeps what the end of a Parquet file says: where the row groups are. */
export class ParquetFrame implements FileFrame {
  private readonly writer = new ByteWriter()
  private readonly parquet: ParquetWriter

  constructor(columns: readonly Column[]) {
    this.parquet = new ParquetWriter({ writer: this.writer, schema: schemaOf(columns) })
  }

  head(): Uint8Array {
    return this.written()
  }

  place({ bytes, rows, group }: EncodedRows): void {
    this.parquet.row_groups.push(moved(group!, this.writer.offset))
    this.parquet.num_rows += BigInt(rows)
    this.writer.offset += bytes.length
  }

  end(): Uint8Array {
    void this.parquet.finish()
    return this.written()
  }

  /** What the package has written since the last call. */
  private written(): Uint8Array {
    const bytes = this.writer.getBytes().slice()
    this.writer.index = 0
    return bytes
  }
}
