import type { FollowedFile, LinePiece } from '../../base/files/followed-file.ts'
import { unpredictableSeed } from '../../base/random.ts'
import { LF } from '../../base/structures/bytes.ts'
import { SplitIndex, seededHash } from '../../base/structures/hash-index.ts'
import { WideColumn } from '../../base/structures/wide-column.ts'

/**
 * What a line says about the link whose URL it begins with.
 *
 * - `outcome`: how it ended; `counted`: the same, and it counts for its host as long as it is the newest line of its URL.
 * - `undone`: its earlier lines no longer hold.
 */
export type LineKind = 'outcome' | 'counted' | 'undone'

/** What kind of line this is, from the end of its URL on. */
export type KindOf = (bytes: Buffer, urlEnd: number, end: number) => LineKind

/** The number of the line before the first one that is appended after the opening: lines are numbered in both directions from there. */
const MIDDLE = 1 << 30
const COUNTED = 1

/**
 * Where the lines of a file begin, which one is the newest of a URL, and which ones belong to a host. Takes about 30 bytes per line
 * and 35 per host; the text stays in the file.
 */
export class LineTable {
  urlCount = 0
  /** The oldest line, and the number after the newest one. The same: there is none. */
  first = MIDDLE
  next = MIDDLE
  private readonly file: FollowedFile
  private readonly kindOf: KindOf
  private readonly starts = new WideColumn(cells => new Float64Array(cells))
  private readonly counted = new WideColumn(cells => new Uint8Array(cells))
  /** The newest line of each URL. Equal hashes are distinguished by the text in the file. */
  private readonly urls = new SplitIndex()
  private readonly hosts = new HostChains()
  private readonly keys = new LineKeys()

  constructor(file: FollowedFile, kindOf: KindOf) {
    this.file = file
    this.kindOf = kindOf
  }

  get lines(): number {
    return this.next - this.first
  }

  addBefore({ bytes, at }: LinePiece): void {
    for (let end = bytes.length - 1; end >= 0; ) {
      const start = end === 0 ? 0 : bytes.lastIndexOf(LF, end - 1) + 1
      const line = --this.first
      this.starts.set(line, at + start)
      if (this.keys.read(bytes, start, end)) this.note(line, bytes, start, end, false)
      end = start - 1
    }
  }

  addAfter({ bytes, at }: LinePiece): void {
    for (let start = 0; start < bytes.length; ) {
      const end = bytes.indexOf(LF, start)
      const line = this.next++
      this.starts.set(line, at + start)
      if (this.keys.read(bytes, start, end)) this.note(line, bytes, start, end, true)
      start = end + 1
    }
  }

  startOf(line: number): number {
    return line === this.next ? this.file.end : this.starts.get(line)
  }

  /** The newest line of a URL, of those that were added; 0 when there is none. */
  newestOf(url: string): number {
    const beginning = beginningOf(url)
    if (!this.keys.read(beginning, 0, beginning.length)) return 0
    const part = this.urls.part(this.keys.urlHash)
    const place = this.placeOf(beginning)
    return place < 0 ? 0 : part.id(place)
  }

  /** Whether a line, which has these bytes, is the newest of its URL. */
  isNewest(line: number, bytes: Buffer): boolean {
    if (!this.keys.read(bytes, 0, bytes.length)) return false
    const { urlHash } = this.keys
    const part = this.urls.part(urlHash)
    let place = part.search(urlHash)
    while (place >= 0 && part.id(place) !== line) place = part.searchOn(place, urlHash)
    return place >= 0
  }

  /** The outcomes at a host, newest first: also those that no longer hold. */
  linesOf(host: string): Iterable<number> {
    this.keys.readHost(host)
    return this.hosts.linesOf(this.keys)
  }

  /** How many URLs of a host have a newest line that counts. */
  countOf(host: string): number {
    this.keys.readHost(host)
    return this.hosts.countOf(this.keys)
  }

  private note(line: number, bytes: Buffer, start: number, end: number, isNewer: boolean): void {
    const { keys, hosts } = this
    const kind = this.kindOf(bytes, keys.urlEnd, end)
    const isCounted = kind === 'counted'
    if (kind !== 'undone') hosts.add(line, keys, isNewer)
    if (isCounted) this.counted.set(line, COUNTED)
    const place = this.placeOf(bytes.subarray(start, keys.urlEnd + 1))
    if (place < 0) {
      this.urls.add(keys.urlHash, line)
      this.urlCount++
      if (isCounted) hosts.count(keys, 1)
    } else if (isNewer) {
      const part = this.urls.part(keys.urlHash)
      const wasCounted = this.counted.get(part.id(place)) === COUNTED
      part.replace(place, line)
      if (wasCounted !== isCounted) hosts.count(keys, isCounted ? 1 : -1)
    }
  }

  /** The place of the URL in `keys`, whose line begins like this; negative when it has none. */
  private placeOf(beginning: Buffer): number {
    const { urlHash } = this.keys
    const part = this.urls.part(urlHash)
    let place = part.search(urlHash)
    while (place >= 0 && !this.isLineWith(part.id(place), beginning)) place = part.searchOn(place, urlHash)
    return place
  }

  private isLineWith(line: number, beginning: Buffer): boolean {
    return this.file.bytes(this.starts.get(line), beginning.length).equals(beginning)
  }
}

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
function beginningOf(url: string): Buffer {
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

/**
 * The lines of each host, chained from the newest to the oldest, and a count per host. Lines are added at either end of a chain.
 * A host takes about 35 bytes, a line 4.
 */
class HostChains {
  private readonly hosts = new SplitIndex()
  private known = 0
  private readonly checks = new WideColumn(int32s)
  private readonly newest = new WideColumn(int32s)
  private readonly oldest = new WideColumn(int32s)
  private readonly counts = new WideColumn(int32s)
  /** The next older line of the same host; 0: none. */
  private readonly older = new WideColumn(int32s)

  /** Adds a line that is newer than all lines of its host so far, or older than all. Lines are numbers from 1. */
  add(line: number, keys: LineKeys, isNewer: boolean): void {
    const host = this.hostOf(keys) || this.addHost(keys)
    if (this.newest.get(host) === 0) {
      this.newest.set(host, line)
      this.oldest.set(host, line)
    } else if (isNewer) {
      this.older.set(line, this.newest.get(host))
      this.newest.set(host, line)
    } else {
      this.older.set(this.oldest.get(host), line)
      this.oldest.set(host, line)
    }
  }

  count(keys: LineKeys, more: number): void {
    const host = this.hostOf(keys) || this.addHost(keys)
    this.counts.set(host, this.counts.get(host) + more)
  }

  countOf(keys: LineKeys): number {
    return this.counts.get(this.hostOf(keys))
  }

  *linesOf(keys: LineKeys): Generator<number, void, undefined> {
    for (let line = this.newest.get(this.hostOf(keys)); line !== 0; line = this.older.get(line)) yield line
  }

  /** 0: not known. */
  private hostOf({ hostHash, hostCheck }: LineKeys): number {
    const part = this.hosts.part(hostHash)
    let place = part.search(hostHash)
    while (place >= 0 && this.checks.get(part.id(place)) !== hostCheck) place = part.searchOn(place, hostHash)
    return place < 0 ? 0 : part.id(place)
  }

  private addHost({ hostHash, hostCheck }: LineKeys): number {
    const host = ++this.known
    this.checks.set(host, hostCheck)
    this.hosts.add(hostHash, host)
    return host
  }
}

function int32s(cells: number): Int32Array {
  return new Int32Array(cells)
}
