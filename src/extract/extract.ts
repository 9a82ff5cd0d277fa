import { decodeHTML } from 'entities/decode'
import { sha1 } from '../base/words/sha1.ts'
import { type BaseUrl, prepareBase, type WebUrl, webUrl } from '../url/web.ts'
import { type Anchor, Anchors } from './anchors.ts'
import { cleaned } from './characters.ts'
import { decodePage } from './charset.ts'
import { canonicalTarget, Directives, languageOfPage, refreshTarget } from './directives.ts'
import { type LinkRefusal, PageLinks } from './links.ts'
import { type Meta, PageScan } from './page-scan.ts'
import { PageText, wellFormed } from './page-text.ts'
import { type Fingerprint, TextPieces } from './simhash.ts'
import { attributeText, type Span } from './tag-reader.ts'
import { Words } from './words.ts'
import { isXhtml, withoutCdata } from './xhtml.ts'

/** A page as it was fetched. */
export interface FetchedPage {
  readonly body: Uint8Array
  /** A web URL. */
  readonly url: string
  /** Of several, the last. */
  readonly contentType: string | undefined
  readonly contentLanguage?: string | undefined
  readonly refresh?: string | undefined
  readonly robotsTags: readonly string[]
  /** One may name the canonical URL. */
  readonly linkHeaders?: readonly string[]
  /** For directives addressed to the crawler. */
  readonly agent: string
  /** A crawl that wants none of it pays for none of it. */
  readonly wanted?: ExtractOptions
}

export interface ExtractOptions {
  /** At most this many UTF-16 units; Infinity for all. */
  readonly textUnits?: number
  readonly textDigest?: boolean
  readonly anchors?: boolean
  readonly canonical?: boolean
  /** Names the language of a text; asked about the visible text of pages that declare none. */
  readonly detectLanguage?: ((text: string) => string | undefined) | undefined
  /** The simhash of the visible words, and a sample of their pairs. */
  readonly fingerprint?: boolean
  /** False: `links` and `refusedLinks` stay empty, which saves the time to resolve them; `anchors` need them. */
  readonly links?: false
}

/** What `extract` read from a page. */
export interface Extracted {
  /** Name of the charset by the Encoding Standard, in lower case. */
  readonly charset: string
  /** At most 1,000 UTF-16 units; empty when there is none. */
  readonly title: string
  /** The first 20 words of visible text, joined by one blank. */
  readonly opening: string
  readonly tokens: number
  /** `pt-br`: of `<html lang>`, or else of the `Content-Language` header, or else as detected. */
  readonly language?: string | undefined
  /** Distinct, in document order. */
  readonly links: readonly WebUrl[]
  /** By reason. */
  readonly refusedLinks: Readonly<Partial<Record<LinkRefusal, number>>>
  readonly noindex: boolean
  readonly noarchive: boolean
  readonly nofollow: boolean
  /** With `wanted.fingerprint`. */
  readonly fingerprint?: Fingerprint | undefined
  /** Words divided by one blank, blocks by one line feed. With `wanted.textUnits`. */
  readonly text?: string
  /** SHA-1 of the whole visible text in UTF-8, base32. With `wanted.textDigest`. */
  readonly textDigest?: string
  /** In document order, with repetitions and nofollow. With `wanted.anchors`. */
  readonly anchors?: readonly Anchor[]
  /** That of the page, or else of its `Link` header. With `wanted.canonical`. */
  readonly canonical?: string
}

const MOST_TITLE_UNITS = 1000
/** More than enough for a title of that length, and little to clean. */
const MOST_TITLE_BYTES = 1 << 16
/** Enough to tell languages apart: docs/decisions/0034-language.md. */
const DETECTED_UNITS = 1000
const NOTHING: ExtractOptions = {}

