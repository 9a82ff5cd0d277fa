import { crc32 } from 'node:zlib'
import type { ByteReader } from '../../../base/structures/byte-reader.ts'
import type { ByteWriter } from '../../../base/structures/byte-writer.ts'
import { MOST_NOTE_BYTES, MOST_URL_BYTES } from '../../checks.ts'

/**
 * A link as the log stores it: depth (a byte); three bits of hops (7: a varint follows), a bit for "has a note", and
 * four bits of check above them; if it has a note, how many bytes before the link that stands (0: it follows the URL);
 * URL (a text). A note is its CRC-32 (32 bits) and a text.
 */
export interface WrittenLink {
  readonly depth: number
  readonly hops: number
  readonly url: Buffer
  /** Undefined: it has none. A number: how many bytes before the link it stands. */
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

  /** Writes a link whose URL stands in `view`, from its first byte on. */
  write(depth: number, hops: number, note: string | undefined, view: DataView, length: number): void {
    const { out } = this
    const start = out.length
    const few = Math.min(hops, MANY_HOPS)
    out.u8(depth)
    out.u8((checkOf(depth, hops) << 4) | few | (note === undefined ? 0 : HAS_NOTE))
    if (few === MANY_HOPS) out.varint(hops)
    if (note === undefined) {
      out.block(view, 0, length)
      return
    }
    const at = this.placeOf(note)
    out.varint(at < 0 ? 0 : start - at)
    out.block(view, 0, length)
    if (at < 0) this.writeNote(note)
  }

  private placeOf(note: string): number {
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

/**
 * Reads a link; `undefined` when its depth, hops or note are not what was written. Its URL is to be checked by its
 * fingerprint.
 */
export function readLink(from: ByteReader): WrittenLink | undefined {
  const depth = from.u8()
  const packed = from.u8()
  const hops = (packed & MANY_HOPS) === MANY_HOPS ? from.varint() : packed & MANY_HOPS
  if (packed >> 4 !== checkOf(depth, hops)) return undefined
  if ((packed & HAS_NOTE) === 0) return { depth, hops, url: from.block(), note: undefined }
  const back = from.varint()
  const url = from.block()
  if (back > 0) return { depth, hops, url, note: back }
  const note = readNote(from)
  return note === undefined ? undefined : { depth, hops, url, note }
}

/** Reads a note; `undefined` when it is not what was written. */
export function readNote(from: ByteReader): string | undefined {
  const crc = from.u32()
  const bytes = from.block()
  return crc32(bytes) === crc ? bytes.toString() : undefined
}

/** Four check bits that change with every bit of depth and hops. */
function checkOf(depth: number, hops: number): number {
  let check = depth ^ (depth >> 4) ^ 5
  for (let left = hops; left > 0; left = Math.floor(left / 16)) check ^= left % 16
  return check & 15
}

/** The most bytes that a link may have, with its note and what stands around them. */
export const MOST_LINK_BYTES = MOST_URL_BYTES + MOST_NOTE_BYTES + 32
