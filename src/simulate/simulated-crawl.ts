import type { PageLine } from '../archive/pages-file.ts'
import type { Records } from '../archive/records.ts'
import { version } from '../base/version.ts'
import { EarlierPages } from '../decide/earlier-pages.ts'
import { HeldLinks } from '../decide/filtered-links.ts'
import { LinkRanks } from '../decide/link-rank.ts'
import type { FailureLine } from '../folder/failures-file.ts'
import { noSitemaps } from '../folder/sitemaps-file.ts'
import type { CrawlFrontier } from '../frontier/frontier.ts'
import type { UnusualOrder } from '../frontier/local/memory/waiting-lists.ts'
import { Conductor, type Web } from '../run/conductor.ts'
import type { RunConfig } from '../run/opening/current-run.ts'
import { offerSeeds } from '../run/opening/enqueue.ts'
import { openOwnFrontier, openUnusualFrontier } from '../run/opening/open-frontier.ts'
import type { CrawlHappening, EndedBecause } from '../settings/events.ts'
import { LinkRules, linkRuleOptions } from '../settings/link-rules.ts'
import { type CrawlSettings, settingsWith } from '../settings/settings.ts'
import { registrableDomain } from '../url/registrable-domain.ts'
import type { VirtualClock } from './virtual-clock.ts'

export interface SimulatedCrawlOptions {
  readonly settings: Partial<CrawlSettings>
  /** Instead of the order that the settings say. */
  readonly order?: UnusualOrder | undefined
  /** Continues with this one instead of a new one. */
  readonly frontier?: CrawlFrontier
  /** What the scope is made of; those that are offered are given to `run`. */
  readonly seeds?: readonly string[]
  /** An earlier run had answers. */
  readonly hasAnswered?: boolean
  onPages?(lines: readonly PageLine[]): void
  onFailures?(lines: readonly FailureLine[]): void
  onEvent?(event: CrawlHappening): void
}

/** What a page takes in the archive. */
export const PAGE_BYTES = 1000
/** How long the disk takes. */
const SYNC_MS = 1
const LONGEST_SLEEP_MS = 3_600_000

/** A crawl without files and network: the real conductor, policy and frontier, a web in memory, and virtual time. */
export class SimulatedCrawl {
  readonly frontier: CrawlFrontier
  readonly conductor: Conductor
  readonly settings: CrawlSettings
  private readonly time: VirtualClock
  private readonly ranks: LinkRanks

  private constructor(
    web: Web,
    time: VirtualClock,
    frontier: CrawlFrontier,
    config: RunConfig,
    options: SimulatedCrawlOptions,
  ) {
    const { settings, rules, ranks } = config
    const { clock, timer } = time
    const { hasAnswered = false, onPages, onFailures, onEvent } = options
    this.time = time
    this.frontier = frontier
    this.settings = settings
    this.ranks = ranks
    const archive = {
      appendedBytes: 0,
      append: (batch: readonly Records[]) =>
        batch.map(() => ({ file: 'memory', offset: (archive.appendedBytes += PAGE_BYTES), length: 1 })),
      sync: () => time.sleep(SYNC_MS),
    }
    const pages = { append: (lines: readonly PageLine[]) => onPages?.(lines), sync: async () => {} }
    const failures = { append: (lines: readonly FailureLine[]) => onFailures?.(lines) }
    this.conductor = new Conductor(
      {
        folder: { frontier, shared: undefined, sitemaps: noSitemaps(), archive, pages, failures },
        formerBytes: 0,
        web,
        clock,
        timer,
        longestSleepMs: LONGEST_SLEEP_MS,
        filterLink: undefined,
        filterWaiting: undefined,
        hasAnswered,
        isHeldUp: () => false,
        rest: () => undefined,
        redirected: lines => {
          for (const { url } of lines) rules.admit(url)
        },
        emit: event => onEvent?.(event),
      },
      config,
    )
  }

  static async open(web: Web, time: VirtualClock, options: SimulatedCrawlOptions): Promise<SimulatedCrawl> {
    const settings = settingsWith(options.settings, 2, version())
    const { clock } = time
    const { order } = options
    const frontier =
      options.frontier ??
      (order === undefined
        ? await openOwnFrontier(undefined, settings, { clock, onRepair() {} })
        : openUnusualFrontier(order, settings, clock))
    const ruleOptions = linkRuleOptions(settings, options.seeds ?? [])
    const rules = new LinkRules(ruleOptions, registrableDomain)
    const held = new HeldLinks(frontier, settings.maxHeld, await frontier.counts())
    const revisits = settings.recrawl !== 'no'
    const earlier = new EarlierPages()
    const ranks = new LinkRanks(settings)
    const config = { settings, ruleOptions, rules, held, ranks, earlier, mayBeTooDeep: false, revisits }
    return new SimulatedCrawl(web, time, frontier, config, options)
  }

  /** Runs to the end. */
  async run(
    seeds: readonly string[],
    mostMs?: number,
    watch?: (ms: number) => Promise<void> | void,
  ): Promise<EndedBecause> {
    await offerSeeds(this.frontier, seeds, this.ranks)
    return this.time.until(this.conductor.run(), mostMs, watch)
  }
}
