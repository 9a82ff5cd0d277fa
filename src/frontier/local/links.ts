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
const LINK_WORDS = 2

/** How many links are added at once. */
export const LINK_ROWS = 128

/** Links that are added together. */
export class LinkRows {
  readonly low = new Int32Array(LINK_ROWS)
  readonly high = new Int32Array(LINK_ROWS)
  readonly state = new Uint8Array(LINK_ROWS)
  /** Where the text stands; for a link that is refused, the number of its reason. */
  readonly at = new Int32Array(LINK_ROWS)
}

/**
 * Every link ever seen: 64 bits that stand for its URL, where its text stands, and what became of it. 9 bytes a link, and
 * about 13 for the index that finds it. Links are numbered in the order in which they stand in the log, so the segment of
 * a link is found by its number.
 */
export class Links {
  last: LinkId = 0
  private words: Int32Array = new Int32Array(1024 * LINK_WORDS)
  private states: Uint8Array = new Uint8Array(1024)
  private index = new HashIndex()
  /** The first link of each segment, in order. */
  private readonly guessed = new Int32Array(LINK_ROWS)
  private segments: { readonly first: LinkId; readonly segment: number }[] = []

  find(low: number, high: number): LinkId {
    let place = this.index.search(high)
    while (place >= 0 && this.low(this.index.id(place)) !== low) place = this.index.searchOn(place, high)
    return place >= 0 ? this.index.id(place) : 0
  }

  /** Adds a link that was never seen. Its segment is that of the link before, or a later one. */
  add(low: number, high: number, state: number, segment: number, at: number): LinkId {
    const id = ++this.last
    this.reach(id)
    if (segment !== this.segments.at(-1)?.segment) this.segments.push({ first: id, segment })
    this.words[id * LINK_WORDS + FINGERPRINT_LOW] = low
    this.words[id * LINK_WORDS + AT] = at
    this.states[id] = state
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
    return this.states[id]!
  }

  segment(id: LinkId): number {
    let low = 0
    let high = this.segments.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.segments[middle]!.first <= id) low = middle
      else high = middle - 1
    }
    return this.segments[low]!.segment
  }

  at(id: LinkId): number {
    return this.words[id * LINK_WORDS + AT]!
  }

  setState(id: LinkId, state: number): void {
    this.states[id] = state
  }

  /** The link is refused; where its text stands is forgotten. */
  refuse(id: LinkId, reason: number): void {
    this.states[id] = REFUSED
    this.words[id * LINK_WORDS + AT] = reason
  }

  /** Of a link that is refused: the number of its reason. */
  reason(id: LinkId): number {
    return this.words[id * LINK_WORDS + AT]!
  }

  /** What became of each link, from the first on; not a copy. */
  allStates(): Uint8Array {
    return this.states.subarray(1, this.last + 1)
  }

  /** Makes room for the first links, as many as will be known. */
  expect(count: number): void {
    this.reach(count)
    this.index = new HashIndex(count)
  }

  /** Adds the first `count` rows, all of one segment; see {@link add}. The index is read ahead: see {@link HashIndex.guess}. */
  addRows(rows: LinkRows, count: number, segment: number): void {
    this.index.guess(rows.high, count, this.guessed)
    for (let i = 0; i < count; i++) this.add(rows.low[i]!, rows.high[i]!, rows.state[i]!, segment, rows.at[i]!)
  }

  clear(): void {
    this.last = 0
    this.words = new Int32Array(1024 * LINK_WORDS)
    this.states = new Uint8Array(1024)
    this.index = new HashIndex()
    this.segments = []
  }

  private reach(id: LinkId): void {
    const end = (id + 1) * LINK_WORDS
    if (end > this.words.length) this.words = grown(this.words, end)
    if (id < this.states.length) return
    const larger = new Uint8Array(Math.max(id + 1, this.states.length * 2))
    larger.set(this.states)
    this.states = larger
  }
}
