import type { Bilingual } from '../base/words/language.ts'
import type { FrontierCounts, Outlook } from '../frontier/frontier.ts'
import type { Eta } from './stats/eta.ts'

/** `stopping`: the open requests are being finished. */
export type SessionState = 'running' | 'paused' | 'stopping' | 'ended'

/** What the process of a running crawl knows about itself. */
export interface SessionNow {
  readonly state: SessionState
  /** Archived pages of the crawl, by all machines. */
  readonly pages: number
  /** Undefined: no limit. */
  readonly limit: number | undefined
  /** This machine's, over all runs. */
  readonly requests: number
  readonly wireBytes: number
  /** This machine's links that ended by an error, after all retries, over all runs. */
  readonly failed: number
  /** How often the engine of a shared frontier had forgotten what it had acknowledged, over all runs. */
  readonly losses: number
  /** How long all runs have worked. */
  readonly workMs: number
  readonly openRequests: number
  /** How many requests may be open at once. */
  readonly slots: number
  readonly frontier: FrontierCounts
  readonly outlook: Outlook
  /** Hosts that a person blocks. */
  readonly blockedHosts: number
  readonly eta: Eta | undefined
  /** One sentence about what the crawl is doing or waiting for; never empty. */
  readonly doing: Bilingual
  /** When machines share the crawl: how many are at work. */
  readonly machines: number | undefined
}
