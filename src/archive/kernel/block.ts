import {
  CODE,
  count,
  DISTANCE_BITS,
  DISTANCE_ROWS,
  DISTANCES,
  distanceSymbol,
  END_OF_BLOCK,
  fixedLength,
  LENGTH_BITS,
  LENGTH_ROWS,
  LENGTHS,
  LITERAL_BITS,
  LITERAL_ROWS,
  LITERALS,
  lengthSymbol,
  MATCH,
  RUNS,
  SUMS,
  TOKENS,
  topBit,
} from './cells'
import { makeCodes, makeLengths } from './huffman'
import { tokensEnd } from './matches'

const LONGEST_CODE: u32 = 15
const LONGEST_LENGTH_CODE: u32 = 7
/** RFC 1951 3.2.7: the order in which the code lengths of the lengths are written. */
const LENGTH_ORDER = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15])

let out: usize = 0
let bits: u64 = 0
let bitCount: u32 = 0

export function beginWriting(to: usize): void {
  out = to
  bits = 0
  bitCount = 0
}

export function endWriting(): usize {
  if (bitCount > 0) store<u8>(out++, bits as u8)
  return out
}

export function clearCounts(): void {
  memory.fill(LITERAL_ROWS, 0, 4 * (LITERALS + DISTANCES))
  count(LITERAL_ROWS, END_OF_BLOCK)
}

/** Writes the tokens with codes of their own, or with those of RFC 1951 3.2.6 where that is shorter. */
export function writeBlock(isLast: bool): void {
  makeLengths(LITERAL_ROWS, LITERALS, LITERAL_BITS, LONGEST_CODE)
  makeLengths(DISTANCE_ROWS, DISTANCES, DISTANCE_BITS, LONGEST_CODE)
  const literals = usedSymbols(LITERAL_BITS, LITERALS, 257)
  const distances = usedSymbols(DISTANCE_BITS, DISTANCES, 1)
  const runsEnd = makeRuns(literals, distances)
  makeLengths(LENGTH_ROWS, LENGTHS, LENGTH_BITS, LONGEST_LENGTH_CODE)
  let lengths: u32 = 19
  while (lengths > 4 && load<u8>(LENGTH_BITS + load<u8>(LENGTH_ORDER + lengths - 1)) === 0) lengths--

  const ownBits: u32 = 14 + 3 * lengths + runsBits(runsEnd) + codedBits(LITERAL_BITS, DISTANCE_BITS)
  if (fixedBits() <= ownBits) {
    setFixedLengths()
    put((isLast as u64) | 2, 3)
  } else {
    makeCodes(LENGTH_ROWS, LENGTHS, LENGTH_BITS)
    put((isLast as u64) | 4, 3)
    put(((literals - 257) as u64) | ((distances - 1) << 5) | ((lengths - 4) << 10), 14)
    for (let i: u32 = 0; i < lengths; i++) put(load<u8>(LENGTH_BITS + load<u8>(LENGTH_ORDER + i)) as u64, 3)
    for (let run = RUNS; run < runsEnd; run += 4) {
      const symbol = load<u8>(run) as usize
      putCode(LENGTH_ROWS, symbol)
      put(load<u8>(run, 1) as u64, runExtraBits(symbol as u32))
    }
  }
  makeCodes(LITERAL_ROWS, LITERALS, LITERAL_BITS)
  makeCodes(DISTANCE_ROWS, DISTANCES, DISTANCE_BITS)
  writeTokens()
  putCode(LITERAL_ROWS, END_OF_BLOCK as usize)
}

/** The state of the bits is in local variables, and a match is put as a whole: most of the time of writing is spent here. */
function writeTokens(): void {
  let to = out
  let some = bits
  let length = bitCount
  for (let token = TOKENS; token < tokensEnd; token += 4) {
    const value = load<u32>(token)
    if (value < MATCH) {
      const row = load<u32>(LITERAL_ROWS + ((value as usize) << 2))
      some |= ((row & CODE) as u64) << length
      length += row >>> 16
    } else {
      const matched = (value >>> 16) & 0xff
      const lengthRow = load<u32>(LITERAL_ROWS + ((lengthSymbol(matched) as usize) << 2))
      some |= ((lengthRow & CODE) as u64) << length
      length += lengthRow >>> 16
      if (matched >= 8 && matched !== 255) {
        const extra = topBit(matched) - 2
        some |= ((matched & ((1 << extra) - 1)) as u64) << length
        length += extra
      }
      const distance = value & 0x7fff
      const distanceRow = load<u32>(DISTANCE_ROWS + ((distanceSymbol(distance) as usize) << 2))
      some |= ((distanceRow & CODE) as u64) << length
      length += distanceRow >>> 16
      if (distance >= 4) {
        const extra = topBit(distance) - 1
        some |= ((distance & ((1 << extra) - 1)) as u64) << length
        length += extra
      }
    }
    store<u64>(to, some)
    to += length >>> 3
    some >>= length & 0x38
    length &= 7
  }
  out = to
  bits = some
  bitCount = length
}

