import type { TicketId } from '../frontier.ts'
import type { ShardTicket } from './moves.ts'

/** An open ticket of this client. */
export interface OwnTicket {
  readonly ticket: ShardTicket
  /** The shard of its host. */
  readonly shard: number
  /** The server that counts it. */
  server: string | undefined
}

/**
 * The tickets that this client has open, as far as it knows: one that has expired stays here until somebody reports it.
 * Nobody else can use them, so nothing that is not here is open.
 */
export class OwnTickets {
  /** Open page tickets; those of unproven hosts; the others. */
  pages = 0
  unproven = 0
  errands = 0
  private readonly open = new Map<TicketId, OwnTicket>()

  get size(): number {
    return this.open.size
  }

  get(id: TicketId): OwnTicket | undefined {
    return this.open.get(id)
  }

  add(own: OwnTicket): void {
    this.open.set(own.ticket.id, own)
    this.count(own.ticket, 1)
  }

  /** Returns whether it was open. */
  remove(id: TicketId): boolean {
    const own = this.open.get(id)
    if (own === undefined) return false
    this.open.delete(id)
    this.count(own.ticket, -1)
    return true
  }

  clear(): void {
    this.open.clear()
    this.pages = 0
    this.unproven = 0
    this.errands = 0
  }

  private count({ isErrand, isProven }: ShardTicket, change: number): void {
    if (isErrand) this.errands += change
    else this.pages += change
    if (!isErrand && !isProven) this.unproven += change
  }
}
