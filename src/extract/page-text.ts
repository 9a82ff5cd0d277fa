import { isUtf8 } from 'node:buffer'
import { decodeHTML } from 'entities/decode'
import { IGNORED, KINDS, MARKUP, OPEN, openKind, SPACE, shortened, WORD } from './characters.ts'
import { AMPERSAND, HASH, isLetter, LESS, SEMICOLON } from './markup-bytes.ts'
import { MOST_WORD_UNITS, OPENING_WORDS, type WordReader } from './words.ts'

const NONE = 0
const BLANK = 0x20
const LINE_FEED = 0x0a
/** The longest reference by name has 33 bytes. */
const MOST_NAME_BYTES = 40
const MOST_UNIT_BYTES = 3

/** For two bytes that are WORD or a blank: bit 0 when the first is WORD, bit 1 when the second is. */
const PAIRS = new Uint8Array(0x10000)
const NOT_PLAIN = 4
for (let pair = 0; pair < PAIRS.length; pair++) {
  const first = plainKind(pair & 0xff)
  const second = plainKind(pair >> 8)
  PAIRS[pair] = first === NOT_PLAIN || second === NOT_PLAIN ? NOT_PLAIN : first | (second << 1)
}

function plainKind(byte: number): number {
  return KINDS[byte] === WORD ? WORD : byte === BLANK ? SPACE : NOT_PLAIN
}

/** By bits that say which bytes are WORD, the last bit for the byte before: how many words begin; NOT_CLEAN where a blank doesn't follow a word. */
const NOT_CLEAN = 0xff
const EIGHT = beginnings(8)
const FOUR = beginnings(4)

function beginnings(bytes: number): Uint8Array {
  const counts = new Uint8Array(2 << bytes)
  for (let mask = 0; mask < counts.length; mask++) {
    let isInWord = mask >> bytes
    let count = 0
    for (let bit = 0; bit < bytes && count !== NOT_CLEAN; bit++) {
      const isWord = (mask >> bit) & 1
      if (isWord === 0 && isInWord === 0) count = NOT_CLEAN
      else count += isWord & ~isInWord
      isInWord = isWord
    }
    counts[mask] = count
  }
  return counts
}

/** One text at a time: `extract` never waits. */
let sharedRoom = Buffer.allocUnsafe(1 << 18)
const MOST_SHARED_BYTES = 1 << 24

/** A text is never longer than its page, except for references shorter than what they mean: five bytes for six. */
function roomFor(pageBytes: number): Buffer {
  const needed = Math.ceil(pageBytes * 1.2) + 64
  if (needed > MOST_SHARED_BYTES) return Buffer.allocUnsafeSlow(needed)
  if (sharedRoom.length < needed) sharedRoom = Buffer.allocUnsafeSlow(Math.min(2 * needed, MOST_SHARED_BYTES))
  return sharedRoom
}

/** Replaces what isn't UTF-8 by U+FFFD. */
export function wellFormed(bytes: Buffer): Buffer {
  return isUtf8(bytes) ? bytes : Buffer.from(bytes.toString())
}

/**
 * Counts the words of a page like `Words`, and writes them down in UTF-8, words divided by one blank and blocks by one line feed. What was
 * written is empty or ends with a divider whenever no word is being read.
 */
export class PageText implements WordReader {
  count = 0
  private length = 0
  private isInWord = 0
  private asideFrom: { readonly count: number; readonly length: number; readonly isInWord: number } | undefined
  /** The strongest since then. */
  private divider = NONE
  private readonly bytes: Buffer
  private readonly view: DataView
  private readonly room: Buffer
  private readonly roomView: DataView

