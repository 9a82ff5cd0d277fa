const FIRST_ROWS = 64

/**
 * Rows of 32-bit words, many to a chunk. More rows are another chunk: nothing that is there is copied, so growing never
 * stops anybody for long. Only the first chunk begins small.
 *
 * Rows can be kept as they are at one moment, for somebody who reads them slowly: a chunk is copied when it is written to
 * for the first time after that.
 */
export class Rows {
  private readonly width: number
  private readonly bits: number
  private readonly mask: number
  private chunks: Int32Array<ArrayBuffer>[] = []
  private doubles: Float64Array[] = []
  private room = 0
  /** The chunks that somebody still reads as they were, if anybody does. */
  private kept: Set<number> | undefined

  /** So many words a row; 2^`bits` rows a chunk. Doubles stand at even words, in rows of an even number of words. */
  constructor(width: number, bits: number) {
    this.width = width
    this.bits = bits
    this.mask = (1 << bits) - 1
  }

  /** Makes room for this row and all before it. New rows are zeros. */
  reach(row: number): void {
    while (row >= this.room) this.grow()
  }

  get(row: number, word: number): number {
    return this.chunks[row >>> this.bits]![(row & this.mask) * this.width + word]!
  }

  set(row: number, word: number, value: number): void {
    if (this.kept !== undefined) this.part(row)
    this.chunks[row >>> this.bits]![(row & this.mask) * this.width + word] = value
  }

  /**
   * Where a row stands, for whoever reads and writes many of its words: from `offset` on in `chunk`, which stays until
   * rows are added or kept.
   */
  chunk(row: number): Int32Array {
    if (this.kept !== undefined) this.part(row)
    return this.chunks[row >>> this.bits]!
  }

  offset(row: number): number {
    return (row & this.mask) * this.width
  }

  /** The double at words `2 * place` and the next. */
  getDouble(row: number, place: number): number {
    return this.doubles[row >>> this.bits]![(row & this.mask) * (this.width >> 1) + place]!
  }

  setDouble(row: number, place: number, value: number): void {
    if (this.kept !== undefined) this.part(row)
    this.doubles[row >>> this.bits]![(row & this.mask) * (this.width >> 1) + place] = value
  }

  /** These rows as they are now, to be read until {@link letGo}. One reader at a time. */
  keep(): Rows {
    const twin = new Rows(this.width, this.bits)
    twin.chunks = [...this.chunks]
    twin.doubles = [...this.doubles]
    this.kept = new Set(this.chunks.keys())
    return twin
  }

  /** The reader has read all rows before this one; with Infinity, it has ended. */
  letGo(row: number): void {
    if (row === Number.POSITIVE_INFINITY) this.kept = undefined
    else if ((row & this.mask) === 0) this.kept?.delete((row >>> this.bits) - 1)
  }

  /** Somebody writes: if the chunk is still read as it was, that one is the reader's alone from now on. */
  private part(row: number): void {
    const n = row >>> this.bits
    if (this.kept?.delete(n)) this.put(n, this.chunks[n]!.slice())
  }

  private grow(): void {
    const all = this.mask + 1
    const isFirst = this.room < all
    const rows = isFirst ? Math.min(Math.max(FIRST_ROWS, this.room * 2), all) : all
    const chunk = new Int32Array(rows * this.width)
    if (isFirst && this.room > 0) {
      chunk.set(this.chunks[0]!)
      this.kept?.delete(0)
    }
    this.put(isFirst ? 0 : this.chunks.length, chunk)
    this.room = isFirst ? rows : this.room + rows
  }

  private put(n: number, chunk: Int32Array<ArrayBuffer>): void {
    this.chunks[n] = chunk
    this.doubles[n] = new Float64Array(chunk.buffer, 0, chunk.length >> 1)
  }
}
