import { chanceAt } from '../../../base/random.ts'
import { Tournament } from '../../../base/structures/tournament.ts'
import { BreadthFirst } from '../../../scheduler/strategy.ts'
import { IN_TURN, shareOf } from '../../importance.ts'
import type { HostId } from '../memory/hosts.ts'
import type { FrontierState } from '../state/state.ts'

/** The host with the largest share, of equal ones the one known first; some turns go to all in turn. See `importance.ts`. */
export class MostImportant extends BreadthFirst {
  private readonly state: Pick<FrontierState, 'hosts' | 'lastTicket' | 'settings'>
  private readonly shares = new Tournament(length => new Float64Array(length))

  constructor(state: Pick<FrontierState, 'hosts' | 'lastTicket' | 'settings'>) {
    super()
    this.state = state
  }

  override grew(host: HostId): void {
    const { hosts } = this.state
    super.grew(host)
    this.shares.set(host, shareOf(hosts.received.get(host), hosts.turns.get(host)))
  }

  override shrank(host: HostId, count: number): void {
    super.shrank(host, count)
    if (count === 0) this.shares.set(host, 0)
  }

  override pick(): HostId {
    return this.isInTurn() ? super.pick() : Math.max(this.shares.winner(), 0)
  }

  override served(host: HostId): void {
    if (this.isInTurn()) super.served(host)
  }

  override clear(): void {
    super.clear()
    this.shares.clear()
  }

  private isInTurn(): boolean {
    return chanceAt(this.state.settings.seed, this.state.lastTicket) < IN_TURN
  }
}
