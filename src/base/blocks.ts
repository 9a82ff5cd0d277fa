const PAGE_WORDS = 1 << 16
const SMALLEST_BITS = 3

/** Where a block lies: page and first word, packed into one number. 0 means "no block". */
export type Block = number

/**
 * Zeroed blocks of 2^k words, carved out of pages; a block larger than a page has a page of its own. Blocks that are
 * given back wait in one list a size, threaded through their first word, and are used again first.
 */
export class Blocks {
  private readonly pages: Int32Array[] = []
  /** The first free block of 2^k words, at k. */
  private readonly free: Block[] = []
  private page = 0
  private used = PAGE_WORDS

  /** The page of a block; its first word is at {@link Blocks.at}. */
  pageOf(block: Block): Int32Array {
    return this.pages[(block - 1) >>> 13]!
  }

  at(block: Block): number {
    return ((block - 1) & 0x1fff) << SMALLEST_BITS
  }

  /** A zeroed block of 2^bits words, at least 8. */
  allot(bits: number): Block {
    const reused = this.free[bits] ?? 0
    if (reused !== 0) {
      const page = this.pageOf(reused)
      const at = this.at(reused)
      this.free[bits] = page[at]!
      page.fill(0, at, at + (1 << bits))
      return reused
    }
    const words = 1 << bits
    if (words >= PAGE_WORDS) return this.pages.push(new Int32Array(words)) * 0x2000 - 0x2000 + 1
    if (this.used + words > PAGE_WORDS) {
      this.page = this.pages.push(new Int32Array(PAGE_WORDS)) - 1
      this.used = 0
    }
    const at = this.used
    this.used += words
    return this.page * 0x2000 + (at >>> SMALLEST_BITS) + 1
  }

  release(block: Block, bits: number): void {
    this.pageOf(block)[this.at(block)] = this.free[bits] ?? 0
    this.free[bits] = block
  }

  /** Forgets all blocks; the first page stays, so that clearing often costs no more than what was used. */
  clear(): void {
    const first = this.pages[0]
    const filled = this.page === 0 ? this.used : PAGE_WORDS
    this.pages.length = 0
    this.free.length = 0
    this.used = PAGE_WORDS
    if (first?.length !== PAGE_WORDS) return
    first.fill(0, 0, filled)
    this.pages.push(first)
    this.page = 0
    this.used = 0
  }

  get bytes(): number {
    return this.pages.reduce((sum, page) => sum + page.byteLength, 0)
  }
}
