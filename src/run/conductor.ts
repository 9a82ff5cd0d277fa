import type { ArchiveWriter } from '../archive/archive-writer.ts'
import type { Clock, Timer } from '../base/clock.ts'
import { said } from '../base/messages/message.ts'
import type { FilterLink, PageAtHand } from '../decide/filtered-links.ts'
import { RateLimit, RunLimits } from '../decide/limits.ts'
import { type Attachment, attachedIn, writeNote } from '../decide/link-note.ts'
import { Novelty } from '../decide/novelty.ts'
import { Policy } from '../decide/policy.ts'
import { RevisitBudget } from '../decide/revisit-budget.ts'
import { RevisitPlan } from '../decide/revisit-plan.ts'
import { RobotsGate } from '../decide/robots-gate.ts'
import { HintBook, SitemapBook } from '../decide/sitemap-book.ts'
import type { Resolver } from '../fetch/dns.ts'
import { Proxies } from '../fetch/proxies.ts'
import type { SeedLine } from '../folder/seeds-file.ts'
import type { Ticket } from '../frontier/frontier.ts'
import type { CrawlHappening, EndedBecause } from '../settings/events.ts'
import { HostBook } from '../settings/host-settings.ts'
import type { CrawlSettings } from '../settings/settings.ts'
import type { WebUrl } from '../url/web.ts'
import type { Visitor } from '../visit/visitor.ts'
import { Collector, OpenLeases } from './collector.ts'
import { Committer, type CommitterDeps } from './committer.ts'
import { live, type Scores, type TicketContext } from './live.ts'
import { NetworkWatch } from './network-watch.ts'
import type { CrawlFolder } from './opening/crawl-folder.ts'
import type { RunConfig } from './opening/current-run.ts'
import { holdsByPath, ShorterPaths } from './opening/shorter-paths.ts'
import type { Rest } from './rests.ts'
import type { WorkFacts } from './run-status.ts'
import { Slots } from './slots.ts'

/** When this much is waiting to be written to disk, no new links are taken. */
const MOST_WAITING_BYTES = 64 << 20
/** How long pages are gathered for a round while many arrive. A shared frontier asks many shards per round. */
const GATHER_MS = 10
const SHARED_GATHER_MS = 20
/** Requests that are still open this long after a change of the rules are abandoned, and made again later. */
const LONGEST_QUIET_MS = 10_000

/** The web as a run sees it: the real one, or one in memory. */
export interface Web {
  readonly names: Pick<Resolver, 'resolve' | 'demote' | 'lookups'>
  /** How many of the requests that the settings want may be open at once. */
  requestsAllowed(settings: CrawlSettings): number
  /** With `--dedup`: visitors recognise what it is told is in the archive. */
  readonly payloads?: CommitterDeps['payloads']
  /** Called again when the rules change. */
  newVisitor(config: RunConfig, deps: VisitorDeps): Visitor
}

export interface VisitorDeps {
  readonly slots: number
  /** Called with a sentence about trouble that it has dealt with. */
  onTrouble(message: string): void
  onFailure(error: unknown): void
}

export interface ConductorDeps {
  readonly folder: Pick<CrawlFolder, 'frontier' | 'shared' | 'sitemaps'> &
    Pick<CommitterDeps, 'pages' | 'failures'> & {
      readonly archive: Pick<ArchiveWriter, 'append' | 'sync' | 'appendedBytes'>
    }
  /** What earlier runs archived. */
  readonly formerBytes: number
  readonly web: Web
  readonly clock: Clock
  readonly timer: Timer
  readonly longestSleepMs?: number
  readonly filterLink: FilterLink | undefined
  /** The caller's rule, applied again to links that were queued by an earlier run. */
  readonly filterWaiting: FilterLink | undefined
  readonly scores?: Scores | undefined
  readonly hasAnswered: boolean
  /** Links that are held because of the page they were found on. */
  readonly heldBack?: readonly string[]
  /** Whether the reader of the pages cannot keep up. */
  isHeldUp(): boolean
  /** Whether the reader of the pages may still enqueue links. */
  mayGetMore?(): boolean
  /** The longest rest of a host that is known. */
  rest(host: string): Rest | undefined
  isChallenged?(host: string): boolean
  /** Hears what seeds redirected to. */
  redirected(lines: readonly SeedLine[]): void
  emit(events: CrawlHappening): void
}

