import type { LinkId } from './links.ts'
import { Rows } from './rows.ts'

const LONGEST_STEP = 255
/** Of so many links, at least the first has a mark. */
const BLOCK_BITS = 5
const IN_BLOCK = (1 << BLOCK_BITS) - 1
const MARK_BITS = 14

/**
 * Where the texts of links stand in their segments. A text stands a short step after that of the link before, as a rule; one byte
 * is enough for that, and stays with the link. Where it is not, the step is 0, and a mark says where the text stands; the
 * same is true of one link in 32, so that few steps have to be added up. A quarter of a byte per link, and 4 bytes per further mark.
 */
export class TextPlaces {
  private readonly marks = new Rows(1, MARK_BITS)
  private markCount = 0
  /** The first mark of each block. */
  private readonly firstMarks = new Rows(1, MARK_BITS)
  private lastAt = 0

  /** Adds the place of the link after the last; returns the step to it. `isFirst`: of its segment. */
  add(link: LinkId, at: number, isFirst: boolean): number {
    const step = at - this.lastAt
    this.lastAt = at
    const n = link - 1
    const isBlock = (n & IN_BLOCK) === 0
    if (!isBlock && !isFirst && step > 0 && step <= LONGEST_STEP) return step
    this.marks.reach(this.markCount)
    this.marks.set(this.markCount, 0, at)
    if (isBlock) {
      this.firstMarks.reach(n >>> BLOCK_BITS)
      this.firstMarks.set(n >>> BLOCK_BITS, 0, this.markCount)
    }
    this.markCount++
    return 0
  }

  of(link: LinkId, stepOf: (link: LinkId) => number): number {
    const n = link - 1
    let mark = this.firstMarks.get(n >>> BLOCK_BITS, 0)
    let at = 0
    for (let one = link - (n & IN_BLOCK); one <= link; one++) {
      const step = stepOf(one)
      at = step === 0 ? this.marks.get(mark++, 0) : at + step
    }
    return at
  }
}
