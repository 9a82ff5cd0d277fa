/** The slots of a cluster. */
export const SLOTS = 16_384

/** CRC16 of Redis Cluster (XMODEM: polynomial 0x1021, starting from 0); `crc` is that of the bytes before. */
export function crc16(bytes: Uint8Array, crc = 0): number {
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ TABLE[(crc >> 8) ^ byte]!
  return crc
}

/** The slot of a key, or of a tag with which keys begin: what is inside the first braces decides, if there are any. */
export function slotOf(key: string): number {
  const open = key.indexOf('{')
  const close = open < 0 ? -1 : key.indexOf('}', open + 1)
  const hashed = close > open + 1 ? key.slice(open + 1, close) : key
  return crc16(Buffer.from(hashed)) % SLOTS
}

const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
  return crc & 0xffff
})
