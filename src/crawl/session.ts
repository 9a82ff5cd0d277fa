import type { PageLine } from '../archive/pages-file.ts'
import type { Clock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { reasonOf } from '../base/system-error.ts'
import { Resolver } from '../fetch/dns.ts'
import type { Frontier, FrontierCounts } from '../frontier/frontier.ts'
import { registrableDomain } from '../url/registrable-domain.ts'
import type { WebUrl } from '../url/web.ts'
import { Collector, type EndedBecause } from './collector.ts'
import { abandonCrawlFolder, type CrawlFolder, closeCrawlFolder, openCrawlFolder } from './crawl-folder.ts'
import { type Eta, estimate } from './eta.ts'
import type { CrawlEvent } from './events.ts'
import { Ledger } from './ledger.ts'
import { type LinkRuleOptions, linkRules } from './link-rules.ts'
import { type FilterLink, Outcomes } from './outcomes.ts'
import { RobotsGate } from './robots-gate.ts'
import { Servers } from './servers.ts'
import { agentOf, type CrawlSettings } from './settings.ts'
import type { Tally } from './tally.ts'
import { readTally, writeTally } from './tally-file.ts'
import { Unsettled } from './unsettled.ts'
import { WorkerPool } from './worker-pool.ts'

export interface SessionOptions {
  /** Where everything is kept; a crawl that was begun there goes on. */
  readonly folder: string
  readonly seeds: readonly WebUrl[]
  readonly settings: CrawlSettings
  readonly version: string
  /** Unix time. */
  readonly clock: Clock
  readonly filterLink?: FilterLink
  onEvent?(event: CrawlEvent): void
  /** Told in words what a crash had left behind and was mended. */
  onRepair?(message: string): void
  isHeldUp?(): boolean
}

/** How a crawl is getting on. */
export interface CrawlProgress {
  readonly pages: number
  readonly requests: number
  readonly wireBytes: number
  readonly failures: number
  readonly openRequests: number
  readonly frontier: FrontierCounts
}

export interface CrawlEnd {
  readonly because: EndedBecause
  readonly frontier: FrontierCounts
}

const TALLY_EVERY_MS = 5000
const SHARE_OF_SAVING = 50
const SEEDS_AT_ONCE = 1000

/** One run of a crawl in its folder. */
export class Session {
  readonly tally: Tally
  private readonly options: SessionOptions
  private readonly folder: CrawlFolder
  private readonly unsettled: Unsettled
  private readonly rules: LinkRuleOptions
  private collector: Collector | undefined
  private isStopped = false
  private readonly startMs: number
  private readonly earlierWorkMs: number
  /** Of hosts whose robots.txt asks for one. */
  private readonly crawlDelays = new Map<string, number>()
  private failures = 0
  private saving: NodeJS.Timeout | undefined
  /** From now on the frontier may not be asked any more. */
  private isClosing = false
  private counts: FrontierCounts

  /** Opens the folder, mends what a crash left behind, and offers the seeds. */
  static async open(options: SessionOptions): Promise<Session> {
    const { settings, seeds, version, clock, onRepair = () => {} } = options
    const folder = await openCrawlFolder({ path: options.folder, settings, version, clock, onRepair })
    try {
      const rules = rulesOf(settings, seeds)
      const agent = agentOf(settings.userAgent)
      const unsettled = new Unsettled(
        folder.path,
        folder.recent,
        folder.frontier,
        agent,
        linkRules(rules, registrableDomain),
        options.filterLink,
      )
      await unsettled.complete(folder.pages, folder.recent)
      const tally = await readTally(folder.path, folder.pages.lines, clock())
      await offerAll(folder.frontier, seeds)
      return new Session(options, folder, unsettled, rules, tally)
    } catch (error) {
      await folder.frontier.close()
      throw error
    }
  }

  private constructor(
    options: SessionOptions,
    folder: CrawlFolder,
    unsettled: Unsettled,
    rules: LinkRuleOptions,
    tally: Tally,
  ) {
    this.options = options
    this.folder = folder
    this.unsettled = unsettled
    this.rules = rules
    this.tally = tally
    this.counts = folder.frontier.counts()
    this.startMs = options.clock()
    this.earlierWorkMs = tally.workMs
  }

  /** Runs until the limit is reached, nothing is left or somebody stops it; then everything is closed. */
  async run(): Promise<CrawlEnd> {
    const pool = this.startWorkers()
    const collector = this.startCollector(pool)
    this.collector = collector
    if (this.isStopped) collector.stop()
    this.saveLater(TALLY_EVERY_MS)
    try {
      const because = await collector.run()
      const end = { because, frontier: this.progress().frontier }
      this.isClosing = true
      this.tally.workMs = this.workMsAt(this.options.clock())
      await closeCrawlFolder(this.folder, this.tally)
      return end
    } catch (error) {
      this.isClosing = true
      await abandonCrawlFolder(this.folder)
      throw error
    } finally {
      clearTimeout(this.saving)
      await pool.close()
    }
  }

  /** Finishes the open requests, and ends. */
  stop(): void {
    this.isStopped = true
    this.collector?.stop()
  }

  /** Whoever held the crawl up does so no more. */
  goOn(): void {
    this.collector?.goOn()
  }

  progress(): CrawlProgress {
    const { pages, requests, wireBytes } = this.tally
    if (!this.isClosing) this.counts = this.folder.frontier.counts()
    const frontier = this.counts
    const openRequests = this.collector?.openRequests ?? 0
    return { pages, requests, wireBytes, failures: this.failures, openRequests, frontier }
  }

  eta(pagesPerSecond: number): Eta | undefined {
    if (this.isClosing) return undefined
    const { limit, delayMs } = this.options.settings
    const { done, refused } = this.folder.frontier.counts()
    const { frontier } = this.folder
    const { crawlDelays } = this
    const nowMs = this.options.clock()
    function* hosts() {
      for (const { host, waiting, readyAtMs } of frontier.hosts()) {
        if (waiting === 0) continue
        // A host that must not be asked yet, after a failure for example, takes that much longer for all that waits.
        const heldMs = Math.max(0, readyAtMs - nowMs) / waiting
        yield { host, waiting, gapMs: heldMs + Math.max(delayMs, crawlDelays.get(host) ?? 0) }
      }
    }
    return estimate({
      wanted: limit === Infinity ? undefined : limit - this.tally.pages,
      pagesPerSecond,
      pageShare: Math.min(1, this.tally.pages / Math.max(1, done + refused)),
      hosts: hosts(),
    })
  }

  private startWorkers(): WorkerPool {
    const { settings } = this.options
    const { userAgent, timeoutMs, maxBodyBytes, allowNetworks, workers, concurrency } = settings
    return new WorkerPool({
      workers,
      concurrency,
      data: {
        userAgent,
        agent: agentOf(userAgent),
        timeoutMs,
        maxBodyBytes,
        allowNetworks,
        links: this.rules,
        // The caller's rule is asked about every link, since it may look at where a link stands.
        sendsRepeats: this.options.filterLink !== undefined,
      },
      onFindings: findings => this.collector!.found(findings),
      onFailure: error => this.fail(error),
    })
  }

  private startCollector(pool: WorkerPool): Collector {
    const { settings, clock, filterLink = () => true, isHeldUp = () => false } = this.options
    const { frontier, archive, pages } = this.folder
    const tell = (event: CrawlEvent) => this.tell(event)
    const gate = new RobotsGate(agentOf(settings.userAgent), settings.retries)
    const ledger: Ledger = new Ledger({
      archive,
      pages,
      frontier,
      clock,
      onPage: (page: PageLine, opening: string) => tell({ kind: 'page', atMs: clock(), page, opening }),
      onKept: () => this.collector!.goOn(),
      onFailure: error => this.fail(error),
    })
    const rooms = {
      settings,
      frontier,
      gate,
      servers: new Servers(new Resolver({ clock, hosts: settings.hosts }), frontier),
      outcomes: new Outcomes({ settings, gate, frontier, filterLink }),
      ledger,
      pool,
      clock,
      settlementOf: this.unsettled.settlementOf.bind(this.unsettled),
      tell,
      isHeldUp,
    }
    return new Collector(rooms, this.tally.pages, this.tally.pagesByHost)
  }

  private tell(event: CrawlEvent): void {
    this.tally.workMs = this.workMsAt(event.atMs)
    this.tally.record({ ...event, atMs: this.tally.workMs })
    if (event.kind === 'failed' || event.kind === 'again') this.failures++
    if (event.kind === 'crawl-delay') this.crawlDelays.set(event.host, event.ms)
    this.options.onEvent?.(event)
  }

  private fail(error: unknown): void {
    this.isClosing = true
    this.collector!.fail(error)
  }

  /** A tally of very many hosts takes its time; most of the time is for the crawl. */
  private saveLater(ms: number): void {
    this.saving = setTimeout(() => {
      const beginMs = this.options.clock()
      try {
        writeTally(this.folder.path, this.tally)
        this.saveLater(Math.max(TALLY_EVERY_MS, (this.options.clock() - beginMs) * SHARE_OF_SAVING))
      } catch (error) {
        this.fail(cannotWrite(error))
      }
    }, ms)
  }

  private workMsAt(atMs: number): number {
    return this.earlierWorkMs + atMs - this.startMs
  }
}

function cannotWrite(cause: unknown): EscalonaError {
  return new EscalonaError('CRAWL_UNWRITABLE', `cannot write the tally: ${reasonOf(cause)}`, { cause })
}

function rulesOf(settings: CrawlSettings, seeds: readonly WebUrl[]): LinkRuleOptions {
  const { scope, include, exclude, maxDepth } = settings
  return { scope, include, exclude, seeds: seeds.map(({ href }) => href), maxHops: maxDepth }
}

async function offerAll(frontier: Frontier, seeds: readonly WebUrl[]): Promise<void> {
  for (let at = 0; at < seeds.length; at += SEEDS_AT_ONCE) {
    const some = seeds.slice(at, at + SEEDS_AT_ONCE)
    await frontier.offer(some.map(({ href, depth }) => ({ url: href, depth, hops: 0 })))
  }
}
