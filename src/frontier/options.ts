import type { Clock } from '../base/clock.ts'

/** The options that every kind of frontier takes when it is opened. Durations are milliseconds. */
export interface FrontierOptions {
  /** Which of the hosts that can be leased is next; default `breadth`. */
  readonly strategy?: 'depth' | 'breadth' | 'best' | 'explore'
  /** With `explore`: the probability of choosing a domain that was never visited; default 0.7. */
  readonly exploreChance?: number
  /** Seed of the random numbers: with the same seed, the same calls give the same tickets. */
  readonly seed?: number
  /** How long a ticket is leased; default one minute. */
  readonly leaseMs?: number
  /** The least delay of every host; default 0. */
  readonly delayMs?: number
  /** The least time between two leases at one server; default 0. */
  readonly serverGapMs?: number
  /** The most open tickets at one server; default 4. */
  readonly perServer?: number
  /** After more failures in a row than this, a host or a server is down; default 3. */
  readonly retries?: number
  /** Pages after which the crawl ends; default: it ends when nothing is left. */
  readonly limit?: number
  /**
   * Planned links become due when their time has come, and a crawl stays open for them; default false: they stay planned
   * and wait for an opening with `recrawl`. Only where there are `plans`, otherwise `FRONTIER_UNSUPPORTED`.
   */
  readonly recrawl?: boolean
  /** The most open page tickets of unproven hosts; default Infinity. */
  readonly unproven?: number
  /** The most open tickets that are not for pages; default Infinity. */
  readonly auxiliaries?: number
  /**
   * Bounds on hosts, default Infinity: the most known in all (`max-hosts`), the most of one registrable domain
   * (`domain-hosts`), and the most that one call of `offer`, or one settlement, makes known (`page-hosts`).
   */
  readonly maxHosts?: number
  readonly maxHostsPerDomain?: number
  readonly maxNewHosts?: number
  /** Now, in milliseconds since 1970, for tests; default: the clock of its machine or its engine. Read once by each call. */
  readonly clock?: Clock
}

/** The options that bound what this crawler alone does: every frontier can change them while it is open. */
export type CrawlerBounds = Pick<FrontierOptions, 'unproven' | 'auxiliaries'>

/** The options that can be changed while a frontier is open; see `FrontierRules.change`. */
export type FrontierChange = Partial<Pick<FrontierOptions, (typeof CHANGEABLE_OPTIONS)[number]>>

export const CHANGEABLE_OPTIONS = [
  'strategy',
  'exploreChance',
  'delayMs',
  'serverGapMs',
  'perServer',
  'limit',
  'unproven',
  'auxiliaries',
] as const satisfies readonly (keyof FrontierOptions)[]
