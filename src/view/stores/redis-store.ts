import { unixClock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { uniqueName } from '../../base/random.ts'
import { version } from '../../base/version.ts'
import { seedLine } from '../../folder/seeds-file.ts'
import { surveyHosts } from '../../folder/stats/host-survey.ts'
import { mergeStats, readTally, type Tally } from '../../folder/stats/tally.ts'
import { unfinished } from '../../frontier/dump-errors.ts'
import type { DumpSource } from '../../frontier/dump-files.ts'
import type { FrontierOptions } from '../../frontier/frontier.ts'
import type { CrawlStructure } from '../../frontier/redis/crawl-structure.ts'
import { CrawlDump } from '../../frontier/redis/dump/crawl-dump.ts'
import { shownWhere, type Where } from '../../frontier/redis/engine/where.ts'
import { openRedis, type RedisFrontier } from '../../frontier/redis/open.ts'
import type { RestoreOptions } from '../../frontier/restore-dump.ts'
import { givenBy, readTerms } from '../../run/machines/terms.ts'
import { settingFacts } from '../../run/run-status.ts'
import type { EndedBecause } from '../../settings/events.ts'
import { HostBook } from '../../settings/host-settings.ts'
import { type CrawlSettings, settingsWith } from '../../settings/settings.ts'
import { hostsOf } from '../listed.ts'
import type { UrlHistory } from '../questions/explained-shapes.ts'
import { sourceOf } from '../questions/frontier-answers.ts'
import type { HostFilter, ListedHost } from '../questions/host-shapes.ts'
import type { Source } from '../questions/questions.ts'
import { historyOf } from '../url-history.ts'
import type { FrontierStore, StoreDump, StoreReport, StoreStatus } from './frontier-store.ts'

const SEEDS_AT_ONCE = 1000
/** Of a name that has settings only: the machine that wrote them ended before it made the crawl. */
const NO_SHARDS: CrawlStructure = {
  shards: 0,
  fingerprintSeed: [0, 0],
  openings: 0,
  revivals: 0,
  isUnfinished: false,
}

export class RedisStore implements FrontierStore {
  readonly shown: string
  private readonly where: Where
  private readonly onTrouble: (message: string) => void
  private crawl: Promise<CrawlDump> | undefined
  private looking: Promise<RedisFrontier> | undefined

  constructor(where: Where, onTrouble: (message: string) => void) {
    this.where = where
    this.onTrouble = onTrouble
    this.shown = shownWhere(where)
  }

  async status(): Promise<StoreStatus> {
    const { shards } = await this.structure()
    const frontier = await this.frontier()
    const [counts, outlook] = await Promise.all([frontier.counts(), frontier.outlook()])
    return { frontier: counts, outlook, running: undefined, crawlers: await frontier.book.crawlers(), shards }
  }

  async *hosts(filter: HostFilter): AsyncGenerator<ListedHost> {
    yield* hostsOf(await this.source(), filter)
  }

  async explain(text: string): Promise<UrlHistory> {
    const source = await this.source()
    return historyOf(text, url => source.ask('explain', { url }))
  }

  async dump(): Promise<StoreDump> {
    const structure = await this.structure()
    const crawl = await this.opened()
    const text = await crawl.book.settings()
    const settings = this.settingsIn(text)
    const dump = await crawl.dump(structure, settings === undefined ? {} : judgements(settings))
    return { ...dump, crawl: text === undefined ? undefined : { settings: text, seeds: await crawl.book.seeds(0) } }
  }

  async restore(dump: DumpSource, options: Omit<RestoreOptions, 'dump'>): Promise<void> {
    const { crawl, folder } = dump
    const settings = this.settingsIn(crawl?.settings)
    await (await this.opened()).restore(dump, {
      ...options,
      ...(settings !== undefined && judgements(settings)),
      dump: folder,
      beforeEnd: async book => {
        if (crawl === undefined) return
        let lines: string[] = []
        for await (const line of crawl.seeds) {
          lines.push(line)
          if (lines.length < SEEDS_AT_ONCE) continue
          await book.addSeeds(lines)
          lines = []
        }
        await book.addSeeds(lines)
        await book.writeSettings(crawl.settings)
        await book.markSeeded()
      },
    })
  }

  async clear(host: string | undefined, isForced: boolean): Promise<boolean> {
    const crawl = await this.opened()
    const isLeftover = host === undefined && (await crawl.structure()) === undefined
    const structure = isLeftover && (await crawl.book.settings()) !== undefined ? NO_SHARDS : await this.structure()
    const alive = await crawl.crawlersAlive()
    if (alive > 0 && !isForced) throw new EscalonaError('FRONTIER_IN_USE/force', { where: this.shown, crawlers: alive })
    if (host !== undefined) {
      const frontier = await this.frontier()
      if ((await frontier.host(host)) === undefined) return false
      await frontier.clear(host)
    }
    // Those who work on it keep the name; it is only emptied.
    else if (alive > 0) await (await this.frontier()).clear()
    else await crawl.remove(structure)
    return true
  }

  async report(): Promise<StoreReport> {
    await this.structure()
    const frontier = await this.frontier()
    const alive = await (await this.opened()).crawlersAlive()
    const settings = this.settingsIn(await frontier.book.settings())
    return sharedReport(frontier, settings?.limit ?? Number.POSITIVE_INFINITY, alive > 0, unixClock())
  }

  async close(): Promise<void> {
    for (const one of [this.looking, this.crawl]) await (await one?.catch(() => undefined))?.close()
  }

  private opened(): Promise<CrawlDump> {
    this.crawl ??= CrawlDump.open(this.where, this.onTrouble)
    return this.crawl
  }

  /** A name that does not exist is an error here: opening it would make it. */
  private async structure(): Promise<CrawlStructure> {
    const structure = await (await this.opened()).structure()
    if (structure === undefined) throw new EscalonaError('FRONTIER_MISSING/no-name', { where: this.shown })
    return structure
  }

  private frontier(): Promise<RedisFrontier> {
    this.looking ??= this.look()
    return this.looking
  }

  /** As an observer: those who work on the crawl do not notice. */
  private async look(): Promise<RedisFrontier> {
    const { isUnfinished } = await this.structure()
    if (isUnfinished) throw unfinished(this.shown)
    const settings = this.settingsIn(await (await this.opened()).book.settings())
    return openRedis({
      ...(settings !== undefined && judgements(settings)),
      ...{ where: this.where, crawler: uniqueName(), isObserver: true, onTrouble: this.onTrouble },
    })
  }

  private async source(): Promise<Source> {
    const frontier = await this.frontier()
    const settings = this.settingsIn(await frontier.book.settings())
    const lines = settings === undefined ? [] : await frontier.book.seeds(0)
    const seeds = lines.flatMap(line => seedLine(line)?.url ?? [])
    return sourceOf({
      ...settingFacts(settings, seeds, unixClock),
      frontier,
      // Machines may have settings of their own for single hosts, and remember what hosts answered.
      restCause: () => undefined,
      machines: () => frontier.crawlersAlive(),
    })
  }

  private settingsIn(text: string | undefined): CrawlSettings | undefined {
    return text === undefined ? undefined : settingsWith(givenBy(readTerms(text, this.shown)), 1, version())
  }
}

/** What decides in which sets hosts are, which of them count as down, and how long hosts that were being asked are left alone. */
function judgements(settings: CrawlSettings): Required<Pick<FrontierOptions, 'strategy' | 'retries' | 'delayMs'>> {
  const { strategy, retries } = settings
  return { strategy, retries, delayMs: new HostBook(settings).shortestDelayMs }
}

/** The facts of a report about a crawl that machines share: their statistics added up, and one frontier for all of them. */
async function sharedReport(
  frontier: Pick<RedisFrontier, 'counts' | 'hosts' | 'book'>,
  limit: number,
  isRunning: boolean,
  nowMs: number,
): Promise<StoreReport> {
  const texts = await frontier.book.tallies()
  const tallies = [...texts.values()].flatMap(text => readTally(text) ?? [])
  const [counts, hosts] = [await frontier.counts(), await surveyHosts(frontier)]
  const runs = tallies.flatMap(tally => tally.runs)
  return {
    stats: mergeStats(tallies, nowMs, hosts.domains),
    file: {
      runs: runs.sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt)),
      forgottenRuns: tallies.reduce((sum, tally) => sum + tally.forgottenRuns, 0),
    },
    limit,
    frontier: counts,
    hosts,
    disk: undefined,
    because: isRunning ? undefined : endOf(tallies),
  }
}

/** Why the machine that ended last did. */
function endOf(tallies: readonly Tally[]): EndedBecause | undefined {
  const ended = tallies.filter(({ endedAt }) => endedAt !== undefined)
  return ended.toSorted((a, b) => Date.parse(b.endedAt!) - Date.parse(a.endedAt!))[0]?.because
}
