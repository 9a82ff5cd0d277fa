import type { ByteWriter } from '../../../base/structures/byte-writer.ts'
import type { TicketId } from '../../frontier.ts'
import { AUXILIARY, PROVEN_PAGE, UNPROVEN_PAGE } from '../memory/hosts.ts'
import type { Lease } from '../memory/leases.ts'
import type { ServerId } from '../memory/servers.ts'
import type { FrontierState } from '../state/state.ts'

/** Places hosts at their servers, and records it; see `events.ts`. */
export class Placing {
  /** Something was written that must not be lost. */
  hasChanged = false
  private readonly state: FrontierState
  private readonly out: ByteWriter

  constructor(state: FrontierState, out: ByteWriter) {
    this.state = state
    this.out = out
  }

  /** Returns whether the ticket is still good. */
  place(ticketId: TicketId, server: string, nowMs: number): boolean {
    const { state, out } = this
    const { serverGapMs } = state.settings
    const lease = state.leases.get(ticketId)
    const known = state.serverNamed(server)
    const isThere = lease !== undefined && known !== 0 && state.hosts.server(lease.host) === known
    this.hasChanged = lease !== undefined && !isThere
    if (lease === undefined || isThere) return isThere
    const hasRoom = known === 0 || this.hasRoom(lease, known, nowMs)
    out.f64(serverGapMs)
    out.varint(ticketId)
    out.u8(hasRoom ? 1 : 0)
    out.varint(known === 0 ? state.servers.known + 1 : known)
    if (known === 0) out.text(server)
    state.place(lease, state.knowServer(server), nowMs, serverGapMs, hasRoom)
    return hasRoom
  }

  private hasRoom({ auxiliary, host }: Lease, server: ServerId, nowMs: number): boolean {
    const page = this.state.hosts.isProven(host) ? PROVEN_PAGE : UNPROVEN_PAGE
    return this.state.hostQueue.hasRoom(server, auxiliary === undefined ? page : AUXILIARY, nowMs)
  }
}
