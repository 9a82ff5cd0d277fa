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

/** Two UUIDs made from a name (version 8 of RFC 9562: ours to fill): the same name gives the same two, and no other does. */
export function uuidsOf(name: string): readonly [string, string] {
  const hex = hash('sha256', name, 'hex')
  return [uuid(hex, 0), uuid(hex, 32)]
}

function uuid(hex: string, at: number): string {
  const variant = '89ab'[Number.parseInt(hex[at + 16]!, 16) & 3]!
  const third = `8${hex.slice(at + 13, at + 16)}`
  const fourth = variant + hex.slice(at + 17, at + 20)
  return `${hex.slice(at, at + 8)}-${hex.slice(at + 8, at + 12)}-${third}-${fourth}-${hex.slice(at + 20, at + 32)}`
}
