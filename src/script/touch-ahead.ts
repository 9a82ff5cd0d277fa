import { CELL, type SharedMemory } from '../scheduler/store-memory.ts'

const PAGE_BYTES = 1 << 12
const WORD_BYTES = 4
const SLOT_BYTES = 8
const ARRIVAL_BYTES = 8

/** Where the scheduler fills fresh memory, from its beginning on, and how far ahead of that pages are touched: less than a full ring of chunks fills. */
const FRONTS = [
  { at: (cells: Uint32Array) => cells[CELL.textsEnd]!, aheadBytes: 1 << 19 },
  { at: (cells: Uint32Array) => cells[CELL.slots]! + cells[CELL.lastSlot]! * SLOT_BYTES, aheadBytes: 1 << 16 },
  { at: (cells: Uint32Array) => cells[CELL.arrivals]! + cells[CELL.arrived]! * ARRIVAL_BYTES, aheadBytes: 1 << 16 },
]

/**
 * Touches the pages of a scheduler's memory that it will fill next, from a thread with nothing else to do: the first touch of a
 * page waits until the system has cleared it. What is in the pages stays as it is.
 */
export class TouchAhead {
  private readonly memory: SharedMemory
  private readonly touchedTo = FRONTS.map(() => 0)

  constructor(memory: SharedMemory) {
    this.memory = memory
  }

  touch(): void {
    const words = new Int32Array(this.memory.buffer)
    const cells = new Uint32Array(this.memory.buffer, 0, CELL.arrived + 1)
    for (const [n, front] of FRONTS.entries()) {
      const from = front.at(cells)
      const to = Math.min(from + front.aheadBytes, words.byteLength)
      const touchedTo = this.touchedTo[n]!
      // A table that has grown is elsewhere now.
      const isElsewhere = touchedTo < from || touchedTo > to
      for (let at = isElsewhere ? from : touchedTo; at < to; at += PAGE_BYTES) touchPage(words, at)
      this.touchedTo[n] = to
    }
  }
}

/** Exchanges 0 for 0. (Adding 0 would read first, and the page would come twice.) */
function touchPage(words: Int32Array, at: number): void {
  Atomics.compareExchange(words, Math.floor(at / WORD_BYTES), 0, 0)
}
