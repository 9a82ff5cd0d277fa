import { grown } from '../../base/grow.ts'
import { HashIndex } from '../../base/hash-index.ts'

/** A link's number, from 1 up, in the order in which the links were first seen; 0 means "none". */
export type LinkId = number

export const WAITING = 1
export const LENT = 2
export const DONE = 3
export const REFUSED = 4

/** The words of a link. The other half of its fingerprint is its hash in the index. */
const FINGERPRINT_LOW = 0
/** Where the text stands in its segment; for a link that is refused, the number of its reason. */
const AT = 1
const SEGMENT_AND_STATE = 2
const LINK_WORDS = 3
const STATE_BITS = 3
const STATE_MASK = (1 << STATE_BITS) - 1

/**
 * Every link ever seen: 64 bits that stand for its URL, where its text stands, and what became of it. 12 bytes a link,
 * and about as many for the index that finds it.
 */
export class Links {
  last: LinkId = 0
  private words: Int32Array = new Int32Array(1024 * LINK_WORDS)
  private index = new HashIndex()

  find(low: number, high: number): LinkId {
    let place = this.index.search(high)
    while (place >= 0 && this.low(this.index.id(place)) !== low) place = this.index.searchOn(place, high)
    return place >= 0 ? this.index.id(place) : 0
  }

  /** Adds a link that was never seen. */
  add(low: number, high: number, state: number, segment: number, at: number): LinkId {
    const id = ++this.last
    const word = id * LINK_WORDS
    if (word + LINK_WORDS > this.words.length) this.words = grown(this.words, word + LINK_WORDS)
    this.words[word + FINGERPRINT_LOW] = low
    this.words[word + AT] = at
    this.words[word + SEGMENT_AND_STATE] = (segment << STATE_BITS) | state
    this.index.reserve(1)
    let place = this.index.search(high)
    while (place >= 0) place = this.index.searchOn(place, high)
    this.index.fill(place, high, id)
    return id
  }

  low(id: LinkId): number {
    return this.words[id * LINK_WORDS + FINGERPRINT_LOW]!
  }

  state(id: LinkId): number {
    return this.words[id * LINK_WORDS + SEGMENT_AND_STATE]! & STATE_MASK
  }

  segment(id: LinkId): number {
    return this.words[id * LINK_WORDS + SEGMENT_AND_STATE]! >>> STATE_BITS
  }

  at(id: LinkId): number {
    return this.words[id * LINK_WORDS + AT]!
  }

  setState(id: LinkId, state: number): void {
    const word = id * LINK_WORDS + SEGMENT_AND_STATE
    this.words[word] = (this.words[word]! & ~STATE_MASK) | state
  }

  /** The link is refused; where its text stands is forgotten. */
  refuse(id: LinkId, reason: number): void {
    this.setState(id, REFUSED)
    this.words[id * LINK_WORDS + AT] = reason
  }

  /** Of a link that is refused: the number of its reason. */
  reason(id: LinkId): number {
    return this.words[id * LINK_WORDS + AT]!
  }

  /** The other halves of the fingerprints, at their link. */
  highs(): Int32Array {
    const highs = new Int32Array(this.last + 1)
    const { pairs } = this.index
    for (let place = 0; place < pairs.length; place += 2) highs[pairs[place + 1]!] = pairs[place]!
    return highs
  }

  /** Makes room for so many links at once. */
  reserve(count: number): void {
    if ((count + 1) * LINK_WORDS > this.words.length) this.words = grown(this.words, (count + 1) * LINK_WORDS)
    this.index.reserve(count)
  }

  clear(): void {
    this.last = 0
    this.words = new Int32Array(1024 * LINK_WORDS)
    this.index = new HashIndex()
  }
}
