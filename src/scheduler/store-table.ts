import type { Pieces, Use } from './pieces.ts'
import { CELL } from './store-memory.ts'

const CELL_OF = {
  'host records': CELL.hostRecords,
  'URL slots': CELL.slots,
  'gone bits': CELL.goneBits,
  arrivals: CELL.arrivals,
} as const satisfies Partial<Record<Use, number>>

/** A table of the store that grows: words in a row, whose address the kernel finds in a cell. */
export class StoreTable {
  words!: Int32Array
  private readonly pieces: Pieces
  private readonly use: keyof typeof CELL_OF

  constructor(pieces: Pieces, use: keyof typeof CELL_OF, words: number) {
    this.pieces = pieces
    this.use = use
    this.make(words)
  }

  /** Makes room for so many words, at least twice as many as before if there are fewer. */
  reserve(words: number): void {
    if (words <= this.words.length) return
    const old = this.words
    this.make(Math.max(words, old.length * 2))
    this.words.set(old)
    this.pieces.drop(old.byteOffset, old.byteLength)
  }

  private make(words: number): void {
    const at = this.pieces.table(words * 4, this.use)
    this.pieces.memory.cells[CELL_OF[this.use]] = at
    this.words = this.pieces.memory.words(at, words)
  }
}
