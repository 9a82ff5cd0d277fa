import { HashIndex } from './hash-index.ts'

/** The most places of a part, and how many are filled before it is split. */
const PART_PLACES = 1 << 13
const MOST_IN_PART = Math.floor(PART_PLACES * 0.69)
/** At most 2^16 parts; after that, full ones grow instead of being split. */
const MOST_BITS = 16
/** How many ids an index of that many places is made for. */
const MADE_FOR = Math.floor(PART_PLACES * 0.63)
const SCRATCH = new Int32Array(PART_PLACES * 2)

/**
 * A hash index in parts of one size. The first bits of a hash choose the part; a full part is split by the next bit. So no
 * step takes longer than one part does, and no memory is left over: half of the ids stay where they are.
 */
export class SplitIndex {
  /**
   * The part for the first `bits` bits of a hash. A part that was split less often than others stands here several times.
   */
  private parts: HashIndex[]
  private bits = 0

  constructor(expected = 0) {
    while (expected / 2 ** this.bits > MADE_FOR && this.bits < MOST_BITS) this.bits++
    this.parts = Array.from({ length: 2 ** this.bits }, () => new HashIndex(expected / 2 ** this.bits))
  }

  /** The part that a hash belongs to; see {@link HashIndex}. */
  part(hash: number): HashIndex {
    return this.parts[this.placeOf(hash)]!
  }

  /** Adds an id, which must not be there yet. */
  add(hash: number, id: number): void {
    while (this.part(hash).filled >= MOST_IN_PART && this.canSplit(hash)) this.split(hash)
    const part = this.part(hash)
    part.reserve(1)
    put(part, hash, id)
  }

  /** The id at the place where a search for this hash begins, or 0. */
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

  /** Splits the part of this hash by the first bit in which its places in `parts` differ. */
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
