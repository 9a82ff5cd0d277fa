import type { Clock } from '../base/clock.ts'
import type { Frontier, Ticket, TicketId } from '../frontier/frontier.ts'

/** How many times an open ticket is renewed in the time of one lease. */
const RENEWALS = 4

/** Renews the leases of open tickets, and knows which ones have run out. */
export class Leases {
  private readonly frontier: Pick<Frontier, 'renew'>
  private readonly clock: Clock
  private readonly dueMs = new Map<TicketId, number>()
  private leaseMs = 0
  private renewedMs: number

  constructor(frontier: Pick<Frontier, 'renew'>, clock: Clock) {
    this.frontier = frontier
    this.clock = clock
    this.renewedMs = clock()
  }

  /** `askedMs`: when the ticket was requested. The lease began later, so this errs on the safe side. */
  open({ id, leaseMs }: Ticket, askedMs: number): void {
    this.leaseMs = leaseMs
    this.dueMs.set(id, askedMs + leaseMs)
  }

  close(id: TicketId): void {
    this.dueMs.delete(id)
  }

  /** Whether the lease ends within this time. */
  endsWithin({ id }: Ticket, ms: number): boolean {
    return (this.dueMs.get(id) ?? 0) - this.clock() < ms
  }

  async renewIfDue(): Promise<void> {
    const nowMs = this.clock()
    if (this.dueMs.size === 0 || nowMs - this.renewedMs < this.leaseMs / RENEWALS) return
    this.renewedMs = nowMs
    const ids = [...this.dueMs.keys()]
    const late = new Set(await this.frontier.renew(ids))
    for (const id of ids) if (this.dueMs.has(id)) this.dueMs.set(id, late.has(id) ? 0 : nowMs + this.leaseMs)
  }
}
