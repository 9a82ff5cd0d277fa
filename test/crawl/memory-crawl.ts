// A whole crawl in memory: the real conductor and frontier, a web in memory, and time that is wound.
import type { PageLine } from '../../src/archive/pages-file.ts'
import type { Records } from '../../src/archive/records.ts'
import { HeldLinks } from '../../src/decide/filtered-links.ts'
import type { EndedBecause } from '../../src/folder/crawl-file.ts'
import type { FailureLine } from '../../src/folder/failures-file.ts'
import { noSitemaps } from '../../src/folder/sitemaps-file.ts'
import type { CrawlFrontier } from '../../src/frontier/frontier.ts'
import { Conductor } from '../../src/run/conductor.ts'
import type { RunConfig } from '../../src/run/opening/current-run.ts'
import { openOwnFrontier } from '../../src/run/opening/open-frontier.ts'
import type { CrawlHappening } from '../../src/settings/events.ts'
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
  readonly frontier: CrawlFrontier
  readonly conductor: Conductor
  readonly settings: CrawlSettings
  private readonly time: WoundClock

  private constructor(
    web: MemoryWeb,
    time: WoundClock,
    frontier: CrawlFrontier,
    config: RunConfig,
    hasAnswered: boolean,
  ) {
    const { settings, rules } = config
    const { clock, timer } = time
    this.time = time
    this.frontier = frontier
    this.settings = settings
    const archive = {
      appendedBytes: 0,
      append: (batch: readonly Records[]) =>
        batch.map(() => ({ file: 'memory', offset: (archive.appendedBytes += PAGE_BYTES), length: 1 })),
      sync: () => time.sleep(1),
    }
    const pages = { append: (lines: readonly PageLine[]) => void this.pages.push(...lines), sync: async () => {} }
    const failures = { append: (lines: readonly FailureLine[]) => void this.failures.push(...lines) }
    this.conductor = new Conductor(
      {
        folder: { frontier, shared: undefined, sitemaps: noSitemaps(), archive, pages, failures },
        formerBytes: 0,
        web,
        clock,
        timer,
        longestSleepMs: 3_600_000,
        filterLink: undefined,
        filterWaiting: undefined,
        hasAnswered,
        isHeldUp: () => false,
        rest: () => undefined,
        redirected: lines => {
          for (const { url } of lines) rules.admit(url)
        },
        emit: event => void this.events.push(event),
      },
      config,
    )
  }

  static async open(web: MemoryWeb, time: WoundClock, options: MemoryOptions = {}): Promise<MemoryCrawl> {
    const { frontier: former, hasAnswered = false, seeds = [], ...own } = options
    const settings = settingsWith(own, 2, '1.0')
    const { clock } = time
    const frontier = former ?? (await openOwnFrontier(undefined, settings, { clock, onRepair() {} }))
    const { scope, include, exclude, maxDepth, recrawl, maxHeld } = settings
    const ruleOptions = { scope, include, exclude, maxDepth, seeds }
    const rules = new LinkRules(ruleOptions, registrableDomain)
    const held = new HeldLinks(frontier, maxHeld, await frontier.counts())
    const config = { settings, ruleOptions, rules, held, mayBeTooDeep: false, revisits: recrawl !== 'no' }
    return new MemoryCrawl(web, time, frontier, config, hasAnswered)
  }

  /** Runs to the end. */
  async run(
    seeds: readonly string[],
    mostMs?: number,
    watch?: (ms: number, crawl: MemoryCrawl) => Promise<void>,
  ): Promise<MemoryRun> {
    const startMs = this.time.nowMs
    await this.frontier.offer(seeds.map(url => ({ url, rank: 1, hops: 0 })))
    const because = await this.time.until(this.conductor.run(), mostMs, watch && (ms => watch(ms, this)))
    const { frontier, pages, events } = this
    return { because, frontier, pages, events, tookMs: this.time.nowMs - startMs }
  }
}
