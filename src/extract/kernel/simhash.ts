// The simhash of a page's words, and a sample of its pairs of words and the runs of four that begin with them. AssemblyScript, compiled to WebAssembly; simhash.ts in the folder above is the
// only caller.
//
// A word is a run of ASCII letters and digits and of bytes above 127. A feature is the hash of four words in a row (of fewer, where a page has
// fewer). Features are added up as columns of bits, eight at a time, by carry-save adders: 64 counters would take many times as long.

/** Hashes of sampled pairs, u32 each, and behind them of the runs of four words that begin with each. */
export const SAMPLE: usize = 0x1000
export const MOST_SAMPLED: u32 = 32
const SAMPLED_BITS: u64 = 31
/** Columns of eights, sixteens … */
const COUNTERS: usize = 0x1200
const LEVELS: usize = 16
/** The pieces of text: start and end of each, in bytes from PAGE. */
export const PIECES: usize = 0x10000
export const MOST_PIECES: u32 = 1 << 15
/** Hashes of words, u64 each, and room for a few more. */
const WORDS: usize = PIECES + 0x40000
const MOST_WORDS: u32 = 1 << 16
/** With room for 64 bytes behind it. */
export const PAGE: usize = WORDS + 0x80000 + 0x1000
export const MOST_PAGE_BYTES: u32 = 1 << 20

const K1: u64 = 0x9e3779b97f4a7c15
const K2: u64 = 0xc2b2ae3d27d4eb4f
const BLOCK_BYTES: u64 = 64
const WORDS_IN_FEATURE: u32 = 4
const LAST_WORD: usize = WORDS + ((MOST_WORDS as usize) << 3)
/** ASCII letters count as small ones. */
const SMALL: u64 = 0x2020202020202020

let wordsEnd: usize = WORDS
let sampled: u32 = 0
let ones: u64 = 0
let twos: u64 = 0
let fours: u64 = 0

/** Returns the simhash of these pieces, 0 when there is no word. */
export function simhash(pieces: u32): u64 {
  wordsEnd = WORDS
  for (let at = PIECES, end = PIECES + ((pieces as usize) << 3); at < end && wordsEnd < LAST_WORD; at += 8) {
    read(PAGE + (load<u32>(at) as usize), PAGE + (load<u32>(at, 4) as usize))
  }
  const words = ((wordsEnd - WORDS) >> 3) as u32
  samplePairs()
  if (words === 0) return 0
  // Too few words for a whole feature: what there is counts as one.
  for (; wordsEnd < WORDS + ((WORDS_IN_FEATURE as usize) << 3); wordsEnd += 8) store<u64>(wordsEnd, 0)
  const features = max(words, WORDS_IN_FEATURE) - WORDS_IN_FEATURE + 1
  addUp(features)
  return majority(features)
}

/** How many pairs of the last page are in SAMPLE. */
export function sample(): u32 {
  return sampled
}

/** A bit per byte, from the lowest: whether it belongs to a word. */
function maskOf(at: usize): u64 {
  const bytes = v128.load(at)
  const letters = i8x16.lt_u(i8x16.sub(v128.or(bytes, i8x16.splat(0x20)), i8x16.splat(0x61)), i8x16.splat(26))
  const digits = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x30)), i8x16.splat(10))
  // The mask has the highest bit of each byte: set in bytes above 127 themselves.
  return (i8x16.bitmask(v128.or(v128.or(letters, digits), bytes)) as u64) & 0xffff
}

/** Writes the hashes of a piece's words. */
function read(from: usize, to: usize): void {
  let out = wordsEnd
  let at = from
  // A block has at most 32 words, and there is room for them.
  while (at < to && out < LAST_WORD) {
    let mask = maskOf(at) | (maskOf(at + 16) << 16) | (maskOf(at + 32) << 32) | (maskOf(at + 48) << 48)
    const left = (to - at) as u64
    if (left < BLOCK_BYTES) mask &= ((1 as u64) << left) - 1
    let next = at + (BLOCK_BYTES as usize)
    while (mask !== 0) {
      const start = ctz(mask)
      const length = ctz(~(mask >> start))
      const isLast = start + length >= BLOCK_BYTES
      if (isLast && start > 0 && next < to) {
        // It may go on in the next block, which begins with it. A word longer than a block is read as several.
        next = at + (start as usize)
        break
      }
      store<u64>(out, hashOf(at + (start as usize), length))
      out += 8
      if (isLast) break
      mask &= ~(0 as u64) << (start + length)
    }
    at = next
  }
  wordsEnd = out
}

