import { CHUNK_BYTES } from './chunk.ts'

/** Chunks in memory that two threads share: one fills them in turn, the other uses them in the same order. */
export interface Ring {
  readonly memory: SharedArrayBuffer
  /** Where the chunks begin. */
  readonly starts: readonly number[]
  /** Counts, see {@link CELL}; then for each chunk where it ends, whether it is the last, and the KiB read up to it. */
  readonly cells: Int32Array<SharedArrayBuffer>
}

const CELL = { isReady: 0, filled: 1, used: 2 } as const
const FIRST_END = 4
const CHUNK_CELLS = 3
const KIB = 1024

export const RING_CHUNKS = 10

export function newRing(memory: SharedArrayBuffer, firstStart: number): Ring {
  const starts = Array.from({ length: RING_CHUNKS }, (_, n) => firstStart + n * CHUNK_BYTES)
  return { memory, starts, cells: new Int32Array(new SharedArrayBuffer(4 * (FIRST_END + CHUNK_CELLS * RING_CHUNKS))) }
}

/** Waits while a count is still the same, for so long at most. */
function waitWhile(cells: Int32Array, cell: number, count: number, mostMs?: number): void {
  Atomics.wait(cells, cell, count, mostMs)
}

export class RingWriter {
  private readonly ring: Ring
  private count = 0

  constructor(ring: Ring) {
    this.ring = ring
  }

  ready(): void {
    Atomics.store(this.ring.cells, CELL.isReady, 1)
    Atomics.notify(this.ring.cells, CELL.isReady)
  }

  /** True while every chunk is filled, and none has been used since. */
  get isFull(): boolean {
    return this.count - Atomics.load(this.ring.cells, CELL.used) === RING_CHUNKS
  }

  /** Where the next chunk to be filled begins; waits until it has been used. */
  next(): number {
    const { cells, starts } = this.ring
    while (this.isFull) waitWhile(cells, CELL.used, this.count - RING_CHUNKS)
    return starts[this.count % RING_CHUNKS]!
  }

  /** Hands over the chunk that was filled. */
  filled(end: number, isLast: boolean, bytesRead: number): void {
    const { cells } = this.ring
    const at = FIRST_END + CHUNK_CELLS * (this.count % RING_CHUNKS)
    cells[at] = end
    cells[at + 1] = isLast ? 1 : 0
    cells[at + 2] = bytesRead / KIB
    Atomics.store(cells, CELL.filled, ++this.count)
    Atomics.notify(cells, CELL.filled)
  }
}

interface FilledChunk {
  readonly start: number
  readonly end: number
  readonly isLast: boolean
  readonly bytesRead: number
}

export class RingReader {
  private readonly ring: Ring
  private count = 0

  constructor(ring: Ring) {
    this.ring = ring
  }

  get isReady(): boolean {
    return Atomics.load(this.ring.cells, CELL.isReady) === 1
  }

  waitUntilReady(): void {
    waitWhile(this.ring.cells, CELL.isReady, 0)
  }

  /** The next chunk that is filled; undefined if none comes within `mostMs`. */
  next(mostMs: number): FilledChunk | undefined {
    const { cells, starts } = this.ring
    if (Atomics.load(cells, CELL.filled) === this.count) waitWhile(cells, CELL.filled, this.count, mostMs)
    if (Atomics.load(cells, CELL.filled) === this.count) return undefined
    const n = this.count % RING_CHUNKS
    const [end, isLast, kibRead] = cells.subarray(FIRST_END + CHUNK_CELLS * n)
    return { start: starts[n]!, end: end! >>> 0, isLast: isLast === 1, bytesRead: kibRead! * KIB }
  }

  /** The chunk of the last `next` is used up. */
  used(): void {
    Atomics.store(this.ring.cells, CELL.used, ++this.count)
    Atomics.notify(this.ring.cells, CELL.used)
  }
}
