import { archiveBytes } from '../archive/names.ts'
import { systemTimer } from '../base/clock.ts'
import type { EscalonaError } from '../base/errors.ts'
import { said } from '../base/messages/message.ts'
import type { CrawlFile } from '../folder/crawl-file.ts'
import type { SeedLine } from '../folder/seeds-file.ts'
import { aboutChallenges, MANY_CHALLENGES } from '../folder/stats/details.ts'
import type { Eta } from '../folder/stats/eta.ts'
import type { Stats } from '../folder/stats/stats.ts'
import { StatsKeeper } from '../folder/stats/stats-file.ts'
import type { Loss } from '../frontier/redis/recovering.ts'
import type { ActionResult } from '../settings/actions.ts'
import type { CrawlHappening, EndedBecause } from '../settings/events.ts'
import { HostBook, type SettingGap } from '../settings/host-settings.ts'
import type { LinkRules } from '../settings/link-rules.ts'
import { isChallenge } from '../settings/reasons.ts'
import { agentOf, type CrawlSettings } from '../settings/settings.ts'
import { hostOf } from '../url/host-of.ts'
import { Conductor } from './conductor.ts'
import { httpWeb } from './http-web.ts'
import type { Scores } from './live.ts'
import { Membership } from './machines/shared-crawl.ts'
import { abandonCrawlFolder, type CrawlFolder, closeCrawlFolder } from './opening/crawl-folder.ts'
import { CurrentRun } from './opening/current-run.ts'
import { requeueRefused } from './opening/enqueue.ts'
import { type Opening, type OpeningOptions, type OpenRun, openRun } from './opening/opening.ts'
import { damagedMessage, lossMessage, recover, recoveredMessage } from './opening/recover.ts'
import { keptBlocks, type Rests, restCause } from './rests.ts'
import { type CrawlEnd, RunFigures } from './run-figures.ts'
import type { Doing, RunServer, RunStatus, SeenRun, ServeRun, SessionState } from './run-status.ts'
import { Steering } from './steering.ts'

export type { Opening } from './opening/opening.ts'
export type { CrawlEnd, CrawlShare } from './run-figures.ts'

export interface SessionOptions extends OpeningOptions {
  /** `atMs`: Unix time. */
  onHappening?(happened: CrawlHappening, atMs: number): void
  isHeldUp?(): boolean
  mayGetMore?(): boolean
  /** The scores that a program gives to pages. */
  readonly scores?: Scores | undefined
  /** Shows the run to others while it lasts; undefined: it can't be seen. */
  readonly serve?: ServeRun | undefined
}

/** One run of a crawl in its folder. */
export class CrawlSession {
  readonly stats: Stats
  readonly opening: Opening
  private readonly options: SessionOptions
  private readonly folder: CrawlFolder
  private readonly current: CurrentRun
  private readonly hasPages: boolean
  private readonly heldBack: readonly string[]
  private conductor: Conductor | undefined
  private readonly steering: Steering
  private readonly rests: Rests
  private isStopped = false
  /** Nothing is taken any more, and the files are about to be closed. */
  private isOver = false
  private failures = 0
  private readonly keeper: StatsKeeper
  private readonly figures: RunFigures
  private server: RunServer | undefined
  /** Present while a crawl that machines share runs. */
  private membership: Membership | undefined
  private frontierTrouble: string | undefined

  /** Opens the folder, repairs what a crash left behind, and offers the seeds. */
  static async open(options: SessionOptions): Promise<CrawlSession> {
    let session: CrawlSession | undefined
    const lost: Loss[] = []
    const onTrouble = (message: string) =>
      session === undefined ? options.onRepair?.(message) : session.hearOfFrontier(message)
    const hears = {
      onTrouble,
      // What is lost while the crawl is being opened is recovered before anything is taken.
      onLost: async (loss: Loss) => (session === undefined ? void lost.push(loss) : session.recover(loss)),
      onDamaged: (hosts: number) => session?.hearOfDamage(hosts),
    }
    session = new CrawlSession(options, await openRun({ ...options, hears }))
    for (const loss of lost) await session.recover(loss)
    return session
  }

  private constructor(options: SessionOptions, opened: OpenRun) {
    const { folder, stats, opening, counts, heldBack } = opened
    const { clock } = options
    this.options = options
    this.folder = folder
    this.current = new CurrentRun(opened)
    this.opening = opening
    this.hasPages = counts.pages > 0
    this.heldBack = heldBack
    this.stats = stats
    this.rests = keptBlocks(folder.path)
    this.keeper = new StatsKeeper(stats, folder, clock)
    this.figures = new RunFigures(folder, stats, counts, clock)
    this.steering = new Steering({
      folder,
      run: this.current,
      rests: this.rests,
      clock,
      conductor: () => this.conductor,
      isEnding: () => this.isEnding,
      stop: () => this.stop(),
      emit: happened => this.emit(happened),
    })
  }

  /** The settings in effect: what was given now or in an earlier run, and defaults for the rest. Another object after a change. */
  get settings(): CrawlSettings {
    return this.current.settings
  }

