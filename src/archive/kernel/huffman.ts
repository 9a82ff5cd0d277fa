import { at, COUNTS, count, NEXT_CODES, SORTED, SUMS, set } from './cells'

const LONGEST_CODE: u32 = 15

/** Gives each symbol that occurs the length of its code; the more often it occurs, the shorter. None is longer than `longest`. */
export function makeLengths(rows: usize, symbols: usize, lengths: usize, longest: u32): void {
  memory.fill(lengths, 0, symbols)
  const used = sortUsed(rows, symbols)
  if (used === 0) return
  minimumRedundancy(used)
  memory.fill(COUNTS, 0, 4 * 32)
  for (let i: i32 = 0; i < used; i++) count(COUNTS, min(at(SUMS, i), longest))
  shortenTo(longest)
  let symbol = used
  for (let length: u32 = 1; length <= longest; length++) {
    for (let left = load<u32>(COUNTS + ((length as usize) << 2)); left > 0; left--) {
      store<u8>(lengths + (at(SORTED, --symbol) & 0x1ff), length as u8)
    }
  }
}

/** Sorts the symbols that occur, the rarest first, and copies how often they do to SUMS. Returns how many there are. */
function sortUsed(rows: usize, symbols: usize): i32 {
  let used = 0
  for (let symbol: usize = 0; symbol < symbols; symbol++) {
    const times = load<u32>(rows + (symbol << 2))
    if (times > 0) set(SORTED, used++, (times << 9) | (symbol as u32))
  }
  for (let gap = 40; gap > 0; gap = gap > 1 ? gap / 3 : 0) {
    for (let i = gap; i < used; i++) {
      const moved = at(SORTED, i)
      let place = i
      for (; place >= gap && at(SORTED, place - gap) > moved; place -= gap) set(SORTED, place, at(SORTED, place - gap))
      set(SORTED, place, moved)
    }
  }
  for (let i = 0; i < used; i++) set(SUMS, i, at(SORTED, i) >>> 9)
  return used
}

/** Moffat and Katajainen, "In-place calculation of minimum-redundancy codes": turns the numbers in SUMS into code lengths. */
function minimumRedundancy(used: i32): void {
  if (used === 1) {
    set(SUMS, 0, 1)
    return
  }
  set(SUMS, 0, at(SUMS, 0) + at(SUMS, 1))
  let root = 0
  let leaf = 2
  // From left to right: sums, and parents of those that are used up.
  for (let next = 1; next < used - 1; next++) {
    let sum: u32 = 0
    for (let child = 0; child < 2; child++) {
      if (leaf >= used || (root < next && at(SUMS, root) < at(SUMS, leaf))) {
        sum += at(SUMS, root)
        set(SUMS, root++, next)
      } else sum += at(SUMS, leaf++)
    }
    set(SUMS, next, sum)
  }
  // From right to left: depths of inner nodes, then of the leaves.
  set(SUMS, used - 2, 0)
  for (let next = used - 3; next >= 0; next--) set(SUMS, next, at(SUMS, at(SUMS, next)) + 1)
  let free = 1
  let depth: u32 = 0
  let inner = used - 2
  let next = used - 1
  while (free > 0) {
    let taken = 0
    for (; inner >= 0 && at(SUMS, inner) === depth; inner--) taken++
    for (; free > taken; free--) set(SUMS, next--, depth)
    free = 2 * taken
    depth++
  }
}

/** Codes that were too long were counted as `longest`; this lengthens others until all fit (Kraft's inequality). */
function shortenTo(longest: u32): void {
  let taken: u32 = 0
  for (let length: u32 = 1; length <= longest; length++) taken += at(COUNTS, length) << (longest - length)
  for (; taken > 1 << longest; taken--) {
    let length = longest - 1
    while (at(COUNTS, length) === 0) length--
    set(COUNTS, length, at(COUNTS, length) - 1)
    set(COUNTS, length + 1, at(COUNTS, length + 1) + 2)
    set(COUNTS, longest, at(COUNTS, longest) - 1)
  }
}

/** RFC 1951 3.2.2: codes from their lengths; the first bit of a code is written first, so they are stored reversed. */
export function makeCodes(rows: usize, symbols: usize, lengths: usize): void {
  memory.fill(COUNTS, 0, 4 * 32)
  for (let symbol: usize = 0; symbol < symbols; symbol++) count(COUNTS, load<u8>(lengths + symbol))
  let code: u32 = 0
  for (let length: i32 = 1; length <= (LONGEST_CODE as i32); length++) {
    code = (code + (length > 1 ? at(COUNTS, length - 1) : 0)) << 1
    set(NEXT_CODES, length, code)
  }
  for (let symbol: usize = 0; symbol < symbols; symbol++) {
    const length = load<u8>(lengths + symbol) as i32
    if (length === 0) continue
    const next = at(NEXT_CODES, length)
    set(NEXT_CODES, length, next + 1)
    store<u32>(rows + (symbol << 2), reversed(next, length) | (length << 16))
  }
}

function reversed(code: u32, length: u32): u32 {
  let rest = ((code & 0x5555) << 1) | ((code >>> 1) & 0x5555)
  rest = ((rest & 0x3333) << 2) | ((rest >>> 2) & 0x3333)
  rest = ((rest & 0x0f0f) << 4) | ((rest >>> 4) & 0x0f0f)
  rest = ((rest & 0x00ff) << 8) | (rest >>> 8)
  return rest >>> (16 - length)
}
