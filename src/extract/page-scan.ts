import type { Anchors } from './anchors.ts'
import * as element from './elements.ts'
import { ascii, BANG, DASH, isBlank, isLetter, LESS, QUESTION, SLASH, startsWith } from './markup-bytes.ts'
import { bogusCommentEnd, commentEnd, rawTextEnd, scriptEnd } from './raw-text.ts'
import type { TextPieces } from './simhash.ts'
import { type Span, TagReader } from './tag-reader.ts'
import type { WordReader } from './words.ts'
import { cdataEnd, cdataStart, doctypeEnd, instructionEnd, xmlTextEnd } from './xhtml.ts'

const HREF = ascii('href')
const XLINK_HREF = ascii('xlink:href')
const SRC = ascii('src')
const REL = ascii('rel')
const NAME = ascii('name')
const CONTENT = ascii('content')
const HTTP_EQUIV = ascii('http-equiv')
const ALT = ascii('alt')
const NOFOLLOW = ascii('nofollow')
const CANONICAL = ascii('canonical')

/** With a `content` and either a `name` or an `http-equiv`. */
export interface Meta {
  readonly name: Span | undefined
  readonly httpEquiv: Span | undefined
  readonly content: Span
  readonly linksBefore: number
}

export interface PageReaders {
  readonly words: WordReader
  /** Gets every link, also with `rel=nofollow`. */
  readonly anchors: Anchors | undefined
  readonly wantsLinks: boolean
  readonly wantsCanonical: boolean
  /** Hears where visible text is. */
  readonly pieces?: TextPieces | undefined
}

/**
 * One pass over a page in UTF-8, by the tokenizer of the HTML standard, without a tree or a stack: depth costs nothing, and each byte is looked
 * at a fixed number of times.
 */
export class PageScan {
  /** Addresses: start, end, start, end, … */
  readonly links: number[] = []
  /** For their own `rel=nofollow`; none when anchors are read. */
  nofollowed = 0
  readonly metas: Meta[] = []
  title: Span | undefined
  base: Span | undefined
  /** The first `<link rel=canonical>` before any visible text. */
  canonical: Span | undefined
  private readonly words: WordReader
  private readonly anchors: Anchors | undefined
  private readonly pieces: TextPieces | undefined
  private readonly wantsCanonical: boolean
  private readonly bytes: Buffer
  private readonly isXml: boolean
  private readonly tag: TagReader
  /** Elements whose attributes are read, and the last one that changes what its content means. */
  private readonly firstRead: number
  private readonly lastRead: number
  private readonly lastEntered: number
  private svgDepth = 0
  private templateDepth = 0
  private isInNoscript = false

  /** `isXml`: XHTML, where empty elements, raw text, sections and instructions are those of XML. */
  constructor(bytes: Buffer, isXml: boolean, { words, anchors, wantsLinks, wantsCanonical, pieces }: PageReaders) {
    this.bytes = bytes
    this.isXml = isXml
    this.tag = new TagReader(bytes)
    this.words = words
    this.anchors = anchors
    this.pieces = pieces
    this.wantsCanonical = wantsCanonical
    this.firstRead = wantsLinks ? element.LINK : element.BASE
    this.lastRead = wantsCanonical || anchors !== undefined ? element.IMAGE : element.META
    this.lastEntered = anchors !== undefined ? element.TABLE_PART : element.NOSCRIPT
    for (let at = 0; at < bytes.length; ) at = bytes[at] === LESS ? this.markup(at) : this.text(at)
    anchors?.end()
  }

  private text(start: number): number {
    if (this.isRead) {
      const end = this.words.read(start)
      if (!this.isHidden) this.pieces?.add(start, end)
      return end
    }
    let at = start
    while (at < this.bytes.length && this.bytes[at] !== LESS) at++
    return at
  }

  /** Links in `<noscript>` count, though: scripts aren't run. */
  private get isHidden(): boolean {
    return this.isInNoscript || this.svgDepth > 0 || this.templateDepth > 0
  }

  private get isRead(): boolean {
    return !this.isHidden || (this.anchors?.isAside === true && this.templateDepth === 0)
  }

