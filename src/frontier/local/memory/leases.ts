import { Heap } from '../../../base/structures/heap.ts'
import type { TicketId } from '../../frontier.ts'
import type { AuxiliaryLink } from './auxiliaries.ts'
import type { HostId } from './hosts.ts'
import type { LinkId } from './links.ts'
import type { PlanId } from './plans.ts'
import type { ServerId } from './servers.ts'

/** An open ticket. */
export interface Lease {
  readonly ticketId: TicketId
  readonly host: HostId
  /** What is leased: a page link, or an auxiliary link (then the link is 0). */
  readonly link: LinkId
  readonly auxiliary: AuxiliaryLink | undefined
  /** The planned visit that this is; 0: the link was not done before. */
  readonly plan: PlanId
  readonly rank: number
  readonly attempt: number
  /** Of a page: its host was proven when it was leased. */
  readonly isProven: boolean
  takenMs: number
  dueMs: number
  /** Where it counts as open, the time it gave that server, and the one before. */
  server: ServerId
  serverSetMs: number
  serverBeforeMs: number
}

/** The open tickets, by number and by the time at which they expire. */
export class LeaseTable {
  /** Of the open ones: auxiliary links, pages that were not done before, and all pages of unproven hosts. */
  auxiliaries = 0
  pages = 0
  unproven = 0
  private readonly open = new Map<TicketId, Lease>()
  private readonly due = new Heap()

  get size(): number {
    return this.open.size
  }

  get(ticketId: TicketId): Lease | undefined {
    return this.open.get(ticketId)
  }

  all(): Lease[] {
    return [...this.open.values()]
  }

  add(lease: Lease): void {
    this.open.set(lease.ticketId, lease)
    this.due.push(lease.dueMs, lease.ticketId)
    this.count(lease, 1)
  }

  delete(lease: Lease): void {
    this.open.delete(lease.ticketId)
    this.count(lease, -1)
  }

  renew(lease: Lease, dueMs: number): void {
    lease.dueMs = dueMs
    this.due.push(dueMs, lease.ticketId)
  }

  /** The leases that have expired, in the order in which they come back. */
  runOut(nowMs: number): Lease[] {
    const out: Lease[] = []
    for (let dueMs = this.nextDueMs(); dueMs !== undefined && dueMs <= nowMs; dueMs = this.nextDueMs()) {
      const lease = this.open.get(this.due.topId)!
      // A lease that was renewed to the same time is here twice in a row.
      if (lease !== out.at(-1)) out.push(lease)
      this.due.pop()
    }
    return out
  }

  nextDueMs(): number | undefined {
    const { due } = this
    while (due.length > 0 && this.open.get(due.topId)?.dueMs !== due.topKey) due.pop()
    return due.length === 0 ? undefined : due.topKey
  }

  clear(): void {
    this.open.clear()
    this.due.clear()
    this.auxiliaries = 0
    this.pages = 0
    this.unproven = 0
  }

  private count({ auxiliary, plan, isProven }: Lease, change: 1 | -1): void {
    if (auxiliary !== undefined) {
      this.auxiliaries += change
      return
    }
    if (plan === 0) this.pages += change
    if (!isProven) this.unproven += change
  }
}
