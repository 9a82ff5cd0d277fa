import { inBothLanguages } from '../../base/words/language.ts'
import { RecentRate } from '../../folder/stats/eta.ts'
import type { ViewedRun } from '../../run/run-status.ts'
import type { CrawlHappening } from '../../settings/events.ts'
import type { RunAnswers } from '../questions/frontier-answers.ts'
import { EventRing } from './event-ring.ts'
import { RunWatch } from './pace.ts'
import { RecentSamples } from './recent-samples.ts'
import { shownDoing } from './waiting-for.ts'

const SAMPLE_EVERY_MS = 1000

/** What a running crawl remembers of its run: its rates and its latest events. */
export class RunMemory {
  private readonly run: ViewedRun
  private readonly sinceMs: number
  private readonly ring: EventRing
  private readonly samples = new RecentSamples()
  private readonly pageRate = new RecentRate()
  private readonly byteRate = new RecentRate()
  private readonly watch = new RunWatch()
  private readonly sampling: NodeJS.Timeout
  private pagesPerSecond = 0
  private bytesPerSecond = 0

  constructor(run: ViewedRun) {
    this.run = run
    this.sinceMs = run.clock()
    this.ring = new EventRing(this.sinceMs)
    this.sample()
    this.sampling = setInterval(() => this.sample(), SAMPLE_EVERY_MS).unref()
  }

  /** Something happened in the crawl. */
  hear(happened: CrawlHappening, atMs: number): void {
    this.ring.hear(happened, atMs)
  }

  get answers(): RunAnswers {
    const { run, ring, samples, watch } = this
    return {
      status: async () => {
        const { sinceMs, pagesPerSecond, bytesPerSecond } = this
        const { running, ...status } = await run.status({ sinceMs, pagesPerSecond, bytesPerSecond })
        const doing = running?.waitingFor
        const watched = doing && { isStalled: watch.isStalled, pagesPerSecond, pace: watch.pace(doing) }
        const waitingFor = doing && inBothLanguages(() => shownDoing(doing, watched!))
        return { ...status, running: running && { ...running, waitingFor: waitingFor! } }
      },
      series: async () => ({ recent: samples.data(), whole: run.timeline() }),
      events: async ({ after, isBrief }) => (isBrief ? ring.latestAfter(after) : ring.after(after)),
      act: ({ action }) => run.act(action),
    }
  }

  close(): void {
    clearInterval(this.sampling)
  }

  private sample(): void {
    const nowMs = this.run.clock()
    const totals = this.run.totals()
    this.samples.sample(nowMs, totals)
    this.watch.see(nowMs, totals.pages)
    this.pagesPerSecond = this.pageRate.at(nowMs, totals.pages)
    this.bytesPerSecond = this.byteRate.at(nowMs, totals.wireBytes)
  }
}
