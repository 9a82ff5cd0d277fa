import { EscalonaError } from '../base/errors.ts'
import { BitTree } from '../base/structures/bit-tree.ts'
import { type Chunk, newChunk, SPARE_BYTES } from '../base/structures/bytes.ts'
import { words } from './messages.ts'

/** The longest text: no longer line reaches us. */
export const MOST_TEXT_BYTES = (1 << 24) - 1

/** Where a text stands is two words: its offset in a region, and `region << 24 | length`. */
export function regionAndLength(region: number, length: number): number {
  return (region << 24) | length
}

export function lengthOf(regionAndLength: number): number {
  return regionAndLength & MOST_TEXT_BYTES
}

/** A stretch of a region to fill, from `start` to `end`; {@link SPARE_BYTES} more come after it. */
export interface Stretch {
  readonly region: number
  readonly start: number
  readonly end: number
}

const PIECE_BITS = 18
const PIECE_BYTES = 1 << PIECE_BITS
const LARGEST_REGION_PIECES = (1 << 30) / PIECE_BYTES
const MOST_REGIONS = 256
const FREE = -1

/**
 * Texts, without an object each. Memory comes from the system in large regions (which cost nothing before they are used)
 * and is handed out in stretches, which are filled from outside, many texts at a time.
 *
 * A region is divided into pieces of 256 KiB. The arena counts how many bytes of each piece somebody holds, so that
 * pieces of which nothing is left can be filled again.
 */
export class TextArena {
  /** Bytes of all pieces that are not free. */
  openBytes = 0
  /** Bytes of texts that somebody holds. */
  heldBytes = 0
  private readonly regions: Chunk[] = []
  /** At a region: the number of its first piece. Pieces are numbered over all regions, with a gap between two. */
  private readonly firstPiece: number[] = []
  /** At a piece: the bytes held in it, or {@link FREE}. */
  private readonly held: number[] = []
  private readonly free = new BitTree()
  private regionPieces: number

  constructor(expectedBytes = 0) {
    this.regionPieces = Math.max(2, Math.ceil((expectedBytes * 1.02) / PIECE_BYTES))
  }

  /** The region that a text stands in. */
  regionOf(regionAndLength: number): Chunk {
    return this.regions[regionAndLength >>> 24]!
  }

  /**
   * Reads both ends of these texts, so that the waits for memory overlap; see {@link HashIndex.guess}. Only of those in
   * the first one's region: mostly there is only one. The sum keeps it from being optimised away.
   */
  readAhead(at: Int32Array, where: Int32Array, count: number): number {
    const region = where[0]! >>> 24
    const { bytes } = this.regions[region]!
    let sum = 0
    for (let i = 0; i + 1 < count; i += 2) {
      const a = where[i]!
      const b = where[i + 1]!
      if (a >>> 24 !== region || b >>> 24 !== region) continue
      const aAt = at[i]!
      const bAt = at[i + 1]!
      sum += bytes[aAt]! + bytes[aAt + lengthOf(a)]! + bytes[bAt]! + bytes[bAt + lengthOf(b)]!
    }
    return sum
  }

  chunk(stretch: Stretch): Chunk {
    return this.regions[stretch.region]!
  }

  /** A stretch to fill, with room for at least this many bytes. */
  open(roomBytes = 0): Stretch {
    const pieces = Math.max(1, Math.ceil((roomBytes + SPARE_BYTES) / PIECE_BYTES))
    const first = this.freeRun(pieces) ?? this.addRegion(pieces)
    for (let piece = first; piece < first + pieces; piece++) {
      this.free.delete(piece)
      this.held[piece] = 0
    }
    this.openBytes += pieces * PIECE_BYTES
    const region = this.firstPiece.findLastIndex(piece => piece <= first)
    const start = (first - this.firstPiece[region]!) * PIECE_BYTES
    return { region, start, end: start + pieces * PIECE_BYTES - SPARE_BYTES }
  }

  /** Somebody holds texts of this many bytes, which stand somewhere from `at` on, `spanBytes` long. */
  hold(region: number, at: number, spanBytes: number, bytes: number): void {
    const first = this.firstPiece[region]!
    const last = first + ((at + spanBytes - 1) >>> PIECE_BITS)
    for (let piece = first + (at >>> PIECE_BITS); piece <= last; piece++) this.held[piece]! += bytes
    this.heldBytes += bytes
  }

  /** Nobody holds anything any more, or it is counted anew. */
  unholdAll(): void {
    for (let piece = 0; piece < this.held.length; piece++) if (this.held[piece] !== FREE) this.held[piece] = 0
    this.heldBytes = 0
  }

  /** True where less than half of the piece at this offset is held. */
  isSparse(region: number, at: number): boolean {
    return this.held[this.firstPiece[region]! + (at >>> PIECE_BITS)]! < PIECE_BYTES / 2
  }

  /** Gives back all pieces of which nothing is held, but those of `kept`. */
  releaseAllUnheld(kept?: Stretch): void {
    for (let region = 0; region < this.regions.length; region++) {
      const { length } = this.regions[region]!.bytes
      this.releaseUnheld({ region, start: 0, end: length - SPARE_BYTES }, kept)
    }
  }

  /** Gives back the pieces of a stretch of which nothing is held. */
  releaseUnheld(stretch: Stretch, kept?: Stretch): void {
    const first = this.firstPiece[stretch.region]!
    for (let at = stretch.start; at < stretch.end; at += PIECE_BYTES) {
      const piece = first + at / PIECE_BYTES
      if (this.held[piece] !== 0) continue
      if (kept !== undefined && kept.region === stretch.region && kept.start <= at && at < kept.end) continue
      this.held[piece] = FREE
      this.free.add(piece)
      this.openBytes -= PIECE_BYTES
    }
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

  private addRegion(leastPieces: number): number {
    if (this.regions.length === MOST_REGIONS) {
      throw new EscalonaError('SCHEDULER_FULL', words().full)
    }
    const pieces = Math.max(leastPieces, Math.min(this.regionPieces, LARGEST_REGION_PIECES))
    this.regionPieces = pieces * 2
    const first = this.held.length + 1
    this.regions.push(newChunk(pieces * PIECE_BYTES - SPARE_BYTES))
    this.firstPiece.push(first)
    for (let piece = first; piece < first + pieces; piece++) {
      this.held[piece] = FREE
      this.free.add(piece)
    }
    return first
  }
}
