import { hostname } from 'node:os'
import { systemClock } from '../../base/clock.ts'
import type { CrawlFile, EndedBecause } from '../../folder/crawl-file.ts'
import type { SeedLine } from '../../folder/seeds-file.ts'
import type { Stats } from '../../folder/stats/stats.ts'
import type { SharedCrawl } from './shared-crawl.ts'

/** What a machine does for the others while it works on their crawl. */
export interface Duties {
  /** Admits seeds that another machine added, and what its seeds redirected to. */
  admit(lines: readonly SeedLine[]): void
  /** What its folder says now. */
  progress(): { readonly file: CrawlFile; readonly stats: Stats }
}

const SEEDS_EVERY_MS = 2000
const TALLY_EVERY_MS = 5000
/** When the run is to end but the frontier is away, this is how long it is waited for. */
const GIVE_UP_MS = 3000
const WATCH_EVERY_MS = 100

/** Keeps a machine in touch with the others: learns their seeds, and reports its statistics. */
export class Membership {
  /** The frontier was away when the run was to end, and was left as it was. */
  hasGivenUp = false
  private readonly shared: SharedCrawl
  private readonly duties: Duties
  private readonly timers: NodeJS.Timeout[] = []

  constructor(shared: SharedCrawl, duties: Duties) {
    this.shared = shared
    this.duties = duties
    this.every(SEEDS_EVERY_MS, () => this.learnSeeds())
    this.every(TALLY_EVERY_MS, () => this.report())
  }

  async learnSeeds(): Promise<void> {
    this.duties.admit(await this.shared.newSeeds())
  }

  /** Writes this machine's statistics for the others. `ended`: its run has ended. */
  report(ended?: { readonly because: EndedBecause; readonly atMs: number }): Promise<void> {
    const { file, stats } = this.duties.progress()
    const { startedAt, runs, forgottenRuns } = file
    return this.shared.writeTally({
      format: 1,
      crawler: this.shared.place.crawler,
      machine: hostname(),
      startedAt,
      ...(ended !== undefined && { endedAt: new Date(ended.atMs).toISOString(), because: ended.because }),
      runs,
      forgottenRuns,
      stats: stats.toJSON(),
    })
  }

  /** The run is to end: from now on a frontier that stays away is not waited for. */
  leave(): void {
    let awaySinceMs: number | undefined
    const { frontier } = this.shared
    const watch = () => {
      const nowMs = systemClock()
      awaySinceMs = frontier.isInTrouble ? (awaySinceMs ?? nowMs) : undefined
      if (this.hasGivenUp || awaySinceMs === undefined || nowMs - awaySinceMs < GIVE_UP_MS) return
      this.hasGivenUp = true
      void frontier.close().catch(() => {})
    }
    this.timers.push(setInterval(watch, WATCH_EVERY_MS))
  }

  close(): void {
    for (const timer of this.timers) clearInterval(timer)
  }

  /** One call at a time: while the frontier is away, each one waits. */
  private every(ms: number, act: () => Promise<void>): void {
    let isBusy = false
    const turn = () => {
      if (isBusy) return
      isBusy = true
      act()
        // The frontier was closed, or has failed; the crawl itself reports that.
        .catch(() => {})
        .finally(() => {
          isBusy = false
        })
    }
    this.timers.push(setInterval(turn, ms))
  }
}
