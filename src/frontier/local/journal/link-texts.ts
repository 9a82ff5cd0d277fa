import { crc32 } from 'node:zlib'
import { message } from '../../../base/messages/message.ts'
import { ByteReader } from '../../../base/structures/byte-reader.ts'
import type { ByteWriter } from '../../../base/structures/byte-writer.ts'
import { MOST_NOTE_BYTES, MOST_URL_BYTES } from '../../checks.ts'
import { damaged } from '../memory/damaged.ts'
import type { LinkId, LinkTable } from '../memory/links.ts'
import { fingerprintLow } from '../memory/lookup-key.ts'
import type { TextSource } from './link-log.ts'

/** Most links are shorter than this, and most notes are so close before them that one read gets both, where links have notes. */
const USUAL_BYTES = 256
const USUAL_BYTES_BEFORE = 2048 - USUAL_BYTES

/** A link as it was offered. */
export interface OfferedLink {
  readonly url: string
  readonly rank: number
  readonly hops: number
  readonly note: string | undefined
}

/** Reads the texts of links from the log. A text that does not match its link's fingerprint is damage. */
export class LinkTexts {
  private readonly links: LinkTable
  private readonly log: TextSource
  private readonly seed: readonly [number, number]
  private readonly scratch = Buffer.allocUnsafeSlow(MOST_LINK_BYTES)
  private readonly noteScratch = this.scratch.subarray(0, MOST_NOTE_BYTES + 32)
  private readonly notedScratch = this.scratch.subarray(0, USUAL_BYTES_BEFORE + USUAL_BYTES)
  private readonly usualScratch = this.scratch.subarray(0, USUAL_BYTES)
  private readonly reader = new ByteReader(this.scratch)
  /** The last link refers to a note before it: so will the next, as a rule. */
  private isNoted = false

  constructor(links: LinkTable, log: TextSource, seed: readonly [number, number]) {
    this.links = links
    this.log = log
    this.seed = seed
  }

  /** The same texts, faster for reading links in their order. */
  inOrder(): LinkTexts {
    return new LinkTexts(this.links, new TextWindow(this.log), this.seed)
  }

  read(link: LinkId): OfferedLink {
    return this.readAt(link, this.links.segment(link), this.links.at(link))
  }

