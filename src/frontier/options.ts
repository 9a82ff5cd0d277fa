import type { Clock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { type Message, message } from '../base/messages/message.ts'

/** The options that every kind of frontier takes when it is opened. Durations are milliseconds. */
export interface FrontierOptions {
  /**
   * Which of the hosts that can be leased is next; default `breadth`. `important`: the one that has received the most importance per turn, and in
   * one of eight cases the hosts take turns as with `breadth`, so that none starves; see `importance.ts`.
   */
  readonly strategy?: 'depth' | 'breadth' | 'best' | 'explore' | 'important'
  /** With `explore`: the probability of choosing a domain that was never visited; default 0.7. */
  readonly exploreChance?: number
  /** Seed of the random numbers of `explore` and `important`: with the same seed, the same calls give the same tickets. */
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
   * and wait for an opening with `recrawl`.
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

/** The options, with their defaults filled in. */
export type FrontierSettings = Readonly<Required<Omit<FrontierOptions, 'clock'>>>

const STRATEGIES: readonly FrontierSettings['strategy'][] = ['depth', 'breadth', 'best', 'explore', 'important']

/** Fills in the defaults. An option that is out of range is an error that names it. */
export function settingsOf(options: FrontierOptions): FrontierSettings {
  const settings: FrontierSettings = {
    strategy: options.strategy ?? 'breadth',
    exploreChance: options.exploreChance ?? 0.7,
    seed: options.seed ?? 1,
    leaseMs: options.leaseMs ?? 60_000,
    delayMs: options.delayMs ?? 0,
    serverGapMs: options.serverGapMs ?? 0,
    perServer: options.perServer ?? 4,
    retries: options.retries ?? 3,
    limit: options.limit ?? Number.POSITIVE_INFINITY,
    unproven: options.unproven ?? Number.POSITIVE_INFINITY,
    auxiliaries: options.auxiliaries ?? Number.POSITIVE_INFINITY,
    maxHosts: options.maxHosts ?? Number.POSITIVE_INFINITY,
    maxHostsPerDomain: options.maxHostsPerDomain ?? Number.POSITIVE_INFINITY,
    maxNewHosts: options.maxNewHosts ?? Number.POSITIVE_INFINITY,
    recrawl: options.recrawl ?? false,
  }
  const { exploreChance, leaseMs, delayMs, serverGapMs, perServer } = settings
  const { strategy, recrawl, ...numbers } = settings
  check(STRATEGIES.includes(strategy), 'strategy', message('frontier/one-of', { names: STRATEGIES }))
  check(typeof recrawl === 'boolean', 'recrawl', message('frontier/true-or-false'))
  check(exploreChance >= 0 && exploreChance <= 1, 'exploreChance', message('frontier/from-zero-to-one'))
  check(leaseMs > 0 && leaseMs < Number.POSITIVE_INFINITY, 'leaseMs', message('frontier/more-than-zero'))
  check(delayMs < Number.POSITIVE_INFINITY, 'delayMs', message('frontier/milliseconds'))
  check(serverGapMs < Number.POSITIVE_INFINITY, 'serverGapMs', message('frontier/milliseconds'))
  check(perServer >= 1, 'perServer', message('frontier/one-or-more'))
  for (const [name, value] of Object.entries(numbers)) {
    if (name === 'seed') check(Number.isFinite(value), name, message('frontier/a-number'))
    else check(value >= 0, name, message('frontier/a-number-from-zero'))
  }
  return settings
}

/** The settings with a change. */
export function changedSettings(settings: FrontierSettings, change: FrontierChange): FrontierSettings {
  const changed: Record<string, unknown> = { ...settings }
  for (const name of CHANGEABLE_OPTIONS) changed[name] = change[name] ?? settings[name]
  return settingsOf(changed)
}

function check(isFine: boolean, name: string, wanted: Message): void {
  if (!isFine) throw new EscalonaError('FRONTIER_BAD_OPTION', { name, wanted })
}
