import { type Clock, systemTimer } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { reasonOf } from '../base/system-error.ts'
import { Resolver } from '../fetch/dns.ts'
import type { Frontier, FrontierCounts } from '../frontier/frontier.ts'
import { registrableDomain } from '../url/registrable-domain.ts'
import type { WebUrl } from '../url/web.ts'
import { allHosts } from './all-hosts.ts'
import { Collector, type EndedBecause } from './conductor/collector.ts'
import { Committer } from './conductor/committer.ts'
import type { FilterLink } from './conductor/filtered-links.ts'
import { settleFormerVisits } from './conductor/former-visits.ts'
import type { House } from './conductor/house.ts'
import { Leases } from './conductor/leases.ts'
import { live } from './conductor/live.ts'
import { NetworkWatch } from './conductor/network-watch.ts'
import { Policy } from './conductor/policy.ts'
import { RobotsGate } from './conductor/robots-gate.ts'
import { Slots } from './conductor/slots.ts'
import { abandonCrawlFolder, type CrawlFolder, closeCrawlFolder, openCrawlFolder } from './crawl-folder.ts'
import { type OpenDesk, openDesk } from './desk/open-desk.ts'
import type { CrawlEvent, CrawlHappening } from './events.ts'
import { openFilesAllow } from './open-files.ts'
import { agentOf, type CrawlSettings } from './settings.ts'
import { type Eta, estimate } from './stats/eta.ts'
import { type HostSurvey, surveyHosts } from './stats/host-survey.ts'
import type { Stats } from './stats/stats.ts'
import { readStats, writeStats } from './stats/stats-file.ts'
import { type LinkRuleOptions, linkRules } from './worker/link-rules.ts'
import { WorkerPool } from './worker/worker-pool.ts'

export interface SessionOptions {
  /** Where everything is kept; a crawl that was begun there goes on. */
  readonly folder: string
  readonly seeds: readonly WebUrl[]
  readonly settings: CrawlSettings
  readonly version: string
  /** Unix time. */
  readonly clock: Clock
  readonly filterLink?: FilterLink | undefined
  onEvent?(event: CrawlEvent): void
  /** Is told in words what a crash had left behind and was repaired. */
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
  readonly hosts: HostSurvey
}

const STATS_EVERY_MS = 5000
const SEEDS_AT_ONCE = 1000
/** When so much waits for the disk, no new links are taken. */
const MOST_WAITING_BYTES = 64 << 20

/** One run of a crawl in its folder. */
export class Session {
  readonly stats: Stats
  private readonly options: SessionOptions
  private readonly folder: CrawlFolder
  private readonly rules: LinkRuleOptions
  private collector: Collector | undefined
  private slots: Slots | undefined
  private isStopped = false
  private readonly startMs: number
  private readonly earlierWorkMs: number
  private failures = 0
  private saving: NodeJS.Timeout | undefined
  /** From now on the frontier may not be asked any more. */
  private isClosing = false
  private counts: FrontierCounts

  /** Opens the folder, repairs what a crash left behind, and offers the seeds. */
  static async open(options: SessionOptions): Promise<Session> {
    const { settings, seeds, version, clock, filterLink, onRepair = () => {} } = options
    const folder = await openCrawlFolder({ path: options.folder, settings, version, clock, onRepair })
    try {
      const { frontier, pages } = folder
      const rules = rulesOf(settings, seeds)
      await settleFormerVisits(folder.recent, {
        crawl: folder.path,
        frontier,
        pages,
        agent: agentOf(settings.userAgent),
        rules: linkRules(rules, registrableDomain),
        filterLink,
      })
      const stats = await readStats(folder.path, pages.lines, clock())
      for await (const { host, pages } of allHosts(frontier)) if (pages > 0) stats.domains.add(registrableDomain(host))
      await offerAll(frontier, seeds)
      return new Session(options, folder, rules, stats, await frontier.counts())
    } catch (error) {
      await abandonCrawlFolder(folder)
      throw error
    }
  }

  private constructor(
    options: SessionOptions,
    folder: CrawlFolder,
    rules: LinkRuleOptions,
    stats: Stats,
    counts: FrontierCounts,
  ) {
    this.options = options
    this.folder = folder
    this.rules = rules
    this.stats = stats
    this.counts = counts
    this.startMs = options.clock()
    this.earlierWorkMs = stats.workMs
  }

  /** Runs until the limit is reached, nothing is left or somebody stops it; then everything is closed. */
  async run(): Promise<CrawlEnd> {
    const slots = new Slots(this.slotsAllowed())
    this.slots = slots
    const workers = this.startWorkers(slots)
    const collector = this.startCollector(workers, slots)
    this.collector = collector
    if (this.isStopped) collector.stop()
    this.saving = setInterval(() => this.save(), STATS_EVERY_MS)
    const desk = await this.openDesk()
    try {
      const because = await collector.run().finally(() => desk.close())
      const end = { because, ...(await this.survey()) }
      this.isClosing = true
      this.stats.workMs = this.workMsAt(this.options.clock())
      await closeCrawlFolder(this.folder, this.stats)
      return end
    } catch (error) {
      this.isClosing = true
      await abandonCrawlFolder(this.folder)
      throw error
    } finally {
      clearInterval(this.saving)
      await workers.close()
    }
  }

