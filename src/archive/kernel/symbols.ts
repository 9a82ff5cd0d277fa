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