function hashOf(at: usize, length: u64): u64 {
  let hash: u64
  if (length <= 8) {
    // Reads beyond the word.
    hash = ((load<u64>(at) | SMALL) << (64 - (length << 3))) * K1
  } else {
    hash = length
    let from = at
    for (const last = at + (length as usize) - 8; from < last; from += 8)
      hash = rotl((hash ^ (load<u64>(from) | SMALL)) * K1, 27)
    hash = (hash ^ (load<u64>(at + (length as usize) - 8) | SMALL)) * K1
  }
  return hash ^ (hash >> 32)
}

/** Runs whose first word has a hash of this form: one in 32, the same ones on every page. */
function samplePairs(): void {
  sampled = 0
  for (let at = WORDS; at + ((WORDS_IN_FEATURE as usize) << 3) <= wordsEnd; at += 8) {
    const hash = load<u64>(at)
    if ((hash & SAMPLED_BITS) !== 0) continue
    const pair = (hash ^ rotl(load<u64>(at, 8), 23)) * K2
    const place = SAMPLE + ((sampled as usize) << 2)
    store<u32>(place, (pair >> 32) as u32)
    store<u32>(place + ((MOST_SAMPLED as usize) << 2), (feature(at) >> 32) as u32)
    if (++sampled === MOST_SAMPLED) return
  }
}

/** The hash of four words in their order. */
function feature(at: usize): u64 {
  const words = load<u64>(at) ^ rotl(load<u64>(at, 8), 17) ^ rotl(load<u64>(at, 16), 34) ^ rotl(load<u64>(at, 24), 51)
  const hash = (words ^ (words >> 29)) * K2
  return hash ^ (hash >> 32)
}

/** Harley and Seal's adder: eight features at a time into ones, twos, fours, and a carry of eights. */
function addUp(features: u32): void {
  memory.fill(COUNTERS, 0, LEVELS << 3)
  ones = twos = fours = 0
  let at = WORDS
  for (let left = features as i32; left > 0; left -= 8, at += 64) {
    const a = feature(at)
    const b = left > 1 ? feature(at + 8) : 0
    const c = left > 2 ? feature(at + 16) : 0
    const d = left > 3 ? feature(at + 24) : 0
    const e = left > 4 ? feature(at + 32) : 0
    const f = left > 5 ? feature(at + 40) : 0
    const g = left > 6 ? feature(at + 48) : 0
    const h = left > 7 ? feature(at + 56) : 0
    const u = ones ^ a ^ b
    const twosA = (ones & a) | ((ones ^ a) & b)
    const v = u ^ c ^ d
    const twosB = (u & c) | ((u ^ c) & d)
    const w = v ^ e ^ f
    const twosC = (v & e) | ((v ^ e) & f)
    ones = w ^ g ^ h
    const twosD = (w & g) | ((w ^ g) & h)
    const x = twos ^ twosA ^ twosB
    const foursA = (twos & twosA) | ((twos ^ twosA) & twosB)
    twos = x ^ twosC ^ twosD
    const foursB = (x & twosC) | ((x ^ twosC) & twosD)
    let carry = (fours & foursA) | ((fours ^ foursA) & foursB)
    fours = fours ^ foursA ^ foursB
    for (let level = COUNTERS; carry !== 0; level += 8) {
      const counter = load<u64>(level)
      store<u64>(level, counter ^ carry)
      carry &= counter
    }
  }
}

/** Bits that more than half of the features have. */
function majority(features: u32): u64 {
  let hash: u64 = 0
  for (let bit: u64 = 0; bit < 64; bit++) {
    let total = ((ones >> bit) & 1) + (((twos >> bit) & 1) << 1) + (((fours >> bit) & 1) << 2)
    for (let level: usize = 0; level < LEVELS; level++) {
      total += ((load<u64>(COUNTERS + (level << 3)) >> bit) & 1) << (3 + (level as u64))
    }
    if (total * 2 > (features as u64)) hash |= (1 as u64) << bit
  }
  return hash
}
