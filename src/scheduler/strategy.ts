import { BitTree } from '../base/structures/bit-tree.ts'
import { grown } from '../base/structures/grow.ts'
import { Tournament } from '../base/structures/tournament.ts'
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

/** The first known host that has URLs; it is emptied before the next one. */
class DepthFirst implements Strategy {
  readonly order = 'host by host'
  readonly run = Number.MAX_SAFE_INTEGER
  readonly wantsAllGrowth = false
  readonly turns: number[] = []
  private readonly filled = new BitTree()

  grew(host: HostId): void {
    this.filled.add(host)
  }

  shrank(host: HostId, count: number): void {
    if (count === 0) this.filled.delete(host)
  }

  pick(): HostId {
    return Math.max(this.filled.firstFrom(1), 0)
  }

  served(): void {}

  clear(): void {
    this.filled.clear()
  }
}

/**
 * One URL of each host in turn. The hosts form a circle in the order in which they became known, and the turn is the
 * place after the host that was served last: so an empty host keeps its place, and a new host comes after all that were
 * known before it.
 */
export class BreadthFirst implements Strategy {
  readonly order = 'in turn'
  readonly run = 1
  readonly wantsAllGrowth = false
  readonly turns: number[] = [1]
  private readonly filled = new BitTree()

  grew(host: HostId): void {
    this.filled.add(host)
  }

  shrank(host: HostId, count: number): void {
    if (count === 0) this.filled.delete(host)
  }

  pick(): HostId {
    const host = this.filled.firstFrom(this.turns[0]!)
    return host > 0 ? host : Math.max(this.filled.firstFrom(1), 0)
  }

  served(host: HostId): void {
    this.turns[0] = host + 1
  }

  clear(): void {
    this.filled.clear()
    this.turns[0] = 1
  }
}

/**
 * The host with the most URLs now; of equal ones, the one known first. Hosts that grew are only noted and enter the
 * tournament at the next pick: adding stays a fixed number of steps.
 */
class BestFirst implements Strategy {
  readonly order = 'largest first'
  readonly run = 1
  readonly wantsAllGrowth = true
  readonly turns: number[] = []
  private readonly tournament = new Tournament()
  /** At a host's id: 1 + its count, when it grew since the last pick; 0 for the others. */
  private grown: Int32Array = new Int32Array(1024)
  private readonly noted: HostId[] = []

  grew(host: HostId, count: number): void {
    if (host >= this.grown.length) this.grown = grown(this.grown, host)
    if (this.grown[host] === 0) this.noted.push(host)
    this.grown[host] = 1 + count
  }

  shrank(host: HostId, count: number): void {
    if (host < this.grown.length && this.grown[host] !== 0) this.grown[host] = 1 + count
    else this.tournament.set(host, count)
  }

  pick(): HostId {
    for (const host of this.noted) {
      this.tournament.set(host, this.grown[host]! - 1)
      this.grown[host] = 0
    }
    this.noted.length = 0
    return Math.max(this.tournament.winner(), 0)
  }

  served(): void {}

  clear(): void {
    this.tournament.clear()
    this.grown = new Int32Array(1024)
    this.noted.length = 0
  }
}
