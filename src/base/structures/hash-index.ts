import { EscalonaError } from '../errors.ts'
import { catalogue } from '../words/language.ts'

const words = catalogue({
  en: { full: 'there are more than 680 million URLs or hosts; use several schedulers' },
  pt: { full: 'há mais de 680 milhões de URLs ou hosts; use vários escalonadores' },
})

const FEWEST_PLACES = 64
/** A place's number must fit into 31 bits. */
const MOST_PLACES = 1 << 30
/** Of a hundred places at most this many are filled; a probe stays short because a place also holds the hash. */
const FULL_PERCENT = 70

/**
 * Finds ids by a 32-bit hash: open addressing with linear probing in one typed array, a place being the pair (hash, id).
 * Ids start at 1; 0 marks a free place. Distinguishing equal hashes is the caller's business:
 *
 *     let place = index.search(hash)
 *     while (place >= 0 && !isTheOne(index.id(place))) place = index.searchOn(place, hash)
 *     if (place < 0) index.fill(place, hash, newId)
 */
export class HashIndex {
  /** The places. Others read them only in loops where every step counts; they are replaced when the index grows. */
  pairs: Int32Array
  /** How many places are filled. */
  filled = 0

  constructor(expected = 0) {
    this.pairs = new Int32Array(placesFor(expected) * 2)
    // A table that will be needed is touched at once: its pages would be mapped twice if they were read first.
    if (expected > 0) this.pairs.fill(0)
  }

  /** The first place with this hash. A negative number when there is none: the free place where it would go. */
  search(hash: number): number {
    return search(this.pairs, hash, (hash << 1) & (this.pairs.length - 1))
  }

  /** The next place with this hash, the same way. */
  searchOn(place: number, hash: number): number {
    return search(this.pairs, hash, (place + 2) & (this.pairs.length - 1))
  }

  id(place: number): number {
    return this.pairs[place + 1]!
  }

  /** Puts another id at a filled place. */
  replace(place: number, id: number): void {
    this.pairs[place + 1] = id
  }

  /** Puts an id at the free place that a search ended with. There must be room: see {@link reserve}. */
  fill(freePlace: number, hash: number, id: number): void {
    this.pairs[~freePlace] = hash
    this.pairs[~freePlace + 1] = id
    this.filled++
  }

  /** Makes room for this many more ids. */
  reserve(more: number): void {
    const needed = this.filled + more
    if (needed * 200 > this.pairs.length * FULL_PERCENT) this.pairs = copied(this.pairs, placesFor(needed))
  }

  /**
   * Looks for these hashes only where a search begins: mostly that is where they are. 0 for those that are not. Nothing
   * depends on what was read before, so that the waits for memory overlap; four at a time, since the loop itself would
   * limit that.
   */
  guess(hashes: Int32Array, count: number, ids: Int32Array): void {
    const { pairs } = this
    const mask = pairs.length - 1
    for (let i = 0; i < count; i += 4) {
      const a = (hashes[i]! << 1) & mask
      const b = (hashes[i + 1]! << 1) & mask
      const c = (hashes[i + 2]! << 1) & mask
      const d = (hashes[i + 3]! << 1) & mask
      const isA = pairs[a] === hashes[i]
      const isB = pairs[b] === hashes[i + 1]
      const isC = pairs[c] === hashes[i + 2]
      const isD = pairs[d] === hashes[i + 3]
      ids[i] = isA ? pairs[a + 1]! : 0
      ids[i + 1] = isB ? pairs[b + 1]! : 0
      ids[i + 2] = isC ? pairs[c + 1]! : 0
      ids[i + 3] = isD ? pairs[d + 1]! : 0
    }
  }

  /** Keeps only the ids that pass, in a table that fits them. Costs as much as the index is large. */
  retain(isKept: (id: number) => boolean): void {
    let kept = 0
    for (let place = 0; place < this.pairs.length; place += 2) {
      if (this.pairs[place + 1] === 0) continue
      if (isKept(this.pairs[place + 1]!)) kept++
      else this.pairs[place + 1] = 0
    }
    this.pairs = copied(this.pairs, placesFor(kept))
    this.filled = kept
  }

  /**
   * Forgets everything. A table that was well used is kept and emptied, another shrinks: so the cost is bounded by what
   * was put in since the last time, however large the index once was.
   */
  clear(): void {
    if (this.filled * 16 < this.pairs.length) this.pairs = new Int32Array(placesFor(this.filled) * 2)
    else this.pairs.fill(0)
    this.filled = 0
  }
}

function search(pairs: Int32Array, hash: number, from: number): number {
  const mask = pairs.length - 1
  let place = from
  while (pairs[place + 1] !== 0) {
    if (pairs[place] === hash) return place
    place = (place + 2) & mask
  }
  return ~place
}

function settle(pairs: Int32Array, hash: number, id: number): void {
  const mask = pairs.length - 1
  let place = (hash << 1) & mask
  while (pairs[place + 1] !== 0) place = (place + 2) & mask
  pairs[place] = hash
  pairs[place + 1] = id
}

function copied(from: Int32Array, places: number): Int32Array {
  const to = new Int32Array(places * 2)
  for (let place = 0; place < from.length; place += 2) {
    if (from[place + 1] !== 0) settle(to, from[place]!, from[place + 1]!)
  }
  return to
}

function placesFor(ids: number): number {
  let places = FEWEST_PLACES
  while (places * FULL_PERCENT < ids * 110) places *= 2
  if (places <= MOST_PLACES) return places
  throw new EscalonaError('INDEX_FULL', words().full)
}
