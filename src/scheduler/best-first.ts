import { grown } from '../base/structures/grow.ts'
import { Tournament } from '../base/structures/tournament.ts'
import type { HostId } from './hosts.ts'
import type { Strategy } from './strategy.ts'

/**
 * The host with the most URLs now; of equal ones, the one known first. Hosts that grew are only noted and enter the
 * tournament at the next pick: adding stays a fixed number of steps.
 */
export class BestFirst implements Strategy {
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
