import { grown } from '../../base/structures/grow.ts'
import type { LinkId } from './links.ts'

/** How often the list is looked through, at least, before it may double. */
const FEWEST = 1024

/** A link that came back: it stands after all links that were known then. */
export interface Comeback {
  readonly link: LinkId
  readonly behind: LinkId
}

/**
 * The links that came back, in the order in which they did, each with how many links were known then: what a snapshot
 * needs to tell the order of the lists. Only the last time counts, and only while a link is not done; what counts no more
 * is dropped now and then.
 */
export class Comebacks {
  /** Pairs of link and number. */
  private pairs: Int32Array = new Int32Array(2 * FEWEST)
  private end = 0

  add(link: LinkId, behind: LinkId, isOver: (link: LinkId) => boolean): void {
    if (this.end === this.pairs.length) this.makeRoom(isOver)
    this.pairs[this.end] = link
    this.pairs[this.end + 1] = behind
    this.end += 2
  }

  /** As it is now, whatever counts. */
  copy(): Int32Array {
    return this.pairs.slice(0, this.end)
  }

  clear(): void {
    this.pairs = new Int32Array(2 * FEWEST)
    this.end = 0
  }

  private makeRoom(isOver: (link: LinkId) => boolean): void {
    const kept = thatCount(this.pairs, isOver)
    this.end = 2 * kept.length
    if (this.end > this.pairs.length / 2) this.pairs = grown(this.pairs, this.pairs.length)
    for (const [i, { link, behind }] of kept.entries()) {
      this.pairs[2 * i] = link
      this.pairs[2 * i + 1] = behind
    }
  }
}

/** Of pairs of link and number, the last one of each link that is not over, in their order. */
export function thatCount(pairs: Int32Array, isOver: (link: LinkId) => boolean): Comeback[] {
  const seen = new Set<LinkId>()
  const kept: Comeback[] = []
  for (let at = pairs.length - 2; at >= 0; at -= 2) {
    const link = pairs[at]!
    if (seen.has(link) || isOver(link)) continue
    seen.add(link)
    kept.push({ link, behind: pairs[at + 1]! })
  }
  return kept.reverse()
}
