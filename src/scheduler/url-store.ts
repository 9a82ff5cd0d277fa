import type { Batch } from './batch.ts'
import type { Pieces, Stretch } from './pieces.ts'
import { CELL, type StoreMemory } from './store-memory.ts'
import { StoreIndex, StoreTable } from './store-tables.ts'

/** A URL's number, from 1; 0 means "none". */
export type UrlSlot = number

/** The words of a slot: the address of its text; then its depth, as far as that fits into a byte, and its length. */
const AT = 0
const DEPTH_AND_LENGTH = 1
const SLOT_WORDS = 2
const LENGTH_MASK = 0x00ffffff
const MOST_DEPTH = 255

/** As the second word: the slot is free, and AT names the next one that is. No URL is empty. */
const FREE = 0

/** How many URLs may be gone (or an eighth of all slots), or how many bytes wasted, before a sweep pays off. */
const LEAST_GONE = 1 << 16
const LEAST_WASTED_BYTES = 1 << 26

/**
 * The waiting URLs: the address of each one's text, and an index by hash that finds the same URL again; and the arrivals, those
 * that are in no list yet.
 *
 * A URL that leaves its list only counts as gone: leaving touches no index. When more URLs are gone than are waiting, a
 * sweep takes their memory back in one go, and texts that are thinly scattered move together. So leaving costs a fixed
 * number of steps on average, and memory stays in proportion to what is waiting.
 */
export class UrlStore {
  private readonly memory: StoreMemory
  private readonly pieces: Pieces
  private readonly slots: StoreTable
  /** One bit per slot: the URL has left its list. Apart from the slots, so that leaving stays in the cache. */
  private readonly goneBits: StoreTable
  /** Pairs of a slot and its host, in the order in which they came. */
  private readonly arrivals: StoreTable
  private readonly index: StoreIndex
  /** Texts go here, from the kernel's cell on. */
  private stretch: Stretch
  /** After all have left: how many there were in the index. */
  private formerly = 0

  constructor(pieces: Pieces, expectedUrls: number) {
    this.memory = pieces.memory
    this.pieces = pieces
    this.slots = new StoreTable(pieces, 'URL slots', (expectedUrls + 1024) * SLOT_WORDS)
    this.goneBits = new StoreTable(pieces, 'gone bits', ((expectedUrls + 1024) >> 5) + 1)
    this.arrivals = new StoreTable(pieces, 'arrivals', (expectedUrls + 1024) * 2)
    this.index = new StoreIndex(pieces, 'URL index', expectedUrls)
    this.stretch = this.openStretch(0)
  }

  get waiting(): number {
    return this.memory.cells[CELL.waiting]!
  }

  /** How many of them are in no list yet. */
  get arrived(): number {
    return this.memory.cells[CELL.arrived]!
  }

  /** All who arrived are in lists now: returns them, as pairs of a slot and its host. */
  takeArrivals(): Int32Array {
    const arrived = this.arrivals.words.subarray(0, this.arrived * 2)
    this.memory.cells[CELL.arrived] = 0
    return arrived
  }

  /** Adds the URLs of a batch that are not waiting already. */
  add(batch: Batch): void {
    const { cells, kernel } = this.memory
    const end = cells[CELL.lastSlot]! + batch.rows + 1
    this.slots.reserve(end * SLOT_WORDS)
    this.goneBits.reserve((end >> 5) + 1)
    this.arrivals.reserve((this.arrived + batch.rows) * 2)
    this.index.reserve(this.waiting + cells[CELL.gone]!, batch.rows)
    if (cells[CELL.textsEnd]! + batch.textBytes > this.stretch.end) {
      const filled = this.stretch
      this.stretch = this.openStretch(batch.textBytes)
      this.pieces.releaseUnheld(filled)
    }
    const first = cells[CELL.textsEnd]!
    kernel.add(batch.at, batch.rows)
    const bytes = cells[CELL.textsEnd]! - first
    if (bytes > 0) this.pieces.hold(first, bytes, bytes)
  }

  /** The URLs whose slots are at this address have left their lists. Their texts can be read until the next is added. */
  leave(slotsAt: number, count: number): void {
    this.memory.kernel.leave(slotsAt, count)
  }

  /** All URLs will leave, so none is looked up again: their index makes room. */
  dropIndex(): void {
    this.formerly = this.waiting + this.memory.cells[CELL.gone]!
    this.index.drop()
  }

