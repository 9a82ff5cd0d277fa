import type { TicketId } from '../frontier.ts'
import { leaseKindOf, type ShardTicket } from './shard/moves.ts'

/** An open ticket of this client. */
export interface OwnTicket {
  readonly ticket: ShardTicket
  /** The shard of its host. */
  readonly shard: number
  /** The server that counts it. */
  server: string | undefined
  /** By this client's clock: its lease does not run longer than until then. */
  dueMs: number
}

/**
 * The tickets that this client has open, as far as it knows: one that has expired stays here until a shard reports it.
 * No other client can use them, so nothing that is not here is open.
 */
export class OwnTickets {
  /** Open page tickets without those of visits again; page tickets of unproven hosts; the others. */
  pages = 0
  unproven = 0
  auxiliaries = 0
  private readonly open = new Map<TicketId, OwnTicket>()
  private readonly pagesByShard = new Map<number, number>()
  /** No lease ends before. */
  private nextDueMs = Number.POSITIVE_INFINITY

  get size(): number {
    return this.open.size
  }

  get(id: TicketId): OwnTicket | undefined {
    return this.open.get(id)
  }

  add(own: OwnTicket): void {
    this.open.set(own.ticket.id, own)
    this.nextDueMs = Math.min(this.nextDueMs, own.dueMs)
    this.count(own, 1)
  }

  /** Returns whether it was open. */
  remove(id: TicketId): boolean {
    const own = this.open.get(id)
    if (own === undefined) return false
    this.open.delete(id)
    this.count(own, -1)
    return true
  }

  get all(): OwnTicket[] {
    return [...this.open.values()]
  }

  /** Those of hosts of this shard. */
  in(shard: number): OwnTicket[] {
    return this.all.filter(own => own.shard === shard)
  }

  /** Open page tickets of hosts of this shard, with those of visits again. */
  pagesIn(shard: number): number {
    return this.pagesByShard.get(shard) ?? 0
  }

  /** The tickets of a shard whose leases have ended by this time. */
  overdue(shard: number, localMs: number): OwnTicket[] {
    if (localMs < this.nextDueMs) return []
    this.nextDueMs = Number.POSITIVE_INFINITY
    for (const { dueMs } of this.open.values()) this.nextDueMs = Math.min(this.nextDueMs, dueMs)
    return [...this.open.values()].filter(own => own.shard === shard && own.dueMs <= localMs)
  }

  clear(): void {
    this.open.clear()
    this.pagesByShard.clear()
    this.pages = 0
    this.unproven = 0
    this.auxiliaries = 0
  }

  private count({ ticket, shard }: OwnTicket, change: number): void {
    const kind = leaseKindOf(ticket)
    if (kind === 'page') this.pages += change
    if (kind === 'auxiliary') {
      this.auxiliaries += change
      return
    }
    this.pagesByShard.set(shard, this.pagesIn(shard) + change)
    if (!ticket.isProven) this.unproven += change
  }
}
