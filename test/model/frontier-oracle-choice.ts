// Which host the strategy chooses, of those that can be leased.
import { chanceAt } from '../../src/base/random.ts'
import type { FrontierOptions } from '../../src/frontier/frontier.ts'
import type { KnownHost, OracleState } from './frontier-oracle-state.ts'

/** `able`: in the order in which they joined. Moves the turns. */
export function chooseHost(
  able: KnownHost[],
  state: OracleState,
  options: FrontierOptions,
  pagesOf: (host: KnownHost) => number,
): KnownHost | undefined {
  const byNumber = able.toSorted((a, b) => a.number - b.number)
  switch (options.strategy ?? 'breadth') {
    case 'depth':
      return byNumber[0]
    case 'important':
      if (chanceAt(options.seed ?? 1, state.leasedEver) >= 1 / 8) {
        const share = ({ received, turns }: KnownHost) => (received + 1 / 1024) / (turns + 1)
        return byNumber.sort((a, b) => share(b) - share(a))[0] // stable, as below
      }
      return inTurn(byNumber, state)
    case 'best':
      return byNumber.sort((a, b) => pagesOf(b) - pagesOf(a))[0] // stable: a tie goes to the first known
    case 'breadth':
      return inTurn(byNumber, state)
    case 'explore':
      return explore(able, state, options)
  }
}

function inTurn(byNumber: readonly KnownHost[], state: OracleState): KnownHost | undefined {
  const host = byNumber.find(({ number }) => number >= state.turns.hosts) ?? byNumber[0]
  if (host) state.turns.hosts = host.number + 1
  return host
}

function explore(able: KnownHost[], state: OracleState, options: FrontierOptions): KnownHost | undefined {
  const { visited, leasedEver, turns } = state
  const { seed = 1, exploreChance = 0.7 } = options
  const fresh = able.filter(({ domain }) => !visited.has(domain))
  const others = able.filter(({ domain }) => visited.has(domain))
  const wantsFresh = chanceAt(seed, leasedEver) < exploreChance
  const kind = (wantsFresh ? fresh.length > 0 : others.length === 0) ? 'fresh' : 'visited'
  const hosts = kind === 'fresh' ? fresh : others
  const domains = [...new Set(state.hosts.map(({ domain }) => domain))]
  const places = new Map(domains.map((domain, place) => [domain, place]))
  const placeOf = (host: KnownHost) => places.get(host.domain)!
  const inOrder = hosts.toSorted((a, b) => placeOf(a) - placeOf(b)) // stable: inside a domain, who joined first
  const host = inOrder.find(one => placeOf(one) >= turns[kind]) ?? inOrder[0]
  if (host) turns[kind] = placeOf(host) + 1
  return host
}
