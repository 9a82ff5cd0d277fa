import type { ByteWriter } from '../../../base/structures/byte-writer.ts'
import type { TicketId } from '../../frontier.ts'
import type { Lease } from '../memory/leases.ts'
import type { FrontierState } from '../state/state.ts'

/** Takes back tickets that were not used, or leases them for longer, and records it; see `events.ts`. */
export class Returning {
  private readonly state: FrontierState
  private readonly out: ByteWriter

  constructor(state: FrontierState, out: ByteWriter) {
    this.state = state
    this.out = out
  }

  /** Returns how many of the tickets were open. */
  giveBack(ticketIds: readonly TicketId[]): number {
    return this.eachOpen(ticketIds, lease => this.state.giveBack(lease))
  }

  /** Returns how many of the tickets were open. */
  renew(ticketIds: readonly TicketId[], nowMs: number): number {
    const dueMs = nowMs + this.state.settings.leaseMs
    this.out.f64(dueMs)
    return this.eachOpen(ticketIds, lease => this.state.leases.renew(lease, dueMs))
  }

  private eachOpen(ticketIds: readonly TicketId[], change: (lease: Lease) => void): number {
    const leases = ticketIds.map(id => this.state.leases.get(id)).filter(lease => lease !== undefined)
    const open = new Set(leases)
    this.out.varint(open.size)
    for (const lease of open) {
      this.out.varint(lease.ticketId)
      change(lease)
    }
    return open.size
  }
}