  /** The rules for links of the settings in effect. Another object after a change. */
  get rules(): LinkRules {
    return this.current.config.rules
  }

  get file(): CrawlFile {
    return this.current.file
  }

  /** All seeds of the crawl, from this run and earlier ones. */
  get seeds(): readonly string[] {
    return this.folder.seeds.given
  }

  get state(): SessionState {
    if (this.figures.isClosed) return 'ended'
    if (this.isEnding) return 'stopping'
    return this.current.isPaused ? 'paused' : 'running'
  }

  /** Runs until the limit is reached, nothing is left or the crawl is stopped; then closes everything. */
  async run(): Promise<CrawlEnd> {
    const conductor = this.newConductor()
    this.conductor = conductor
    if (this.current.isPaused) conductor.pause()
    if (this.isStopped) conductor.stop()
    this.keeper.start((error: EscalonaError) => conductor.fail(error))
    const { shared } = this.folder
    if (shared !== undefined) {
      this.membership = new Membership(shared, {
        admit: lines => this.admit(lines),
        progress: () => ({ file: this.file, stats: this.stats }),
      })
      if (this.isStopped) this.membership.leave()
    }
    this.server = await this.serve()
    try {
      const ended = await this.collect(conductor).finally(() => this.finishActions())
      const survey = await this.survey()
      const because = ended === 'nothing left' && survey.frontier.down > 0 ? 'unreachable' : ended
      const end = { because, ...survey } as const
      this.figures.close()
      const atMs = this.options.clock()
      this.keeper.stamp(atMs)
      await this.membership?.report({ because, atMs })
      this.current.file = await closeCrawlFolder(this.folder, this.stats, { file: this.file, because, atMs })
      return end
    } catch (error) {
      this.figures.close()
      if (!this.membership?.hasGivenUp) {
        await abandonCrawlFolder(this.folder)
        throw error
      }
      return this.endUnsettled()
    } finally {
      this.keeper.stop()
      this.membership?.close()
      await conductor.close()
    }
  }

  stop(): void {
    if (!this.isStopped) this.membership?.leave()
    this.isStopped = true
    this.conductor?.stop()
  }

  /** Call this when `isHeldUp` has become false: the crawl takes links again. */
  goOn(): void {
    this.conductor?.goOn()
  }

  /** Offers a link that a program enqueues on a page. Only while the crawl runs. */
  enqueue(...args: Parameters<Conductor['enqueue']>): ReturnType<Conductor['enqueue']> {
    return this.conductor!.enqueue(...args)
  }

  /** Does something to the crawl; one action at a time. It may come from anywhere, and is checked. */
  act(action: unknown): Promise<ActionResult> {
    return this.steering.act(action)
  }

  progress(): ReturnType<RunFigures['progress']> {
    return this.figures.progress(this.failures, this.conductor?.slots.open ?? 0)
  }

  /** What a report needs besides the statistics. Looks at every host. */
  survey(): Promise<Omit<CrawlEnd, 'because'>> {
    return this.figures.survey()
  }

  async doing(): Promise<Doing> {
    if (this.conductor === undefined) return { kind: 'starting' }
    if (this.figures.isClosed) return { kind: 'ended' }
    if (this.frontierTrouble !== undefined) return { kind: 'frontier away', message: this.frontierTrouble }
    const outlook = await this.figures.outlook()
    return { kind: 'working', facts: { ...this.conductor.facts(), ...this.figures.ahead, outlook } }
  }

  eta(pagesPerSecond: number): Promise<Eta | undefined> {
    return this.figures.eta(pagesPerSecond, this.settings.limit)
  }

  async status(seen: SeenRun): Promise<RunStatus<Doing>> {
    const { requests, wireBytes, openRequests, frontier, machines } = await this.progress()
    const outlook = await this.figures.outlook()
    const { limit } = this.settings
    const nowMs = this.options.clock()
    return {
      frontier,
      outlook,
      failed: this.stats.failedLinks,
      losses: this.stats.losses,
      blockedHosts: this.rests.blockedAt(nowMs),
      challengedHosts: this.stats.details.challengedHosts,
      running: {
        ...seen,
        pid: process.pid,
        state: this.state,
        pages: this.stats.pages,
        limit: limit === Infinity ? undefined : limit,
        requests,
        wireBytes,
        workMs: this.keeper.workMsAt(nowMs),
        openRequests,
        slots: this.conductor?.slots.size ?? 0,
        eta: await this.eta(seen.pagesPerSecond),
        waitingFor: await this.doing(),
      },
      ...(machines !== undefined && { machines }),
    }
  }

  private get isEnding(): boolean {
    return this.isStopped || this.isOver || (this.conductor?.isEnding ?? false)
  }

  private newConductor(): Conductor {
    const { clock, filterLink, rankLink, scores, isHeldUp = () => false, mayGetMore = () => false } = this.options
    const { folder, opening, settings } = this
    return new Conductor(
      {
        folder,
        formerBytes: archiveBytes(folder.path),
        web: httpWeb(settings, { clock, crawl: folder.path, filterLink, rankLink }),
        clock,
        timer: systemTimer,
        filterLink,
        filterWaiting: opening.isNew && folder.shared === undefined ? undefined : filterLink,
        scores,
        hasAnswered: this.hasPages,
        heldBack: this.heldBack,
        isHeldUp,
        mayGetMore,
        rest: host => this.rests.of(host),
        isChallenged: host => this.stats.details.challengesOf(host).answers > 0,
        redirected: lines => this.redirected(lines),
        emit: happened => this.emit(happened),
      },
      this.current.config,
    )
  }

