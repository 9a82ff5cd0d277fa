import type { MarkupListener } from './markup-scanner.ts'

/** Names of elements. Of two dates the first named one counts. */
interface Shape {
  readonly kind: SitemapKind
  readonly entry: string
  readonly loc: string
  readonly dates: readonly string[]
}

const RSS: Shape = { kind: 'rss', entry: 'item', loc: 'link', dates: ['pubdate', 'date'] }

/** By the name of the first element. RSS 1.0 begins with `rdf:RDF`. */
const SHAPES: ReadonlyMap<string, Shape> = new Map([
  ['urlset', { kind: 'urlset', entry: 'url', loc: 'loc', dates: ['lastmod'] }],
  ['sitemapindex', { kind: 'sitemapindex', entry: 'sitemap', loc: 'loc', dates: ['lastmod'] }],
  ['rss', RSS],
  ['rdf', RSS],
  ['feed', { kind: 'atom', entry: 'entry', loc: 'link', dates: ['updated', 'published', 'modified'] }],
])

/** Only the children of an entry count, so an `image:loc` isn't taken for a page. `changefreq` and `priority` are ignored: they are rarely right. */
export class EntryReader implements MarkupListener {
  /** The reader takes them away. */
  entries: SitemapEntry[] = []
  wantsText = false
  private shape: Shape | 'none' | undefined
  /** How deep in an entry; 0 is the entry itself, -1 is outside. */
  private depth = -1
  private collected = ''
  private loc = ''
  private date: { readonly ms: number; readonly rank: number } | undefined

  /** Undefined before the first element; `none`: it is not a sitemap. */
  get kind(): SitemapKind | 'none' | undefined {
    return typeof this.shape === 'object' ? this.shape.kind : this.shape
  }

  open(name: string, inside: string, isEmpty: boolean): void {
    const { shape } = this
    if (shape === undefined) this.shape = SHAPES.get(name) ?? 'none'
    else if (typeof shape === 'string') return
    else if (name === shape.entry) {
      this.finish()
      if (!isEmpty) this.depth = 0
    } else if (this.depth >= 0) {
      if (this.depth === 0 && shape.kind === 'atom' && name === 'link') this.readAtomLink(inside)
      if (isEmpty) return
      this.depth++
      this.wantsText = this.depth === 1 && (name === shape.loc || shape.dates.includes(name))
      this.collected = ''
    }
  }

  close(name: string): void {
    const { shape } = this
    if (typeof shape !== 'object' || this.depth < 0) return
    if (name === shape.entry || this.depth === 0) {
      this.finish()
      return
    }
    if (this.wantsText) this.keep(name, shape)
    this.wantsText = false
    this.depth--
  }

  text(text: string, isPlain: boolean): void {
    if (this.collected.length > MOST_LOC_CHARS) return
    this.collected += isPlain ? text.replaceAll('&', '&amp;') : text
  }

  /** Called when the next entry begins, or the text ends. */
  finish(): void {
    const { loc, date } = this
    this.depth = -1
    this.wantsText = false
    this.loc = ''
    this.date = undefined
    if (loc !== '') this.entries.push(date === undefined ? { loc } : { loc, lastmodMs: date.ms })
  }

  private keep(name: string, { loc, dates }: Shape): void {
    const text = withoutEntities(this.collected).trim().slice(0, MOST_LOC_CHARS)
    if (name === loc) {
      if (this.loc === '') this.loc = text
      return
    }
    const rank = dates.indexOf(name)
    const ms = rank < 0 || rank >= (this.date?.rank ?? dates.length) ? undefined : dateMs(text)
    if (ms !== undefined) this.date = { ms, rank }
  }

  /** RFC 4287 4.2.7.2: without `rel`, a link is an alternate one, which is the page of the entry. */
  private readAtomLink(inside: string): void {
    const rel = attribute(inside, 'rel') ?? 'alternate'
    const href = attribute(inside, 'href')
    if (this.loc === '' && href !== undefined && /^\s*alternate\s*$/i.test(rel)) this.loc = href
  }
}

function attribute(inside: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(inside)
  const value = found?.[1] ?? found?.[2]
  return value === undefined ? undefined : withoutEntities(value).trim().slice(0, MOST_LOC_CHARS)
}

/** One location in a sitemap, as written. */
export interface SitemapEntry {
  /** Trimmed, entities undone; at most 8,192 characters. It may be anything. */
  readonly loc: string
  /** Milliseconds since 1970; missing when the sitemap doesn't say clearly. */
  readonly lastmodMs?: number
}

/** The kinds of sitemaps. The entries of a `sitemapindex` are other sitemaps; those of the others are pages. */
export type SitemapKind = 'urlset' | 'sitemapindex' | 'rss' | 'atom' | 'text'

/** What is longer is cut. No URL that is collected is this long. */
export const MOST_LOC_CHARS = 8192

/** https://www.w3.org/TR/NOTE-datetime, with a blank for the T and a missing zone, as many sitemaps have it. */
const W3C =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d\d:?\d\d)?)?)?)?$/i
/** RFC 822, as in RSS: `Tue, 03 Jun 2003 09:39:21 GMT`. */
const RFC_822 =
  /^(?:[a-z]{3,9},?\s+)?\d{1,2}\s+[a-z]{3,9}\s+\d{2,4}\s+\d\d:\d\d(?::\d\d)?(?:\s+(?:[a-z]{1,3}|[+-]\d{4}))?$/i
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Milliseconds since 1970. A date means the start of that day; without a zone it is UTC. */
function dateMs(text: string): number | undefined {
  const bare = text.trim()
  const parts = W3C.exec(bare)
  if (parts !== null) return w3cMs(parts)
  if (bare.length > 60 || !RFC_822.test(bare)) return undefined
  const ms = Date.parse(bare)
  return Number.isNaN(ms) ? undefined : ms
}

function w3cMs(parts: RegExpExecArray): number | undefined {
  const part = (i: number, otherwise: number) => Number(parts[i] ?? otherwise)
  const [months, days, hours, minutes, seconds] = [part(2, 1), part(3, 1), part(4, 0), part(5, 0), part(6, 0)]
  if (months < 1 || months > 12 || days < 1 || days > DAYS[months - 1]!) return undefined
  if (hours > 24 || minutes > 59 || seconds > 60) return undefined
  const ms = Date.UTC(part(1, 0), months - 1, days, hours, minutes, seconds) + Number(`0.${parts[7] ?? 0}`) * 1000
  const offset = /^([+-])(\d\d):?(\d\d)$/.exec(parts[8] ?? 'Z')
  if (offset === null) return ms
  const [, sign, offsetHours, offsetMinutes] = offset
  return ms - (sign === '-' ? -1 : 1) * (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi

/** The five entities of XML and numeric references. Other ampersands stay: without a DTD there are no other entities. */
function withoutEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(REFERENCE, (whole, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()]!
    const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal)
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : whole
  })
}
