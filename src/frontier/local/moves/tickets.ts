import type { ByteWriter } from '../../../base/structures/byte-writer.ts'
import type { TicketId } from '../../frontier.ts'
import { AUXILIARY, PROVEN_PAGE, UNPROVEN_PAGE } from '../memory/hosts.ts'
import type { Lease } from '../memory/leases.ts'
import type { FrontierState } from '../state/state.ts'

// Changes of open tickets, written to `out` as `events.ts` says.

/** Places a ticket's host at a server. Returns whether the ticket is still good; writes nothing if nothing changes. */
export function place(
  state: FrontierState,
  ticketId: TicketId,
  server: string,
  nowMs: number,
  out: ByteWriter,
): boolean {
  const { hosts, servers } = state
  const { serverGapMs } = state.settings
  const lease = state.leases.get(ticketId)
  const known = state.serverNamed(server)
  if (lease === undefined) return false
  const { host, auxiliary } = lease
  if (known !== 0 && hosts.server(host) === known) return true
  const page = hosts.isProven(host) ? PROVEN_PAGE : UNPROVEN_PAGE
  const hasRoom = known === 0 || state.hostQueue.hasRoom(known, auxiliary === undefined ? page : AUXILIARY, nowMs)
  out.f64(serverGapMs)
  out.varint(ticketId)
  out.u8(hasRoom ? 1 : 0)
  out.varint(known === 0 ? servers.known + 1 : known)
  if (known === 0) out.text(server)
  state.place(lease, state.knowServer(server), nowMs, serverGapMs, hasRoom)
  return hasRoom
}

/** Returns how many of the tickets were open. */
export function giveBack(state: FrontierState, ticketIds: readonly TicketId[], out: ByteWriter): number {
  return eachOpen(state, ticketIds, out, lease => state.giveBack(lease))
}

/** Returns how many of the tickets were open. */
export function renew(state: FrontierState, ticketIds: readonly TicketId[], nowMs: number, out: ByteWriter): number {
  const dueMs = nowMs + state.settings.leaseMs
  out.f64(dueMs)
  return eachOpen(state, ticketIds, out, lease => state.leases.renew(lease, dueMs))
}

function eachOpen(
  state: FrontierState,
  ticketIds: readonly TicketId[],
  out: ByteWriter,
  change: (lease: Lease) => void,
): number {
  const leases = ticketIds.map(id => state.leases.get(id)).filter(lease => lease !== undefined)
  const open = new Set(leases)
  out.varint(open.size)
  for (const lease of open) {
    out.varint(lease.ticketId)
    change(lease)
  }
  return open.size
}
