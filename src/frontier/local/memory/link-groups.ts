import type { LinkId } from './links.ts'

/** This many links come together. With 8, loading 50 million links took 42 ns per link, with 32 it took 32, with 64 it took 29. */
const GROUP_BITS = 5
const GROUP_LINKS = 1 << GROUP_BITS

/**
 * Called with a group: the first bits that its fingerprints have in common, and where the pairs of hash and link are. All
 * groups have 32 of them, but for the last with these first bits.
 */
export type PutGroup = (first: number, pairs: Int32Array, from: number, to: number) => void

/**
 * Brings links that come in any order together with others whose fingerprints begin with the same bits, 32 at a time.
 * A table that is larger than the caches is filled several times faster that way.
 */
export class LinkGroups {
  private readonly shift: number
  private readonly put: PutGroup
  /** Per group, pairs of hash and link. */
  private readonly pairs: Int32Array
  private readonly counts: Uint8Array

  /** `bits`: this many first bits of a fingerprint make a group, which is passed on to `put` when it is full. */
  constructor(bits: number, put: PutGroup) {
    this.shift = 32 - bits
    this.put = put
    this.pairs = new Int32Array(2 * GROUP_LINKS * 2 ** bits)
    this.counts = new Uint8Array(2 ** bits)
  }

  /** `high`: the first half of the fingerprint. */
  add(high: number, hash: number, link: LinkId): void {
    const group = high >>> this.shift
    const count = this.counts[group]!
    const at = 2 * ((group << GROUP_BITS) + count)
    this.pairs[at] = hash
    this.pairs[at + 1] = link
    this.counts[group] = count + 1
    if (count + 1 === GROUP_LINKS) this.passOn(group)
  }

  /** Passes on the groups that are not full. */
  finish(): void {
    for (let group = 0; group < this.counts.length; group++) if (this.counts[group] !== 0) this.passOn(group)
  }

  private passOn(group: number): void {
    const from = group << (GROUP_BITS + 1)
    this.put(group << this.shift, this.pairs, from, from + 2 * this.counts[group]!)
    this.counts[group] = 0
  }
}