  /** Reads a text from another offset than that of the first offer. */
  readAt(link: LinkId, segment: number, at: number): OfferedLink {
    const { log } = this
    const from = this.isNoted ? Math.max(0, at - USUAL_BYTES_BEFORE) : at
    const got = log.read(segment, from, this.isNoted ? this.notedScratch : this.usualScratch)
    const written = this.parseIn(at - from, got, readLink) ?? this.parseAlone(segment, at, this.scratch, readLink)
    // A part of the fingerprint is enough: the others are in the index, which a visit need not touch.
    if (written !== undefined && this.links.isOf(link, fingerprintLow(written.url, this.seed))) {
      const { rank, hops } = written
      // Must come before the note is read into the same bytes.
      const url = written.url.toString()
      const note = this.noteOf(written.note, segment, at, from, got)
      if (note !== undefined || written.note === undefined) return { url, rank, hops, note }
    }
    throw damaged(log.name(segment), at, message('local/link-differs'))
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

const BYTES_BEFORE = 1 << 16
const BYTES_AFTER = 3 << 16

/**
 * Buffers a part of a log, for reading links in their order: one read gets hundreds of them. A log never changes, so what
 * was read stays right.
 */
class TextWindow implements TextSource {
  private readonly log: TextSource
  private readonly bytes = Buffer.allocUnsafeSlow(BYTES_BEFORE + BYTES_AFTER)
  private segment = 0
  private start = 0
  private end = 0

  constructor(log: TextSource) {
    this.log = log
  }

  read(segment: number, at: number, into: Buffer): number {
    const isInside = segment === this.segment && at >= this.start && at + into.length <= this.end
    if (!isInside) this.move(segment, at)
    return at > this.end ? 0 : this.bytes.copy(into, 0, at - this.start, this.end - this.start)
  }

  name(segment: number): string {
    return this.log.name(segment)
  }

  private move(segment: number, at: number): void {
    this.segment = segment
    this.start = Math.max(0, at - BYTES_BEFORE)
    this.end = this.start + this.log.read(segment, this.start, this.bytes)
  }
}

/**
 * A link as the log stores it: rank (a byte); three bits of hops (7: a varint follows), a bit for "has a note", and
 * four bits of check above them; if it has a note, how many bytes before the link it is (0: it follows the URL);
 * URL (a text). A note is its CRC-32 (32 bits) and a text.
 */
interface WrittenLink {
  readonly rank: number
  readonly hops: number
  readonly url: Buffer
  /** Undefined: it has none. A number: how many bytes before the link it is. */
  readonly note: string | number | undefined
}

const MANY_HOPS = 7
const HAS_NOTE = 8

/** Writes the links of a frame. Links that share a note refer to the first one that has it. */
export class LinkWriter {
  private readonly out: ByteWriter
  private lastNote: string | undefined
  private lastAt = 0
  private readonly notes = new Map<string, number>()

  constructor(out: ByteWriter) {
    this.out = out
  }

  /** Begins a new frame, in which nothing can be referred to yet. */
  begin(): void {
    this.lastNote = undefined
    if (this.notes.size > 0) this.notes.clear()
  }

  /** Writes a link whose URL is in `view`, from its first byte on. */
  write(rank: number, hops: number, note: string | undefined, view: DataView, length: number): void {
    const { out } = this
    const start = out.length
    const few = Math.min(hops, MANY_HOPS)
    out.u8(rank)
    out.u8((checkOf(rank, hops) << 4) | few | (note === undefined ? 0 : HAS_NOTE))
    if (few === MANY_HOPS) out.varint(hops)
    if (note === undefined) {
      out.block(view, 0, length)
      return
    }
    const at = this.offsetOf(note)
    out.varint(at < 0 ? 0 : start - at)
    out.block(view, 0, length)
    if (at < 0) this.writeNote(note)
  }

  private offsetOf(note: string): number {
    if (note === this.lastNote) return this.lastAt
    return this.notes.get(note) ?? -1
  }

  private writeNote(note: string): void {
    this.lastNote = note
    this.lastAt = this.out.length
    this.notes.set(note, this.lastAt)
    this.out.u32(crc32(note))
    this.out.text(note)
  }
}

/** Reads a link; `undefined` when its rank, hops or note are not what was written. Its URL is to be checked by its fingerprint. */
export function readLink(from: ByteReader): WrittenLink | undefined {
  const rank = from.u8()
  const packed = from.u8()
  const hops = (packed & MANY_HOPS) === MANY_HOPS ? from.varint() : packed & MANY_HOPS
  if (packed >> 4 !== checkOf(rank, hops)) return undefined
  if ((packed & HAS_NOTE) === 0) return { rank, hops, url: from.block(), note: undefined }
  const back = from.varint()
  const url = from.block()
  if (back > 0) return { rank, hops, url, note: back }
  const note = readNote(from)
  return note === undefined ? undefined : { rank, hops, url, note }
}

/** Reads a note; `undefined` when it is not what was written. */
export function readNote(from: ByteReader): string | undefined {
  const crc = from.u32()
  const bytes = from.block()
  return crc32(bytes) === crc ? bytes.toString() : undefined
}

/** Four check bits that change with every bit of rank and hops. */
function checkOf(rank: number, hops: number): number {
  let check = rank ^ (rank >> 4) ^ 5
  for (let left = hops; left > 0; left = Math.floor(left / 16)) check ^= left % 16
  return check & 15
}

/** The most bytes that a link may have, with its note and what is around them. */
const MOST_LINK_BYTES = MOST_URL_BYTES + MOST_NOTE_BYTES + 32
