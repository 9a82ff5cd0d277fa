import {
  BUCKET_BITS,
  BUCKETS,
  BUCKETS_BYTES,
  count,
  DISTANCE_ROWS,
  distanceSymbol,
  LITERAL_ROWS,
  lengthSymbol,
  MATCH,
  MOST_TOKENS,
  TOKENS,
} from './cells'

// A match begins where the same four bytes were before: each bucket has the last two positions of those with one hash. Positions count on
// from record to record, so earlier ones are too far back, and nothing has to be cleared.
const SPREAD: u32 = 0x9e37_79b1
const LAST_PLACE: u32 = 0xf000_0000
const WINDOW: u32 = 1 << 15
const LEAST_MATCH: u32 = 4
const LONGEST_MATCH: u32 = 258
/** A match of this length is taken without trying the other position. */
const GOOD_MATCH: u32 = 32

/** The position of address 0. */
let origin: u32 = WINDOW
export let tokensEnd: usize = TOKENS

/** Forgets all records when positions run out. */
export function begin(end: usize): void {
  if (origin <= LAST_PLACE - (end as u32)) return
  memory.fill(BUCKETS, 0, BUCKETS_BYTES)
  origin = WINDOW
}

export function finish(length: u32): void {
  origin += length + WINDOW
}

/** Divides bytes into tokens, and counts their symbols, until the block is full; returns where it ends. */
export function parse(from: usize, recordStart: usize, end: usize): usize {
  const places = origin
  let at = from
  let tokens = TOKENS
  const tokensLimit = TOKENS + 4 * (MOST_TOKENS - 1)
  const lastMatch = end - min(end, LEAST_MATCH as usize)
  while (at < end && tokens < tokensLimit) {
    if (at <= lastMatch) {
      const bytes = load<u32>(at)
      const place = (at as u32) + places
      const bucket = bucketOf(bytes)
      const last = load<u32>(bucket)
      const other = load<u32>(bucket, 4)
      store<u32>(bucket, place)
      store<u32>(bucket, last, 4)
      const oldest = max(place - WINDOW, (recordStart as u32) + places)
      const longest = min((end - at) as u32, LONGEST_MATCH)
      let length: u32 = 0
      let distance: u32 = 0
      if (last >= oldest && load<u32>((last - places) as usize) === bytes) {
        length = matchLength((last - places) as usize, at, longest)
        distance = place - last
      }
      if (length < GOOD_MATCH && other >= oldest) {
        const candidate = (other - places) as usize
        if (load<u32>(candidate) === bytes && load<u8>(candidate + length) === load<u8>(at + length)) {
          const otherLength = matchLength(candidate, at, longest)
          if (otherLength > length) {
            length = otherLength
            distance = place - other
          }
        }
      }
      if (length !== 0) {
        store<u32>(tokens, MATCH | ((length - 3) << 16) | (distance - 1))
        count(LITERAL_ROWS, lengthSymbol(length - 3))
        count(DISTANCE_ROWS, distanceSymbol(distance - 1))
        tokens += 4
        remember(at + 1, min(at + length, lastMatch))
        at += length
        continue
      }
    }
    const literal = load<u8>(at++) as u32
    store<u32>(tokens, literal)
    count(LITERAL_ROWS, literal)
    tokens += 4
  }
  tokensEnd = tokens
  return at
}

function remember(from: usize, end: usize): void {
  for (let at = from; at < end; at++) {
    const bucket = bucketOf(load<u32>(at))
    store<u32>(bucket, load<u32>(bucket), 4)
    store<u32>(bucket, (at as u32) + origin)
  }
}

function bucketOf(bytes: u32): usize {
  return BUCKETS + (((bytes * SPREAD) >>> (32 - BUCKET_BITS)) << 3)
}

/** Of two texts whose first four bytes are the same. */
function matchLength(one: usize, other: usize, longest: u32): u32 {
  let length: u32 = LEAST_MATCH
  while (length < longest) {
    const difference = load<u64>(one + length) ^ load<u64>(other + length)
    if (difference !== 0) return min(length + ((ctz(difference) >>> 3) as u32), longest)
    length += 8
  }
  return longest
}
