import {
  type FetchJob,
  type FoundLink,
  packLinks,
  SITEMAP_HOPS,
  type SitemapFacts,
  type SitemapPart,
  type SitemapTerms,
} from '../decide/job.ts'
import type { ReadBody } from '../fetch/exchange.ts'
import type { Hint } from '../frontier/frontier.ts'
import type { LinkRules } from '../settings/link-rules.ts'
import type { SitemapEntry } from '../sitemap/entry-reader.ts'
import { SitemapReader } from '../sitemap/sitemap-reader.ts'
import { prepareBase, type WebUrl, webUrl } from '../url/web.ts'

/** Sends a part of a sitemap. Resolves when it was offered; false: nothing more is wanted. */
export type SendPart = (part: SitemapPart) => Promise<boolean>

/** Locations per part; offering them takes one or two milliseconds. */
const ENTRIES_PER_PART = 1000
interface SitemapDeps {
  readonly rules: LinkRules
  clock(): number
}

/** Reads one sitemap on a worker, judges its locations, and sends them in parts while it is being read. */
export class SitemapVisit {
  /** Locations that were not sent, by reason. */
  readonly refused: Record<string, number> = {}
  private readonly reader = new SitemapReader()
  private readonly base: ReturnType<typeof prepareBase>
  private readonly hosts: ReadonlySet<string>
  private readonly wantsHints: boolean
  private readonly deps: SitemapDeps
  private readonly send: SendPart
  private links: FoundLink[] = []
  private sitemaps: string[] = []
  private hints: Hint[] = []

  constructor({ url }: FetchJob, { hosts, wantsHints }: SitemapTerms, deps: SitemapDeps, send: SendPart) {
    this.base = prepareBase(url)
    this.hosts = new Set(hosts)
    this.wantsHints = wantsHints
    this.deps = deps
    this.send = send
  }

  get facts(): SitemapFacts {
    const { kind = 'none', entries, cutAt } = this.reader
    return { kind, entries, cutAt }
  }

  readonly read: ReadBody = async body => {
    const { reader } = this
    for await (const entries of reader.read(body)) {
      for (const entry of entries) {
        this.add(entry, reader.kind === 'sitemapindex')
        if (this.waiting >= ENTRIES_PER_PART && !(await this.flush())) return
      }
    }
    if (this.waiting > 0) await this.flush()
  }

  private get waiting(): number {
    return this.links.length + this.sitemaps.length
  }

  private flush(): Promise<boolean> {
    const { links, sitemaps, hints } = this
    this.links = []
    this.sitemaps = []
    this.hints = []
    return this.send({ links: packLinks(links), sitemaps, hints })
  }

  private add({ loc, lastmodMs }: SitemapEntry, isSitemap: boolean): void {
    const url = webUrl(loc, this.base)
    if (typeof url === 'string') this.refuse(url)
    else if (!this.hosts.has(url.host)) this.refuse('sitemap-host')
    else if (isSitemap) this.sitemaps.push(url.href)
    else this.addPage(url, lastmodMs)
  }

  private addPage(url: WebUrl, lastmodMs: number | undefined): void {
    const { href, depth } = url
    this.links.push({ url: href, pathDepth: depth, refused: this.deps.rules.refusal(url, SITEMAP_HOPS) })
    // A time in the future says nothing.
    if (!this.wantsHints || lastmodMs === undefined || lastmodMs < 0 || lastmodMs > this.deps.clock()) return
    this.hints.push({ url: href, changedAtMs: lastmodMs })
  }

  private refuse(reason: string): void {
    this.refused[reason] = (this.refused[reason] ?? 0) + 1
  }
}
