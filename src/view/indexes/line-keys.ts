import { unpredictableSeed } from '../../base/random.ts'
import { seededHash } from '../../base/structures/hash-index.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const SLASH = 0x2f
const QUESTION = 0x3f
const NUMBER_SIGN = 0x23
/** How every line of `pages.jsonl` and `failures.jsonl` begins. */
const BEGINNING = Buffer.from('{"url":"')

const [URL_SEED, HOST_SEED] = unpredictableSeed()
const [CHECK_SEED] = unpredictableSeed()

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
    for (let i = 0; i < BEGINNING.length; i++) if (bytes[start + i] !== BEGINNING[i]) return false
    const urlStart = start + BEGINNING.length
    const urlEnd = quoteFrom(bytes, urlStart, end)
    if (urlEnd >= end) return false
    this.urlEnd = urlEnd
    this.urlHash = seededHash(URL_SEED, bytes, urlStart, urlEnd)
    const hostStart = hostFrom(bytes, urlStart, urlEnd)
    let hostEnd = hostStart
    while (hostEnd < urlEnd && !endsHost(bytes[hostEnd]!)) hostEnd++
    this.hashHost(bytes, hostStart, hostEnd)
    return true
  }

  /** Reads only the name of a host. */
  readHost(name: string): void {
    const bytes = Buffer.from(name)
    this.hashHost(bytes, 0, bytes.length)
  }

  private hashHost(bytes: Uint8Array, start: number, end: number): void {
    this.hostHash = seededHash(HOST_SEED, bytes, start, end)
    this.hostCheck = seededHash(CHECK_SEED, bytes, start, end)
  }
}

/** Where the text ends that begins here. */
function quoteFrom(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  for (; at < end && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++
  return at
}

/** After `://`; the end when there is none. */
function hostFrom(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start + 2; at < end; at++)
    if (bytes[at] === SLASH && bytes[at - 1] === SLASH && bytes[at - 2] === COLON) return at + 1
  return end
}

function endsHost(byte: number): boolean {
  return byte === SLASH || byte === QUESTION || byte === NUMBER_SIGN
}
