const FIRST_ROWS = 64

/**
 * Rows of 32-bit words, many per chunk. It grows by whole chunks and copies no existing ones, so growing never takes
 * long. Only the first chunk begins small.
 *
 * Rows can be kept as they are at one moment, for a slow reader: a chunk is copied when it is first written to after that.
 */
export class Rows {
  private readonly width: number
  private readonly bits: number
  private readonly mask: number
  private chunks: Int32Array<ArrayBuffer>[] = []
  private doubles: Float64Array[] = []
  private room = 0
  /** The chunks that a reader still needs as they were, while there is one. */
  private kept: Set<number> | undefined
  /** Of a copy: the rows that go on changing. */
  private live: Rows | undefined

  /** `width` words per row; 2^`bits` rows per chunk. Doubles are at even words, in rows of an even number of words. */
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

  /** A row is in `chunk(row)`, from `offset(row)` on; for reading and writing many of its words. Valid until rows are added or kept. */
  chunk(row: number): Int32Array {
    if (this.kept !== undefined) this.part(row)
    return this.chunks[row >>> this.bits]!
  }

  offset(row: number): number {
    return (row & this.mask) * this.width
  }

  /** The double at words `2 * n` and the next. */
  getDouble(row: number, n: number): number {
    return this.doubles[row >>> this.bits]![(row & this.mask) * (this.width >> 1) + n]!
  }

  setDouble(row: number, n: number, value: number): void {
    if (this.kept !== undefined) this.part(row)
    this.doubles[row >>> this.bits]![(row & this.mask) * (this.width >> 1) + n] = value
  }

  /** These rows as they are now, to be read until its {@link letGo}. One reader at a time. */
  keep(): Rows {
    const copy = new Rows(this.width, this.bits)
    copy.chunks = [...this.chunks]
    copy.doubles = [...this.doubles]
    copy.live = this
    this.kept = new Set(this.chunks.keys())
    return copy
  }

  /** The reader of a copy no longer needs the rows before this one; with Infinity, it has finished. */
  letGo(row: number): void {
    const live = this.live!
    if (row === Infinity) live.kept = undefined
    else if ((row & this.mask) === 0) live.kept?.delete((row >>> this.bits) - 1)
  }

  /** Call before writing: a chunk that the reader still needs is left to it, and a copy takes its place. */
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
