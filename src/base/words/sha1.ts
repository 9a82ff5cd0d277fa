import { hash } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** Two letters for each ten bits. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => ALPHABET[bits >> 5]! + ALPHABET[bits & 31]!)

/** SHA-1 in base32 (RFC 4648 6), 32 letters: how WARC files write their digests. */
export function sha1(bytes: Uint8Array): string {
  const digest = hash('sha1', bytes, 'buffer')
  let text = ''
  for (let i = 0; i < 20; i += 5) {
    const high = digest.readUInt32BE(i)
    const low = digest[i + 4]!
    text += PAIRS[high >>> 22]! + PAIRS[(high >>> 12) & 1023]! + PAIRS[(high >>> 2) & 1023]!
    text += PAIRS[((high & 3) << 8) | low]!
  }
  return text
}
