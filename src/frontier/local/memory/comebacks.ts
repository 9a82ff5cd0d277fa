import { grown } from '../../../base/structures/grow.ts'
import type { LinkId } from './links.ts'

/** The list has room for this many pairs at first. When it is full, it is pruned, and grows if that freed little. */
const FEWEST = 1024

/** A link that came back: it stands after the first `knownThen` links. */
export interface Comeback {
  readonly link: LinkId
  readonly knownThen: LinkId
}

/**
 * The links that came back, in that order, each with how many links were known then: a snapshot needs this to restore the
 * order of the lists. Only a link's last return counts, and only until it is done; other entries are dropped now and then.
 */
export class Comebacks {
  /** Pairs of link and number. */
  private pairs: Int32Array = new Int32Array(2 * FEWEST)
  private end = 0

  add(link: LinkId, knownThen: LinkId, isOver: (link: LinkId) => boolean): void {
    if (this.end === this.pairs.length) this.makeRoom(isOver)
    this.pairs[this.end] = link
    this.pairs[this.end + 1] = knownThen
    this.end += 2
  }

  /** A copy of the pairs as they are now, including those that no longer count. */
  copy(): Int32Array {
    return this.pairs.slice(0, this.end)
  }

  clear(): void {
    this.pairs = new Int32Array(2 * FEWEST)
    this.end = 0
  }

  private makeRoom(isOver: (link: LinkId) => boolean): void {
    const kept = thatCount(this.pairs, isOver)
    this.end = kept.length
    if (this.end > this.pairs.length / 2) this.pairs = grown(this.pairs, this.pairs.length)
    this.pairs.set(kept)
  }
}

/** The last pair of each link that is not over, in order. */
export function thatCount(pairs: Int32Array, isOver: (link: LinkId) => boolean): Int32Array {
  let last = 0
  for (let at = 0; at < pairs.length; at += 2) last = Math.max(last, pairs[at]!)
  const seen = new Uint8Array((last >> 3) + 1)
  const kept = new Int32Array(pairs.length)
  let first = kept.length
  for (let at = pairs.length - 2; at >= 0; at -= 2) {
    const link = pairs[at]!
    const bit = 1 << (link & 7)
    if ((seen[link >> 3]! & bit) !== 0 || isOver(link)) continue
    seen[link >> 3]! |= bit
    first -= 2
    kept[first] = link
    kept[first + 1] = pairs[at + 1]!
  }
  return kept.subarray(first)
}
