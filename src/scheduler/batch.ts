import { type ClassicKernel, ROWS } from '../url/classic-kernel.ts'
import { type Pieces, SPARE_BYTES } from './pieces.ts'

/** See `kernel/layout.ts`: the classic kernel's columns, then two that the store fills, then the texts. */
const COLUMN_BYTES = ROWS * 4
export const BATCH_COLUMNS = {
  length: COLUMN_BYTES,
  urlHash: 5 * COLUMN_BYTES,
  host: 6 * COLUMN_BYTES,
  slot: 7 * COLUMN_BYTES,
} as const
const KERNEL_COLUMNS = 6
const TEXTS = 8 * COLUMN_BYTES

/** URLs that the classic kernel found, at most {@link ROWS}, in the store's memory. */
export interface Batch {
  /** Where it is. */
  readonly at: number
  readonly rows: number
  readonly textBytes: number
}

/** How many bytes the rows of the kernel's last scan need as a batch. */
export function batchBytes(kernel: ClassicKernel, rows: number): number {
  return TEXTS + textBytes(kernel, rows) + SPARE_BYTES
}

/** Writes the rows of the kernel's last scan as a batch to this address of the store's memory. */
export function writeBatch(store: Buffer, at: number, kernel: ClassicKernel, rows: number): Batch {
  const from = kernel.at[0]!
  const bytes = textBytes(kernel, rows)
  for (let column = 0; column < KERNEL_COLUMNS; column++) {
    const start = column * COLUMN_BYTES
    store.set(kernel.columns.subarray(start, start + rows * 4), at + start)
  }
  store.set(kernel.bytes.subarray(from, from + bytes), at + TEXTS)
  return { at, rows, textBytes: bytes }
}

/** The texts of the rows follow each other. */
function textBytes({ at, length }: ClassicKernel, rows: number): number {
  return at[rows - 1]! + length[rows - 1]! - at[0]!
}

/** Room for one batch at a time. */
export class BatchRoom {
  private readonly pieces: Pieces
  private at: number
  private bytes = 1 << 16

  constructor(pieces: Pieces) {
    this.pieces = pieces
    this.at = pieces.table(this.bytes, 'batch')
  }

  /** The rows of the kernel's last scan. */
  take(kernel: ClassicKernel, rows: number): Batch {
    this.reserve(batchBytes(kernel, rows))
    return writeBatch(this.pieces.memory.bytes, this.at, kernel, rows)
  }

  /** Puts a text where a batch would be; returns its address. */
  put(text: Uint8Array): number {
    this.reserve(text.length + SPARE_BYTES)
    this.pieces.memory.bytes.set(text, this.at)
    return this.at
  }

  private reserve(bytes: number): void {
    if (bytes <= this.bytes) return
    const at = this.pieces.table(bytes * 2, 'batch')
    this.pieces.drop(this.at, this.bytes)
    this.at = at
    this.bytes = bytes * 2
  }
}
