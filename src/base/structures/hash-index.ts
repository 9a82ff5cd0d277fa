import { EscalonaError } from '../errors.ts'

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
  throw new EscalonaError('INDEX_FULL')
}
