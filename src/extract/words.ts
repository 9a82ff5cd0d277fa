import { decodeHTML } from 'entities/decode'
import { IGNORED, KINDS, MARKUP, OPEN, openKind, SPACE, shortened, WORD } from './characters.ts'
import { AMPERSAND, LESS } from './markup-bytes.ts'

export const OPENING_WORDS = 20
export const MOST_WORD_UNITS = 200
/** For the longest word of the opening, if every character were the longest reference by name. */
const MOST_WORD_BYTES = 8192

/** For two bytes that are SPACE or WORD: bit 0 when the first is WORD, bit 1 when the second is. */
const PAIRS = new Uint8Array(0x10000)
const NOT_PLAIN = 4
for (let pair = 0; pair < PAIRS.length; pair++) {
  const first = KINDS[pair & 0xff]!
  const second = KINDS[pair >> 8]!
  PAIRS[pair] = first > WORD || second > WORD ? NOT_PLAIN : first | (second << 1)
}

/** How many words begin in eight bytes; bits 0 to 7: which are WORD, bit 8: the one before. */
const BEGINNINGS = new Uint8Array(0x200)
for (let mask = 0; mask < BEGINNINGS.length; mask++) {
  for (let bit = 0; bit < 8; bit++) BEGINNINGS[mask]! += (mask >> bit) & ~(mask >> (bit === 0 ? 8 : bit - 1)) & 1
}

/** Reads the visible text of a page piece by piece. A word continues in the next piece, unless `separate` ends it. */
export interface WordReader {
  /** Words that have begun. */
  readonly count: number
  readonly openingText: string
  /** With `isLine` its line ends too. */
  separate(isLine: boolean): void
  /** Reads to the next `<`; returns where that is. */
  read(start: number): number
  /** A byte that looked like markup. */
  readLiteral(at: number): void
  /** Reads text in which nothing is markup or a reference. */
  readLiterally(start: number, end: number): void
}

export class Words implements WordReader {
  count = 0
  private isInWord = 0
  private readonly opening: string[] = []
  private current = ''
  private isOpeningFull = false
  private readonly bytes: Buffer
  private readonly view: DataView

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get openingText(): string {
    this.separate()
    return this.opening.join(' ')
  }

  separate(): void {
    if (this.isInWord === 0) return
    this.isInWord = 0
    if (this.isOpeningFull) return
    this.opening.push(this.current)
    this.current = ''
    this.isOpeningFull = this.opening.length >= OPENING_WORDS
  }

  read(start: number): number {
    const at = this.isOpeningFull ? start : this.keep(start)
    return this.isOpeningFull ? this.countWords(at) : at
  }

  readLiteral(at: number): void {
    this.keepLiterally(at, at + 1)
    this.begin()
  }

  readLiterally(start: number, end: number): void {
    const { bytes } = this
    let pieceStart = start
    let at = start
    while (at < end) {
      const byte = bytes[at]!
      let kind = byte === LESS || byte === AMPERSAND ? WORD : KINDS[byte]!
      let length = 1
      if (kind === OPEN) {
        const found = openKind(bytes, at)
        kind = found & 3
        length = found >> 2
      }
      if (kind === WORD) {
        this.begin()
        at += length
        continue
      }
      this.keepLiterally(pieceStart, at)
      pieceStart = at += length
      if (kind === SPACE) this.separate()
    }
    this.keepLiterally(pieceStart, Math.min(at, end))
  }

  /** Eight or four plain bytes per step, else one character. */
  private countWords(start: number): number {
    const { bytes, view } = this
    const end = bytes.length
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
        const third = PAIRS[high & 0xffff]!
        const fourth = PAIRS[high >>> 16]!
        if ((first | second) < NOT_PLAIN) {
          let mask = first | (second << 2)
          if ((third | fourth) < NOT_PLAIN) {
            mask |= (third << 4) | (fourth << 6)
            count += BEGINNINGS[mask | before]!
            before = (mask & 0x80) << 1
            at += 8
          } else {
            count += BEGINNINGS[mask | before]!
            before = (mask & 8) << 5
            at += 4
          }
          continue
        }
      }
      let kind = KINDS[bytes[at]!]!
      if (kind === MARKUP) break
      let length = 1
      if (kind === OPEN) {
        const found = openKind(bytes, at)
        kind = found & 3
        length = found >> 2
      }
      at += length
      if (kind === IGNORED) continue
      count += kind & ~(before >> 8)
      before = kind << 8
    }
    this.count += count
    this.isInWord = before >> 8
    return at
  }

  /** Up to the next `<` or until the opening is full. */
  private keep(start: number): number {
    const { bytes } = this
    let pieceStart = start
    let at = start
    while (at < bytes.length) {
      let kind = KINDS[bytes[at]!]!
      if (kind === MARKUP) break
      let length = 1
      if (kind === OPEN) {
        const found = openKind(bytes, at)
        kind = found & 3
        length = found >> 2
      }
      if (kind === WORD) {
        this.begin()
        at += length
        continue
      }
      this.take(pieceStart, at)
      pieceStart = at += length
      if (kind === SPACE) this.separate()
      if (this.isOpeningFull) return at
    }
    this.take(pieceStart, at)
    return at
  }

  private begin(): void {
    this.count += 1 - this.isInWord
    this.isInWord = 1
  }

  private take(start: number, end: number): void {
    if (start === end || this.current.length >= MOST_WORD_UNITS) return
    const text = this.bytes.toString('utf8', start, Math.min(end, start + MOST_WORD_BYTES))
    this.current = shortened(this.current + (text.includes('&') ? decodeHTML(text) : text), MOST_WORD_UNITS)
  }

  /** Without references, also when the opening is full. */
  private keepLiterally(start: number, end: number): void {
    if (this.isOpeningFull || start >= end || this.current.length >= MOST_WORD_UNITS) return
    const text = this.bytes.toString('utf8', start, Math.min(end, start + MOST_WORD_BYTES))
    this.current = shortened(this.current + text, MOST_WORD_UNITS)
  }
}
