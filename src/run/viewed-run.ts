import type { TimelineData } from '../folder/stats/timeline.ts'
import type { FrontierView } from '../frontier/local/read-only.ts'
import type { Action, ActionResult } from '../settings/actions.ts'
import type { CrawlHappening } from '../settings/events.ts'
import type { Doing, RunActivity, RunStatus } from './run-status.ts'
import type { SettingFacts } from './setting-facts.ts'

/** What a running crawl shows of itself to those who look at it from outside. The settings may change, so each is asked anew. */
export interface ViewedRun extends SettingFacts {
  /** The crawl's folder; this process holds its lock. */
  readonly folder: string
  readonly frontier: Omit<FrontierView, 'close'>
  /** Present when machines share the crawl: how many are at work. */
  readonly machines?: (() => number) | undefined
  /** Called every second. */
  totals(): RunTotals
  /** The sums over the whole crawl. */
  timeline(): TimelineData
  /** `seen`: what only those who watch the run over time know. */
  status(seen: SeenRun): Promise<RunStatus<Doing>>
  act(action: Action): Promise<ActionResult>
  /** Called with a sentence when the crawl cannot be looked at. */
  onTrouble(message: string): void
}

/** Totals of a crawl so far, and how many requests are open. */
export interface RunTotals {
  readonly pages: number
  readonly wireBytes: number
  readonly failures: number
  readonly openRequests: number
}

export type SeenRun = Pick<RunActivity, 'sinceMs' | 'pagesPerSecond' | 'bytesPerSecond'>

/** Lets others look at a run, in other processes and threads. Never throws: the crawl continues without. */
export type ServeRun = (run: ViewedRun) => Promise<RunServer>

/** The run is being shown. */
export interface RunServer {
  /** Something happened in the crawl. */
  hear(happened: CrawlHappening, atMs: number): void
  /** Closes all connections. The frontier is not called any more afterwards. */
  close(): Promise<void>
}
