import { archiveBytes } from '../archive/archive-bytes.ts'
import { systemTimer } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { reasonOf } from '../base/system-error.ts'
import { catalogue } from '../base/words/language.ts'
import { Resolver } from '../fetch/dns.ts'
import { Proxies } from '../fetch/proxies.ts'
import type { FrontierCounts } from '../frontier/frontier.ts'
import { Collector, type EndedBecause } from './conductor/collector.ts'
import { Committer } from './conductor/committer.ts'
import type { House } from './conductor/house.ts'
import { Leases } from './conductor/leases.ts'
import { live } from './conductor/live.ts'
import { NetworkWatch } from './conductor/network-watch.ts'
import { Policy } from './conductor/policy.ts'
import { RobotsGate } from './conductor/robots-gate.ts'
import { ShorterPaths } from './conductor/shorter-paths.ts'
import { Slots } from './conductor/slots.ts'
import type { CrawlFile } from './crawl-file.ts'
import { abandonCrawlFolder, type CrawlFolder, closeCrawlFolder } from './crawl-folder.ts'
import { type OpenDesk, openDesk } from './desk/open-desk.ts'
import type { CrawlEvent, CrawlHappening } from './events.ts'
import { HostBook, hostHeaders } from './host-settings.ts'
import { RateLimit, RunLimits } from './limits.ts'
import { openFilesAllow } from './open-files.ts'
import { type Opening, type OpeningOptions, type OpenRun, openRun } from './opening.ts'
import { requeueRefused } from './requeue.ts'
import { Rests, restCause } from './rests.ts'
import { wasDeeper } from './run-plan.ts'
import type { SeedLine } from './seeds-file.ts'
import { agentOf, type CrawlSettings } from './settings.ts'
import { type Eta, estimate } from './stats/eta.ts'
import { type HostSurvey, surveyHosts } from './stats/host-survey.ts'
import type { Stats } from './stats/stats.ts'
import { writeStats } from './stats/stats-file.ts'
import { type WaitingFacts, waitingFor } from './waiting-for.ts'
import { WorkerPool } from './worker/worker-pool.ts'

export type { Opening } from './opening.ts'

export interface SessionOptions extends OpeningOptions {
  onEvent?(event: CrawlEvent): void
  isHeldUp?(): boolean
}

/** The progress of a running crawl. */
export interface CrawlProgress {
  readonly pages: number
  readonly requests: number
  readonly wireBytes: number
  readonly failures: number
  readonly openRequests: number
  readonly frontier: FrontierCounts
}

/** Why a run of a crawl ended, what its frontier counted, and a survey of its hosts. */
export interface CrawlEnd {
  readonly because: EndedBecause
  readonly frontier: FrontierCounts
  readonly hosts: HostSurvey
}

const words = catalogue({
  en: {
    unwritable: (why: string) => `cannot write the statistics: ${why}; fix that, then run the same command to continue`,
    fewFiles: (allowed: number, wanted: number) =>
      `the limit on open files allows ${allowed} requests at once, not ${wanted}; raise it with ulimit -n`,
    workerDied: (why: string) => `a worker thread died and was replaced: ${why}`,
  },
  pt: {
    unwritable: (why: string) =>
      `não foi possível gravar as estatísticas: ${why}; resolva isso e execute o mesmo comando para continuar`,
    fewFiles: (allowed: number, wanted: number) =>
      `o limite de arquivos abertos permite ${allowed} requisições ao mesmo tempo, não ${wanted}; aumente-o com ulimit -n`,
    workerDied: (why: string) => `uma thread de trabalho morreu e foi substituída: ${why}`,
  },
})

/** How often statistics are saved when something has happened, and otherwise. */
const STATS_EVERY_MS = 1000
const IDLE_STATS_EVERY_MS = 5000
/** When this much is waiting to be written to disk, no new links are taken. */
const MOST_WAITING_BYTES = 64 << 20

/** One run of a crawl in its folder. */
export class Session {
  readonly stats: Stats
  /** What this run began with. */
  readonly opening: Opening
  /** The settings in effect: what was given now or in an earlier run, and defaults for the rest. */
  readonly settings: CrawlSettings
  /** The contents of `crawl.json`: this crawl and its runs. */
  file: CrawlFile
  private readonly options: SessionOptions
  private readonly folder: CrawlFolder
  private readonly opened: OpenRun
  private collector: Collector | undefined
  private slots: Slots | undefined
  /** Collects the facts for `waitingFor`; undefined before the crawl runs. */
  private facts: (() => Omit<WaitingFacts, 'outlook'>) | undefined
  private readonly rests = new Rests()
  private isStopped = false
  private readonly startMs: number
  private readonly earlierWorkMs: number
  private failures = 0
  private saving: NodeJS.Timeout | undefined
  private savedAtMs: number
  private isUnsaved = true
  /** The frontier is about to be closed and must not be called any more. */
  private isClosing = false
  private counts: FrontierCounts

