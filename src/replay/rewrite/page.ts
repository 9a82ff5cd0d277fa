import { decodeHTML } from 'entities/decode'
import { cleaned } from '../../extract/characters.ts'
import { refreshTarget } from '../../extract/directives.ts'
import { BANG, DASH, isLetter, LESS, QUESTION, SLASH } from '../../extract/markup-bytes.ts'
import { bogusCommentEnd, commentEnd, rawTextEnd, scriptEnd } from '../../extract/raw-text.ts'
import { TagReader } from '../../extract/tag-reader.ts'
import { cdataEnd, cdataStart, doctypeEnd, instructionEnd, xmlTextEnd } from '../../extract/xhtml.ts'
import type { Addresses } from './addresses.ts'
import { type Attributes, attribute, attributesOf, elementName, writtenAttribute } from './attributes.ts'
import { rewriteCss } from './css.ts'
import { isVoid, treatmentOf } from './elements.ts'
import { escaped, PageOutput } from './page-output.ts'

export interface PageSource {
  readonly bytes: Buffer
  readonly isXml: boolean
  readonly addressesFor: (baseHref: string | undefined) => Addresses
  readonly refresh: string | undefined
  /** `path`: its address in the archive. */
  readonly hasStyle: (path: string) => boolean
  readonly words: RewriteWords
}

export interface RewriteWords {
  readonly frame: string
  readonly leadsTo: string
}

export interface RewrittenPage {
  readonly bytes: Buffer
  readonly title: string
  readonly isCut: boolean
}

const MOST_BYTES = 1 << 26
const MOST_TITLE_BYTES = 1 << 14
const MOST_TITLE_CHARS = 300
/** A document type says whether a page is shown by today's rules or by those of the 1990s. */
const DOCTYPE = /^<!doctype[^<>&]{0,300}>$/i

const FRAME_STYLE =
  'display:inline-block;margin:4px;padding:6px 10px;border:1px dashed #767676;font:14px/1.4 system-ui,sans-serif;overflow-wrap:anywhere'
/** For a page whose style sheets aren't in the archive; the page's own style comes first. */
const PLAIN_STYLE =
  ':where(body){max-width:46em;margin:2em auto;padding:0 1.2em;font:17px/1.6 system-ui,sans-serif}' +
  ':where(img,svg,video,table){max-width:100%}:where(img){height:auto}:where(pre){overflow:auto}'
const MOST_STYLES = 8
const NOTE_STYLE = 'margin:16px;padding:10px 14px;border:1px solid #767676;font:16px/1.5 system-ui,sans-serif'

/**
 * A page with nothing in it that runs, and every address leading into the archive. Only what is written here is markup: text has its `<` escaped,
 * tags are put together from their parts, and of raw text only style sheets are left. So a browser can't read it differently. Linear time.
 */
export function rewritePage(source: PageSource): RewrittenPage {
  return new PageWriter(source).result()
}

class PageWriter {
  private readonly bytes: Buffer
  private readonly source: PageSource
  private readonly addresses: Addresses
  private readonly tag: TagReader
  private readonly out = new PageOutput(MOST_BYTES)
  private svgDepth = 0
  private title = ''
  private readonly styles: string[] = []
  private leadsTo: string | undefined

  constructor(source: PageSource) {
    this.source = source
    this.bytes = source.bytes
    this.tag = new TagReader(source.bytes)
    this.addresses = source.addressesFor(baseIn(source.bytes, source.isXml))
    if (source.refresh !== undefined) this.leadsTo = refreshTarget(source.refresh)
  }

  result(): RewrittenPage {
    const { bytes, out } = this
    let at = 0
    while (at < bytes.length && !out.isFull) at = bytes[at] === LESS ? this.markup(at) : this.text(at)
    const isCut = at < bytes.length
    this.refreshNote()
    const isBare = this.styles.length > 0 && !this.styles.some(this.source.hasStyle)
    if (isBare) out.markup(`<style>${PLAIN_STYLE}</style>`)
    return { bytes: out.bytes, title: this.title, isCut }
  }