/** Conducts a run. What follows from the settings is made anew when they change; open tickets end by the new ones. */
export class Conductor implements TicketContext {
  readonly frontier: CrawlFolder['frontier']
  readonly slots: Slots
  readonly network: NetworkWatch
  readonly names: Web['names']
  readonly proxies: Proxies
  readonly committer: Committer
  readonly hints: HintBook
  readonly novelty = new Novelty()
  readonly scores: Scores | undefined
  readonly clock: Clock
  hosts: HostBook
  budget: RevisitBudget
  policy: Policy
  visitor: Visitor
  private readonly deps: ConductorDeps
  private readonly startMs: number
  private readonly gate: RobotsGate
  private readonly sitemaps: SitemapBook
  private readonly leases: OpenLeases
  private readonly paths: ShorterPaths
  private readonly collector: Collector
  private config: RunConfig
  private isPaused = false
  private isChanging = false

  constructor(deps: ConductorDeps, config: RunConfig) {
    const { folder, clock, timer, filterLink, formerBytes, web } = deps
    const { frontier, shared, archive, pages, failures } = folder
    const { settings } = config
    this.deps = deps
    this.config = config
    this.frontier = frontier
    this.scores = deps.scores
    this.clock = clock
    this.startMs = clock()
    this.slots = new Slots(this.slotsAllowed(), this.pace())
    this.network = new NetworkWatch(clock, deps.hasAnswered, message => this.emit({ kind: 'trouble', message }))
    this.names = web.names
    this.proxies = new Proxies(settings.proxy)
    this.gate = new RobotsGate(frontier, clock)
    this.sitemaps = new SitemapBook(frontier, folder.sitemaps.readAtMs)
    this.hints = new HintBook({
      ...{ plans: frontier, clock, records: folder.sitemaps.hints },
      leastMs: () => this.config.settings.recrawlMinMs,
    })
    this.leases = new OpenLeases(frontier, clock)
    this.paths = new ShorterPaths(frontier, holdsByPath(settings, filterLink), shared && settings.maxDepth)
    const seeds = { append: (lines: readonly SeedLine[]) => deps.redirected(lines) }
    for (const url of deps.heldBack ?? []) this.paths.hold(url)
    this.committer = new Committer({
      archive,
      pages,
      failures,
      seeds,
      frontier,
      paths: this.paths,
      gate: this.gate,
      sitemaps: this.sitemaps,
      earlier: config.earlier,
      payloads: web.payloads,
      gatherMs: shared === undefined ? GATHER_MS : SHARED_GATHER_MS,
      timer,
    })
    this.hosts = new HostBook(settings)
    this.budget = new RevisitBudget(settings)
    this.policy = this.newPolicy()
    this.visitor = this.newVisitor()
    this.collector = new Collector({
      frontier,
      slots: this.slots,
      leases: this.leases,
      network: this.network,
      limits: new RunLimits(settings, clock, () => formerBytes + archive.appendedBytes),
      clock,
      timer,
      ...(deps.longestSleepMs !== undefined && { longestSleepMs: deps.longestSleepMs }),
      abandon: () => this.visitor.abandon(),
      live: ticket => live(this.paths.shortest(ticket), this),
      endsAtPause: settings.recrawl !== 'yes',
      mayGetMore: () => deps.mayGetMore?.() ?? false,
      isHeldUp: () => this.isPaused || this.isChanging || this.heldUpBy !== undefined,
    })
  }

  /** Resolves when nothing is left to do, and everything is safe; may be called again when there is more. */
  run(): Promise<EndedBecause> {
    return this.collector.run()
  }

  stop(): void {
    this.collector.stop()
  }

  fail(error: unknown): void {
    this.collector.fail(error)
  }

  /** To be called when something has changed: there may be more to do. */
  goOn(): void {
    this.collector.goOn()
  }

  /** Offers a link that a program enqueues. Resolves when it is safe, to the reason why a setting keeps it out, if one does. */
  async enqueue(
    url: WebUrl,
    attached: Attachment,
    page: PageAtHand & { readonly hops: number },
  ): Promise<string | undefined> {
    const { rules, held, ranks } = this.config
    const hops = page.hops + 1
    const refused = rules.refusal(url, hops)
    if (refused === undefined || held.take()) {
      const note = writeNote({ from: page.url, of: attachedIn({ ...page }), ...attached })
      const link = { url: url.href, rank: ranks.ofUrl(url.href, hops), hops, note }
      await this.committer.offer([[refused === undefined ? link : { ...link, refused }]])
      this.goOn()
    }
    return refused
  }

  get isEnding(): boolean {
    return this.collector.isEnding
  }

  /** The frontier has lost links: what was believed known to it may not be. */
  forgetOffered(): void {
    this.visitor.forgetOffered()
    this.sitemaps.forgetAll()
  }

  /** Makes no new requests until `resume`. Tickets whose request has not begun go back to their places in the queue. */
  pause(): void {
    this.isPaused = true
    this.slots.hold()
  }

