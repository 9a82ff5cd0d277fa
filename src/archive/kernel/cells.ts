// The memory of the deflate kernel. Numbers have four bytes unless it says otherwise.

// The buckets of matches.ts: two places each. The compiler puts its own constants at 1,024.
export const BUCKET_BITS: u32 = 12
export const BUCKETS: usize = 2048
export const BUCKETS_BYTES: usize = 8 << BUCKET_BITS

/** The symbols of a block: a literal, or a match as MATCH | (length - 3) << 16 | distance - 1. */
export const TOKENS: usize = BUCKETS + BUCKETS_BYTES
export const MOST_TOKENS: usize = 1 << 14
export const MATCH: u32 = 0x8000_0000

// Two alphabets, and the one in which their code lengths are written. A row per symbol: how often it occurs, then its code, with
// the number of its bits above; and in a byte of its own that number, which is there first.
export const LITERALS: usize = 288
export const DISTANCES: usize = 32
export const LENGTHS: usize = 19
export const LITERAL_ROWS: usize = TOKENS + 4 * MOST_TOKENS
export const DISTANCE_ROWS: usize = LITERAL_ROWS + 4 * LITERALS
export const LENGTH_ROWS: usize = DISTANCE_ROWS + 4 * DISTANCES
export const LITERAL_BITS: usize = LENGTH_ROWS + 4 * LENGTHS + 4
export const DISTANCE_BITS: usize = LITERAL_BITS + LITERALS
export const LENGTH_BITS: usize = DISTANCE_BITS + DISTANCES
export const CODE: u32 = 0xffff

/** Symbols sorted by how often they occur, and numbers beside them. */
export const SORTED: usize = LENGTH_BITS + 32
export const SUMS: usize = SORTED + 4 * LITERALS
/** How many codes have each length, and the next code of each length. */
export const COUNTS: usize = SUMS + 4 * (LITERALS + DISTANCES)
export const NEXT_CODES: usize = COUNTS + 4 * 32
/** Code lengths in runs: a symbol in one byte, the value of its extra bits in the next. */
export const RUNS: usize = NEXT_CODES + 4 * 32
export const FREE: usize = (RUNS + 4 * (LITERALS + DISTANCES) + 63) & ~63

export function count(rows: usize, symbol: u32): void {
  const row = rows + ((symbol as usize) << 2)
  store<u32>(row, load<u32>(row) + 1)
}

export function at(column: usize, index: i32): u32 {
  return load<u32>(column + ((index as usize) << 2))
}

export function set(column: usize, index: i32, value: u32): void {
  store<u32>(column + ((index as usize) << 2), value)
}

export const END_OF_BLOCK: u32 = 256

/** RFC 1951 3.2.5. `value`: a length without the least one. */
export function lengthSymbol(value: u32): u32 {
  if (value < 8) return 257 + value
  if (value === 255) return 285
  const extra = topBit(value) - 2
  return 257 + (extra << 2) + (value >>> extra)
}

/** `value`: a distance less one. */
export function distanceSymbol(value: u32): u32 {
  if (value < 4) return value
  const extra = topBit(value) - 1
  return (extra << 1) + (value >>> extra)
}

export function topBit(value: u32): u32 {
  return 31 - clz(value)
}

export function fixedLength(symbol: u32): u32 {
  return symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8
}
