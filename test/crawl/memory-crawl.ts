// A whole crawl in memory: the real conductor and frontier, a web in memory, and time that is wound.
import type { PageLine } from '../../src/archive/pages-file.ts'
import type { Records } from '../../src/archive/records.ts'
import { HeldLinks } from '../../src/decide/held-links.ts'
import { HintBook } from '../../src/decide/hint-book.ts'
import { RateLimit, RunLimits, unprovenSlots } from '../../src/decide/limits.ts'
import { Policy } from '../../src/decide/policy.ts'
import { RevisitPlan } from '../../src/decide/revisit-plan.ts'
import { RobotsGate } from '../../src/decide/robots-gate.ts'
import { SitemapBook } from '../../src/decide/sitemap-book.ts'
import { Proxies } from '../../src/fetch/proxies.ts'
import type { EndedBecause } from '../../src/folder/crawl-file.ts'
import type { FailureLine } from '../../src/folder/failures-file.ts'
import type { SeedLine } from '../../src/folder/seeds-file.ts'
import type { CrawlFrontier, FrontierCounts } from '../../src/frontier/frontier.ts'
import { openLocal } from '../../src/frontier/local/open.ts'
import { Collector } from '../../src/run/collector.ts'
import { Committer } from '../../src/run/committer.ts'
import { Leases } from '../../src/run/leases.ts'
import { live } from '../../src/run/live.ts'
import { NetworkWatch } from '../../src/run/network-watch.ts'
import { ShorterPaths } from '../../src/run/shorter-paths.ts'
import { Slots } from '../../src/run/slots.ts'
import type { TicketContext } from '../../src/run/ticket-context.ts'
import type { CrawlHappening } from '../../src/settings/events.ts'
import { HostBook } from '../../src/settings/host-settings.ts'
import { LinkRules } from '../../src/settings/link-rules.ts'
import { type CrawlSettings, settingsWith } from '../../src/settings/settings.ts'
import { registrableDomain } from '../../src/url/registrable-domain.ts'
import type { MemoryWeb } from './memory-web.ts'
import type { WoundClock } from './wound-clock.ts'

export interface MemoryOptions extends Partial<CrawlSettings> {
  /** Goes on with this one instead of a new one. */
  readonly frontier?: CrawlFrontier
  /** What the scope is made of; those that are offered are given to `run`. */
  readonly seeds?: readonly string[]
  /** An earlier run had answers. */
  readonly hasAnswered?: boolean
}

export interface MemoryRun {
  readonly because: EndedBecause
  readonly frontier: CrawlFrontier
  readonly pages: readonly PageLine[]
  readonly events: readonly CrawlHappening[]
  readonly tookMs: number
}

/** What a page takes in the archive. */
export const PAGE_BYTES = 1000

/** A crawl that can be looked at while it runs. */
export class MemoryCrawl {
  readonly pages: PageLine[] = []
  readonly failures: FailureLine[] = []
  readonly events: CrawlHappening[] = []
  readonly slots: Slots
  readonly frontier: CrawlFrontier
  readonly collector: Collector
  readonly settings: CrawlSettings
  private readonly time: WoundClock

