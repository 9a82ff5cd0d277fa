import { decodeHTML } from 'entities/decode'
import { IGNORED, KINDS, MARKUP, OPEN, openKind, SPACE, shortened, WORD } from './characters.ts'

const OPENING_WORDS = 20
const MOST_WORD_UNITS = 200
/** Enough bytes for the longest word of the opening, if every character of it were the longest reference by name. */
const MOST_WORD_BYTES = 8192

/**
 * For two bytes that are both SPACE or WORD: bit 0 when the first is WORD, bit 1 when the second is, bit 2 when a word begins
 * between them. So a word begins wherever WORD follows what is none, and no step has to decide anything.
 */
const PAIRS = new Uint8Array(0x10000)
const NOT_PLAIN = 8
for (let pair = 0; pair < PAIRS.length; pair++) {
  const first = KINDS[pair & 0xff]!
  const second = KINDS[pair >> 8]!
  PAIRS[pair] = first > WORD || second > WORD ? NOT_PLAIN : first | (second << 1) | ((second & ~first) << 2)
}

/**
 * Counts the words of a page and keeps the first of them. A word goes on across inline tags, so its pieces come one by
 * one; `separate` ends it.
 */
export class Words {
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

  /** The first words, joined by one blank. */
  get openingText(): string {
    this.separate()
    return this.opening.join(' ')
  }

  /** Ends the word that is being read, if there is one. */
  separate(): void {
    if (this.isInWord === 0) return
    this.isInWord = 0
    if (this.isOpeningFull) return
    this.opening.push(this.current)
    this.current = ''
    this.isOpeningFull = this.opening.length === OPENING_WORDS
  }

  /** Reads text from `start` to the next `<`; tells where that is. */
  read(start: number): number {
    const at = this.isOpeningFull ? start : this.keep(start)
    return this.isOpeningFull ? this.tally(at) : at
  }

  /** Takes a single byte that looked like markup and is none. */
  readLiteral(at: number): void {
    if (!this.isOpeningFull) this.take(at, at + 1)
    this.begin()
  }

  /** Counts only: four bytes a step while they are plain, else byte by byte. */
  private tally(start: number): number {
    const { bytes, view } = this
    const end = bytes.length
    let count = 0
    let before = this.isInWord
    let at = start
    while (at < end) {
      if (at + 4 <= end) {
        const four = view.getInt32(at, true)
        const first = PAIRS[four & 0xffff]!
        const second = PAIRS[four >>> 16]!
        if ((first | second) < NOT_PLAIN) {
          count += (first & ~before & 1) + (first >> 2) + (second & ~(first >> 1) & 1) + (second >> 2)
          before = (second >> 1) & 1
          at += 4
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
      count += kind & ~before
      before = kind
    }
    this.count += count
    this.isInWord = before
    return at
  }

  /** Counts and keeps, up to the next `<` or until the opening is full. */
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
}
