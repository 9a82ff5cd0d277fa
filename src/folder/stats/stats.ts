import type { PageLine } from '../../archive/pages-file.ts'
import { LogHistogram } from '../../base/structures/log-histogram.ts'
import type { CrawlHappening } from '../../settings/events.ts'
import { classOf } from '../../settings/reasons.ts'
import { hostOf } from '../../url/host-of.ts'
import { registrableDomain } from '../../url/registrable-domain.ts'
import type { FailureLine } from '../failures-file.ts'
import { Details, type DetailsData } from './details.ts'
import { DomainSet } from './host-survey.ts'
import { Outages, type OutagesData } from './outages.ts'
import { Timeline, type TimelineData } from './timeline.ts'

/** As in `stats.json` and the report. The size does not grow with the crawl: counts per host are in the frontier. */
export interface StatsData {
  /** When the crawl began, in milliseconds since 1970. */
  readonly startedAtMs: number
  readonly pages: number
  readonly requests: number
  /** Bytes received in bodies, before decompression. */
  readonly wireBytes: number
  /** Bytes of the archived pages, after decompression. */
  readonly pageBytes: number
  readonly tokens: number
  readonly redirects: number
  /** How many times the engine of a shared frontier had forgotten what it had acknowledged. */
  readonly losses: number
  /** Hosts that were set aside because what the frontier has of them can't be read. */
  readonly damagedHosts: number
  /** Visits again, by what they found: `changed`, `same`, `gone`, or `failed`. Pages count once, whatever is here. */
  readonly revisits: Readonly<Record<string, number>>
  /** Working time in all runs of this crawl. */
  readonly workMs: number
  readonly statuses: Readonly<Record<string, number>>
  /** Requests that failed and were retried, and those that failed for good, by reason. */
  readonly again: Readonly<Record<string, number>>
  readonly failed: Readonly<Record<string, number>>
  /** Links that were refused after they were taken, and links that were not followed at all, by reason. */
  readonly refused: Readonly<Record<string, number>>
  readonly refusedLinks: Readonly<Record<string, number>>
  /** Sitemaps by their form (`urlset`, `sitemapindex`, `rss`, `atom`, `text`), and those that were not read by the reason. */
  readonly sitemaps: Readonly<Record<string, number>>
  /** How many locations they name. */
  readonly sitemapEntries: number
  /** Pages by their number of links from a seed. */
  readonly hops: readonly number[]
  /** Buckets as in `LogHistogram`: words per page, bytes per page, milliseconds per answer. */
  readonly tokensAPage: readonly number[]
  readonly bytesAPage: readonly number[]
  readonly answerMs: readonly number[]
  readonly timeline: TimelineData
  readonly details: DetailsData
  readonly outages: OutagesData
  /** Size of `failures.jsonl` when these statistics were saved. */
  readonly failuresBytes: number
}

/** The parts of the statistics by how they are kept, so that a new one is read, written, checked and added up. */
export const SUMS = [
  ...(['pages', 'requests', 'wireBytes', 'pageBytes', 'tokens', 'redirects', 'losses'] as const),
  ...(['damagedHosts', 'workMs', 'failuresBytes', 'sitemapEntries'] as const),
]
export const COUNTS = ['revisits', 'statuses', 'again', 'failed', 'refused', 'refusedLinks', 'sitemaps'] as const
export const HISTOGRAMS = ['tokensAPage', 'bytesAPage', 'answerMs'] as const

export function each<Name extends string, Value>(
  names: readonly Name[],
  of: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map(name => [name, of(name)])) as Record<Name, Value>
}

/** The parts of a page that are counted. */
export type CountedPage = Pick<PageLine, 'url' | 'bytes' | 'tokens' | 'hops'> &
  Partial<Pick<PageLine, 'title' | 'language'>>

/** Statistics of a crawl over all its runs. */
export class Stats {
  readonly startedAtMs: number
  pages!: number
  requests!: number
  wireBytes!: number
  pageBytes!: number
  tokens!: number
  redirects!: number
  losses!: number
  damagedHosts!: number
  workMs!: number
  failuresBytes!: number
  sitemapEntries!: number
  readonly revisits!: Map<string, number>
  readonly statuses!: Map<string, number>
  readonly again!: Map<string, number>
  readonly failed!: Map<string, number>
  readonly refused!: Map<string, number>
  readonly refusedLinks!: Map<string, number>
  readonly sitemaps!: Map<string, number>
  readonly hops: number[]
  readonly tokensAPage!: LogHistogram
  readonly bytesAPage!: LogHistogram
  readonly answerMs!: LogHistogram
  readonly timeline: Timeline
  readonly details: Details
  readonly outages: Outages
  /** Registrable domains with at least one archived page. */
  readonly domains = new DomainSet()

  constructor(startedAtMs: number, data?: Partial<StatsData>) {
    this.startedAtMs = data?.startedAtMs ?? startedAtMs
    Object.assign(
      this,
      each(SUMS, name => data?.[name] ?? 0),
      each(COUNTS, name => new Map(Object.entries(data?.[name] ?? {}))),
      each(HISTOGRAMS, name => new LogHistogram(data?.[name])),
    )
    this.hops = [...(data?.hops ?? [])]
    this.timeline = new Timeline(data?.timeline)
    this.details = new Details(data?.details)
    this.outages = new Outages(data?.outages)
  }

