import type { TicketId } from '../frontier.ts'
import { answeredMs, type Moment } from './moment.ts'
import type { OwnTicket } from './own-tickets.ts'
import { endInterrupted } from './recovering.ts'
import type { Servers } from './servers.ts'
import { type EngineSession, grouped } from './session.ts'
import type { OpenToken } from './shard/moves.ts'

/** What can be done with an open ticket before it is settled. */
export class Placing {
  private readonly session: EngineSession
  private readonly servers: Servers

  constructor(session: EngineSession, servers: Servers) {
    this.session = session
    this.servers = servers
  }

  async place(ticketId: TicketId, server: string, now: Moment): Promise<boolean> {
    const { tickets, parts } = this.session
    const own = tickets.get(ticketId)
    if (own === undefined) {
      await endInterrupted(this.session, [{ ticketId, pauseMs: 0 }], now)
      return false
    }
    if (own.server === server) return true
    const { ticket, shard } = own
    const part = parts[shard]!
    const [admission] = await this.servers.admit([{ own, server }], now)
    const isOpen = await part.shard.placeAt(ticket, server, now.engineMs)
    part.isChanged = true
    const former = own.server
    own.server = server
    const isGranted = admission?.isGranted === true
    if (!isOpen || !isGranted) tickets.remove(ticketId)
    if (isOpen && admission?.isGranted === false) {
      const how = { parkedMs: admission.laterMs, isServerDown: admission.isDown }
      await part.shard.giveBack([{ ticket, how }], now.engineMs)
      part.isChanged = true
    }
    const { host, token } = ticket
    if (!isOpen && isGranted) await this.servers.release([{ server, token, how: 'unasked' }], now)
    if (!isOpen && !isGranted) await this.servers.leave([{ server, host, hostShard: shard }], now)
    if (isOpen && former !== undefined) await this.servers.release([{ server: former, token, how: 'unasked' }], now)
    await this.servers.passOn(part, now)
    if (!isOpen || !isGranted) this.session.crawlers.closedSome()
    return isOpen && isGranted
  }

  async giveBack(ticketIds: readonly TicketId[], now: Moment): Promise<void> {
    const { parts, tickets, crawlers } = this.session
    const open = this.openOf(ticketIds)
    const groups = grouped(open, ({ shard }) => shard)
    await Promise.all(
      [...groups].map(async ([number, list]) => {
        const part = parts[number]!
        await part.shard.giveBack(
          list.map(({ ticket }) => ({ ticket, how: 'as it was' as const })),
          now.engineMs,
        )
        part.isChanged = true
        for (const { ticket } of list) tickets.remove(ticket.id)
        await this.servers.passOn(part, now)
      }),
    )
    await this.servers.release(
      tokensOf(open).map(token => ({ ...token, how: 'unasked' as const })),
      now,
    )
    await endInterrupted(
      this.session,
      ticketIds.map(ticketId => ({ ticketId, pauseMs: 0 })),
      now,
    )
    crawlers.closedSome()
  }

  /** Returns those that are not open. */
  async renew(ticketIds: readonly TicketId[], now: Moment): Promise<TicketId[]> {
    const { parts, tickets, settings } = this.session
    const open = this.openOf(ticketIds)
    // A lease that ran out may be renewed as long as nobody noticed, but not if its place at the server is another's by now.
    for (const { token } of await this.servers.renew(tokensOf(open), now)) tickets.remove(token)
    const groups = grouped(this.openOf(ticketIds), ({ shard }) => shard)
    const lost: OwnTicket[] = []
    await Promise.all(
      [...groups].map(async ([number, list]) => {
        const part = parts[number]!
        const asked = list.map(({ ticket }) => ticket)
        const late = new Set(await part.shard.renew(asked, now.engineMs))
        part.isChanged = true
        const dueMs = answeredMs(now) + settings.leaseMs
        for (const own of list) own.dueMs = dueMs
        lost.push(...list.filter((_, i) => late.has(i)))
      }),
    )
    for (const { ticket } of lost) tickets.remove(ticket.id)
    await this.servers.release(
      tokensOf(lost).map(token => ({ ...token, how: 'expired' as const })),
      now,
    )
    return ticketIds.filter(id => tickets.get(id) === undefined)
  }

  /** Each once. */
  private openOf(ticketIds: readonly TicketId[]): OwnTicket[] {
    const open = ticketIds.map(id => this.session.tickets.get(id)).filter(own => own !== undefined)
    return [...new Set(open)]
  }
}

/** What the servers of these tickets know them by. */
function tokensOf(list: readonly OwnTicket[]): OpenToken[] {
  return list.flatMap(({ server, ticket: { token } }) => (server === undefined ? [] : [{ server, token }]))
}
