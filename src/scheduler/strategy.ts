import { BestFirst } from './best-first.ts'
import { BreadthFirst } from './breadth-first.ts'
import { DepthFirst } from './depth-first.ts'
import type { HostId } from './hosts.ts'

/**
 * Chooses the host that the next URL comes from (docs/rules.md, 3); the order inside a host is not its business. It is notified of
 * every change of a host's number of waiting URLs, and keeps what it needs to answer at once.
 */
export interface Strategy {
  /** In which order the hosts give their URLs when nothing is added in between. */
  readonly order: 'host by host' | 'in turn' | 'largest first'
  /** How many URLs may be taken from a picked host before the next pick. */
  readonly run: number
  /** Whether it wants to be notified of every URL that is added, or only of a host's first. */
  readonly wantsAllGrowth: boolean
  /** A URL was added; the host now has this many. */
  grew(host: HostId, count: number): void
  /** URLs were taken, by a pick or not; the host now has this many. */
  shrank(host: HostId, count: number): void
  /** The host whose turn it is, or 0 when no URL is waiting. */
  pick(): HostId
  /** The caller takes from this host, which it picked. */
  served(host: HostId): void
  /** Where the turns are, for strategies that have any: all that must be kept to go on later. */
  readonly turns: number[]
  /** All hosts and URLs are forgotten. */
  clear(): void
}

export const STRATEGY_NAMES = ['depth', 'breadth', 'best'] as const

/** Which host is next: all URLs of the first host, one URL of each host in turn, or the host with the most URLs. */
export type StrategyName = (typeof STRATEGY_NAMES)[number]

export function newStrategy(name: StrategyName): Strategy {
  switch (name) {
    case 'depth':
      return new DepthFirst()
    case 'breadth':
      return new BreadthFirst()
    case 'best':
      return new BestFirst()
  }
}
