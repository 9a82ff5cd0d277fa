import type { CrawlRun, EndedBecause } from '../crawl-file.ts'
import type { StatsData } from './stats.ts'

/** What a machine tells the others about its share of a crawl: the statistics of its folder. */
export interface Tally {
  readonly format: 1
  /** The id of its folder. */
  readonly crawler: string
  /** The name of the machine. */
  readonly machine: string
  /** ISO 8601: when the first run in its folder began. */
  readonly startedAt: string
  /** When its newest run ended, and why; missing while it lasts, and if it was killed. */
  readonly endedAt?: string
  readonly because?: EndedBecause
  /** The runs in its folder, the oldest first, and how many after the first are no longer listed. */
  readonly runs: readonly CrawlRun[]
  readonly forgottenRuns: number
  readonly stats: StatsData
}

/** A tally as the frontier keeps it. */
export function writeTally(tally: Tally): string {
  return JSON.stringify(tally)
}

/** Undefined for a text that is damaged or was not written by this version or an earlier one. */
export function readTally(text: string): Tally | undefined {
  try {
    const tally = JSON.parse(text) as Partial<Tally> | null
    const isOurs =
      tally?.format === 1 &&
      typeof tally.crawler === 'string' &&
      typeof tally.machine === 'string' &&
      Array.isArray(tally.runs) &&
      typeof tally.stats === 'object' &&
      tally.stats !== null
    return isOurs ? (tally as Tally) : undefined
  } catch {
    return undefined
  }
}