  /** Returns where it ends. */
  private markup(at: number): number {
    const { bytes } = this
    const next = bytes[at + 1]
    if (isLetter(next)) return this.startTag(at + 1)
    if (next === SLASH) {
      if (isLetter(bytes[at + 2])) return this.endTag(at + 2)
      if (at + 2 < bytes.length) return bogusCommentEnd(bytes, at + 2)
    }
    if (next === BANG) return this.declaration(at + 2)
    if (next === QUESTION) return this.isXml ? instructionEnd(bytes, at + 2) : bogusCommentEnd(bytes, at + 2)
    if (this.isRead) this.words.readLiteral(at)
    return at + 1
  }

  private declaration(at: number): number {
    const { bytes } = this
    if (bytes[at] === DASH && bytes[at + 1] === DASH) return commentEnd(bytes, at + 2)
    const text = this.isXml || this.svgDepth > 0 ? cdataStart(bytes, at) : -1
    if (text === -1) return this.isXml ? doctypeEnd(bytes, at) : bogusCommentEnd(bytes, at)
    const end = cdataEnd(bytes, text)
    if (this.isRead) this.words.readLiterally(text, end)
    if (!this.isHidden) this.pieces?.add(text, end)
    return Math.min(end + 3, bytes.length)
  }

  private endTag(nameStart: number): number {
    const { tag } = this
    const meaning = tag.begin(nameStart)
    const end = tag.skip()
    if (tag.isCut || meaning === 0) return end
    const which = meaning & element.WHICH
    if (which === element.LINK) this.anchors?.end()
    else if (which >= element.SVG && which <= this.lastEntered) this.leave(which)
    if (meaning & element.SEPARATES) this.words.separate((meaning & element.ON_OWN_LINE) !== 0)
    return end
  }

  private startTag(nameStart: number): number {
    const { bytes, tag } = this
    const meaning = tag.begin(nameStart)
    const nameEnd = tag.at
    if (meaning === 0) return tag.skip()
    const which = meaning & element.WHICH
    if (which >= this.firstRead && which <= this.lastRead) this.attributes(which)
    else tag.skip()
    if (tag.isCut) return bytes.length
    if (this.svgDepth > 0 && meaning & element.BREAKS_OUT) {
      this.svgDepth = 0
      this.anchors?.endHidden()
    }
    if (meaning & element.SEPARATES) this.words.separate((meaning & element.ON_OWN_LINE) !== 0)
    if (this.isXml && tag.isSelfClosing) return this.emptyElement(which)
    if (which >= element.SVG && which <= this.lastEntered) this.enter(which)
    if (this.svgDepth > 0) return tag.at
    if (which === element.PLAINTEXT) return this.isXml ? tag.at : bytes.length
    return meaning & element.RAW ? this.rawText(which, nameStart, nameEnd) : tag.at
  }

  private attributes(which: number): void {
    if (which === element.LINK || which === element.AREA) this.link(HREF, which === element.LINK)
    else if (which === element.FRAME) this.link(SRC, false)
    else if (which === element.META) this.meta()
    else if (which === element.BASE) this.baseHref()
    else if (which === element.RELATION && this.wantsCanonical) this.relation()
    else if (which === element.IMAGE && this.anchors?.wantsAlt) this.image(this.anchors)
    else this.tag.skip()
  }

  private enter(which: number): void {
    if (which === element.SVG) this.svgDepth += this.tag.isSelfClosing ? 0 : 1
    else if (which === element.TEMPLATE) this.templateDepth++
    else if (which === element.NOSCRIPT) this.isInNoscript = true
    else if (which === element.TABLE) this.anchors?.beginTable()
    else this.anchors?.divideTable()
  }

  private leave(which: number): void {
    if (which === element.TABLE) this.anchors?.endTable()
    else if (which === element.TABLE_PART) this.anchors?.divideTable()
    else if (which !== element.TEMPLATE) this.anchors?.endHidden()
    if (which === element.SVG) this.svgDepth = Math.max(0, this.svgDepth - 1)
    else if (which === element.TEMPLATE) this.templateDepth = Math.max(0, this.templateDepth - 1)
    else if (which === element.NOSCRIPT) this.isInNoscript = false
  }