function putCode(rows: usize, symbol: usize): void {
  const row = load<u32>(rows + (symbol << 2))
  put((row & CODE) as u64, row >>> 16)
}

function put(value: u64, length: u32): void {
  bits |= value << bitCount
  bitCount += length
  store<u64>(out, bits)
  out += bitCount >>> 3
  bits >>= bitCount & 0x38
  bitCount &= 7
}

function codedBits(literalBits: usize, distanceBits: usize): u32 {
  let sum = extraBits()
  for (let i: usize = 0; i < LITERALS; i++) sum += load<u32>(LITERAL_ROWS + (i << 2)) * load<u8>(literalBits + i)
  for (let i: usize = 0; i < DISTANCES; i++) sum += load<u32>(DISTANCE_ROWS + (i << 2)) * load<u8>(distanceBits + i)
  return sum
}

function fixedBits(): u32 {
  let sum = extraBits()
  for (let i: u32 = 0; i < (LITERALS as u32); i++) sum += load<u32>(LITERAL_ROWS + ((i as usize) << 2)) * fixedLength(i)
  for (let i: usize = 0; i < DISTANCES; i++) sum += load<u32>(DISTANCE_ROWS + (i << 2)) * 5
  return sum
}

/** The bits after the codes are the same with all codes. */
function extraBits(): u32 {
  let sum: u32 = 0
  for (let i: u32 = 265; i < 285; i++) sum += load<u32>(LITERAL_ROWS + ((i as usize) << 2)) * ((i - 261) >>> 2)
  for (let i: u32 = 4; i < 30; i++) sum += load<u32>(DISTANCE_ROWS + ((i as usize) << 2)) * ((i >>> 1) - 1)
  return sum
}

function setFixedLengths(): void {
  for (let i: u32 = 0; i < (LITERALS as u32); i++) store<u8>(LITERAL_BITS + i, fixedLength(i) as u8)
  memory.fill(DISTANCE_BITS, 5, DISTANCES)
}

/** How many symbols there are up to the last that is used, but not fewer than `least`. */
function usedSymbols(lengths: usize, all: usize, least: u32): u32 {
  let used = all as u32
  while (used > least && load<u8>(lengths + used - 1) === 0) used--
  return used
}

/** Puts the lengths of both alphabets into runs (RFC 1951 3.2.7), and counts their symbols. Returns where the runs end. */
function makeRuns(literals: u32, distances: u32): usize {
  memory.copy(SUMS, LITERAL_BITS, literals)
  memory.copy(SUMS + literals, DISTANCE_BITS, distances)
  memory.fill(LENGTH_ROWS, 0, 4 * LENGTHS)
  const all = literals + distances
  let run = RUNS
  for (let i: u32 = 0; i < all; ) {
    const length = load<u8>(SUMS + i)
    let same: u32 = 1
    while (i + same < all && load<u8>(SUMS + i + same) === length) same++
    i += same
    if (length === 0) {
      for (; same >= 11; same -= min(same, 138)) run = addRun(run, 18, min(same, 138) - 11)
      if (same >= 3) {
        run = addRun(run, 17, same - 3)
        same = 0
      }
    } else {
      run = addRun(run, length, 0)
      for (same--; same >= 3; same -= min(same, 6)) run = addRun(run, 16, min(same, 6) - 3)
    }
    for (; same > 0; same--) run = addRun(run, length, 0)
  }
  return run
}

function addRun(run: usize, symbol: u32, extra: u32): usize {
  store<u8>(run, symbol as u8)
  store<u8>(run, extra as u8, 1)
  count(LENGTH_ROWS, symbol)
  return run + 4
}

function runExtraBits(symbol: u32): u32 {
  return symbol < 16 ? 0 : symbol === 16 ? 2 : symbol === 17 ? 3 : 7
}

function runsBits(runsEnd: usize): u32 {
  let sum: u32 = 0
  for (let run = RUNS; run < runsEnd; run += 4) {
    const symbol = load<u8>(run) as usize
    sum += (load<u8>(LENGTH_BITS + symbol) as u32) + runExtraBits(symbol as u32)
  }
  return sum
}