  private text(start: number): number {
    const next = this.bytes.indexOf(LESS, start)
    const end = next === -1 ? this.bytes.length : next
    this.out.copy(this.bytes.subarray(start, end))
    return end
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
    if (next === BANG) return this.declaration(at)
    if (next === QUESTION) return this.source.isXml ? instructionEnd(bytes, at + 2) : bogusCommentEnd(bytes, at + 2)
    this.out.markup('&lt;')
    return at + 1
  }

  private declaration(start: number): number {
    const { bytes, source } = this
    const at = start + 2
    if (bytes[at] === DASH && bytes[at + 1] === DASH) return commentEnd(bytes, at + 2)
    const text = source.isXml || this.svgDepth > 0 ? cdataStart(bytes, at) : -1
    if (text !== -1) {
      const end = cdataEnd(bytes, text)
      this.out.markup(escaped(bytes.toString('utf8', text, end)))
      return Math.min(end + 3, bytes.length)
    }
    const end = source.isXml ? doctypeEnd(bytes, at) : bogusCommentEnd(bytes, at)
    const written = bytes.toString('utf8', start, Math.min(end, start + 400))
    if (DOCTYPE.test(written)) this.out.markup(written)
    return end
  }

  private endTag(nameStart: number): number {
    this.tag.begin(nameStart)
    const name = elementName(this.tag, nameStart, this.bytes)
    const end = this.tag.skip()
    if (this.tag.isCut || name === undefined || isVoid(name)) return end
    if (name === 'svg') this.svgDepth = Math.max(0, this.svgDepth - 1)
    const treatment = treatmentOf(name)
    if (treatment === undefined) this.out.markup(`</${name}>`)
    else if (treatment === 'box') this.out.markup('</div>')
    return end
  }

  private startTag(nameStart: number): number {
    const { bytes, tag } = this
    tag.begin(nameStart)
    const name = elementName(tag, nameStart, bytes)
    const nameEnd = tag.at
    const attributes = attributesOf(tag, bytes)
    if (tag.isCut) return bytes.length
    if (name === undefined) return tag.at
    const isEmpty = tag.isSelfClosing && (this.source.isXml || this.svgDepth > 0)
    if (name === 'svg' && !isEmpty) this.svgDepth++
    switch (treatmentOf(name)) {
      case undefined:
        this.element(name, attributes, isEmpty)
        break
      case 'box':
        this.element('div', attributes, isEmpty)
        break
      case 'frame':
        this.frame(attributes)
        break
      case 'meta':
        this.meta(attributes)
        break
      case 'link':
        this.styleLink(attributes)
        break
      case 'transparent':
        break
      default:
        return isEmpty ? tag.at : this.withRawText(name, nameStart, nameEnd, attributes)
    }
    return tag.at
  }

  private withRawText(name: string, nameStart: number, nameEnd: number, attributes: Attributes): number {
    const { bytes, out } = this
    const start = this.tag.at
    const treatment = treatmentOf(name)
    const end = treatment === 'plaintext' ? bytes.length : this.rawEnd(name, start, bytes.subarray(nameStart, nameEnd))
    const raw = bytes.subarray(start, end)
    if (treatment === 'style') this.style(raw, attributes)
    else if (treatment === 'iframe') this.frame(attributes)
    else if (treatment === 'text') {
      if (name === 'title' && this.title === '' && this.svgDepth === 0) this.title = titleIn(raw)
      this.element(name, attributes, false)
      out.text(raw)
      out.markup(`</${name}>`)
    } else if (treatment !== 'script') out.markup(`<pre>${escaped(raw.toString())}</pre>`)
    return end
  }

  private rawEnd(name: string, start: number, written: Uint8Array): number {
    if (this.source.isXml) return xmlTextEnd(this.bytes, start, written)
    return name === 'script' ? scriptEnd(this.bytes, start) : rawTextEnd(this.bytes, start, written)
  }

