// The classic URL rules (docs/classic-rules.md) on many lines at once, sixteen bytes per step where JavaScript takes one. AssemblyScript,
// compiled to WebAssembly; classic-kernel.ts beside this folder is the only caller.

const LF: u8 = 0x0a
const CR: u8 = 0x0d
const TAB: u8 = 0x09
const BLANK: u8 = 0x20
const HASH: u8 = 0x23
const SLASH: u8 = 0x2f
const QUESTION: u8 = 0x3f
const DELETE: u8 = 0x7f

// Little-endian, and the bits in which their letters may differ by case.
const HTTP: u64 = 0x002f_2f3a_7074_7468
const HTTP_BYTES: u64 = 0x00ff_ffff_ffff_ffff
const HTTP_CASE: u64 = 0x2020_2020
const WWW: u32 = 0x2e77_7777
const WWW_CASE: u32 = 0x0020_2020
const EXTENSION_CASE: u32 = 0x2020_2000
const JPG: u32 = 0x6770_6a2e
const GIF: u32 = 0x6669_672e
const MP3: u32 = 0x3370_6d2e
const AVI: u32 = 0x6976_612e
const DOC: u32 = 0x636f_642e
const PDF: u32 = 0x6664_702e

// Columns from address 0; after them come the results.
const ROWS: i32 = 1024
const AT: usize = 0
const LENGTH: usize = 4096
const HOST_LENGTH: usize = 8192
const DEPTH: usize = 12288
const HOST_HASH: usize = 16384
const URL_HASH: usize = 20480
const LINES: usize = 24576
const PROTOCOL: usize = 24580
const MALFORMED: usize = 24584
const EXTENSION: usize = 24588
const NEXT: usize = 24592
const FINGERPRINT: usize = 24600

const K1: u64 = 0xd6e8_feb8_6659_fd93
const K2: u64 = 0xa076_1d64_78bd_642f

let seed: u64 = 0

export function setSeed(low: u32, high: u32): void {
  seed = ((high as u64) << 32) | (low as u64)
}

/** Reads at most `maxLines` whole lines, until the columns are full. Fills a row for each accepted URL, and appends its canonical text, from `out` on. */
export function scan(from: usize, to: usize, maxLines: i32, out: usize): i32 {
  let rows = 0
  let lines = 0
  let protocol = 0
  let malformed = 0
  let extension = 0
  let at = from
  while (at < to && lines < maxLines && rows < ROWS) {
    let start = skipBlanks(at)
    if (((load<u64>(start) & HTTP_BYTES) | HTTP_CASE) !== HTTP) {
      const lineEnd = nextLf(start)
      if (lineEnd >= to) break
      protocol++
      lines++
      at = lineEnd + 1
      continue
    }
    start += 7
    start = skipWww(start)

    // The host ends at the first '/' or '?', the path at the first '?', the URL at a blank, a control character or '#'.
    let hostEnd: usize = 0
    let query: usize = 0
    let end: usize = 0
    let depth = 0
    for (let base = start; end === 0; base += 16) {
      const bytes = v128.load(base)
      const stops = i8x16.bitmask(
        v128.or(
          i8x16.le_u(bytes, i8x16.splat(BLANK)),
          v128.or(i8x16.eq(bytes, i8x16.splat(HASH)), i8x16.eq(bytes, i8x16.splat(DELETE))),
        ),
      )
      const before = (stops & -stops) - 1
      let slashes = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(SLASH))) & before
      const queries = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(QUESTION))) & before
      if (hostEnd === 0) {
        const hostEnds = slashes | queries | stops
        if (hostEnds !== 0) hostEnd = base + ctz(hostEnds)
      }
      if (query === 0) {
        if (queries !== 0) {
          query = base + ctz(queries)
          slashes &= (queries & -queries) - 1
        }
        depth += popcnt(slashes)
      }
      if (stops !== 0) end = base + ctz(stops)
    }

    // After the URL only blanks may follow, or a fragment.
    let lineEnd = end
    let isWellFormed = true
    if (load<u8>(end) === HASH) lineEnd = nextLf(end)
    else {
      lineEnd = skipBlanks(end)
      if (load<u8>(lineEnd) === CR) lineEnd++
      if (load<u8>(lineEnd) !== LF) {
        isWellFormed = false
        lineEnd = nextLf(end)
      }
    }
    if (lineEnd >= to) break
    lines++
    at = lineEnd + 1
    if (!isWellFormed || hostEnd === start) {
      malformed++
      continue
    }
    const urlStop = end
    while (end > hostEnd && load<u8>(end - 1) === SLASH) end--
    if (query === 0) depth -= (urlStop - end) as i32
    if (isRefusedExtension(hostEnd, query === 0 ? end : query)) {
      extension++
      continue
    }
    const length = end - start
    const hostLength = hostEnd - start
    for (let i: usize = 0; i < length; i += 16) v128.store(out + i, v128.load(start + i))
    lower(out, out + hostLength)
    const row = (rows++ << 2) as usize
    const hostHash = hash(out, out + hostLength, seed)
    store<i32>(row, out as i32, AT)
    store<i32>(row, length as i32, LENGTH)
    store<i32>(row, hostLength as i32, HOST_LENGTH)
    store<i32>(row, depth, DEPTH)
    store<i32>(row, fold(hostHash), HOST_HASH)
    store<i32>(row, fold(hash(out + hostLength, out + length, hostHash)), URL_HASH)
    out += length
  }
  store<i32>(LINES, lines)
  store<i32>(PROTOCOL, protocol)
  store<i32>(MALFORMED, malformed)
  store<i32>(EXTENSION, extension)
  store<i32>(NEXT, at as i32)
  return rows
}

