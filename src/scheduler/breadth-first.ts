import { BitTree } from '../base/structures/bit-tree.ts'
import type { HostId } from './hosts.ts'
import type { Strategy } from './strategy.ts'

/**
 * One URL of each host in turn. The hosts stand in a circle in the order in which they became known, and the turn is the
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