  private element(name: string, attributes: Attributes, isEmpty: boolean): void {
    let tag = `<${name}`
    for (const [key, value] of attributes) tag += writtenAttribute(name, key, value, this.addresses) ?? ''
    // In SVG a slash ends an element; in HTML it means nothing.
    const end = !isEmpty ? '>' : this.svgDepth > 0 || isVoid(name) ? '/>' : `></${name}>`
    this.out.markup(tag + end)
  }

  private style(raw: Buffer, attributes: Attributes): void {
    const media = attributes.get('media')
    this.out.markup(`<style${media === undefined ? '' : attribute('media', media)}>`)
    const isMarkup = this.source.isXml || this.svgDepth > 0
    const css = isMarkup ? decodeHTML(raw.toString()) : raw.toString()
    this.out.markup(rewriteCss(css, this.addresses))
    this.out.markup('</style>')
  }

  private styleLink(attributes: Attributes): void {
    const rel = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/)
    const href = this.addresses.archived(attributes.get('href') ?? '', 'style')
    if (!rel.includes('stylesheet') || rel.includes('alternate') || href === undefined) return
    if (this.styles.length < MOST_STYLES) this.styles.push(href)
    const media = attributes.get('media')
    const forMedia = media === undefined ? '' : attribute('media', media)
    this.out.markup(`<link rel="stylesheet"${attribute('href', href)}${forMedia}>`)
  }

  private frame(attributes: Attributes): void {
    const src = attributes.get('src') ?? ''
    const href = this.addresses.archived(src, 'page')
    if (href === undefined || src === '' || src.startsWith('#')) return
    const label = cleaned(`${this.source.words.frame}: ${attributes.get('title') || src}`, MOST_TITLE_CHARS)
    this.out.markup(`<a${attribute('href', href)} style="${FRAME_STYLE}">${escaped(label)}</a>`)
  }

  private meta(attributes: Attributes): void {
    const content = attributes.get('content') ?? ''
    if (attributes.get('name')?.toLowerCase() === 'viewport')
      this.out.markup(`<meta name="viewport"${attribute('content', content)}>`)
    if (attributes.get('http-equiv')?.toLowerCase() === 'refresh') this.leadsTo ??= refreshTarget(content)
  }

  private refreshNote(): void {
    const href = this.leadsTo === undefined ? undefined : this.addresses.archived(this.leadsTo, 'page')
    if (this.leadsTo === undefined || href === undefined) return
    const target = escaped(cleaned(this.leadsTo, MOST_TITLE_CHARS))
    const link = `<a${attribute('href', href)}>${target}</a>`
    this.out.markup(`<p style="${NOTE_STYLE}">${escaped(this.source.words.leadsTo)} ${link}</p>`)
  }
}

function titleIn(raw: Buffer): string {
  return cleaned(decodeHTML(raw.toString('utf8', 0, MOST_TITLE_BYTES)), MOST_TITLE_CHARS)
}

const RAW: ReadonlySet<string | undefined> = new Set(['style', 'textarea', 'title'])

/** Applies to the whole page, but is looked for in the head only. */
function baseIn(bytes: Buffer, isXml: boolean): string | undefined {
  const tag = new TagReader(bytes)
  let at = bytes.indexOf(LESS)
  while (at !== -1) {
    const nameStart = at + 1
    if (isLetter(bytes[nameStart])) {
      tag.begin(nameStart)
      const name = elementName(tag, nameStart, bytes)
      const href = name === 'base' ? attributesOf(tag, bytes).get('href') : undefined
      if (name !== 'base') tag.skip()
      if (tag.isCut || name === 'body') return undefined
      if (href !== undefined) return href
      at = tag.at
      if (name === 'script' && !isXml) at = scriptEnd(bytes, at)
      else if (RAW.has(name)) at = rawTextEnd(bytes, at, Buffer.from(name!))
    } else at = isComment(bytes, nameStart) ? commentEnd(bytes, nameStart + 3) : nameStart
    at = bytes.indexOf(LESS, at)
  }
  return undefined
}

function isComment(bytes: Buffer, at: number): boolean {
  return bytes[at] === BANG && bytes[at + 1] === DASH && bytes[at + 2] === DASH
}
