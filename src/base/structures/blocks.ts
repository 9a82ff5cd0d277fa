import { grown } from './grow.ts'

/** Where a block begins in {@link Blocks.words}; 0 means "no block". */
export type Block = number

const SMALLEST_WORDS = 8

/**
 * Zeroed blocks of 2^k words, at least 8, out of one array. Released blocks form one list per size, threaded through their first word. Getting a
 * block may replace the array: read `words` anew.
 */
export class Blocks {
  words: Int32Array = new Int32Array(1024)
  private free: Block[] = []
  private end = SMALLEST_WORDS

  allot(bits: number): Block {
    const words = 1 << bits
    const reused = this.free[bits] ?? 0
    if (reused !== 0) {
      this.free[bits] = this.words[reused]!
      this.words.fill(0, reused, reused + words)
      return reused
    }
    const block = this.end
    this.end += words
    if (this.end > this.words.length) this.words = grown(this.words, this.end)
    return block
  }

  release(block: Block, bits: number): void {
    this.words[block] = this.free[bits] ?? 0
    this.free[bits] = block
  }

  clear(): void {
    if (this.end * 8 < this.words.length) this.words = new Int32Array(Math.max(1024, this.end))
    else this.words.fill(0, 0, this.end)
    this.free = []
    this.end = SMALLEST_WORDS
  }
}
