import { constants, createGunzip } from 'node:zlib'
import { transformed } from '../base/structures/transformed-pieces.ts'
import { EntryReader } from './entry-reader.ts'
import { gathered } from './gathered-pieces.ts'
import { LineReader } from './line-reader.ts'
import { MarkupScanner } from './markup-scanner.ts'
import type { SitemapEntry, SitemapKind } from './sitemap-entry.ts'
import { textPieces } from './text-pieces.ts'

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
const CHUNK_BYTES = 64 << 10

/**
 * Reads a sitemap while it arrives: an XML sitemap or an index of sitemaps, RSS, Atom, or plain text with one URL per line; packed
 * with gzip or not, by its first bytes. Nothing in it is an error: what is not understood is passed over. Time grows with its
 * length, and memory does not.
 */
export class SitemapReader {
  /** What it is; `none`: nothing of the above. Undefined until that is known. */
  kind: SitemapKind | 'none' | undefined
  /** How many entries were handed out. */
  entries = 0
  /** The limit at which reading ended; undefined if it was read to its end. */
  cutAt: 'bytes' | 'entries' | undefined
  private readonly limits: SitemapLimits
  private isMarked: boolean | undefined
  private readonly marked = new EntryReader()
  private readonly scanner = new MarkupScanner(this.marked)
  private readonly lines = new LineReader()

  constructor(limits: SitemapLimits = LIMITS) {
    this.limits = limits
  }

  /** Yields the entries of each piece, as they stand in the sitemap. To be called once. */
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

/** Undoes gzip, if the first two bytes say so. What can be unpacked of a damaged file counts. */
async function* unpacked(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = gathered(pieces)
  const { value: start, done } = await iterator.next()
  if (done) return
  const whole = followed(start, iterator)
  if (start[0] !== 0x1f || start[1] !== 0x8b) return yield* whole
  try {
    yield* transformed(whole, createGunzip({ chunkSize: CHUNK_BYTES, finishFlush: constants.Z_SYNC_FLUSH }))
  } catch {
    // The rest can't be unpacked.
  }
}

async function* followed(start: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield start
  yield* rest
}
