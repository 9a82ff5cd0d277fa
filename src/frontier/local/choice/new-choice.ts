import { chanceAt } from '../../../base/random.ts'
import type { Settings } from '../../settings.ts'
import type { FrontierState } from '../state/state.ts'
import { Explore } from './explore.ts'
import { type PageChoice, StrategyChoice } from './page-choice.ts'

/** Whether these settings need to know the domains of the hosts. */
export function usesDomains({ strategy, maxHostsPerDomain }: Settings): boolean {
  return strategy === 'explore' || maxHostsPerDomain < Number.POSITIVE_INFINITY
}

/** What a state's settings choose by. It has no candidates yet. */
export function newChoice(state: FrontierState): PageChoice {
  const { hosts, stock, heaps, settings } = state
  const { strategy, unproven } = settings
  if (strategy !== 'explore') return new StrategyChoice(strategy, hosts, stock, unproven < Number.POSITIVE_INFINITY)
  const isFreshTurn = () => chanceAt(settings.seed, state.lastTicket) < state.settings.exploreChance
  return new Explore(hosts, state.domains!, heaps, isFreshTurn)
}