  private constructor(
    web: MemoryWeb,
    time: WoundClock,
    frontier: CrawlFrontier,
    counts: FrontierCounts,
    settings: CrawlSettings,
    { hasAnswered: had = false, seeds = [] }: MemoryOptions,
  ) {
    this.time = time
    this.frontier = frontier
    this.settings = settings
    const { clock, timer } = time
    this.slots = new Slots(settings.concurrency, { rate: new RateLimit(settings.maxRequestsPerSecond, clock), timer })
    const hosts = new HostBook(settings)
    const emit = (events: CrawlHappening) => {
      this.events.push(events)
    }
    let places = 0
    const archive = {
      append: (batch: readonly Records[]) => batch.map(() => ({ file: 'memory', offset: places++, length: 1 })),
      sync: () => time.sleep(1),
    }
    const pages = {
      append: (batch: readonly PageLine[]) => {
        this.pages.push(...batch)
      },
      sync: async () => {},
    }
    const { scope, include, exclude, maxDepth } = settings
    const rules = new LinkRules({ scope, include, exclude, maxDepth, seeds }, registrableDomain)
    const held = new HeldLinks(frontier, settings.maxHeld, counts)
    const failures = { append: (lines: readonly FailureLine[]) => void this.failures.push(...lines) }
    const redirected = {
      append: (lines: readonly SeedLine[]) => {
        for (const { url } of lines) rules.admit(url)
      },
    }
    const paths = new ShorterPaths(frontier, settings.maxDepth < Infinity)
    const committer = new Committer({ archive, pages, failures, seeds: redirected, frontier, paths })
    const leases = new Leases(frontier, clock)
    const network = new NetworkWatch(clock, had, message => emit({ kind: 'trouble', message }))
    const plan = settings.recrawl === 'no' ? undefined : new RevisitPlan(settings)
    const context: TicketContext = {
      frontier,
      policy: new Policy({
        settings,
        hosts,
        gate: new RobotsGate(frontier),
        sitemaps: new SitemapBook(frontier),
        rules,
        held,
        plan,
        startMs: time.nowMs,
      }),
      names: web,
      proxies: new Proxies(settings.proxy),
      slots: this.slots,
      network,
      workers: web,
      committer,
      hints: new HintBook({
        ...{ plans: frontier.plans, clock, records: new Map() },
        leastMs: () => settings.recrawlMinMs,
      }),
      hosts,
      clock,
      goOn: () => this.collector.goOn(),
      isTooLate: ticket => leases.endsWithin(ticket, settings.timeoutMs),
      emit,
    }
    this.collector = new Collector({
      frontier,
      slots: this.slots,
      leases,
      network,
      limits: new RunLimits(settings, clock, () => this.pages.length * PAGE_BYTES),
      clock,
      timer,
      abandon: () => web.abandon(),
      live: async ticket => live(await paths.shortest(ticket), context),
      endsAtPause: settings.recrawl === 'due',
      ...(settings.recrawl !== 'no' && { longestSleepMs: 3_600_000 }),
      isHeldUp: () => false,
    })
  }

  static async open(web: MemoryWeb, time: WoundClock, options: MemoryOptions = {}): Promise<MemoryCrawl> {
    const { frontier: former, hasAnswered: _, seeds: __, ...own } = options
    const settings = settingsWith(own, 2, '1.0')
    const frontier = former ?? (await newFrontier(settings, time))
    return new MemoryCrawl(web, time, frontier, await frontier.counts(), settings, options)
  }

  /** Runs to the end. */
  async run(
    seeds: readonly string[],
    mostMs?: number,
    watch?: (ms: number, crawl: MemoryCrawl) => Promise<void>,
  ): Promise<MemoryRun> {
    const startMs = this.time.nowMs
    await this.frontier.offer(seeds.map(url => ({ url, pathDepth: 1, hops: 0 })))
    const because = await this.time.until(this.collector.run(), mostMs, watch && (ms => watch(ms, this)))
    const { frontier, pages, events } = this
    return { because, frontier, pages, events, tookMs: this.time.nowMs - startMs }
  }
}

export function newFrontier(settings: CrawlSettings, time: WoundClock): Promise<CrawlFrontier> {
  return openLocal({
    strategy: settings.strategy,
    exploreChance: settings.exploreChance,
    seed: settings.seed,
    leaseMs: 600_000,
    delayMs: new HostBook(settings).shortestDelayMs,
    serverGapMs: settings.serverDelayMs,
    perServer: settings.perServer,
    retries: settings.retries,
    limit: settings.limit,
    recrawl: settings.recrawl !== 'no',
    unproven: unprovenSlots(settings.concurrency),
    errands: 128,
    maxHosts: settings.maxHosts,
    maxHostsPerDomain: settings.maxHostsPerDomain,
    clock: time.clock,
  })
}
