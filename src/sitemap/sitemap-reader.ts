import { TextDecoder } from 'node:util'
import { gunzipped } from '../base/structures/unpacked-pieces.ts'
import { EntryReader, MOST_LOC_CHARS, type SitemapEntry, type SitemapKind } from './entry-reader.ts'
import { MarkupScanner } from './markup-scanner.ts'

/** https://www.sitemaps.org/protocol.html: what one file may have at most. */
export const SITEMAP_BYTES = 50 << 20
export const SITEMAP_ENTRIES = 50_000

/** How much of a sitemap is read. */
export interface SitemapLimits {
  /** After unpacking. */
  readonly mostBytes: number
  readonly mostEntries: number
}

const LIMITS: SitemapLimits = { mostBytes: SITEMAP_BYTES, mostEntries: SITEMAP_ENTRIES }

/**
 * Reads a sitemap while it arrives: XML, an index of sitemaps, RSS, Atom, or one URL per line; packed with gzip or not, by its first bytes. What
 * isn't understood is passed over. Linear time, constant memory.
 */
export class SitemapReader {
  /** `none`: nothing of the above. Undefined until that is known. */
  kind: SitemapKind | 'none' | undefined
  entries = 0
  /** Undefined if it was read to its end. */
  cutAt: 'bytes' | 'entries' | undefined
  private readonly limits: SitemapLimits
  private isMarked: boolean | undefined
  private readonly marked = new EntryReader()
  private readonly scanner = new MarkupScanner(this.marked)
  private readonly lines = new LineReader()

  constructor(limits: SitemapLimits = LIMITS) {
    this.limits = limits
  }

  /** As they are in the sitemap. To be called once. */
  async *read(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly SitemapEntry[]> {
    for await (const text of textPieces(this.bounded(unpacked(pieces)))) {
      this.push(text)
      const entries = this.taken()
      if (entries.length > 0) yield entries
      if (this.kind === 'none' || this.cutAt === 'entries') return
    }
    this.marked.finish()
    // The last line may be cut.
    if (this.cutAt === undefined) this.lines.finish()
    const entries = this.taken()
    if (entries.length > 0) yield entries
    if (this.entries === 0 && this.kind === 'text') this.kind = 'none'
    this.kind ??= 'none'
  }

  private push(text: string): void {
    // The first character that is not blank decides.
    this.isMarked ??= /\S/.test(text) ? /^\s*</.test(text) : undefined
    if (this.isMarked === false) {
      this.kind = 'text'
      this.lines.push(text)
      if (this.lines.isNone) this.kind = 'none'
      return
    }
    this.scanner.push(text)
    this.kind = this.marked.kind
  }

  private taken(): readonly SitemapEntry[] {
    const source = this.isMarked === false ? this.lines : this.marked
    const { entries } = source
    source.entries = []
    const room = this.limits.mostEntries - this.entries
    const kept = entries.length > room ? entries.slice(0, room) : entries
    this.entries += kept.length
    if (kept.length < entries.length) this.cutAt = 'entries'
    return kept
  }

  private async *bounded(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let left = this.limits.mostBytes
    for await (const piece of pieces) {
      if (piece.length > left) this.cutAt = 'bytes'
      if (left > 0) yield piece.length > left ? piece.subarray(0, left) : piece
      left -= piece.length
      if (left < 0) return
    }
  }
}

/** What can be unpacked of a damaged file counts. */
async function* unpacked(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = gathered(pieces)
  const { value: start, done } = await iterator.next()
  if (done) return
  const whole = followed(start, iterator)
  if (start[0] !== 0x1f || start[1] !== 0x8b) return yield* whole
  try {
    yield* gunzipped(whole)
  } catch {
    // The rest can't be unpacked.
  }
}

async function* followed(start: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield start
  yield* rest
}

/** After this many characters without a URL it is another kind of text. */
const MOST_OTHER_CHARS = 65_536

/** One URL per line; other lines are skipped. */
class LineReader {
  /** The reader takes them away. */
  entries: SitemapEntry[] = []
  private begun = ''
  private hasUrls = false
  private readChars = 0

  get isNone(): boolean {
    return !this.hasUrls && this.readChars > MOST_OTHER_CHARS
  }

  push(piece: string): void {
    this.readChars += piece.length
    const lines = piece.split(/\r\n|\n|\r/)
    const last = lines.pop()!
    for (const line of lines) {
      this.add(this.begun + line)
      this.begun = ''
    }
    if (this.begun.length <= MOST_LOC_CHARS) this.begun += last.slice(0, MOST_LOC_CHARS + 1)
  }

  finish(): void {
    this.add(this.begun)
    this.begun = ''
  }

  private add(line: string): void {
    const loc = line.trim().slice(0, MOST_LOC_CHARS)
    if (!/^https?:/i.test(loc)) return
    this.hasUrls = true
    this.entries.push({ loc })
  }
}

/** A byte order mark decides the encoding, or else the XML declaration; otherwise it is UTF-8. */
async function* textPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  for await (const piece of gathered(pieces)) {
    decoder ??= new TextDecoder(encodingOf(piece))
    yield decoder.decode(piece, { stream: true })
  }
  if (decoder !== undefined) yield decoder.decode()
}

function encodingOf(start: Uint8Array): string {
  const [first, second] = start
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be'
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le'
  const opening = Buffer.from(start.buffer, start.byteOffset, Math.min(start.length, 200)).toString('latin1')
  const [, named] = /^(?:\xef\xbb\xbf)?<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(opening) ?? []
  // It can be read as single bytes, so it isn't UTF-16.
  return named === undefined || /^utf-?16/i.test(named) || !isKnown(named) ? 'utf-8' : named
}

function isKnown(label: string): boolean {
  try {
    new TextDecoder(label)
    return true
  } catch {
    return false
  }
}

const LEAST_BYTES = 16 << 10

/** A sitemap that comes one byte at a time costs no more than any other. */
async function* gathered(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(LEAST_BYTES)
  let length = 0
  for await (const piece of pieces) {
    if (length + piece.length < LEAST_BYTES) {
      buffer.set(piece, length)
      length += piece.length
      continue
    }
    if (length > 0) yield buffer.slice(0, length)
    length = 0
    yield piece
  }
  if (length > 0) yield buffer.slice(0, length)
}
