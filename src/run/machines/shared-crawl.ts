import type { SharedPlace } from '../../folder/crawl-file.ts'
import { type SeedLine, type SeedsFile, seedLine } from '../../folder/seeds-file.ts'
import { type Tally, writeTally } from '../../folder/stats/tally.ts'
import type { RedisFrontier } from '../../frontier/redis/open.ts'
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

  /** Nobody else was at work when it joined: it may change what holds for all. */
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
    return this.frontier.book.writeTally(this.place.crawler, writeTally(tally))
  }
}
