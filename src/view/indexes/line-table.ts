import type { FollowedFile, LinePiece } from '../../base/files/followed-file.ts'
import { LF } from '../../base/structures/bytes.ts'
import { SplitIndex } from '../../base/structures/hash-index.ts'
import { WideColumn } from '../../base/structures/wide-column.ts'
import { HostChains } from './host-chains.ts'
import { beginningOf, LineKeys } from './line-keys.ts'

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
  /** URLs that have a line. */
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

  /** Adds lines that come before all others. */
  addBefore({ bytes, at }: LinePiece): void {
    for (let end = bytes.length - 1; end >= 0; ) {
      const start = end === 0 ? 0 : bytes.lastIndexOf(LF, end - 1) + 1
      const line = --this.first
      this.starts.set(line, at + start)
      if (this.keys.read(bytes, start, end)) this.note(line, bytes, start, end, false)
      end = start - 1
    }
  }

  /** Adds lines that come after all others. */
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