  resume(): void {
    this.isPaused = false
    if (!this.isChanging) this.slots.goOn()
    this.goOn()
  }

  /** Goes by other delays, limits and strategies from now on. The rules for links stay the same. */
  follow(config: RunConfig): void {
    const { settings: before } = this.config
    this.config = config
    const { concurrency, workers, maxRequestsPerSecond } = config.settings
    const isAsMany = concurrency === before.concurrency && workers === before.workers
    if (!isAsMany || maxRequestsPerSecond !== before.maxRequestsPerSecond)
      this.slots.change(isAsMany ? this.slots.size : this.slotsAllowed(), this.pace())
    this.hosts = new HostBook(config.settings)
    this.budget = this.budget.by(config.settings)
    this.policy = this.newPolicy()
    this.goOn()
  }

  async followAnew(change: () => Promise<RunConfig>): Promise<void> {
    this.isChanging = true
    this.slots.hold()
    const cancelAbandon = this.deps.timer(LONGEST_QUIET_MS, () => {
      this.visitor.abandon()
      // A program may wait for the change before it returns the score of a page.
      this.scores?.release()
    })
    try {
      await this.collector.quiet().finally(cancelAbandon)
      const config = await change()
      this.paths.isNeeded = holdsByPath(config.settings, this.deps.filterLink)
      this.follow(config)
      const former = this.visitor
      this.visitor = this.newVisitor()
      await former.close()
    } finally {
      this.isChanging = false
      if (!this.isPaused) this.slots.goOn()
      this.goOn()
    }
  }

  close(): Promise<void> {
    return this.visitor.close()
  }

  /** Whether it is too late to start a request for this ticket: its lease might end before the request times out. */
  isTooLate(ticket: Ticket): boolean {
    return this.leases.endsWithin(ticket, this.config.settings.timeoutMs)
  }

  slowedMs(host: string): number | undefined {
    if (this.config.settings.mazes === 'follow') return undefined
    const delayMs = this.hosts.delayMs(host)
    const pauseMs = this.novelty.pauseMs(host, delayMs)
    return pauseMs > delayMs ? pauseMs : undefined
  }

  emit(events: CrawlHappening): void {
    this.deps.emit(events)
  }

  /** The facts for the sentence about what the crawl is doing. */
  facts(): Omit<WorkFacts, 'outlook' | 'waiting'> {
    const { settings } = this.config
    return {
      nowMs: this.clock(),
      slots: this.slots,
      lookups: this.names.lookups,
      network: this.network,
      isEnding: this.isEnding,
      isPaused: this.isPaused,
      isChanging: this.isChanging,
      isShort: this.collector.isShort,
      heldUpBy: this.heldUpBy,
      maxRequestsPerSecond: settings.maxRequestsPerSecond,
      delayMs: host => this.hosts.delayMs(host),
      slowedMs: host => this.slowedMs(host),
      isServerSlower: settings.serverDelayMs > settings.delayMs,
      rest: host => this.deps.rest(host),
      isChallenged: host => this.deps.isChallenged?.(host) ?? false,
    }
  }

  private get heldUpBy(): 'disk' | 'reader' | undefined {
    if (this.committer.waitingBytes > MOST_WAITING_BYTES) return 'disk'
    return this.deps.isHeldUp() ? 'reader' : undefined
  }

  private newPolicy(): Policy {
    const { settings, rules, held, earlier, ranks, mayBeTooDeep, revisits } = this.config
    const { filterLink, filterWaiting } = this.deps
    const { hosts, gate, sitemaps, novelty } = this
    const machine = this.deps.folder.shared?.place.crawler
    const plan = revisits ? new RevisitPlan(settings, machine, this.budget) : undefined
    const judges = { rules, held, ranks, filterLink, filterWaiting, mayBeTooDeep }
    return new Policy({ settings, hosts, gate, sitemaps, earlier, novelty, ...judges, plan, startMs: this.startMs })
  }

  private newVisitor(): Visitor {
    return this.deps.web.newVisitor(this.config, {
      slots: this.slots.size,
      onTrouble: message => this.emit({ kind: 'trouble', message }),
      onFailure: error => this.fail(error),
    })
  }

  private pace() {
    return { rate: new RateLimit(this.config.settings.maxRequestsPerSecond, this.clock), timer: this.deps.timer }
  }

  /** How many requests may be open at once: fewer than wanted if the system's limit on open files is low. */
  private slotsAllowed(): number {
    const { concurrency } = this.config.settings
    const allowed = this.deps.web.requestsAllowed(this.config.settings)
    if (allowed < concurrency)
      this.emit({ kind: 'trouble', message: said('run/few-files', { allowed, wanted: concurrency }) })
    return allowed
  }
}
