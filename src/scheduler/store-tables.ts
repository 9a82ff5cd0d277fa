import type { Pieces, PieceUse } from './pieces.ts'
import { CELL, type StoreMemory } from './store-memory.ts'

const CELL_OF = {
  'host records': CELL.hostRecords,
  'URL slots': CELL.slots,
  'gone bits': CELL.goneBits,
  arrivals: CELL.arrivals,
} as const satisfies Partial<Record<PieceUse, number>>

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

  /** Makes room for this many words; a table that grows at least doubles. */
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

const CELLS_OF = {
  'host index': { at: CELL.hostIndex, places: CELL.hostPlaces },
  'URL index': { at: CELL.urlIndex, places: CELL.urlPlaces },
} as const

const FEWEST_PLACES = 64
const PLACE_BYTES = 8
/** Of a hundred places at most this many are filled; a search stays short because a place also holds the hash. */
const FULL_PERCENT = 86

/**
 * An index of the store: finds ids by a 32-bit hash. Open addressing with linear probing, a place being the pair (hash, id).
 * The kernel searches and fills it; here it is made, grows, and is emptied. How many places are filled, its owner knows.
 */
export class StoreIndex {
  private readonly memory: StoreMemory
  private readonly pieces: Pieces
  private readonly use: keyof typeof CELLS_OF

  constructor(pieces: Pieces, use: keyof typeof CELLS_OF, expected: number) {
    this.memory = pieces.memory
    this.pieces = pieces
    this.use = use
    this.make(placesFor(expected))
  }

  /** Makes room for this many more ids; `filled` places are filled now. */
  reserve(filled: number, more: number): void {
    const needed = filled + more
    if (needed * 100 > this.places * FULL_PERCENT) this.remake(placesFor(needed * 1.5), false)
  }

  /** Keeps only the URLs that are not gone, `kept` of them, in a table that fits them. */
  sweep(kept: number): void {
    this.remake(placesFor(kept * 1.1), true)
  }

  /**
   * Forgets everything. A table that was well used is kept and emptied, another shrinks: so the cost is bounded by what
   * was put in since the last time, however large the index once was.
   */
  clear(filled: number): void {
    if (filled * 16 < this.places || this.places === 0) {
      this.drop()
      this.make(placesFor(filled))
    } else this.memory.words(this.at, this.places * 2).fill(0)
  }

  /** Gives its memory back; it must be cleared before it is used again. */
  drop(): void {
    if (this.places > 0) this.pieces.drop(this.at, this.places * PLACE_BYTES)
    this.memory.cells[CELLS_OF[this.use].places] = 0
  }

  private get at(): number {
    return this.memory.cells[CELLS_OF[this.use].at]!
  }

  private get places(): number {
    return this.memory.cells[CELLS_OF[this.use].places]!
  }

  /** Writes to every page first: the kernel reads a place before it fills it, and the system would hand the page out twice. */
  private make(places: number): void {
    const at = this.pieces.table(places * PLACE_BYTES, this.use)
    this.memory.zero(at, places * PLACE_BYTES)
    this.memory.cells[CELLS_OF[this.use].at] = at
    this.memory.cells[CELLS_OF[this.use].places] = places
  }

  private remake(places: number, isSweeping: boolean): void {
    const [from, fromPlaces] = [this.at, this.places]
    this.make(places)
    this.memory.kernel.rehash(from, fromPlaces, this.at, places, isSweeping)
    this.pieces.drop(from, fromPlaces * PLACE_BYTES)
  }
}

function placesFor(ids: number): number {
  return Math.max(FEWEST_PLACES, Math.ceil((ids * 100) / FULL_PERCENT))
}
