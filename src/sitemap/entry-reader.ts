import { dateMs } from './dates.ts'
import { withoutEntities } from './entities.ts'
import type { MarkupListener } from './markup-scanner.ts'
import { MOST_LOC_CHARS, type SitemapEntry, type SitemapKind } from './sitemap-entry.ts'

/** Where a kind of sitemap has its entries, and in them the location and the date, by element. Of two dates the first named one counts. */
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

/**
 * Makes entries of what a scanner reads. Only the children of an entry count, so the `image:loc` of an `image:image` is not taken
 * for a page. `changefreq` and `priority` are not looked at: nobody keeps them up to date.
 */
export class EntryReader implements MarkupListener {
  /** Complete entries; whoever reads them takes them away. */
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

  /** Completes the entry at hand: the next one begins, or the text ends. */
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
