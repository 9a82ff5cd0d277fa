import { archiveBytes } from '../archive/archive-bytes.ts'
import { systemTimer } from '../base/clock.ts'
import { reasonOf } from '../base/system-error.ts'
import { catalogue } from '../base/words/language.ts'
import { Resolver } from '../fetch/dns.ts'
import { Proxies } from '../fetch/proxies.ts'
import type { HostView } from '../frontier/frontier.ts'
import type { ActionResult } from './actions.ts'
import { Collector, type EndedBecause, SHARED_BATCHES } from './conductor/collector.ts'
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
import { type CrawlEnd, type CrawlProgress, CrawlView } from './crawl-view.ts'
import { type OpenDesk, openDesk } from './desk/open-desk.ts'
import type { CrawlEvent, CrawlHappening } from './events.ts'
import { HostBook } from './host-settings.ts'
import { RateLimit, RunLimits } from './limits.ts'
import { openFilesAllow } from './open-files.ts'
import { type Opening, type OpeningOptions, type OpenRun, openRun } from './opening.ts'
import { requeueRefused } from './requeue.ts'
import { type RestCause, Rests, restCause } from './rests.ts'
import { wasDeeper } from './run-plan.ts'
import type { SeedLine } from './seeds-file.ts'
import type { SessionNow, SessionState } from './session-now.ts'
import { agentOf, type CrawlSettings } from './settings.ts'
import { Membership } from './shared/membership.ts'
import { deepestIn } from './shared/terms.ts'
import { startWorkers } from './start-workers.ts'
import type { Eta } from './stats/eta.ts'
import type { Stats } from './stats/stats.ts'
import { StatsKeeper } from './stats/stats-keeper.ts'
import { type WaitingFacts, waitingFor } from './waiting-for.ts'
import type { LinkRules } from './worker/link-rules.ts'
import type { WorkerPool } from './worker/worker-pool.ts'

export type { CrawlEnd, CrawlProgress, CrawlShare } from './crawl-view.ts'
export type { Opening } from './opening.ts'

export interface SessionOptions extends OpeningOptions {
  onEvent?(event: CrawlEvent): void
  isHeldUp?(): boolean
}

const words = catalogue({
  en: {
    fewFiles: (allowed: number, wanted: number) =>
      `the limit on open files allows ${allowed} requests at once, not ${wanted}; raise it with ulimit -n`,
    workerDied: (why: string) => `a worker thread died and was replaced: ${why}`,
    unsettled: 'the frontier is still away; the pages archived last are settled at the next start',
  },
  pt: {
    fewFiles: (allowed: number, wanted: number) =>
      `o limite de arquivos abertos permite ${allowed} requisições ao mesmo tempo, não ${wanted}; aumente-o com ulimit -n`,
    workerDied: (why: string) => `uma thread de trabalho morreu e foi substituída: ${why}`,
    unsettled: 'a fronteira continua fora; as últimas páginas arquivadas são registradas no próximo início',
  },
})