  /** Links that ended by an error, after all retries. One that was put back in the queue and failed again counts twice. */
  get failedLinks(): number {
    return [...this.failed.values()].reduce((sum, links) => sum + links, 0)
  }

  /** Lines of `pages.jsonl` that are counted: pages and visits again that brought an answer about the page. */
  get lines(): number {
    const { revisits } = this
    return (['changed', 'same', 'gone'] as const).reduce((sum, change) => sum + (revisits.get(change) ?? 0), this.pages)
  }

  /** Counts an event. `atMs`: in working time over all runs. */
  record(event: CrawlHappening, atMs: number): void {
    this.details.record(event)
    switch (event.kind) {
      case 'answered':
        this.requests++
        this.wireBytes += event.wireBytes
        count(this.statuses, String(event.status))
        this.answerMs.add(event.tookMs)
        this.timeline.add(atMs, 'wireBytes', event.wireBytes)
        return
      case 'page':
        this.addPage(event.page, atMs, event.opening)
        return
      case 'revisit':
        count(this.revisits, event.page.change)
        return
      case 'revisit failed':
        count(this.revisits, 'failed')
        return
      case 'again':
        count(this.again, event.why)
        this.timeline.add(atMs, 'failures', 1)
        return
      case 'failed':
        count(this.failed, event.why)
        this.timeline.add(atMs, 'failures', 1)
        return
      case 'refused':
        count(classOf(event.reason) === 'failed' ? this.failed : this.refused, event.reason)
        return
      case 'gone':
        count(classOf(event.why) === 'failed' ? this.failed : this.refused, event.why, event.links)
        return
      case 'redirected':
        this.redirects++
        return
      case 'links refused':
        for (const [reason, links] of Object.entries(event.counts)) count(this.refusedLinks, reason, links)
        return
      case 'sitemap':
        count(this.sitemaps, event.form ?? event.why ?? 'sitemap-none')
        this.sitemapEntries += event.entries ?? 0
        return
      case 'trouble':
        this.losses += event.losses ?? 0
        this.damagedHosts += event.damagedHosts ?? 0
        return
      case 'action':
        if (event.result.cleared !== undefined) count(this.refused, 'cleared', event.result.cleared)
    }
  }

  addPage(page: CountedPage, atMs: number, opening = ''): void {
    this.countPage(page, atMs, opening)
    if (this.domains.add(registrableDomain(hostOf(page.url)))) this.timeline.add(atMs, 'newDomains', 1)
  }

  private countPage(page: CountedPage, atMs: number, opening: string): void {
    this.pages++
    this.pageBytes += page.bytes
    this.tokens += page.tokens
    this.tokensAPage.add(page.tokens)
    this.bytesAPage.add(page.bytes)
    while (this.hops.length <= page.hops) this.hops.push(0)
    this.hops[page.hops]!++
    this.timeline.add(atMs, 'pages', 1)
    this.details.addPage(page, opening)
  }

  /** Counts a page whose events were lost in a crash: one request, estimated bytes on the wire; its domain: see `countLostDomains`. */
  addLostPage(page: Pick<PageLine, 'url' | 'status' | 'bytes' | 'tokens' | 'hops'>): void {
    this.requests++
    this.wireBytes += Math.round(page.bytes * (this.pageBytes > 0 ? Math.min(1, this.wireBytes / this.pageBytes) : 1))
    count(this.statuses, String(page.status))
    this.countPage(page, this.workMs, '')
  }

  addLostRevisit({ status, change }: Pick<PageLine, 'status' | 'change'>): void {
    this.requests++
    count(this.statuses, String(status))
    count(this.revisits, change)
  }

  /** To be called when `domains` has those of all pages: domains of lost pages count as found at the end of the earlier runs. */
  countLostDomains(): void {
    const lost = this.domains.size - this.timeline.sum('newDomains')
    if (lost > 0) this.timeline.add(this.workMs, 'newDomains', lost)
  }

  /** Counts a link that ended without a page and whose events were lost in a crash, with its last request. */
  addLostFailure({ url, reason, attempts = 0, status }: FailureLine): void {
    if (attempts > 0) this.requests++
    if (status !== undefined) count(this.statuses, String(status))
    const isFailed = classOf(reason) === 'failed'
    this.record(isFailed ? { kind: 'failed', url, why: reason } : { kind: 'refused', url, reason }, this.workMs)
  }

  addLostRedirects(redirects: number): void {
    this.redirects += redirects
    this.requests += redirects
  }

  /** A snapshot; later events do not change it. */
  toJSON(): StatsData {
    return {
      startedAtMs: this.startedAtMs,
      ...each(SUMS, name => this[name]),
      ...each(COUNTS, name => Object.fromEntries(this[name])),
      ...each(HISTOGRAMS, name => [...this[name].counts]),
      hops: [...this.hops],
      timeline: this.timeline.toJSON(),
      details: this.details.toJSON(),
      outages: this.outages.toJSON(),
    }
  }
}

function count(counts: Map<string, number>, name: string, by = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + by)
}
