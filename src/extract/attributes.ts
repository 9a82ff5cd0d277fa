import { DOUBLE_QUOTE, EQUALS, GREATER, isBlank, SINGLE_QUOTE, SLASH, startsWith } from './markup-bytes.ts'

/**
 * Reads the attributes of one tag after the other, by the tokenizer of the HTML standard (13.2.5.32 to 13.2.5.40). One
 * reader serves a whole page: `next` moves to an attribute and the fields say where it stands, so nothing is allocated.
 */
export class Attributes {
  /** Behind the tag, once `next` has said false. */
  at = 0
  /** The page ended inside the tag; such a tag does not count. */
  isCut = false
  isSelfClosing = false
  valueStart = 0
  valueEnd = 0
  private nameStart = 0
  private nameEnd = 0
  private readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** Begins with a tag whose name ends at `at`. */
  begin(at: number): void {
    this.at = at
    this.isSelfClosing = false
  }

  /** Passes over the rest of the tag; tells where it ends. */
  skip(): number {
    while (this.next());
    return this.at
  }

  /** Moves to the next attribute; false at the end of the tag. */
  next(): boolean {
    const { bytes } = this
    const end = bytes.length
    let at = this.at
    let slash = false
    for (; at < end; at++) {
      const byte = bytes[at]!
      if (byte === SLASH) slash = true
      else if (isBlank(byte)) slash = false
      else break
    }
    if (at >= end) return this.cut()
    if (bytes[at] === GREATER) {
      this.isSelfClosing = slash
      this.at = at + 1
      return false
    }
    this.nameStart = at
    // The first character belongs to the name even when it is "=".
    for (at++; at < end; at++) {
      const byte = bytes[at]!
      if (byte === EQUALS || byte === GREATER || byte === SLASH || isBlank(byte)) break
    }
    this.nameEnd = at
    while (at < end && isBlank(bytes[at])) at++
    if (bytes[at] !== EQUALS) {
      this.valueStart = this.valueEnd = this.at = at
      return true
    }
    at++
    while (at < end && isBlank(bytes[at])) at++
    return this.value(at)
  }

  private value(start: number): boolean {
    const { bytes } = this
    const end = bytes.length
    const quote = bytes[start]
    let at = start
    if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
      at++
      while (at < end && bytes[at] !== quote) at++
      if (at >= end) return this.cut()
      this.valueStart = start + 1
      this.valueEnd = at
      this.at = at + 1
      return true
    }
    while (at < end && bytes[at] !== GREATER && !isBlank(bytes[at])) at++
    this.valueStart = start
    this.valueEnd = this.at = at
    return true
  }

  isNamed(lower: Uint8Array): boolean {
    return this.nameEnd - this.nameStart === lower.length && startsWith(this.bytes, this.nameStart, lower)
  }

  private cut(): boolean {
    this.at = this.bytes.length
    this.isCut = true
    return false
  }
}