/** When this much is waiting to be written to disk, no new links are taken. */
const MOST_WAITING_BYTES = 64 << 20
/** Far less than the delay of a host. */
const GATHER_MS = 20

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
  private failures = 0
  private readonly keeper: StatsKeeper
  private readonly view: CrawlView
  /** Present while the crawl runs. */
  private desk: OpenDesk | undefined
  /** Present while a crawl that machines share runs. */
  private membership: Membership | undefined
  /** Why the frontier cannot be used for now. */
  private frontierTrouble: string | undefined

  /** Opens the folder, repairs what a crash left behind, and offers the seeds. */
  static async open(options: SessionOptions): Promise<Session> {
    let session: Session | undefined
    const onTrouble = (message: string) =>
      session === undefined ? options.onRepair?.(message) : session.hearOfFrontier(message)
    session = new Session(options, await openRun({ ...options, onTrouble }))
    return session
  }

  private constructor(options: SessionOptions, opened: OpenRun) {
    this.options = options
    this.opened = opened
    this.folder = opened.folder
    this.settings = opened.folder.plan.settings
    this.opening = opened.opening
    this.file = opened.file
    this.stats = opened.stats
    this.keeper = new StatsKeeper(opened.stats, opened.folder, options.clock)
    this.view = new CrawlView(opened.folder, opened.stats, opened.counts, options.clock)
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
    this.keeper.start(error => collector.fail(error))
    const { shared } = this.folder
    if (shared !== undefined) {
      this.membership = new Membership(shared, {
        admit: lines => this.admit(lines),
        progress: () => ({ file: this.file, stats: this.stats }),
      })
      if (this.isStopped) this.membership.leave()
    }
    const desk = await this.openDesk()
    this.desk = desk
    try {
      const because = await this.collect(collector).finally(() => desk.close())
      const end = { because, ...(await this.survey()) }
      this.view.close()
      const atMs = this.options.clock()
      this.keeper.stamp(atMs)
      await this.membership?.report({ because, atMs })
      this.file = await closeCrawlFolder(this.folder, this.stats, { file: this.file, because, atMs })
      return end
    } catch (error) {
      this.view.close()
      if (!this.membership?.hasGivenUp) {
        await abandonCrawlFolder(this.folder)
        throw error
      }
      return this.endUnsettled()
    } finally {
      this.keeper.stop()
      this.membership?.close()
      await workers.close()
    }
  }

  /** The frontier is away: what was archived last is settled at the next start, as after a kill. */
  private async endUnsettled(): Promise<CrawlEnd> {
    this.keeper.save(this.options.clock())
    await abandonCrawlFolder(this.folder)
    this.emit({ kind: 'trouble', message: words().unsettled })
    return { because: 'stopped', ...this.view.lastKnown() }
  }

  /** Opens the desk, so that people can look at the crawl while it runs. */
  private openDesk(): Promise<OpenDesk> {
    const { shared } = this.folder
    return openDesk({
      folder: this.folder.path,
      frontier: this.folder.frontier,
      clock: this.options.clock,
      rules: () => this.rules,
      agent: () => agentOf(this.settings.userAgent),
      gapOf: host => this.gapOf(host),
      blockedUntilMs: host => this.blockedUntilMs(host),
      restCause: host => this.restCause(host),
      machines: shared && (() => shared.machines),
      totals: () => {
        const { pages, wireBytes } = this.stats
        return { pages, wireBytes, failures: this.failures, openRequests: this.slots?.open ?? 0 }
      },
      timeline: () => this.stats.timeline.toJSON(),
      now: pagesPerSecond => this.now(pagesPerSecond),
      act: action => this.act(action),
      onTrouble: message => this.emit({ kind: 'trouble', message }),
    })
  }

  /** Runs the collector. When nothing is left, requeues links that were held before a seed redirected to their host. */
  private async collect(collector: Collector): Promise<EndedBecause> {
    const { rules } = this.opened
    for (let seeds = 0; ; ) {
      const because = await collector.run()
      if (because !== 'nothing left') return because
      await this.membership?.learnSeeds()
      // Another machine may have requeued them all by now; there is work again all the same.
      if (!rules.hasGrown || this.folder.seeds.all.size === seeds) return because
      seeds = this.folder.seeds.all.size
      await requeueRefused(this.folder.frontier, ['scope'], rules)
    }
  }

  /** Finishes the open requests, then ends the run. */
  stop(): void {
    if (!this.isStopped) this.membership?.leave()
    this.isStopped = true
    this.collector?.stop()
  }

  /** Call this when `isHeldUp` has become false: the crawl takes links again. */
  goOn(): void {
    this.collector?.goOn()
  }

  progress(): Promise<CrawlProgress> {
    return this.view.progress(this.failures, this.slots?.open ?? 0)
  }

  /** What a report needs besides the statistics. Looks at every host. */
  survey(): Promise<Omit<CrawlEnd, 'because'>> {
    return this.view.survey()
  }

  /** One sentence about what the crawl is waiting for; empty while it makes as many requests at once as it may. */
  async waitingFor(): Promise<string> {
    if (this.facts === undefined || this.view.isClosed) return ''
    if (this.frontierTrouble !== undefined) return this.frontierTrouble
    return waitingFor({ ...this.facts(), outlook: await this.view.outlook() })
  }

  eta(pagesPerSecond: number): Promise<Eta | undefined> {
    return this.view.eta(pagesPerSecond)
  }

  get state(): SessionState {
    return this.view.isClosed ? 'ended' : this.isStopped ? 'stopping' : 'running'
  }

  /** Where the crawl stands now. `pagesPerSecond`: over the last few seconds, for the estimate of the remaining time. */
  async now(pagesPerSecond: number): Promise<SessionNow> {
    const { pages, requests, wireBytes, openRequests, frontier, machines } = await this.progress()
    const outlook = await this.view.outlook()
    const { ready, resting, down } = outlook
    const { limit } = this.settings
    const doing = await this.waitingFor()
    return {
      state: this.state,
      pages,
      limit: limit === Infinity ? undefined : limit,
      requests,
      wireBytes,
      workMs: this.keeper.workMsAt(this.options.clock()),
      openRequests,
      slots: this.slots?.size ?? 0,
      frontier,
      outlook,
      hosts: { ready, resting, down, blocked: 0 },
      eta: await this.eta(pagesPerSecond),
      doing: { en: doing, pt: doing },
      machines,
    }
  }

  /** Does something to the crawl; one action at a time. The input may come from anywhere and is checked. */
  async act(_action: unknown): Promise<ActionResult> {
    return {}
  }

  /** The time between two requests to a host according to the settings, and whether the host has a setting of its own. */
  gapOf(_host: string): { readonly ms: number; readonly by: 'setting' | 'host setting' } {
    return { ms: this.settings.delayMs, by: 'setting' }
  }

  /** Until when a person blocks a host, in milliseconds since 1970; undefined when nobody does. */
  blockedUntilMs(_host: string): number | undefined {
    return undefined
  }

  /** Why a host cannot be asked yet, if known. */
  restCause(host: HostView): RestCause | undefined {
    return this.facts && restCause(host, this.facts())
  }

  /** The rules for links of the settings in effect. Another object after a change of settings. */
  get rules(): LinkRules {
    return this.opened.rules
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
    return startWorkers(this.settings, {
      slots: slots.size,
      links: this.opened.ruleOptions,
      // filterLink must see every link each time, since it may depend on the page that the link is on.
      sendsRepeats: this.options.filterLink !== undefined,
      onWorkerDeath: cause => this.emit({ kind: 'trouble', message: words().workerDied(reasonOf(cause)) }),
      onFailure: error => this.collector?.fail(error),
    })
  }

  private startCollector(workers: WorkerPool, slots: Slots): Collector {
    const { clock, filterLink, isHeldUp = () => false } = this.options
    const { settings } = this
    const { rules, held } = this.opened
    const { frontier, shared, archive, pages, failures } = this.folder
    const gate = new RobotsGate(frontier)
    const hosts = new HostBook(settings)
    const seeds = { append: (lines: readonly SeedLine[]) => this.redirected(lines) }
    const isByPath = settings.maxDepth < Infinity || filterLink !== undefined
    const paths = new ShorterPaths(frontier, isByPath, shared && settings.maxDepth)
    const committer = new Committer({
      archive,
      pages,
      failures,
      seeds,
      frontier,
      paths,
      ...(shared !== undefined && { gatherMs: GATHER_MS }),
    })
    const leases = new Leases(frontier, clock)
    const network = new NetworkWatch(clock, this.opened.counts.pages > 0, message =>
      this.emit({ kind: 'trouble', message }),
    )
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
        filterWaiting: this.opening.isNew && shared === undefined ? undefined : filterLink,
        mayBeTooDeep:
          shared === undefined
            ? wasDeeper(this.file.runs, this.opening.isNew, settings.maxDepth)
            : deepestIn(shared.joined.terms) > settings.maxDepth,
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
      live: async ticket => live(await paths.shortest(ticket), house),
      isHeldUp: () => isHeldUp() || isDiskBusy(),
      ...(shared !== undefined && { batches: SHARED_BATCHES }),
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

  private redirected(lines: readonly SeedLine[]): void {
    this.admit(lines)
    // If it is closed before, the next start adds them.
    this.folder.shared?.addSeeds(lines).catch(() => {})
  }

  /** Admits seeds of other machines, and what seeds redirect to, into the scope, in this run and all later ones. */
  private admit(lines: readonly SeedLine[]): void {
    this.folder.seeds.append(lines)
    for (const { url } of lines) this.opened.rules.admit(url)
  }

  /** Hears that the frontier cannot be used for now, or that this is over. */
  private hearOfFrontier(message: string): void {
    this.frontierTrouble = this.folder.shared?.frontier.isInTrouble ? message : undefined
    this.emit({ kind: 'trouble', message })
  }

  private emit(happened: CrawlHappening): void {
    const atMs = this.options.clock()
    this.keeper.record(happened, atMs)
    this.rests.hear(happened, atMs)
    if (happened.kind === 'failed' || happened.kind === 'again') this.failures++
    if (happened.kind === 'gone') this.failures += happened.links
    const event = { ...happened, atMs }
    this.desk?.hear(event)
    this.options.onEvent?.(event)
  }
}
