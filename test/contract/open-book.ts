import type { Settlement, Ticket, TicketId } from '../../src/frontier/frontier.ts'
import type { Deed } from './player.ts'

export interface OpenTicket extends Ticket {
  readonly dueMs: number
  /** When it was leased, or admitted by a server since. */
  readonly takenMs: number
}

/** How a ticket ended. */
export type Ending = 'asked' | 'unasked' | 'run out' | 'reopened' | 'cleared'

/** Which tickets are open, by the deeds of a life: what laws about leases are made of. */
export class OpenBook {
  readonly open = new Map<TicketId, OpenTicket>()
  private readonly leaseMs: number
  private readonly ended: (ticket: OpenTicket, how: Ending) => void

  constructor(leaseMs = 60_000, ended: (ticket: OpenTicket, how: Ending) => void = () => {}) {
    this.leaseMs = leaseMs
    this.ended = ended
  }

  /** To be called before a law looks at a lease: what ran out by then has ended. New tickets are entered by `enter`. */
  saw(deed: Deed): void {
    switch (deed.deed) {
      case 'leased':
        for (const ticket of [...this.open.values()]) if (ticket.dueMs <= deed.nowMs) this.end(ticket.id, 'run out')
        break
      case 'placed': {
        const ticket = this.open.get(deed.id)
        if (!ticket) break
        if (!deed.holds) this.end(deed.id, 'unasked')
        else if (ticket.server !== deed.server) {
          this.open.set(deed.id, { ...ticket, server: deed.server, takenMs: deed.nowMs })
        }
        break
      }
      case 'settled':
        for (const { ticketId, shown } of deed.settlements) this.end(ticketId, shown ? 'asked' : 'unasked')
        break
      case 'given back':
        for (const id of deed.ids) this.end(id, 'unasked')
        break
      case 'renewed':
        for (const id of deed.ids) {
          const ticket = this.open.get(id)
          if (ticket) this.open.set(id, { ...ticket, dueMs: deed.nowMs + this.leaseMs })
        }
        break
      case 'reopened':
        for (const id of [...this.open.keys()]) this.end(id, 'reopened')
        break
      case 'cleared':
        if (deed.host === undefined) for (const id of [...this.open.keys()]) this.end(id, 'cleared')
    }
  }

  /** The settlements that closed a ticket, with the ticket. To be asked before `saw`. */
  closedBy(settlements: readonly Settlement[]): { ticket: OpenTicket; settlement: Settlement }[] {
    const left = new Map(this.open)
    return settlements.flatMap(settlement => {
      const ticket = left.get(settlement.ticketId)
      left.delete(settlement.ticketId)
      return ticket ? [{ ticket, settlement }] : []
    })
  }

  enter(ticket: Ticket, nowMs: number): void {
    this.open.set(ticket.id, { ...ticket, takenMs: nowMs, dueMs: nowMs + this.leaseMs })
  }

  private end(id: TicketId, how: Ending): void {
    const ticket = this.open.get(id)
    if (!ticket) return
    this.open.delete(id)
    this.ended(ticket, how)
  }
}
