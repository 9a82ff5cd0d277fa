import { unpredictableSeed } from '../../base/random.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const SLASH = 0x2f
const QUESTION = 0x3f
const NUMBER_SIGN = 0x23
/** How every line of `pages.jsonl` and `failures.jsonl` begins. */
const BEGINNING = Buffer.from('{"url":"')

/** Hashes that nobody outside can foresee, so that no web site can make its URLs collide. */
const [URL_SEED, HOST_SEED] = unpredictableSeed()
const CHECK_SEED = unpredictableSeed()[0]

/** The bytes with which the line of a URL begins. */
export function beginningOf(url: string): Buffer {
  return Buffer.from(`{"url":${JSON.stringify(url)},`)
}

/** What an index keeps of the URL at the beginning of a line. One at a time: it is valid until the next line is read into it. */
export class LineKeys {
  /** Where the URL ends, which is at a quote. */
  urlEnd = 0
  urlHash = 0
  hostHash = 0
  /** Another hash of the host: with both, two hosts are never mistaken for each other. */
  hostCheck = 0

  /** Reads a line; false when it does not begin with a URL. The URL is hashed as it is written, with its escapes. */
  read(bytes: Uint8Array, start: number, end: number): boolean {
    let at = start + BEGINNING.length
    if (at > end) return false
    for (let i = 0; i < BEGINNING.length; i++) if (bytes[start + i] !== BEGINNING[i]) return false
    let hash = URL_SEED
    let hostStart = 0
    for (; at < end; at++) {
      const byte = bytes[at]!
      if (byte === QUOTE) break
      if (byte === BACKSLASH) hash = mixed(hash, bytes[at++]!)
      else if (byte === SLASH && hostStart === 0 && bytes[at - 1] === SLASH && bytes[at - 2] === COLON)
        hostStart = at + 1
      hash = mixed(hash, bytes[at]!)
    }
    if (at >= end) return false
    this.urlEnd = at
    this.urlHash = finished(hash)
    this.hashHost(bytes, hostStart === 0 ? at : hostStart, at)
    return true
  }

  /** Hashes the host that begins here; it ends with its URL or a `/`, `?` or `#`. */
  private hashHost(bytes: Uint8Array, start: number, end: number): void {
    let hash = HOST_SEED
    let check = CHECK_SEED
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!
      if (byte === SLASH || byte === QUESTION || byte === NUMBER_SIGN) break
      hash = mixed(hash, byte)
      check = Math.imul(check ^ byte, 0x9e3779b1)
      check ^= check >>> 15
    }
    this.hostHash = finished(hash)
    this.hostCheck = finished(check)
  }

  /** Reads only the name of a host. */
  readHost(name: string): void {
    const bytes = Buffer.from(name)
    this.hashHost(bytes, 0, bytes.length)
  }
}

function mixed(hash: number, byte: number): number {
  const product = Math.imul(hash ^ byte, 0x01000193)
  return product ^ (product >>> 15)
}

function finished(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
