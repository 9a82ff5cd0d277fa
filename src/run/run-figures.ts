import type { Clock } from '../base/clock.ts'
import { type Eta, estimate } from '../folder/stats/eta.ts'
import { type HostSurvey, Survey, surveyHosts } from '../folder/stats/host-survey.ts'
import type { Stats } from '../folder/stats/stats.ts'
import type { BacklogClass, FrontierCounts, Outlook } from '../frontier/frontier.ts'
import type { EndedBecause } from '../settings/events.ts'
import type { CrawlFolder } from './opening/crawl-folder.ts'

/** Why a run of a crawl ended, what its frontier counted, and a survey of its hosts. */
export interface CrawlEnd {
  readonly because: EndedBecause
  readonly frontier: FrontierCounts
  readonly hosts: HostSurvey
  /** How long until the first page is due again; 0: it is. Missing when none is planned, or that is not known. */
  readonly againInMs?: number
  /** When machines share the crawl: this one's share of its pages. */
  readonly share?: CrawlShare | undefined
}

/** One machine's share of a crawl that machines share. */
export interface CrawlShare {
  /** `redis://HOST:PORT/NAME`, without a password. */
  readonly where: string
  /** Pages in this machine's folder; `CrawlEnd.frontier.pages` are those of all. */
  readonly pages: number
  /** How many machines were at work at the same time, as far as this one saw. */
  readonly machines: number
}

/** How often a frontier that machines share is asked for what progress shows. */
const LOOK_EVERY_MS = 1000
/** A report of one machine surveys the hosts of a shared crawl up to this many. */
const MOST_SURVEYED = 200_000

export class RunFigures {
  /** The frontier is about to be closed and is not asked any more. */
  isClosed = false
  private readonly folder: CrawlFolder
  private readonly stats: Stats
  private counts: FrontierCounts
  private readonly looks: {
    readonly counts: () => Promise<FrontierCounts>
    readonly outlook: () => Promise<Outlook>
    readonly backlog: () => Promise<readonly BacklogClass[]>
  }

  constructor(folder: CrawlFolder, stats: Stats, counts: FrontierCounts, clock: Clock) {
    this.folder = folder
    this.stats = stats
    this.counts = counts
    const { frontier, shared } = folder
    const everyMs = shared === undefined ? 0 : LOOK_EVERY_MS
    this.looks = {
      counts: paced(() => frontier.counts(), everyMs, clock),
      outlook: paced(() => frontier.outlook(), everyMs, clock),
      backlog: paced(() => frontier.backlog(), everyMs, clock),
    }
  }

  /** Pages of all machines, when several share the crawl; requests, bytes and failures of this one. */
  async progress(failures: number, openRequests: number) {
    if (!this.isClosed) this.counts = await this.looks.counts()
    const { requests, wireBytes } = this.stats
    const machines: number | undefined = this.folder.shared?.machines
    return { pages: this.pages, requests, wireBytes, failures, openRequests, frontier: this.counts, machines }
  }

  /** Links that wait, and pages that are going to be visited again, as of the last answer of the frontier. */
  get ahead(): { readonly waiting: number; readonly planned: number } {
    const { waiting, planned } = this.counts
    return { waiting, planned: this.folder.plan.settings.recrawl === 'no' ? 0 : planned }
  }

  outlook(): Promise<Outlook> {
    return this.looks.outlook()
  }

  async survey(): Promise<Omit<CrawlEnd, 'because'>> {
    const { frontier, shared } = this.folder
    const hosts =
      shared !== undefined && this.counts.hosts > MOST_SURVEYED
        ? new Survey().result()
        : await surveyHosts(frontier, host => this.stats.outages.of(host)?.why)
    const [counts, { againInMs }] = await Promise.all([frontier.counts(), frontier.outlook()])
    // Progress, which may be shown at the same time, brings older ones.
    this.counts = counts
    return { ...this.lastKnown(), hosts, ...(againInMs !== undefined && { againInMs }) }
  }

  /** Without asking the frontier: the counts as of the last answer, and no hosts. */
  lastKnown(): Omit<CrawlEnd, 'because'> {
    const { shared } = this.folder
    const share = shared && { where: shared.place.where, pages: this.stats.pages, machines: shared.machinesSeen }
    return { frontier: this.counts, hosts: new Survey().result(), ...(share !== undefined && { share }) }
  }

  /** `limit`: of pages; Infinity: none. */
  async eta(pagesPerSecond: number, limit: number): Promise<Eta | undefined> {
    if (this.isClosed) return undefined
    const { done, refused } = this.counts
    return estimate({
      wanted: limit === Infinity ? undefined : limit - this.pages,
      pagesPerSecond,
      pageShare: Math.min(1, this.pages / Math.max(1, done + refused)),
      backlog: await this.looks.backlog(),
    })
  }

  close(): void {
    this.isClosed = true
  }

  private get pages(): number {
    return this.folder.shared === undefined ? this.stats.pages : Math.max(this.counts.pages, this.stats.pages)
  }
}

/**
 * A question to the frontier that progress asks many times per second. A frontier in the folder answers each time (`everyMs` 0). One
 * that machines share takes a call per shard, and may be away: it is asked in the background, now and then, and the last answer is
 * given meanwhile.
 */
export function paced<Answer>(ask: () => Promise<Answer>, everyMs: number, clock: Clock): () => Promise<Answer> {
  if (everyMs === 0) return ask
  let last: { readonly answer: Answer } | undefined
  let askedMs = Number.NEGATIVE_INFINITY
  let asking: Promise<Answer> | undefined
  const askAgain = async () => {
    try {
      const answer = await ask()
      last = { answer }
      return answer
    } finally {
      asking = undefined
    }
  }
  return async () => {
    if (asking === undefined && clock() - askedMs >= everyMs) {
      askedMs = clock()
      asking = askAgain()
      // The frontier was closed, or has failed; the crawl itself reports that.
      asking.catch(() => {})
    }
    return last === undefined ? (asking ?? ask()) : last.answer
  }
}
