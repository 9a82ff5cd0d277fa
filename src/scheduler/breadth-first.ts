import { BitTree } from '../base/bit-tree.ts'
import type { HostId } from './hosts.ts'
import type { Strategy } from './strategy.ts'

/**
 * One URL of each host in turn. The hosts stand in a circle in the order in which they became known, and the turn is the
 * place behind the host that was picked last: so an empty host keeps its place, and a new host comes after all that were
 * known before it.
 */
export class BreadthFirst implements Strategy {
  readonly run = 1
  readonly wantsAllGrowth = false
  private readonly filled = new BitTree()
  private turn: HostId = 1

  grew(host: HostId): void {
    this.filled.add(host)
  }

  shrank(host: HostId, count: number): void {
    if (count === 0) this.filled.delete(host)
  }

  pick(): HostId {
    let host = this.filled.firstFrom(this.turn)
    if (host < 0) host = this.filled.firstFrom(1)
    if (host < 0) return 0
    this.turn = host + 1
    return host
  }

  clear(): void {
    this.filled.clear()
    this.turn = 1
  }
}