  /** Opens the folder, repairs what a crash left behind, and offers the seeds. */
  static async open(options: SessionOptions): Promise<Session> {
    return new Session(options, await openRun(options))
  }

  private constructor(options: SessionOptions, opened: OpenRun) {
    this.options = options
    this.opened = opened
    this.folder = opened.folder
    this.settings = opened.folder.plan.settings
    this.opening = opened.opening
    this.file = opened.file
    this.stats = opened.stats
    this.counts = opened.counts
    this.startMs = options.clock()
    this.savedAtMs = this.startMs
    this.earlierWorkMs = opened.stats.workMs
  }

  /** All seeds of the crawl, from this run and earlier ones. */
  get seeds(): readonly string[] {
    return this.folder.seeds.given
  }

  /** Runs until the limit is reached, nothing is left or the crawl is stopped; then closes everything. */
  async run(): Promise<CrawlEnd> {
    const { clock } = this.options
    const { settings } = this
    const rate = new RateLimit(settings.maxRequestsPerSecond, clock)
    const slots = new Slots(this.slotsAllowed(), { rate, timer: systemTimer })
    this.slots = slots
    const workers = this.startWorkers(slots)
    const collector = this.startCollector(workers, slots)
    this.collector = collector
    if (this.isStopped) collector.stop()
    this.saving = setInterval(() => this.save(), STATS_EVERY_MS)
    const desk = await this.openDesk()
    try {
      const because = await this.collect(collector).finally(() => desk.close())
      const end = { because, ...(await this.survey()) }
      this.isClosing = true
      const atMs = this.options.clock()
      this.stampStats(atMs)
      this.file = await closeCrawlFolder(this.folder, this.stats, { file: this.file, because, atMs })
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

  /** Opens the desk, so that people can look at the crawl while it runs. */
  private openDesk(): Promise<OpenDesk> {
    return openDesk({
      folder: this.folder.path,
      frontier: this.folder.frontier,
      rules: this.opened.rules,
      agent: agentOf(this.settings.userAgent),
      clock: this.options.clock,
      restCause: host => this.facts && restCause(host, this.facts()),
      pages: () => this.stats.pages,
      now: async () => {
        const { requests, wireBytes } = this.stats
        const workMs = this.workMsAt(this.options.clock())
        return { requests, wireBytes, workMs, openRequests: this.slots?.open ?? 0, waitingFor: await this.waitingFor() }
      },
      onTrouble: message => this.emit({ kind: 'trouble', message }),
    })
  }

  /** Runs the collector. When nothing is left, requeues links that were held before a seed redirected to their host. */
  private async collect(collector: Collector): Promise<EndedBecause> {
    const { rules } = this.opened
    for (;;) {
      const because = await collector.run()
      if (because !== 'nothing left' || !rules.hasGrown) return because
      const requeued = await requeueRefused(this.folder.frontier, ['scope'], rules)
      if (Object.keys(requeued).length === 0) return because
    }
  }

  /** Finishes the open requests, then ends the run. */
  stop(): void {
    this.isStopped = true
    this.collector?.stop()
  }

  /** Call this when `isHeldUp` has become false: the crawl takes links again. */
  goOn(): void {
    this.collector?.goOn()
  }

  async progress(): Promise<CrawlProgress> {
    const { pages, requests, wireBytes } = this.stats
    if (!this.isClosing) this.counts = await this.folder.frontier.counts()
    const openRequests = this.slots?.open ?? 0
    return { pages, requests, wireBytes, failures: this.failures, openRequests, frontier: this.counts }
  }

  /** What a report needs besides the statistics. Looks at every host. */
  async survey(): Promise<Omit<CrawlEnd, 'because'>> {
    const { frontier } = this.folder
    const hosts = await surveyHosts(frontier)
    this.counts = await frontier.counts()
    return { frontier: this.counts, hosts }
  }

  /** One sentence about what the crawl is waiting for; empty while it makes as many requests at once as it may. */
  async waitingFor(): Promise<string> {
    if (this.facts === undefined || this.isClosing) return ''
    const outlook = await this.folder.frontier.outlook()
    return waitingFor({ ...this.facts(), outlook })
  }

  async eta(pagesPerSecond: number): Promise<Eta | undefined> {
    if (this.isClosing) return undefined
    const { limit } = this.settings
    const { done, refused } = this.counts
    const backlog = await this.folder.frontier.backlog()
    return estimate({
      wanted: limit === Infinity ? undefined : limit - this.stats.pages,
      pagesPerSecond,
      pageShare: Math.min(1, this.stats.pages / Math.max(1, done + refused)),
      backlog: backlog.map(({ delayMs, ...rest }) => ({ ...rest, gapMs: delayMs })),
    })
  }

  /** How many requests may be open at once: fewer than wanted if the system's limit on open files is low. */
  private slotsAllowed(): number {
    const { concurrency, workers } = this.settings
    const allowed = openFilesAllow(concurrency, workers)
    if (allowed < concurrency)
      this.emit({
        kind: 'trouble',
        message: words().fewFiles(allowed, concurrency),
      })
    return allowed
  }

  private startWorkers(slots: Slots): WorkerPool {
    const { settings } = this
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
        hostHeaders: hostHeaders(settings.hostSettings),
        archiveSecrets: settings.archiveSecrets,
        proxy: settings.proxy,
        // Idle connections are kept for the next page, within the limit on open files.
        maxConnections: slots.size < settings.concurrency ? slots.size : 1000,
        links: this.opened.ruleOptions,
        // filterLink must see every link each time, since it may depend on the page that the link is on.
        sendsRepeats: this.options.filterLink !== undefined,
      },
      onWorkerDeath: cause => this.emit({ kind: 'trouble', message: words().workerDied(reasonOf(cause)) }),
      onFailure: error => this.collector?.fail(error),
    })
  }

  private startCollector(workers: WorkerPool, slots: Slots): Collector {
    const { clock, filterLink, isHeldUp = () => false } = this.options
    const { settings } = this
    const { rules, held } = this.opened
    const { frontier, archive, pages, failures } = this.folder
    const gate = new RobotsGate(frontier)
    const hosts = new HostBook(settings)
    const seeds = { append: (lines: readonly SeedLine[]) => this.admit(lines) }
    const paths = new ShorterPaths(frontier, settings.maxDepth < Infinity || filterLink !== undefined)
    const committer = new Committer({ archive, pages, failures, seeds, frontier, paths })
    const leases = new Leases(frontier, clock)
    const network = new NetworkWatch(clock, this.counts.pages > 0, message => this.emit({ kind: 'trouble', message }))
    const names = new Resolver({
      clock,
      hosts: settings.hosts,
      ...(settings.dnsServers.length > 0 && { servers: settings.dnsServers }),
    })
    const house: House = {
      frontier,
      policy: new Policy({
        settings,
        hosts,
        gate,
        rules,
        held,
        filterLink,
        filterWaiting: this.opening.isNew ? undefined : filterLink,
        mayBeTooDeep: wasDeeper(this.file.runs, this.opening.isNew, settings.maxDepth),
      }),
      names,
      proxies: new Proxies(settings.proxy),
      slots,
      network,
      workers,
      committer,
      hosts,
      clock,
      isTooLate: ticket => leases.endsWithin(ticket, settings.timeoutMs),
      emit: happened => this.emit(happened),
    }
    const isDiskBusy = () => committer.waitingBytes > MOST_WAITING_BYTES
    const formerBytes = archiveBytes(this.folder.path)
    const collector = new Collector({
      frontier,
      slots,
      leases,
      network,
      limits: new RunLimits(settings, clock, () => formerBytes + archive.appendedBytes),
      clock,
      timer: systemTimer,
      abandon: () => workers.abandon(),
      live: ticket => live(paths.shortest(ticket), house),
      isHeldUp: () => isHeldUp() || isDiskBusy(),
    })
    this.facts = () => ({
      nowMs: clock(),
      slots,
      lookups: names.lookups,
      network,
      isEnding: collector.isEnding,
      isShort: collector.isShort,
      heldUpBy: isDiskBusy() ? 'disk' : isHeldUp() ? 'reader' : undefined,
      maxRequestsPerSecond: settings.maxRequestsPerSecond,
      delayMs: host => hosts.delayMs(host),
      isServerSlower: settings.serverDelayMs > settings.delayMs,
      rest: host => this.rests.of(host),
    })
    return collector
  }

  /** Admits what seeds redirect to into the scope, in this run and all later ones. */
  private admit(redirected: readonly SeedLine[]): void {
    this.folder.seeds.append(redirected)
    for (const { url } of redirected) this.opened.rules.admit(url)
  }

  private emit(happened: CrawlHappening): void {
    const atMs = this.options.clock()
    this.stats.workMs = this.workMsAt(atMs)
    this.stats.record(happened, this.stats.workMs)
    this.isUnsaved = true
    this.rests.hear(happened, atMs)
    if (happened.kind === 'failed' || happened.kind === 'again') this.failures++
    if (happened.kind === 'gone') this.failures += happened.links
    if (this.options.onEvent !== undefined) this.options.onEvent({ ...happened, atMs })
  }

  private save(): void {
    const atMs = this.options.clock()
    if (!this.isUnsaved && atMs - this.savedAtMs < IDLE_STATS_EVERY_MS) return
    this.stampStats(atMs)
    this.isUnsaved = false
    this.savedAtMs = atMs
    try {
      writeStats(this.folder.path, this.stats)
    } catch (error) {
      this.collector?.fail(cannotWrite(error))
    }
  }

  private stampStats(atMs: number): void {
    this.stats.workMs = this.workMsAt(atMs)
    this.stats.failuresBytes = this.folder.failures.bytes
  }

  private workMsAt(atMs: number): number {
    return this.earlierWorkMs + atMs - this.startMs
  }
}

function cannotWrite(cause: unknown): EscalonaError {
  const message = words().unwritable(reasonOf(cause))
  return new EscalonaError('CRAWL_UNWRITABLE', message, { cause })
}
