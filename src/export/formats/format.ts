import type { RowGroup } from 'hyparquet'
import type { Row } from '../tables.ts'

/** Encoded rows. They stand for themselves: parts of several threads are put one after the other. */
export interface Part {
  /** In memory of their own: they may be transferred to another thread. */
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly rows: number
  /** Of Parquet: what the end of the file says about these rows, with places from the beginning of `bytes` on. */
  readonly group?: RowGroup
}

/** Encodes rows; runs in the threads. */
export interface RowEncoder {
  add(row: Row): void
  /** Whether there is enough for a part. */
  readonly isFull: boolean
  /** The rows since the last call; undefined when there are none. */
  take(): Part | undefined
}

/** What a file has around its parts, and where they lie; runs in the main thread. */
export interface FileFrame {
  /** What the file begins with. */
  head(): Uint8Array
  /** To be called for each part, in order. */
  place(part: Part): void
  /** What the file ends with. */
  end(): Uint8Array
}