  private async serve(): Promise<RunServer | undefined> {
    const { shared } = this.folder
    return this.options.serve?.({
      folder: this.folder.path,
      frontier: this.folder.frontier,
      clock: this.options.clock,
      rules: () => this.rules,
      strategy: () => this.settings.strategy,
      preference: url => this.current.config.ranks.preference(url),
      agent: () => agentOf(this.settings.userAgent),
      gapOf: host => this.gapOf(host),
      blockedUntilMs: host => this.rests.blockedUntilMs(host, this.options.clock()),
      restCause: host => this.conductor && restCause(host, this.conductor.facts()),
      outage: host => this.stats.outages.of(host),
      machines: shared && (() => shared.machines),
      totals: () => {
        const { pages, wireBytes } = this.stats
        return { pages, wireBytes, failures: this.failures, openRequests: this.conductor?.slots.open ?? 0 }
      },
      timeline: () => this.stats.timeline.toJSON(),
      status: seen => this.status(seen),
      act: action => this.act(action),
      onTrouble: message => this.emit({ kind: 'trouble', message }),
    })
  }

  private gapOf(host: string): SettingGap {
    const slowedMs = this.conductor?.slowedMs(host)
    if (slowedMs !== undefined) return { ms: slowedMs, by: 'little new' }
    return (this.conductor?.hosts ?? new HostBook(this.settings)).gapOf(host)
  }

  /** Runs the collector. When nothing is left, requeues links that were held before a seed redirected to their host. */
  private async collect(conductor: Conductor): Promise<EndedBecause> {
    for (let seeds = 0; ; ) {
      const { performed } = this.steering
      const because = await conductor.run()
      if (because !== 'nothing left') return because
      await this.steering.idle()
      // An action may just have added something.
      if (this.steering.performed > performed) continue
      await this.membership?.learnSeeds()
      // Another machine may have requeued them all by now; there is work again all the same.
      if (!this.rules.hasGrown || this.folder.seeds.all.size === seeds) return because
      seeds = this.folder.seeds.all.size
      await requeueRefused(this.folder.frontier, ['scope'], this.rules)
    }
  }

  /** From now on nothing is done to the crawl any more. */
  private async finishActions(): Promise<void> {
    this.isOver = true
    await this.steering.idle()
    await this.server?.close()
  }

  /** The frontier is away: what was archived last is settled at the next start, as after a kill. */
  private async endUnsettled(): Promise<CrawlEnd> {
    this.keeper.save(this.options.clock())
    await abandonCrawlFolder(this.folder)
    this.emit({ kind: 'trouble', message: said('run/unsettled') })
    return { because: 'stopped', ...this.figures.lastKnown() }
  }

  private redirected(lines: readonly SeedLine[]): void {
    this.admit(lines)
    // If it is closed before, the next start adds them.
    this.folder.shared?.addSeeds(lines).catch(() => {})
  }

  /** Admits seeds of other machines, and what seeds redirect to, into the scope, in this run and all later ones. */
  private admit(lines: readonly SeedLine[]): void {
    this.folder.seeds.append(lines)
    for (const { url } of lines) this.rules.admit(url)
  }

  /** The frontier has forgotten something: what this machine knows of it is offered again. */
  private async recover(loss: Loss): Promise<void> {
    const { folder, current, options } = this
    this.emit({ kind: 'trouble', message: lossMessage(loss), losses: 1 })
    this.conductor?.forgetOffered()
    await recover(loss, folder, current.config, options)
    this.emit({ kind: 'trouble', message: recoveredMessage() })
    this.conductor?.goOn()
  }

  private hearOfDamage(hosts: number): void {
    this.emit({ kind: 'trouble', message: damagedMessage(hosts), damagedHosts: hosts })
  }

  private hearOfFrontier(message: string): void {
    this.frontierTrouble = this.folder.shared?.frontier.isInTrouble ? message : undefined
    this.emit({ kind: 'trouble', message })
  }

  private warnOfChallenges(host: string, why: string): void {
    if (!isChallenge(why)) return
    const challenges = this.stats.details.challengesOf(host)
    if (challenges.answers !== MANY_CHALLENGES) return
    this.emit({ kind: 'trouble', message: aboutChallenges([{ host, ...challenges }])! })
  }

  private emit(happened: CrawlHappening): void {
    const atMs = this.options.clock()
    this.keeper.record(happened, atMs)
    this.rests.hear(happened, atMs)
    if (happened.kind === 'failed' || happened.kind === 'again') {
      this.failures++
      this.warnOfChallenges(hostOf(happened.url), happened.why)
    }
    this.server?.hear(happened, atMs)
    this.options.onHappening?.(happened, atMs)
  }
}
