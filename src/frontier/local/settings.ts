import { EscalonaError } from '../../base/errors.ts'
import type { FrontierOptions } from '../frontier.ts'

/** The options, with everything said. */
export type Settings = { readonly [Name in keyof FrontierOptions]-?: NonNullable<FrontierOptions[Name]> }

const STRATEGIES: readonly Settings['strategy'][] = ['depth', 'breadth', 'best', 'explore']

/** What is so when nothing is said. An option that is out of range is an error that names it. */
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
    errands: options.errands ?? Number.POSITIVE_INFINITY,
    maxHosts: options.maxHosts ?? Number.POSITIVE_INFINITY,
    maxHostsPerDomain: options.maxHostsPerDomain ?? Number.POSITIVE_INFINITY,
    maxNewHosts: options.maxNewHosts ?? Number.POSITIVE_INFINITY,
  }
  const { exploreChance, leaseMs, delayMs, serverGapMs, perServer } = settings
  const { strategy, ...numbers } = settings
  check(STRATEGIES.includes(strategy), 'strategy', `one of ${STRATEGIES.join(', ')}`)
  check(exploreChance >= 0 && exploreChance <= 1, 'exploreChance', 'from 0 to 1')
  check(leaseMs > 0 && leaseMs < Number.POSITIVE_INFINITY, 'leaseMs', 'more than 0')
  check(delayMs < Number.POSITIVE_INFINITY, 'delayMs', 'a number of milliseconds')
  check(serverGapMs < Number.POSITIVE_INFINITY, 'serverGapMs', 'a number of milliseconds')
  check(perServer >= 1, 'perServer', '1 or more')
  for (const [name, value] of Object.entries(numbers)) {
    if (name === 'seed') check(Number.isFinite(value), name, 'a number')
    else check(value >= 0, name, 'a number from 0')
  }
  return settings
}

function check(isFine: boolean, name: string, wanted: string): void {
  if (!isFine)
    throw new EscalonaError('FRONTIER_BAD_OPTION', `the option ${name} is out of range; it must be ${wanted}`)
}
