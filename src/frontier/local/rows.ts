const FIRST_ROWS = 64

/**
 * Rows of 32-bit words, many to a chunk. More rows are another chunk: nothing that is there is copied, so growing never
 * stops anybody for long. Only the first chunk begins small.
 */
export class Rows {
  private readonly width: number
  private readonly bits: number
  private readonly mask: number
  private chunks: Int32Array[] = []
  private doubles: Float64Array[] = []
  private room = 0

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
    this.chunks[row >>> this.bits]![(row & this.mask) * this.width + word] = value
  }

  /** Where a row stands, for whoever reads many of its words: from `offset` on in `chunk`, which stays until rows are added. */
  chunk(row: number): Int32Array {
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
    this.doubles[row >>> this.bits]![(row & this.mask) * (this.width >> 1) + place] = value
  }

  /** A copy of the rows up to this one. */
  copy(last: number): Rows {
    const twin = new Rows(this.width, this.bits)
    const chunks = (last >>> this.bits) + 1
    for (const chunk of this.chunks.slice(0, chunks)) twin.add(chunk.slice())
    return twin
  }

  private grow(): void {
    const rows =
      this.room < this.mask + 1 ? Math.min(Math.max(FIRST_ROWS, this.room * 2), this.mask + 1) : this.mask + 1
    const chunk = new Int32Array(rows * this.width)
    if (this.room > 0 && this.room <= this.mask) {
      chunk.set(this.chunks.pop()!)
      this.doubles.pop()
      this.room = 0
    }
    this.add(chunk)
  }

  private add(chunk: Int32Array<ArrayBuffer>): void {
    this.chunks.push(chunk)
    this.doubles.push(new Float64Array(chunk.buffer, 0, chunk.length >> 1))
    this.room += chunk.length / this.width
  }
}
