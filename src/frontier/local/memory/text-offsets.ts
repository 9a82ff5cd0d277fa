import type { LinkId } from './links.ts'
import { Rows } from './rows.ts'

const LONGEST_STEP = 255
const BLOCK_BITS = 4
const IN_BLOCK = (1 << BLOCK_BITS) - 1

/** The words of a block: the offset of the text of its first link, and its first far offset. */
const FIRST_AT = 0
const FIRST_FAR = 1
const BLOCK_WORDS = 2
const CHUNK_BITS = 14

/**
 * The offsets of texts in their segments. As a rule, a text begins a short step after that of the link before. One
 * byte is enough for that, and stays with the link; where it is not, the step is 0, and the offset is kept here as a far one.
 * Every 16th offset is kept as well, so that few steps have to be added up: half a byte per link, and 4 bytes per far offset.
 */
export class TextOffsets {
  private readonly blocks = new Rows(BLOCK_WORDS, CHUNK_BITS)
  private readonly far = new Rows(1, CHUNK_BITS)
  private farCount = 0
  private lastAt = 0

  constructor() {
    // The first block begins with link 0, which is none.
    this.blocks.reach(0)
  }

  /** Adds the offset of the link after the last; returns the step to it. `isFirst`: of its segment. */
  add(link: LinkId, at: number, isFirst: boolean): number {
    const step = at - this.lastAt
    this.lastAt = at
    if ((link & IN_BLOCK) === 0) {
      const block = link >>> BLOCK_BITS
      this.blocks.reach(block)
      this.blocks.set(block, FIRST_AT, at)
      this.blocks.set(block, FIRST_FAR, this.farCount)
      return 0
    }
    if (!isFirst && step > 0 && step <= LONGEST_STEP) return step
    this.far.reach(this.farCount)
    this.far.set(this.farCount++, 0, at)
    return 0
  }

  /** `rows`: of the links; the last byte of a row's first word is the step. */
  of(link: LinkId, rows: Rows): number {
    const block = link >>> BLOCK_BITS
    let at = this.blocks.get(block, FIRST_AT)
    let far = this.blocks.get(block, FIRST_FAR)
    // A block is never in two chunks.
    const words = rows.chunk(link)
    for (let one = (block << BLOCK_BITS) + 1; one <= link; one++) {
      const step = words[rows.offset(one)]! & LONGEST_STEP
      at = step === 0 ? this.far.get(far++, 0) : at + step
    }
    return at
  }
}

/** How many links whose text is still needed each segment of the log holds. By number, since it changes with every link. */
export class NeededTexts {
  private readonly counts: (number | undefined)[] = []

  of(segment: number): number {
    return this.counts[segment] ?? 0
  }

  change(segment: number, by: number): void {
    this.counts[segment] = (this.counts[segment] ?? 0) + by
  }

  /** The segment is gone. */
  delete(segment: number): void {
    this.counts[segment] = undefined
  }

  /** No text is needed any more. */
  clear(): void {
    for (const [segment] of this.all()) this.counts[segment] = 0
  }

  /** The segments that have, or had, such links. */
  *all(): Iterable<readonly [segment: number, links: number]> {
    for (const [segment, links] of this.counts.entries()) if (links !== undefined) yield [segment, links]
  }
}