  /** All URLs have left their lists. Their texts can be read as above. */
  leaveAll(): void {
    for (const cell of [CELL.waiting, CELL.arrived, CELL.heldBytes]) this.memory.cells[cell] = 0
  }

  /** A view of a URL's text. */
  text(slot: UrlSlot): Buffer {
    const at = this.at(slot)
    return this.memory.bytes.subarray(at, at + this.length(slot))
  }

  depth(slot: UrlSlot): number {
    const depth = this.slots.words[slot * SLOT_WORDS + DEPTH_AND_LENGTH]! >>> 24
    return depth < MOST_DEPTH ? depth : this.memory.kernel.depthOf(slot)
  }

  /** Takes back the memory of what is gone, when that pays off. */
  sweepIfWorthwhile(): void {
    const { cells } = this.memory
    if (this.formerly > 0) this.clear()
    const isMostlyGone = cells[CELL.gone]! > this.waiting + Math.max(LEAST_GONE, cells[CELL.lastSlot]! >> 3)
    const isMostlyWaste = this.pieces.openBytes > 3 * cells[CELL.heldBytes]! + LEAST_WASTED_BYTES
    if (isMostlyGone || isMostlyWaste) this.sweep()
  }

  clear(): void {
    const { cells } = this.memory
    this.index.clear(Math.max(this.formerly, this.waiting + cells[CELL.gone]!))
    this.formerly = 0
    this.goneBits.words.fill(0, 0, (cells[CELL.lastSlot]! >> 5) + 1)
    for (const cell of [CELL.lastSlot, CELL.freeSlot, CELL.gone, CELL.waiting, CELL.arrived, CELL.heldBytes]) {
      cells[cell] = 0
    }
    this.pieces.unholdAll()
    this.pieces.releaseAllUnheld()
    this.stretch = this.openStretch(0)
  }

  private openStretch(roomBytes: number): Stretch {
    const stretch = this.pieces.open(roomBytes)
    this.memory.cells[CELL.textsEnd] = stretch.start
    return stretch
  }

  private at(slot: UrlSlot): number {
    return this.slots.words[slot * SLOT_WORDS + AT]! >>> 0
  }

  private length(slot: UrlSlot): number {
    return this.slots.words[slot * SLOT_WORDS + DEPTH_AND_LENGTH]! & LENGTH_MASK
  }

  private isGone(slot: UrlSlot): boolean {
    return ((this.goneBits.words[slot >> 5]! >> (slot & 31)) & 1) === 1
  }

  private sweep(): void {
    if (this.waiting === 0) {
      this.clear()
      return
    }
    const { cells } = this.memory
    this.index.sweep(this.waiting)
    const { words } = this.slots
    for (let slot = 1; slot <= cells[CELL.lastSlot]!; slot++) {
      if (!this.isGone(slot)) continue
      words[slot * SLOT_WORDS + DEPTH_AND_LENGTH] = FREE
      words[slot * SLOT_WORDS + AT] = cells[CELL.freeSlot]!
      this.goneBits.words[slot >> 5]! &= ~(1 << (slot & 31))
      cells[CELL.freeSlot] = slot
    }
    cells[CELL.gone] = 0
    this.holdAll()
    this.pieces.releaseAllUnheld(this.stretch)
    this.gather()
    this.holdAll()
    this.pieces.releaseAllUnheld(this.stretch)
  }

  private *taken(): Iterable<UrlSlot> {
    const last = this.memory.cells[CELL.lastSlot]!
    for (let slot = 1; slot <= last; slot++) {
      if (this.slots.words[slot * SLOT_WORDS + DEPTH_AND_LENGTH] !== FREE) yield slot
    }
  }

  private holdAll(): void {
    this.pieces.unholdAll()
    for (const slot of this.taken()) this.pieces.hold(this.at(slot), this.length(slot), this.length(slot))
  }

  /** Moves texts out of pieces that are less than half in use, into fresh ones. */
  private gather(): void {
    let to: Stretch | undefined
    let end = 0
    for (const slot of this.taken()) {
      if (!this.pieces.isSparse(this.at(slot))) continue
      const length = this.length(slot)
      if (to === undefined || end + length > to.end) {
        to = this.pieces.open(length)
        end = to.start
      }
      this.memory.move(this.at(slot), end, length)
      this.slots.words[slot * SLOT_WORDS + AT] = end
      end += length
    }
  }
}
