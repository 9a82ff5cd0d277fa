import { BitTree } from '../base/structures/bit-tree.ts'
import type { StoreMemory } from './store-memory.ts'

/** A stretch of memory to fill, from `start` to `end`; {@link SPARE_BYTES} more come after it. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

/** What a piece is used for. */
export type PieceUse =
  | 'host records'
  | 'host index'
  | 'long names'
  | 'URL slots'
  | 'gone bits'
  | 'URL index'
  | 'arrivals'
  | 'order'
  | 'texts'
  | 'batch'
  | 'slots taken'
  | 'lines'

export const PIECE_BYTES = 1 << 18
const PIECE_BITS = 18
/** The kernel may write this much too far. */
export const SPARE_BYTES = 16

/** Instead of a count of held bytes. */
const FREE = -1
const TABLE = -2

/**
 * A scheduler's memory, handed out in pieces of 256 KiB: as tables, which come and go whole, and as stretches for texts,
 * which are filled many texts at a time. Of a piece with texts, the bytes in use are counted, so that pieces of
 * which nothing is left can be used again.
 */
export class Pieces {
  readonly memory: StoreMemory
  /** Bytes of all pieces that are open for texts. */
  openBytes = 0
  /** At a piece: the bytes held in it, {@link FREE} or {@link TABLE}. The first piece has the cells. */
  private readonly held: number[] = [TABLE]
  private readonly uses: (PieceUse | undefined)[] = [undefined]
  private readonly free = new BitTree()

  constructor(memory: StoreMemory) {
    this.memory = memory
  }

  /** The address of this many bytes, all 0. */
  table(bytes: number, use: PieceUse): number {
    return this.take(piecesFor(bytes), TABLE, use) * PIECE_BYTES
  }

  /** Whether there is room for a table of this size. */
  hasRoom(bytes: number): boolean {
    const pieces = piecesFor(bytes)
    return this.memory.mayHave((this.held.length + pieces) * PIECE_BYTES) || this.freeRun(pieces) !== undefined
  }

  /** What this address is used for, if it is. */
  useAt(address: number): PieceUse | undefined {
    return this.uses[Math.floor(address / PIECE_BYTES)]
  }

  /** Gives a table back. */
  drop(start: number, bytes: number): void {
    const first = start / PIECE_BYTES
    for (let piece = first; piece < first + piecesFor(bytes); piece++) this.release(piece)
  }

  /** A stretch to fill with texts, with room for at least this many bytes. */
  open(roomBytes = 0): Stretch {
    const pieces = piecesFor(roomBytes + SPARE_BYTES)
    const start = this.take(pieces, 0, 'texts') * PIECE_BYTES
    this.openBytes += pieces * PIECE_BYTES
    return { start, end: start + pieces * PIECE_BYTES - SPARE_BYTES }
  }

  /** Counts texts of this many bytes as held; they are within `spanBytes` from `at` on. */
  hold(at: number, spanBytes: number, bytes: number): void {
    const last = Math.floor((at + spanBytes - 1) / PIECE_BYTES)
    for (let piece = Math.floor(at / PIECE_BYTES); piece <= last; piece++) this.held[piece]! += bytes
  }

  /** No text is held any more, or they are counted anew. */
  unholdAll(): void {
    for (let piece = 0; piece < this.held.length; piece++) if (this.held[piece]! > 0) this.held[piece] = 0
  }

  /** True where less than half of the piece at this address is held. */
  isSparse(at: number): boolean {
    return this.held[at >>> PIECE_BITS]! < PIECE_BYTES / 2
  }

  /** Gives back all pieces of which nothing is held, but those of `kept`. */
  releaseAllUnheld(kept?: Stretch): void {
    this.releaseUnheld({ start: 0, end: this.held.length * PIECE_BYTES }, kept)
  }

  /** Gives back the pieces of a stretch of which nothing is held. */
  releaseUnheld(stretch: Stretch, kept?: Stretch): void {
    for (let at = stretch.start; at < stretch.end; at += PIECE_BYTES) {
      const piece = at / PIECE_BYTES
      if (this.held[piece] !== 0) continue
      if (kept !== undefined && kept.start <= at && at < kept.end) continue
      this.release(piece)
      this.openBytes -= PIECE_BYTES
    }
  }

  private release(piece: number): void {
    this.held[piece] = FREE
    this.uses[piece] = undefined
    this.free.add(piece)
  }

  /** The first of this many pieces in a row, which are now in use; a table is all 0. */
  private take(pieces: number, held: 0 | typeof TABLE, use: PieceUse): number {
    const found = this.freeRun(pieces)
    const first = found ?? this.held.length
    if (found === undefined) this.memory.grow((first + pieces) * PIECE_BYTES)
    for (let piece = first; piece < first + pieces; piece++) {
      this.free.delete(piece)
      this.held[piece] = held
      this.uses[piece] = use
    }
    if (found !== undefined && held === TABLE) this.memory.zero(first * PIECE_BYTES, pieces * PIECE_BYTES)
    return first
  }

  /** The first of this many free pieces in a row. */
  private freeRun(pieces: number): number | undefined {
    let first = this.free.firstFrom(0)
    while (first >= 0) {
      let end = first + 1
      while (end - first < pieces && this.free.has(end)) end++
      if (end - first === pieces) return first
      first = this.free.firstFrom(end)
    }
    return undefined
  }
}

function piecesFor(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / PIECE_BYTES))
}