/** Reads a page: links, title, language, text, what its robots directives say. Never throws, whatever the bytes are, and takes linear time. */
export function extract(page: FetchedPage): Extracted {
  const wanted = page.wanted ?? NOTHING
  const { charset, bytes: decoded } = decodePage(page.body, page.contentType)
  const isXml = isXhtml(page.contentType)
  const declared = languageOfPage(page.body, page.contentLanguage)
  const detect = declared === undefined ? wanted.detectLanguage : undefined
  const wantsText =
    detect !== undefined || wanted.textUnits !== undefined || wanted.textDigest === true || wanted.anchors === true
  const bytes = wantsText ? wellFormed(decoded) : decoded
  const text = wantsText ? new PageText(bytes) : undefined
  const words = text ?? new Words(bytes)
  const anchors = wanted.anchors === true ? new Anchors(text!) : undefined
  const wantsLinks = wanted.links !== false || wanted.anchors === true
  const pieces = wanted.fingerprint === true ? new TextPieces() : undefined
  const wantsCanonical = wanted.canonical === true
  const scan = new PageScan(bytes, isXml, { words, anchors, wantsLinks, wantsCanonical, pieces })
  const directives = new Directives(page.agent)
  for (const value of page.robotsTags) directives.readHeader(value)
  for (const { name, content } of scan.metas) {
    if (name !== undefined) directives.readMeta(attributeText(bytes, name), attributeText(bytes, content))
  }
  const base = prepareBase(page.url, scan.base && attributeText(bytes, scan.base))
  const found = new PageLinks(base, charset, { isNofollow: directives.nofollow, withAnchors: anchors !== undefined })
  found.refuse('nofollow', scan.nofollowed)
  const refresh = wantsLinks && page.refresh !== undefined ? refreshTarget(page.refresh) : undefined
  // It comes before there is a `<base>`.
  if (refresh !== undefined) found.add(refresh, undefined, prepareBase(page.url))
  if (wantsLinks) addAll(found, scan, anchors, bytes)
  const read: Extracted = {
    charset,
    title: titleText(bytes, scan.title, isXml),
    opening: words.openingText,
    tokens: words.count,
    language: declared ?? detect?.(text!.text(DETECTED_UNITS)),
    links: found.links,
    refusedLinks: found.refused,
    noindex: directives.noindex,
    noarchive: directives.noarchive,
    nofollow: directives.nofollow,
    fingerprint: pieces?.fingerprint(bytes),
  }
  if (!wantsText && !wantsCanonical) return read
  const canonical = wantsCanonical
    ? canonicalOf(page, base, scan.canonical && attributeText(bytes, scan.canonical))
    : undefined
  return {
    ...read,
    ...(wanted.textUnits === undefined ? undefined : { text: text!.text(wanted.textUnits) }),
    ...(wanted.textDigest === true ? { textDigest: sha1(text!.written) } : undefined),
    ...(found.anchors === undefined ? undefined : { anchors: found.anchors }),
    ...(canonical === undefined ? undefined : { canonical }),
  }
}

/** In document order, those of `<meta http-equiv=refresh>` among them. */
function addAll(found: PageLinks, scan: PageScan, anchors: Anchors | undefined, bytes: Buffer): void {
  const refreshes = scan.metas.filter(meta => isRefresh(meta, bytes))
  let nextRefresh = 0
  for (let link = 0; link <= scan.links.length >> 1; link++) {
    for (; refreshes[nextRefresh]?.linksBefore === link; nextRefresh++) {
      const target = refreshTarget(attributeText(bytes, refreshes[nextRefresh]!.content))
      if (target !== undefined) found.add(target)
    }
    const start = scan.links[2 * link]
    if (start === undefined) continue
    found.add(attributeText(bytes, { start, end: scan.links[2 * link + 1]! }), anchors?.traits(link, bytes))
  }
}

function isRefresh({ httpEquiv }: Meta, bytes: Buffer): boolean {
  return httpEquiv !== undefined && attributeText(bytes, httpEquiv).toLowerCase() === 'refresh'
}

/** The page's own counts more than its headers'. */
function canonicalOf(page: FetchedPage, base: BaseUrl, own: string | undefined): string | undefined {
  const header = own === undefined ? canonicalTarget(page.linkHeaders ?? []) : undefined
  if (own === undefined && header === undefined) return undefined
  const url = own === undefined ? webUrl(header!, prepareBase(page.url)) : webUrl(own, base)
  return typeof url === 'string' ? undefined : url.href
}

function titleText(bytes: Buffer, span: Span | undefined, isXml: boolean): string {
  if (span === undefined) return ''
  const text = bytes.toString('utf8', span.start, Math.min(span.end, span.start + MOST_TITLE_BYTES))
  return cleaned(decodeHTML(isXml ? withoutCdata(text) : text), MOST_TITLE_UNITS)
}
