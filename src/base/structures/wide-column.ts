const CHUNK_BITS = 16
const CHUNK_CELLS = 1 << CHUNK_BITS

type Cells = Float64Array | Int32Array | Uint8Array

/**
 * Numbers at indexes below 2^31, of which some neighbouring ones are used. Kept in chunks that are made when first written to: so it grows at both
 * ends, copies nothing, and never pauses.
 */
export class WideColumn<Chunk extends Cells> {
  private readonly chunks = new Map<number, Chunk>()
  private readonly make: (cells: number) => Chunk
  /** Nearly always the next one, too. */
  private last: Chunk | undefined
  private lastAt = -1

  /** `make`: all cells are 0. */
  constructor(make: (cells: number) => Chunk) {
    this.make = make
  }

  get(at: number): number {
    return this.chunk(at >>> CHUNK_BITS)?.[at & (CHUNK_CELLS - 1)] ?? 0
  }

  set(at: number, value: number): void {
    const which = at >>> CHUNK_BITS
    let chunk = this.chunk(which)
    if (chunk === undefined) {
      chunk = this.make(CHUNK_CELLS)
      this.chunks.set(which, chunk)
      this.last = chunk
    }
    chunk[at & (CHUNK_CELLS - 1)] = value
  }

  private chunk(which: number): Chunk | undefined {
    if (which !== this.lastAt) {
      this.last = this.chunks.get(which)
      this.lastAt = which
    }
    return this.last
  }
}
