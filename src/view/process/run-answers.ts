import { type Bilingual, inBothLanguages } from '../../base/words/language.ts'
import type { Action, ActionResult } from '../../crawl/actions.ts'
import type { CrawlHappening } from '../../crawl/events.ts'
import type { RunStatus } from '../../crawl/run-status.ts'
import { RecentRate } from '../../crawl/stats/eta.ts'
import type { ViewedRun } from '../../crawl/viewed-run.ts'
import type { CrawlDesk } from '../questions/facts.ts'
import type { CrawlSeries, EventBatch } from '../questions/front-desk.ts'
import { FrontierDesk } from '../questions/frontier-answers.ts'
import { EventRing } from './event-ring.ts'
import { RecentSamples } from './recent-samples.ts'
import { shownDoing } from './waiting-for.ts'

const SAMPLE_EVERY_MS = 1000

/** Answers for a running crawl, from its frontier and from what its process remembers. */
export class RunningDesk extends FrontierDesk implements CrawlDesk {
  private readonly run: ViewedRun
  private readonly sinceMs: number
  private readonly ring: EventRing
  private readonly samples = new RecentSamples()
  private readonly pageRate = new RecentRate()
  private readonly byteRate = new RecentRate()
  private readonly sampling: NodeJS.Timeout
  private pagesPerSecond = 0
  private bytesPerSecond = 0

  constructor(run: ViewedRun) {
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

  override async status(): Promise<RunStatus<Bilingual>> {
    const { sinceMs, pagesPerSecond, bytesPerSecond } = this
    const { running, ...status } = await this.run.status({ sinceMs, pagesPerSecond, bytesPerSecond })
    if (running === undefined) return { ...status, running }
    return { ...status, running: { ...running, waitingFor: inBothLanguages(() => shownDoing(running.waitingFor)) } }
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