  /** `bytes`: well-formed UTF-8. Valid until the next one is made. */
  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.room = roomFor(bytes.length)
    this.view = viewOf(bytes)
    this.roomView = viewOf(this.room)
  }

  get written(): Buffer {
    return this.room.subarray(0, this.length - (this.isInWord === 1 || this.length === 0 ? 0 : 1))
  }

  text(mostUnits: number): string {
    const { written } = this
    if (written.length <= mostUnits) return written.toString()
    return shortened(written.toString('utf8', 0, mostUnits * MOST_UNIT_BYTES), mostUnits).trimEnd()
  }

  get openingText(): string {
    const found: string[] = []
    const { written } = this
    for (let start = 0; start < written.length && found.length < OPENING_WORDS; ) {
      let end = start
      while (end < written.length && written[end]! > BLANK) end++
      const bounded = Math.min(end, start + (MOST_WORD_UNITS + 1) * MOST_UNIT_BYTES)
      found.push(shortened(written.toString('utf8', start, bounded), MOST_WORD_UNITS))
      start = end + 1
    }
    return found.join(' ')
  }

  get mark(): number {
    return this.length
  }

  /** On one line; at most `mostUnits` UTF-16 units. */
  since(mark: number, mostUnits: number): string {
    if (mark >= this.length) return ''
    const end = Math.min(this.length, mark + (mostUnits + 2) * MOST_UNIT_BYTES)
    const text = this.room.toString('utf8', mark, end)
    return shortened((text.includes('\n') ? text.replaceAll('\n', ' ') : text).trim(), mostUnits).trimEnd()
  }

  /** What is read until `endAside` isn't part of the text; `since` gives it. */
  beginAside(): void {
    this.asideFrom = { count: this.count, length: this.length, isInWord: this.isInWord }
    this.divider = NONE
    this.divide(false)
  }

  endAside(): void {
    if (this.asideFrom === undefined) return
    this.count = this.asideFrom.count
    this.length = this.asideFrom.length
    this.isInWord = this.asideFrom.isInWord
    this.asideFrom = undefined
    if (this.divider !== NONE) this.divide(this.divider === LINE_FEED)
  }

  separate(isLine: boolean): void {
    if (isLine) this.divider = LINE_FEED
    else if (this.divider === NONE) this.divider = BLANK
    this.divide(isLine)
  }

  private divide(isLine: boolean): void {
    const { length } = this
    if (this.isInWord === 1) {
      this.isInWord = 0
      this.room[this.length++] = isLine ? LINE_FEED : BLANK
    } else if (isLine && length > 0) this.room[length - 1] = LINE_FEED
  }

  /** Eight or four plain bytes per step, else one character. */
  read(start: number): number {
    const { bytes, view, room, roomView } = this
    const end = bytes.length
    let { length } = this
    let count = 0
    /** Bit 8 when the byte before is WORD. */
    let before = this.isInWord << 8
    let at = start
    while (at < end) {
      if (at + 8 <= end) {
        const low = view.getInt32(at, true)
        const high = view.getInt32(at + 4, true)
        const first = PAIRS[low & 0xffff]!
        const second = PAIRS[low >>> 16]!
        if ((first | second) < NOT_PLAIN) {
          const third = PAIRS[high & 0xffff]!
          const fourth = PAIRS[high >>> 16]!
          const four = first | (second << 2)
          if ((third | fourth) < NOT_PLAIN) {
            const eight = four | (third << 4) | (fourth << 6)
            const begun = EIGHT[eight | before]!
            if (begun !== NOT_CLEAN) {
              roomView.setInt32(length, low, true)
              roomView.setInt32(length + 4, high, true)
              length += 8
              at += 8
              count += begun
              before = (eight & 0x80) << 1
              continue
            }
          }
          const begun = FOUR[four | (before >> 4)]!
          if (begun !== NOT_CLEAN) {
            roomView.setInt32(length, low, true)
            length += 4
            at += 4
            count += begun
            before = (four & 8) << 5
            continue
          }
        }
      }
      const byte = bytes[at]!
      const kind = KINDS[byte]!
      if (kind === WORD) {
        room[length++] = byte
        at++
        count += 1 - (before >> 8)
        before = 0x100
      } else if (kind === SPACE) {
        at++
        if (before !== 0) room[length++] = BLANK
        before = 0
      } else if (kind === MARKUP) break
      else if (kind === IGNORED) at++
      else {
        this.length = length
        this.count += count
        this.isInWord = before >> 8
        at = this.open(at)
        length = this.length
        count = 0
        before = this.isInWord << 8
      }
    }
    this.length = length
    this.count += count
    this.isInWord = before >> 8
    return at
  }

  readLiteral(at: number): void {
    this.begin()
    this.room[this.length++] = this.bytes[at]!
  }

  readLiterally(start: number, end: number): void {
    const { bytes } = this
    for (let at = start; at < end; ) {
      const byte = bytes[at]!
      if (byte === LESS || byte === AMPERSAND) this.readLiteral(at++)
      else if (KINDS[byte] === OPEN) at = this.open(at)
      else {
        if (KINDS[byte] === WORD) this.readLiteral(at)
        else if (KINDS[byte] === SPACE) this.divide(false)
        at++
      }
    }
  }

  private begin(): void {
    this.count += 1 - this.isInWord
    this.isInWord = 1
  }

  private open(at: number): number {
    const { bytes } = this
    const found = openKind(bytes, at)
    const kind = found & 3
    const end = at + (found >> 2)
    if (kind === SPACE) this.divide(false)
    if (kind !== WORD) return end
    this.begin()
    if (bytes[at] === AMPERSAND) return this.reference(at, end)
    for (let from = at; from < end; from++) this.room[this.length++] = bytes[from]!
    return end
  }

  /** A number may have any length; a name ends where no letter or digit follows. */
  private reference(start: number, numberEnd: number): number {
    const { bytes } = this
    let end = numberEnd
    if (bytes[start + 1] !== HASH) {
      const last = Math.min(bytes.length, start + MOST_NAME_BYTES)
      while (end < last && IS_ALPHANUMERIC[bytes[end]!] === 1) end++
      if (end < last && bytes[end] === SEMICOLON) end++
    }
    this.length += this.room.write(meaningOf(bytes.toString('latin1', start, end)), this.length)
    return end
  }
}

const IS_ALPHANUMERIC = new Uint8Array(256)
for (let byte = 0; byte < 128; byte++) IS_ALPHANUMERIC[byte] = isLetter(byte) || (byte >= 0x30 && byte <= 0x39) ? 1 : 0

/** Most pages have few. */
const meanings = new Map<string, string>()
const MOST_MEANINGS = 4096

function meaningOf(reference: string): string {
  let meaning = meanings.get(reference)
  if (meaning !== undefined) return meaning
  meaning = decodeHTML(reference)
  if (meanings.size < MOST_MEANINGS && reference.length <= MOST_NAME_BYTES) meanings.set(reference, meaning)
  return meaning
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
