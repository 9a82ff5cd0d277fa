import { ByteReader } from '../../../base/structures/byte-reader.ts'
import { MOST_NOTE_BYTES } from '../../checks.ts'
import type { LinkId, Links } from '../memory/links.ts'
import { fingerprintLow } from '../memory/sought.ts'
import { words } from '../memory/words.ts'
import { damaged } from './damaged.ts'
import type { TextSource } from './link-log.ts'
import { TextWindow } from './text-window.ts'
import { MOST_LINK_BYTES, readLink, readNote, type WrittenLink } from './written-link.ts'

/** Most links are shorter than this, and most notes are so close before them that one read gets both, where links have notes. */
const USUAL_BYTES = 256
const USUAL_BYTES_BEFORE = 2048 - USUAL_BYTES

/** A link as it was offered. */
export interface LinkText {
  readonly url: string
  readonly pathDepth: number
  readonly hops: number
  readonly note: string | undefined
}

/** Reads the texts of links from the log. A text that does not match its link's fingerprint is damage. */
export class LinkTexts {
  private readonly links: Links
  private readonly log: TextSource
  private readonly seed: readonly [number, number]
  private readonly scratch = Buffer.allocUnsafeSlow(MOST_LINK_BYTES)
  private readonly noteScratch = this.scratch.subarray(0, MOST_NOTE_BYTES + 32)
  private readonly notedScratch = this.scratch.subarray(0, USUAL_BYTES_BEFORE + USUAL_BYTES)
  private readonly usualScratch = this.scratch.subarray(0, USUAL_BYTES)
  private readonly reader = new ByteReader(this.scratch)
  /** The last link refers to a note before it: so will the next, as a rule. */
  private isNoted = false

  constructor(links: Links, log: TextSource, seed: readonly [number, number]) {
    this.links = links
    this.log = log
    this.seed = seed
  }

  /** The same texts, faster for reading links in their order. */
  inOrder(): LinkTexts {
    return new LinkTexts(this.links, new TextWindow(this.log), this.seed)
  }

  read(link: LinkId): LinkText {
    return this.readAt(link, this.links.segment(link), this.links.at(link))
  }

  /** Reads a text from another place than that of the first offer. */
  readAt(link: LinkId, segment: number, at: number): LinkText {
    const { log } = this
    const from = this.isNoted ? Math.max(0, at - USUAL_BYTES_BEFORE) : at
    const got = log.read(segment, from, this.isNoted ? this.notedScratch : this.usualScratch)
    const written = this.parseIn(at - from, got, readLink) ?? this.parseAlone(segment, at, this.scratch, readLink)
    // A part of the fingerprint is enough: the others are in the index, which a visit need not touch.
    if (written !== undefined && this.links.isOf(link, fingerprintLow(written.url, this.seed))) {
      const { depth, hops } = written
      // Must come before the note is read into the same bytes.
      const url = written.url.toString()
      const note = this.noteOf(written.note, segment, at, from, got)
      if (note !== undefined || written.note === undefined) return { url, pathDepth: depth, hops, note }
    }
    throw damaged(log.name(segment), at, words().linkDiffers)
  }

  /** The first `got` bytes of the scratch are the segment's from `from` on. */
  private noteOf(
    note: WrittenLink['note'],
    segment: number,
    at: number,
    from: number,
    got: number,
  ): string | undefined {
    this.isNoted = typeof note === 'number'
    if (typeof note !== 'number') return note
    const noteAt = at - note
    if (noteAt < 0) return undefined
    const near = noteAt >= from ? this.parseIn(noteAt - from, got, readNote) : undefined
    return near ?? this.parseAlone(segment, noteAt, this.noteScratch, readNote)
  }

  private parseAlone<T>(segment: number, at: number, into: Buffer, read: (from: ByteReader) => T): T | undefined {
    return this.parseIn(0, this.log.read(segment, at, into), read)
  }

  private parseIn<T>(from: number, to: number, read: (from: ByteReader) => T): T | undefined {
    this.reader.moveTo(from, to)
    try {
      return read(this.reader)
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    }
  }
}