  private rawText(which: number, nameStart: number, nameEnd: number): number {
    const start = this.tag.at
    if (which === element.SCRIPT && !this.isXml) return scriptEnd(this.bytes, start)
    const name = this.bytes.subarray(nameStart, nameEnd)
    const end = this.isXml ? xmlTextEnd(this.bytes, start, name) : rawTextEnd(this.bytes, start, name)
    if (which === element.TITLE && this.templateDepth === 0) this.title ??= { start, end }
    return end
  }

  private emptyElement(which: number): number {
    const { at } = this.tag
    if (which === element.LINK) this.anchors?.end()
    if (which === element.TITLE && this.templateDepth === 0 && this.svgDepth === 0)
      this.title ??= { start: at, end: at }
    return at
  }

  private link(addressName: Uint8Array, hasText: boolean): void {
    const { tag, links, anchors } = this
    let start = -1
    let end = -1
    let isNofollow = false
    let rel: Span | undefined
    let alt: Span | undefined
    /** SVG 2, 15.1.3: `xlink:href` counts where there is no `href`. */
    let isXlink = false
    while (tag.next()) {
      if ((start === -1 || isXlink) && tag.isNamed(addressName)) {
        start = tag.valueStart
        end = tag.valueEnd
        isXlink = false
      } else if (start === -1 && this.svgDepth > 0 && tag.isNamed(XLINK_HREF)) {
        start = tag.valueStart
        end = tag.valueEnd
        isXlink = true
      } else if (rel === undefined && addressName === HREF && tag.isNamed(REL)) {
        rel = this.value()
        isNofollow = this.hasWord(rel, NOFOLLOW)
      } else if (anchors !== undefined && !hasText && tag.isNamed(ALT)) alt ??= this.value()
    }
    if (tag.isCut || this.templateDepth > 0) return
    if (hasText) anchors?.end()
    if (start === -1) return
    if (isNofollow && anchors === undefined) {
      this.nofollowed++
      return
    }
    links.push(start, end)
    anchors?.add(rel, isNofollow, alt)
    if (hasText) anchors?.begin(this.isHidden)
  }

  private hasWord({ start, end }: Span, word: Uint8Array): boolean {
    const { bytes } = this
    for (let at = start; at + word.length <= end; at++) {
      if (at > start && !isBlank(bytes[at - 1])) continue
      const after = at + word.length
      if ((after === end || isBlank(bytes[after])) && startsWith(bytes, at, word)) return true
    }
    return false
  }

  private meta(): void {
    const { tag } = this
    let name: Span | undefined
    let httpEquiv: Span | undefined
    let content: Span | undefined
    while (tag.next()) {
      if (tag.isNamed(NAME)) name ??= this.value()
      else if (tag.isNamed(HTTP_EQUIV)) httpEquiv ??= this.value()
      else if (tag.isNamed(CONTENT)) content ??= this.value()
    }
    if (tag.isCut || this.templateDepth > 0 || content === undefined) return
    if (name === undefined && httpEquiv === undefined) return
    this.metas.push({ name, httpEquiv, content, linksBefore: this.links.length >> 1 })
  }

  private relation(): void {
    const { tag } = this
    let rel: Span | undefined
    let href: Span | undefined
    while (tag.next()) {
      if (tag.isNamed(REL)) rel ??= this.value()
      else if (tag.isNamed(HREF)) href ??= this.value()
    }
    if (tag.isCut || this.isHidden || this.words.count > 0 || rel === undefined) return
    if (this.hasWord(rel, CANONICAL)) this.canonical ??= href
  }

  private image(anchors: Anchors): void {
    const { tag } = this
    let alt: Span | undefined
    while (tag.next()) if (tag.isNamed(ALT)) alt ??= this.value()
    if (!tag.isCut && !this.isHidden) anchors.image(alt)
  }

  private baseHref(): void {
    const { tag } = this
    let href: Span | undefined
    while (tag.next()) if (tag.isNamed(HREF)) href ??= this.value()
    if (!tag.isCut && !this.isHidden) this.base ??= href
  }

  private value(): Span {
    return { start: this.tag.valueStart, end: this.tag.valueEnd }
  }
}
