import { decodeHTMLAttribute } from 'entities/decode'
import { CODES, HALF_NAME, meaningOf, NAME_ENDS } from './elements.ts'
import { DOUBLE_QUOTE, EQUALS, GREATER, isBlank, SINGLE_QUOTE, SLASH, startsWith } from './markup-bytes.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

/** What a byte does in a tag after its name, outside of quotes. */
const NAME = 0
const BLANK = 1
const SLASHES = 2
const ASSIGNS = 3
const TAG_END = 4
const ROLES = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++) if (isBlank(byte)) ROLES[byte] = BLANK
ROLES[SLASH] = SLASHES
ROLES[EQUALS] = ASSIGNS
ROLES[GREATER] = TAG_END

/**
 * Reads tag after tag, by the tokenizer of the HTML standard (13.2.5.8 to 13.2.5.40): `begin` reads the name, then `next` moves from attribute to
 * attribute, or `skip` passes over all. One reader serves a whole page, so nothing is allocated.
 */
export class TagReader {
  /** After the name; after the tag, once `next` has returned false. */
  at = 0
  /** The page ended inside the tag; such a tag does not count. */
  isCut = false
  /** Of the last tag that was read to its end: `/>`. */
  isSelfClosing = false
  valueStart = 0
  valueEnd = 0
  nameStart = 0
  nameEnd = 0
  private readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** Returns what the name means (elements.ts). */
  begin(nameStart: number): number {
    const { bytes } = this
    let first = 0
    let second = 0
    let at = nameStart
    for (; at < bytes.length; at++) {
      const code = CODES[bytes[at]!]!
      if (code === NAME_ENDS) break
      if (at - nameStart < HALF_NAME) first = (first << 6) | code
      else second = (second << 6) | code
    }
    this.at = at
    return at - nameStart > 2 * HALF_NAME ? 0 : meaningOf(first, second)
  }

  /** Returns where the tag ends. The same as `next` until it returns false, but faster. */
  skip(): number {
    const { bytes } = this
    const end = bytes.length
    let hasName = false
    let slash = false
    let at = this.at
    while (at < end) {
      const role = ROLES[bytes[at++]!]!
      if (role === NAME) hasName = true
      else if (role === TAG_END) {
        this.isSelfClosing = slash
        return (this.at = at)
      } else if (role === ASSIGNS && hasName) {
        at = this.value(at)
        hasName = false
      } else if (role !== BLANK) hasName = role === ASSIGNS
      slash = role === SLASHES
    }
    this.cut()
    return end
  }

  /** False at the end of the tag. */
  next(): boolean {
    const { bytes } = this
    const end = bytes.length
    let at = this.at
    while (at < end && (ROLES[bytes[at]!] === BLANK || ROLES[bytes[at]!] === SLASHES)) at++
    if (at >= end) return this.cut()
    if (bytes[at] === GREATER) {
      // A slash before `this.at` belongs to a value without quotes.
      this.isSelfClosing = at > this.at && bytes[at - 1] === SLASH
      this.at = at + 1
      return false
    }
    this.nameStart = at
    // The first character belongs to the name even when it is "=".
    for (at++; at < end && ROLES[bytes[at]!] === NAME; ) at++
    this.nameEnd = at
    while (at < end && ROLES[bytes[at]!] === BLANK) at++
    if (bytes[at] === EQUALS) this.at = this.value(at + 1)
    else this.valueStart = this.valueEnd = this.at = at
    return this.at < end || this.cut()
  }

  /** Returns where it ends, quotes included. */
  private value(afterEquals: number): number {
    const { bytes } = this
    const end = bytes.length
    let at = afterEquals
    while (at < end && ROLES[bytes[at]!] === BLANK) at++
    const quote = bytes[at]
    if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
      this.valueStart = ++at
      while (at < end && bytes[at] !== quote) at++
      this.valueEnd = at
      return Math.min(at + 1, end)
    }
    this.valueStart = at
    while (at < end && ROLES[bytes[at]!] !== TAG_END && ROLES[bytes[at]!] !== BLANK) at++
    this.valueEnd = at
    return at
  }

  isNamed(name: Uint8Array): boolean {
    return this.nameEnd - this.nameStart === name.length && startsWith(this.bytes, this.nameStart, name)
  }

  private cut(): boolean {
    this.at = this.bytes.length
    this.isCut = true
    return false
  }
}

/** References are resolved, and NUL is U+FFFD (HTML standard, 13.2.5.36 to 13.2.5.38). */
export function attributeText(bytes: Buffer, { start, end }: Span): string {
  const text = bytes.toString('utf8', start, end)
  return /[&\0]/.test(text) ? decodeHTMLAttribute(text.replaceAll('\0', '\ufffd')) : text
}