export function hostHash(start: usize, end: usize): i32 {
  return fold(hash(start, end, seed))
}

/** By a seed of its own; written to two cells. */
export function fingerprint(start: usize, end: usize, low: u32, high: u32): void {
  const own = seed
  seed = ((high as u64) << 32) | (low as u64)
  store<u64>(FINGERPRINT, hash(start, end, seed))
  seed = own
}

function skipBlanks(from: usize): usize {
  let at = from
  while (load<u8>(at) === BLANK || load<u8>(at) === TAB) at++
  return at
}

export function skipWww(at: usize): usize {
  return (load<u32>(at) | WWW_CASE) === WWW ? at + 4 : at
}

function nextLf(from: usize): usize {
  let at = from
  while (lfs(at) === 0) at += 16
  return at + ctz(lfs(at))
}

function lfs(at: usize): i32 {
  return i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(LF)))
}

function isRefusedExtension(hostEnd: usize, pathEnd: usize): bool {
  if (pathEnd - hostEnd <= 4) return false
  const last = load<u32>(pathEnd - 4) | EXTENSION_CASE
  return last === JPG || last === GIF || last === MP3 || last === AVI || last === DOC || last === PDF
}

export function lower(start: usize, end: usize): void {
  for (let at = start; at < end; at += 16) {
    const bytes = v128.load(at)
    const upper = v128.and(i8x16.ge_u(bytes, i8x16.splat(0x41)), i8x16.le_u(bytes, i8x16.splat(0x5a)))
    if (!v128.any_true(upper)) continue
    for (let one = at; one < at + 16 && one < end; one++) {
      const byte = load<u8>(one)
      if (byte >= 0x41 && byte <= 0x5a) store<u8>(one, byte | 0x20)
    }
  }
}

/**
 * Sixteen bytes per step, going on from `state`; what comes after the end does not count. A step multiplies the first
 * eight, hidden by the secret seed, by the others, hidden by the state, and folds the 128 bits of the product: without the
 * seed it is unknown which texts collide. (A single 64-bit product is not enough: its top bit passes through unchanged.)
 */
function hash(start: usize, end: usize, state: u64): u64 {
  let hashed = state ^ ((end - start) as u64)
  let at = start
  for (; at + 16 <= end; at += 16) hashed = mix(load<u64>(at) ^ seed, load<u64>(at + 8) ^ hashed)
  if (at + 8 <= end) {
    hashed = mix(load<u64>(at) ^ seed, hashed ^ K1)
    at += 8
  }
  if (at < end) hashed = mix((load<u64>(at) & (((1 as u64) << (((end - at) << 3) as u64)) - 1)) ^ seed, hashed ^ K2)
  return mix(hashed ^ K1, seed ^ K2)
}

function mix(a: u64, b: u64): u64 {
  const lowA = a & 0xffff_ffff
  const lowB = b & 0xffff_ffff
  const highA = a >> 32
  const highB = b >> 32
  const low = lowA * lowB
  const middle = highA * lowB + (low >> 32)
  const other = lowA * highB + (middle & 0xffff_ffff)
  const high = highA * highB + (middle >> 32) + (other >> 32)
  return (a * b) ^ high
}

function fold(hashed: u64): i32 {
  return (hashed ^ (hashed >> 32)) as i32
}
