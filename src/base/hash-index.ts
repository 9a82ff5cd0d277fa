const SEGMENT_BITS = 6
const SEGMENTS = 1 << SEGMENT_BITS
const SMALLEST = 16
/** Of a hundred places at most this many are filled; the probes stay short because a place also holds the hash. */
const FULL_PERCENT = 70

/**
 * Finds ids by a 32-bit hash: open addressing with linear probing in typed arrays, a place being the pair (hash, id).
 * Telling equal hashes apart is the caller's business:
 *
 *     for (let place = index.first(hash); place >= 0; place = index.after(place, hash))
 *       if (isTheOne(index.id(hash, place))) return …
 *     index.put(hash, id)
 *
 * The top bits of the hash choose one of {@link SEGMENTS} segments that grow on their own, so growing never stops the
 * world, never needs twice the memory, and no array comes near 4 GiB. Ids are from 1 up; 0 marks a free place.
 */
export class HashIndex {
  private readonly segments: Int32Array[] = []
  private readonly filled = new Int32Array(SEGMENTS)

  constructor(expected = 0) {
    const places = placesFor(expected / SEGMENTS)
    for (let s = 0; s < SEGMENTS; s++) this.segments.push(new Int32Array(places * 2))
  }

  /** The first place whose hash is this one, or -1. */
  first(hash: number): number {
    const segment = this.segments[hash >>> (32 - SEGMENT_BITS)]!
    return seek(segment, hash, (hash << 1) & (segment.length - 1))
  }

  /** The next place whose hash is this one, or -1. */
  after(place: number, hash: number): number {
    const segment = this.segments[hash >>> (32 - SEGMENT_BITS)]!
    return seek(segment, hash, (place + 2) & (segment.length - 1))
  }

  id(hash: number, place: number): number {
    return this.segments[hash >>> (32 - SEGMENT_BITS)]![place + 1]!
  }

  /** Reads the place where a search for this hash begins: many of these in a row wait for memory at the same time. */
  touch(hash: number): number {
    const segment = this.segments[hash >>> (32 - SEGMENT_BITS)]!
    return segment[(hash << 1) & (segment.length - 1)]!
  }

  /** Adds a pair. Does not look whether it is there. */
  put(hash: number, id: number): void {
    const s = hash >>> (32 - SEGMENT_BITS)
    let segment = this.segments[s]!
    if (++this.filled[s]! * 200 > segment.length * FULL_PERCENT) {
      segment = this.segments[s] = copied(segment, segment.length, everyId)
    }
    settle(segment, hash, id)
  }

  /** Keeps only the ids that pass, in tables that fit them. Costs as much as the index is large. */
  retain(isKept: (id: number) => boolean): void {
    for (let s = 0; s < SEGMENTS; s++) {
      const old = this.segments[s]!
      let kept = 0
      for (let place = 0; place < old.length; place += 2) if (old[place + 1] !== 0 && isKept(old[place + 1]!)) kept++
      this.segments[s] = copied(old, placesFor(kept), isKept)
      this.filled[s] = kept
    }
  }

  /**
   * Forgets everything. Tables that were well used are kept and emptied, others shrink: so the cost is bounded by what
   * was put in since the last time, however large the index once was.
   */
  clear(): void {
    for (let s = 0; s < SEGMENTS; s++) {
      const segment = this.segments[s]!
      const used = this.filled[s]!
      this.filled[s] = 0
      if (used * 16 < segment.length && segment.length > SMALLEST * 2)
        this.segments[s] = new Int32Array(placesFor(used) * 2)
      else if (used > 0) segment.fill(0)
    }
  }

  get bytes(): number {
    return this.segments.reduce((sum, segment) => sum + segment.byteLength, 0)
  }
}

function seek(segment: Int32Array, hash: number, from: number): number {
  const mask = segment.length - 1
  for (let place = from; segment[place + 1] !== 0; place = (place + 2) & mask) if (segment[place] === hash) return place
  return -1
}

function settle(segment: Int32Array, hash: number, id: number): void {
  const mask = segment.length - 1
  let place = (hash << 1) & mask
  while (segment[place + 1] !== 0) place = (place + 2) & mask
  segment[place] = hash
  segment[place + 1] = id
}

function copied(from: Int32Array, places: number, isKept: (id: number) => boolean): Int32Array {
  const to = new Int32Array(places * 2)
  for (let place = 0; place < from.length; place += 2) {
    const id = from[place + 1]!
    if (id !== 0 && isKept(id)) settle(to, from[place]!, id)
  }
  return to
}

const everyId = () => true

function placesFor(ids: number): number {
  let places = SMALLEST
  while (places * FULL_PERCENT < ids * 110) places *= 2
  return places
}
