import { EscalonaError } from '../errors.ts'

const FEWEST_PLACES = 64
/** A place's number must fit into 31 bits. */
const MOST_PLACES = 1 << 30
/** A probe stays short because a place also holds the hash. */
const FULL_PERCENT = 70

/**
 * Finds ids by a 32-bit hash: open addressing with linear probing in one typed array, a place being the pair (hash, id). Ids start at 1. The
 * caller distinguishes equal hashes:
 *
 *     let place = index.search(hash)
 *     while (place >= 0 && !isTheOne(index.id(place))) place = index.searchOn(place, hash)
 *     if (place < 0) index.fill(place, hash, newId)
 */
export class HashIndex {
  /** Others read them only in loops where every step counts; replaced when the index grows. */
  pairs: Int32Array
  filled = 0

  constructor(expected = 0) {
    this.pairs = new Int32Array(placesFor(expected) * 2)
    // Its pages would be mapped twice if they were read first.
    if (expected > 0) this.pairs.fill(0)
  }

  /** Negative when there is none: the free place where it would go. */
  search(hash: number): number {
    return search(this.pairs, hash, (hash << 1) & (this.pairs.length - 1))
  }

  searchOn(place: number, hash: number): number {
    return search(this.pairs, hash, (place + 2) & (this.pairs.length - 1))
  }

  id(place: number): number {
    return this.pairs[place + 1]!
  }

  replace(place: number, id: number): void {
    this.pairs[place + 1] = id
  }

  /** At the free place that a search ended with. There must be room: see {@link reserve}. */
  fill(freePlace: number, hash: number, id: number): void {
    this.pairs[~freePlace] = hash
    this.pairs[~freePlace + 1] = id
    this.filled++
  }

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

const PART_PLACES = 1 << 13
const MOST_IN_PART = Math.floor(PART_PLACES * 0.69)
/** At most 2^16 parts; after that, full ones grow instead of being split. */
const MOST_BITS = 16
const MADE_FOR = Math.floor(PART_PLACES * 0.63)
const SCRATCH = new Int32Array(PART_PLACES * 2)

/**
 * A hash index in parts of one size, chosen by the first bits of a hash; a full part is split by the next bit. So no step takes longer than one
 * part does, and no memory is left over.
 */
export class SplitIndex {
  /** By the first `bits` bits of a hash. A part that was split less often is here several times. */
  private parts: HashIndex[]
  private bits = 0

  constructor(expected = 0) {
    while (expected / 2 ** this.bits > MADE_FOR && this.bits < MOST_BITS) this.bits++
    this.parts = Array.from({ length: 2 ** this.bits }, () => new HashIndex(expected / 2 ** this.bits))
  }

  part(hash: number): HashIndex {
    return this.parts[this.placeOf(hash)]!
  }

  /** It must not be there yet. */
  add(hash: number, id: number): void {
    while (this.part(hash).filled >= MOST_IN_PART && this.canSplit(hash)) this.split(hash)
    const part = this.part(hash)
    part.reserve(1)
    put(part, hash, id)
  }

  /** Where a search for this hash begins, or 0. */
  firstId(hash: number): number {
    const { pairs } = this.part(hash)
    return pairs[((hash << 1) & (pairs.length - 1)) + 1]!
  }

  private placeOf(hash: number): number {
    // In two steps, since a shift by 32 bits would shift nothing.
    return (hash >>> 1) >>> (31 - this.bits)
  }

  private canSplit(hash: number): boolean {
    const place = this.placeOf(hash)
    const part = this.parts[place]
    return this.bits < MOST_BITS || this.parts[place ^ 1] === part
  }

  /** By the first bit in which its indexes in `parts` differ. */
  private split(hash: number): void {
    const part = this.part(hash)
    let first = this.placeOf(hash)
    while (this.parts[first - 1] === part) first--
    if (this.parts[first + 1] !== part) {
      this.parts = this.parts.flatMap(one => [one, one])
      this.bits++
      first *= 2
    }
    let places = 2
    while (this.parts[first + places] === part) places++
    const middle = first + places / 2
    const other = new HashIndex(MADE_FOR)
    for (let at = middle; at < first + places; at++) this.parts[at] = other
    const { pairs } = part
    const length = pairs.length
    SCRATCH.set(pairs)
    pairs.fill(0)
    part.filled = 0
    for (let place = 0; place < length; place += 2) {
      if (SCRATCH[place + 1] !== 0) put(this.part(SCRATCH[place]!), SCRATCH[place]!, SCRATCH[place + 1]!)
    }
  }
}

function put(part: HashIndex, hash: number, id: number): void {
  let place = part.search(hash)
  while (place >= 0) place = part.searchOn(place, hash)
  part.fill(place, hash, id)
}

/** With a secret seed, texts can't be made to collide. */
export function seededHash(seed: number, bytes: Uint8Array, start: number, end: number): number {
  let hash = seed
  for (let at = start; at < end; at++) {
    hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
    hash ^= hash >>> 15
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
