import { EscalonaError } from '../base/errors.ts'
import { CHANGEABLE_OPTIONS, type FrontierChange, type FrontierOptions } from './frontier.ts'
import { words } from './words.ts'

/** The options, with their defaults filled in. */
export type Settings = Readonly<Required<Omit<FrontierOptions, 'clock'>>>

const STRATEGIES: readonly Settings['strategy'][] = ['depth', 'breadth', 'best', 'explore']

/** Fills in the defaults. An option that is out of range is an error that names it. */
export function settingsOf(options: FrontierOptions): Settings {
  const settings: Settings = {
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
  check(STRATEGIES.includes(strategy), 'strategy', words().oneOf(STRATEGIES))
  check(typeof recrawl === 'boolean', 'recrawl', words().trueOrFalse)
  check(exploreChance >= 0 && exploreChance <= 1, 'exploreChance', words().fromZeroToOne)
  check(leaseMs > 0 && leaseMs < Number.POSITIVE_INFINITY, 'leaseMs', words().moreThanZero)
  check(delayMs < Number.POSITIVE_INFINITY, 'delayMs', words().milliseconds)
  check(serverGapMs < Number.POSITIVE_INFINITY, 'serverGapMs', words().milliseconds)
  check(perServer >= 1, 'perServer', words().oneOrMore)
  for (const [name, value] of Object.entries(numbers)) {
    if (name === 'seed') check(Number.isFinite(value), name, words().aNumber)
    else check(value >= 0, name, words().aNumberFromZero)
  }
  return settings
}

/** The settings with a change. */
export function changedSettings(settings: Settings, change: FrontierChange): Settings {
  const changed: Record<string, unknown> = { ...settings }
  for (const name of CHANGEABLE_OPTIONS) changed[name] = change[name] ?? settings[name]
  return settingsOf(changed)
}

function check(isFine: boolean, name: string, wanted: string): void {
  if (!isFine) throw new EscalonaError('FRONTIER_BAD_OPTION', words().badOption(name, wanted))
}