  /** From now on people can look at the crawl while it runs. */
  private openDesk(): Promise<OpenDesk> {
    const { settings, clock } = this.options
    return openDesk({
      folder: this.folder.path,
      frontier: this.folder.frontier,
      rules: linkRules(this.rules, registrableDomain),
      agent: agentOf(settings.userAgent),
      clock,
      pages: () => this.stats.pages,
      now: async () => {
        const { requests, wireBytes } = this.stats
        return { requests, wireBytes, openRequests: this.slots?.open ?? 0, waitingFor: '' }
      },
      onTrouble: message => this.emit({ kind: 'trouble', message }),
    })
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

  async progress(): Promise<CrawlProgress> {
    const { pages, requests, wireBytes } = this.stats
    if (!this.isClosing) this.counts = await this.folder.frontier.counts()
    const openRequests = this.slots?.open ?? 0
    return { pages, requests, wireBytes, failures: this.failures, openRequests, frontier: this.counts }
  }

  /** What a report needs besides the statistics; looks at every host. */
  async survey(): Promise<Omit<CrawlEnd, 'because'>> {
    const { frontier } = this.folder
    const hosts = await surveyHosts(frontier)
    this.counts = await frontier.counts()
    return { frontier: this.counts, hosts }
  }

  async eta(pagesPerSecond: number): Promise<Eta | undefined> {
    if (this.isClosing) return undefined
    const { limit } = this.options.settings
    const { done, refused } = this.counts
    const backlog = await this.folder.frontier.backlog()
    return estimate({
      wanted: limit === Infinity ? undefined : limit - this.stats.pages,
      pagesPerSecond,
      pageShare: Math.min(1, this.stats.pages / Math.max(1, done + refused)),
      backlog: backlog.map(({ delayMs, ...rest }) => ({ ...rest, gapMs: delayMs })),
    })
  }

  /** Fewer than wanted where the system allows only few open files. */
  private slotsAllowed(): number {
    const { concurrency, workers } = this.options.settings
    const allowed = openFilesAllow(concurrency, workers)
    if (allowed < concurrency)
      this.emit({
        kind: 'trouble',
        message: `the limit of open files allows ${allowed} requests at once, not ${concurrency}; raise it with ulimit -n`,
      })
    return allowed
  }

  private startWorkers(slots: Slots): WorkerPool {
    const { settings } = this.options
    const { userAgent, timeoutMs, connectTimeoutMs, firstByteTimeoutMs, maxBodyBytes, allowNetworks, workers } =
      settings
    return new WorkerPool({
      workers,
      data: {
        userAgent,
        agent: agentOf(userAgent),
        timeoutMs,
        connectTimeoutMs,
        firstByteTimeoutMs,
        maxBodyBytes,
        allowNetworks,
        // Idle connections are kept for the next page, as far as open files allow.
        maxConnections: slots.size < settings.concurrency ? slots.size : 1000,
        links: this.rules,
        // The caller's rule is asked about every link, since it may look at where a link stands.
        sendsRepeats: this.options.filterLink !== undefined,
      },
      onWorkerDeath: cause =>
        this.emit({ kind: 'trouble', message: `a worker thread ended and was replaced: ${reasonOf(cause)}` }),
      onFailure: error => this.collector?.fail(error),
    })
  }

  private startCollector(workers: WorkerPool, slots: Slots): Collector {
    const { settings, clock, filterLink, isHeldUp = () => false } = this.options
    const { frontier, archive, pages } = this.folder
    const gate = new RobotsGate(frontier)
    const committer = new Committer({ archive, pages, frontier })
    const leases = new Leases(frontier, clock)
    const network = new NetworkWatch(clock, this.counts.pages > 0, message => this.emit({ kind: 'trouble', message }))
    const house: House = {
      frontier,
      policy: new Policy({ settings, gate, filterLink }),
      names: new Resolver({
        clock,
        hosts: settings.hosts,
        ...(settings.dnsServers.length > 0 && { servers: settings.dnsServers }),
      }),
      slots,
      network,
      workers,
      committer,
      delayMs: settings.delayMs,
      clock,
      isTooLate: ticket => leases.endsWithin(ticket, settings.timeoutMs),
      emit: happened => this.emit(happened),
    }
    return new Collector({
      frontier,
      slots,
      leases,
      network,
      clock,
      timer: systemTimer,
      abandon: () => workers.abandon(),
      live: ticket => live(ticket, house),
      isHeldUp: () => isHeldUp() || committer.waitingBytes > MOST_WAITING_BYTES,
    })
  }

  private emit(happened: CrawlHappening): void {
    const atMs = this.options.clock()
    this.stats.workMs = this.workMsAt(atMs)
    this.stats.record(happened, this.stats.workMs)
    if (happened.kind === 'failed' || happened.kind === 'again') this.failures++
    if (this.options.onEvent !== undefined) this.options.onEvent({ ...happened, atMs })
  }

  private save(): void {
    try {
      writeStats(this.folder.path, this.stats)
    } catch (error) {
      this.collector?.fail(cannotWrite(error))
    }
  }

  private workMsAt(atMs: number): number {
    return this.earlierWorkMs + atMs - this.startMs
  }
}

function cannotWrite(cause: unknown): EscalonaError {
  const message = `cannot write the statistics: ${reasonOf(cause)}; the same command goes on after that`
  return new EscalonaError('CRAWL_UNWRITABLE', message, { cause })
}

function rulesOf(settings: CrawlSettings, seeds: readonly WebUrl[]): LinkRuleOptions {
  const { scope, include, exclude, maxDepth } = settings
  return { scope, include, exclude, seeds: seeds.map(({ href }) => href), maxHops: maxDepth }
}

async function offerAll(frontier: Frontier, seeds: readonly WebUrl[]): Promise<void> {
  for (let at = 0; at < seeds.length; at += SEEDS_AT_ONCE) {
    const some = seeds.slice(at, at + SEEDS_AT_ONCE)
    await frontier.offer(some.map(({ href, depth }) => ({ url: href, pathDepth: depth, hops: 0 })))
  }
}
