export const LF = 0x0a
export const VT = 0x0b
export const CR = 0x0d
export const TAB = 0x09
export const BLANK = 0x20
export const HASH = 0x23
export const SLASH = 0x2f
export const COLON = 0x3a
export const QUESTION = 0x3f

/** Reading words may run up to 3 bytes over the end of a text, so the bytes after every text must exist: see {@link SPARE_BYTES}. */
export interface ByteChunk {
  readonly bytes: Buffer
  readonly view: DataView
}

export const SPARE_BYTES = 8

export function newChunk(bytes: number): ByteChunk {
  const buffer = Buffer.allocUnsafeSlow(bytes + SPARE_BYTES)
  return { bytes: buffer, view: new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength) }
}

/** `word` cut down to its first n bytes (little-endian), at n. */
const FIRST_BYTES = Int32Array.of(0, 0xff, 0xffff, 0xffffff)

export function sameBytes(a: DataView, aStart: number, b: DataView, bStart: number, length: number): boolean {
  let i = 0
  for (; i + 4 <= length; i += 4) if (a.getInt32(aStart + i, true) !== b.getInt32(bStart + i, true)) return false
  if (i === length) return true
  return ((a.getInt32(aStart + i, true) ^ b.getInt32(bStart + i, true)) & FIRST_BYTES[length - i]!) === 0
}

/** Four at a time: for the short texts of URLs this beats a native call. May write 3 bytes too many. */
export function copyBytes(from: DataView, start: number, length: number, to: DataView, at: number): void {
  for (let i = 0; i < length; i += 4) to.setInt32(at + i, from.getInt32(start + i, true), true)
}
