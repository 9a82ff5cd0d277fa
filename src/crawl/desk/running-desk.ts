import type { Action, ActionResult } from '../../settings/actions.ts'
import type { CrawlHappening } from '../../settings/events.ts'
import type { SessionNow } from '../session-now.ts'
import { RecentRate } from '../stats/eta.ts'
import type { TimelineData } from '../stats/timeline.ts'
import type { CrawlDesk, DeskStatus } from './desk.ts'
import { EventRing } from './event-ring.ts'
import type { CrawlSeries, EventBatch } from './front-desk.ts'
import { type DeskRooms, FrontierDesk } from './frontier-desk.ts'
import { RecentSamples, type Totals } from './recent-samples.ts'

/** What the desk of a running crawl needs to know about its run. */
export interface RunRooms extends DeskRooms {
  /** Called every second. */
  totals(): Totals
  /** The sums over the whole crawl. */
  timeline(): TimelineData
  now(pagesPerSecond: number): Promise<SessionNow>
  act(action: Action): Promise<ActionResult>
}

const SAMPLE_EVERY_MS = 1000

/** Answers for a running crawl, from its frontier and from what its process remembers. */
export class RunningDesk extends FrontierDesk implements CrawlDesk {
  private readonly run: RunRooms
  private readonly sinceMs: number
  private readonly ring: EventRing
  private readonly samples = new RecentSamples()
  private readonly pageRate = new RecentRate()
  private readonly byteRate = new RecentRate()
  private readonly sampling: NodeJS.Timeout
  private pagesPerSecond = 0
  private bytesPerSecond = 0

  constructor(run: RunRooms) {
    super(run)
    this.run = run
    this.sinceMs = run.clock()
    this.ring = new EventRing(this.sinceMs)
    this.sample()
    this.sampling = setInterval(() => this.sample(), SAMPLE_EVERY_MS).unref()
  }

  hear(happened: CrawlHappening, atMs: number): void {
    this.ring.hear(happened, atMs)
  }

  override async status(): Promise<DeskStatus> {
    const { sinceMs, pagesPerSecond, bytesPerSecond } = this
    const now = await this.run.now(pagesPerSecond)
    const { pages } = this.run.totals()
    const { state, limit, requests, wireBytes, workMs, openRequests, slots, eta, doing, machines } = now
    return {
      frontier: now.frontier,
      outlook: now.outlook,
      failed: now.failed,
      losses: now.losses,
      blockedHosts: now.blockedHosts,
      running: {
        ...{ pid: process.pid, sinceMs, state, pages, limit, requests, wireBytes, workMs, openRequests, slots },
        ...{ pagesPerSecond, bytesPerSecond, eta, waitingFor: doing },
      },
      ...(machines !== undefined && { machines }),
    }
  }

  async series(): Promise<CrawlSeries> {
    return { recent: this.samples.data(), whole: this.run.timeline() }
  }

  async events(after: number, isBrief = false): Promise<EventBatch> {
    return isBrief ? this.ring.latestAfter(after) : this.ring.after(after)
  }

  act(action: Action): Promise<ActionResult> {
    return this.run.act(action)
  }

  close(): void {
    clearInterval(this.sampling)
  }

  private sample(): void {
    const nowMs = this.run.clock()
    const totals = this.run.totals()
    this.samples.sample(nowMs, totals)
    this.pagesPerSecond = this.pageRate.at(nowMs, totals.pages)
    this.bytesPerSecond = this.byteRate.at(nowMs, totals.wireBytes)
  }
}
