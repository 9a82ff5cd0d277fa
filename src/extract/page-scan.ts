import { Attributes } from './attributes.ts'
import * as element from './elements.ts'
import { ascii, BANG, DASH, isBlank, isLetter, LESS, QUESTION, SLASH, startsWith } from './markup-bytes.ts'
import { bogusCommentEnd, commentEnd, rawTextEnd, scriptEnd } from './raw-text.ts'
import { Words } from './words.ts'

const HREF = ascii('href')
const SRC = ascii('src')
const REL = ascii('rel')
const NAME = ascii('name')
const CONTENT = ascii('content')
const HTTP_EQUIV = ascii('http-equiv')
const NOFOLLOW = ascii('nofollow')
const CDATA = ascii('[cdata[')

/** A piece of the page, from byte to byte. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A `<meta>` that has a `content` and either a `name` or an `http-equiv`. */
export interface Meta {
  readonly name: Span | undefined
  readonly httpEquiv: Span | undefined
  readonly content: Span
  /** How many links stood before it. */
  readonly linksBefore: number
}

/**
 * One pass over a page in UTF-8, by the tokenizer of the HTML standard, without a tree: it notes where links, title, base
 * and metas stand, and counts words. No stack is kept, so depth costs nothing; each byte is looked at a fixed number of
 * times.
 */
