import { hostname } from 'node:os'
import { systemClock } from '../../base/clock.ts'
import type { CrawlFile, SharedPlace } from '../../folder/crawl-file.ts'
import { type SeedLine, type SeedsFile, seedLine } from '../../folder/seeds-file.ts'
import type { Stats } from '../../folder/stats/stats.ts'
import type { Tally } from '../../folder/stats/tally.ts'
import type { RedisFrontier } from '../../frontier/redis/open.ts'
import type { EndedBecause } from '../../settings/events.ts'
import type { Joined } from './join.ts'

/** One machine's part in a crawl that machines share. */
export class SharedCrawl {
  readonly place: SharedPlace
  readonly frontier: RedisFrontier
  /** What was known when it joined. */
  readonly joined: Joined
  private readonly seeds: SeedsFile
  private seedsRead: number
  private mostMachines = 1

  constructor(place: SharedPlace, frontier: RedisFrontier, joined: Joined, seeds: SeedsFile) {
    this.place = place
    this.frontier = frontier
    this.joined = joined
    this.seeds = seeds
    this.seedsRead = joined.seedsRead
  }

  /** No other machine was at work when it joined: it may change what holds for all. */
  get isFirst(): boolean {
    return this.joined.others === 0
  }

  /** How many machines are at work, this one included. */
  get machines(): number {
    const machines = Math.max(1, this.frontier.crawlersAlive())
    this.mostMachines = Math.max(this.mostMachines, machines)
    return machines
  }

  /** The most machines that this one saw at work at the same time. */
  get machinesSeen(): number {
    return Math.max(this.machines, this.mostMachines)
  }

  /** Takes over the seeds of the other machines, and makes those known that only this folder has: new ones, and some if a kill came in between. */
  async exchangeSeeds(): Promise<void> {
    const theirs = new Set(this.joined.seeds.map(({ url }) => url))
    await this.addSeeds(this.seeds.lines.filter(({ url }) => !theirs.has(url)))
    this.seeds.append(this.joined.seeds)
  }

  /** Makes seeds, and what they redirected to, known to all machines. */
  async addSeeds(lines: readonly SeedLine[]): Promise<void> {
    await this.frontier.book.addSeeds(lines.map(line => JSON.stringify(line)))
  }

  /** Writes again what a frontier has forgotten of the crawl as a whole: its settings, its seeds, and that they were offered. */
  async restoreBook(): Promise<void> {
    const { book } = this.frontier
    await book.writeSettings(this.joined.text)
    const lines = await book.seeds(0)
    const known = new Set(lines.flatMap(line => seedLine(line)?.url ?? []))
    this.seedsRead = 0
    await this.addSeeds(this.seeds.lines.filter(({ url }) => !known.has(url)))
    await book.markSeeded()
  }

  /** The seeds that were added since the last call, by this machine or another. */
  async newSeeds(): Promise<readonly SeedLine[]> {
    const lines = await this.frontier.book.seeds(this.seedsRead)
    this.seedsRead += lines.length
    return lines.flatMap(line => seedLine(line) ?? [])
  }

  writeTally(tally: Tally): Promise<void> {
    return this.frontier.book.writeTally(this.place.crawler, JSON.stringify(tally))
  }
}

/** What a machine does for the others while it works on their crawl. */
interface Duties {
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
