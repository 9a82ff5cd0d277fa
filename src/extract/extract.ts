import { decodeHTML } from 'entities/decode'
import { sha1 } from '../base/words/sha1.ts'
import { type BaseUrl, prepareBase, type WebUrl, webUrl } from '../url/web.ts'
import { type Anchor, Anchors } from './anchors.ts'
import { cleaned } from './characters.ts'
import { decodePage } from './charset.ts'
import { canonicalTarget, Directives, refreshTarget } from './directives.ts'
import { type LinkRefusal, PageLinks } from './links.ts'
import { type Meta, PageScan } from './page-scan.ts'
import { PageText, wellFormed } from './page-text.ts'
import { attributeText, type Span } from './tag-reader.ts'
import { Words } from './words.ts'
import { isXhtml, withoutCdata } from './xhtml.ts'

/** A page as it was fetched. */
export interface FetchedPage {
  /** Decompressed. */
  readonly body: Uint8Array
  /** Where it lies; a web URL. */
  readonly url: string
  /** The value of the `Content-Type` header; of several, the last. */
  readonly contentType: string | undefined
  /** The value of the `Refresh` header. */
  readonly refresh?: string | undefined
  /** The values of all `X-Robots-Tag` headers. */
  readonly robotsTags: readonly string[]
  /** The values of all `Link` headers; one may name the canonical URL. */
  readonly linkHeaders?: readonly string[]
  /** The crawler's name, for directives addressed to it. */
  readonly agent: string
  /** What to read besides; a crawl that wants none of it pays for none of it. */
  readonly wanted?: ExtractOptions
}

/** What `extract` reads only when it is asked to. */
export interface ExtractOptions {
  /** `text`, at most so many UTF-16 units of it; Infinity for all. */
  readonly textUnits?: number
  readonly textDigest?: boolean
  readonly anchors?: boolean
  readonly canonical?: boolean
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
  /** Words of visible text. */
  readonly tokens: number
  /** Distinct, in document order. */
  readonly links: readonly WebUrl[]
  /** How many links were left out, by reason; a reason that did not occur is missing. */
  readonly refusedLinks: Readonly<Partial<Record<LinkRefusal, number>>>
  readonly noindex: boolean
  readonly noarchive: boolean
  readonly nofollow: boolean
  /** All visible text: words divided by one blank, blocks by one line feed. With `wanted.textUnits`. */
  readonly text?: string
  /** SHA-1 of the whole visible text in UTF-8, base32; the same for pages with the same words in the same blocks. With `wanted.textDigest`. */
  readonly textDigest?: string
  /** Every link of the page in document order, with repetitions and those that say nofollow. With `wanted.anchors`. */
  readonly anchors?: readonly Anchor[]
  /** The canonical URL that the page gives itself, or else its `Link` header; undefined without one. With `wanted.canonical`. */
  readonly canonical?: string
}

const MOST_TITLE_UNITS = 1000
/** More than enough for a title of that length, and little to clean. */
const MOST_TITLE_BYTES = 1 << 16
const NOTHING: ExtractOptions = {}

/** Reads a page: links, title, words, directives. Never throws, whatever the bytes are, and takes linear time. */
export function extract(page: FetchedPage): Extracted {
  const wanted = page.wanted ?? NOTHING
  const { charset, bytes: decoded } = decodePage(page.body, page.contentType)
  const isXml = isXhtml(page.contentType)
  const wantsText = wanted.textUnits !== undefined || wanted.textDigest === true || wanted.anchors === true
  const bytes = wantsText ? wellFormed(decoded) : decoded
  const text = wantsText ? new PageText(bytes) : undefined
  const words = text ?? new Words(bytes)
  const anchors = wanted.anchors === true ? new Anchors(text!) : undefined
  const wantsLinks = wanted.links !== false || wanted.anchors === true
  const scan = new PageScan(bytes, isXml, { words, anchors, wantsLinks, wantsCanonical: wanted.canonical === true })
  const directives = new Directives(page.agent)
  for (const value of page.robotsTags) directives.readHeader(value)
  for (const { name, content } of scan.metas) {
    if (name !== undefined) directives.readMeta(attributeText(bytes, name), attributeText(bytes, content))
  }
  const base = prepareBase(page.url, scan.base && attributeText(bytes, scan.base))
  const found = new PageLinks(base, charset, { isNofollow: directives.nofollow, withAnchors: anchors !== undefined })
  found.refuse('nofollow', scan.nofollowed)
  const refresh = wantsLinks && page.refresh !== undefined ? refreshTarget(page.refresh) : undefined
  // The header comes before there is a <base>.
  if (refresh !== undefined) found.add(refresh, undefined, prepareBase(page.url))
  if (wantsLinks) addAll(found, scan, anchors, bytes)
  const read: Extracted = {
    charset,
    title: titleText(bytes, scan.title, isXml),
    opening: words.openingText,
    tokens: words.count,
    links: found.links,
    refusedLinks: found.refused,
    noindex: directives.noindex,
    noarchive: directives.noarchive,
    nofollow: directives.nofollow,
  }
  if (!wantsText && wanted.canonical !== true) return read
  const canonical =
    wanted.canonical === true
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

/** Adds the links in the order in which they stand, those of `<meta http-equiv=refresh>` among them. */
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

/** What the page says of itself counts more than what its headers say. */
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