export class PageScan {
  readonly words: Words
  /** Where the addresses of the links stand: start, end, start, end, … */
  readonly links: number[] = []
  /** Links left out for their own `rel=nofollow`. */
  nofollowed = 0
  readonly metas: Meta[] = []
  title: Span | undefined
  base: Span | undefined
  private readonly bytes: Uint8Array
  private readonly attributes: Attributes
  private svgDepth = 0
  private templateDepth = 0
  private isInNoscript = false

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.attributes = new Attributes(bytes)
    this.words = new Words(bytes)
    for (let at = 0; at < bytes.length; ) at = bytes[at] === LESS ? this.markup(at) : this.text(at)
  }

  private text(start: number): number {
    if (!this.isHidden) return this.words.read(start)
    let at = start
    while (at < this.bytes.length && this.bytes[at] !== LESS) at++
    return at
  }

  /** Text that a reader does not see. Of `<noscript>` the links count, though: this reader runs no scripts. */
  private get isHidden(): boolean {
    return this.isInNoscript || this.svgDepth > 0 || this.templateDepth > 0
  }

  /** What begins with a `<`; tells where it ends. */
  private markup(at: number): number {
    const { bytes } = this
    const next = bytes[at + 1]
    if (isLetter(next)) return this.startTag(at + 1)
    if (next === SLASH) {
      if (isLetter(bytes[at + 2])) return this.endTag(at + 2)
      if (at + 2 < bytes.length) return bogusCommentEnd(bytes, at + 2)
    }
    if (next === BANG) return this.declaration(at + 2)
    if (next === QUESTION) return bogusCommentEnd(bytes, at + 2)
    if (!this.isHidden) this.words.readLiteral(at)
    return at + 1
  }

  private declaration(at: number): number {
    const { bytes } = this
    if (bytes[at] === DASH && bytes[at + 1] === DASH) return commentEnd(bytes, at + 2)
    if (this.svgDepth === 0 || !startsWith(bytes, at, CDATA)) return bogusCommentEnd(bytes, at)
    const end = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(']]>', at)
    return end === -1 ? bytes.length : end + 3
  }

  private endTag(nameStart: number): number {
    const { bytes, attributes } = this
    const nameEnd = element.nameEnd(bytes, nameStart)
    const meaning = element.meaning(bytes, nameStart, nameEnd)
    attributes.begin(nameEnd)
    const end = attributes.skip()
    if (attributes.isCut || meaning === 0) return end
    if (meaning & element.SEPARATES) this.words.separate()
    const which = meaning & element.WHICH
    if (which === element.SVG) this.svgDepth = Math.max(0, this.svgDepth - 1)
    else if (which === element.TEMPLATE) this.templateDepth = Math.max(0, this.templateDepth - 1)
    else if (which === element.NOSCRIPT) this.isInNoscript = false
    return end
  }

  private startTag(nameStart: number): number {
    const { bytes, attributes } = this
    const nameEnd = element.nameEnd(bytes, nameStart)
    const meaning = element.meaning(bytes, nameStart, nameEnd)
    attributes.begin(nameEnd)
    if (meaning === 0) return attributes.skip()
    const which = meaning & element.WHICH
    const isLink = which === element.LINK || which === element.FRAME
    if (isLink) this.link(which === element.LINK ? HREF : SRC)
    else if (which === element.META) this.meta()
    else if (which === element.BASE) this.baseHref()
    else attributes.skip()
    if (attributes.isCut) return bytes.length
    if (meaning & element.SEPARATES) this.words.separate()
    if (this.svgDepth > 0 && meaning & element.BREAKS_OUT) this.svgDepth = 0
    if (which === element.SVG) this.svgDepth += attributes.isSelfClosing ? 0 : 1
    else if (which === element.TEMPLATE) this.templateDepth++
    else if (which === element.NOSCRIPT) this.isInNoscript = true
    if (this.svgDepth > 0) return attributes.at
    if (which === element.PLAINTEXT) return bytes.length
    return meaning & element.RAW ? this.rawText(which, nameStart, nameEnd) : attributes.at
  }

  private rawText(which: number, nameStart: number, nameEnd: number): number {
    const start = this.attributes.at
    if (which === element.SCRIPT) return scriptEnd(this.bytes, start)
    const name = this.bytes.slice(nameStart, nameEnd).map(byte => byte | 0x20)
    const end = rawTextEnd(this.bytes, start, name)
    if (which === element.TITLE && this.templateDepth === 0) this.title ??= { start, end }
    return end
  }

  private link(addressName: Uint8Array): void {
    const { attributes, links } = this
    let start = -1
    let end = -1
    let isNofollow = false
    let hasRel = false
    while (attributes.next()) {
      if (start === -1 && attributes.isNamed(addressName)) {
        start = attributes.valueStart
        end = attributes.valueEnd
      } else if (!hasRel && addressName === HREF && attributes.isNamed(REL)) {
        hasRel = true
        isNofollow = this.hasNofollow(attributes.valueStart, attributes.valueEnd)
      }
    }
    if (start === -1 || attributes.isCut || this.templateDepth > 0) return
    if (isNofollow) this.nofollowed++
    else links.push(start, end)
  }

  /** Whether a list of words divided by blanks has `nofollow` among them, in any case. */
  private hasNofollow(start: number, end: number): boolean {
    const { bytes } = this
    for (let at = start; at + NOFOLLOW.length <= end; at++) {
      if (at > start && !isBlank(bytes[at - 1])) continue
      const after = at + NOFOLLOW.length
      if ((after === end || isBlank(bytes[after])) && startsWith(bytes, at, NOFOLLOW)) return true
    }
    return false
  }

  private meta(): void {
    const { attributes } = this
    let name: Span | undefined
    let httpEquiv: Span | undefined
    let content: Span | undefined
    while (attributes.next()) {
      if (attributes.isNamed(NAME)) name ??= this.value()
      else if (attributes.isNamed(HTTP_EQUIV)) httpEquiv ??= this.value()
      else if (attributes.isNamed(CONTENT)) content ??= this.value()
    }
    if (attributes.isCut || this.templateDepth > 0 || content === undefined) return
    if (name === undefined && httpEquiv === undefined) return
    this.metas.push({ name, httpEquiv, content, linksBefore: this.links.length >> 1 })
  }

  private baseHref(): void {
    const { attributes } = this
    let href: Span | undefined
    while (attributes.next()) if (attributes.isNamed(HREF)) href ??= this.value()
    if (!attributes.isCut && this.templateDepth === 0) this.base ??= href
  }

  private value(): Span {
    return { start: this.attributes.valueStart, end: this.attributes.valueEnd }
  }
}
