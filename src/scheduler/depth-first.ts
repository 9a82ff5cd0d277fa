import { BitTree } from '../base/structures/bit-tree.ts'
import type { HostId } from './hosts.ts'
import type { Strategy } from './strategy.ts'

/** The first known host that has URLs; it is emptied before the next one. */
export class DepthFirst implements Strategy {
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
