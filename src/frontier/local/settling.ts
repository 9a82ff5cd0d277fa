import type { ByteWriter } from '../../base/structures/byte-writer.ts'
import type { FormerVisit, Settled, Settlement, TicketId } from '../frontier.ts'
import { OUTCOMES, SHOWN, SHOWN_SHIFT } from './events.ts'
import type { Lease } from './leases.ts'
import { WAITING } from './links.ts'
import type { Offering } from './offering.ts'
import { Sought } from './sought.ts'
import type { FrontierState } from './state.ts'

/** Closes tickets with their outcomes, and records it; see `events.ts`. */
export class Settling {
  /** Something was written that must not be lost. */
  hasChanged = false
  private readonly state: FrontierState
  private readonly offering: Offering
  private readonly out: ByteWriter
  private readonly sought = new Sought()

  constructor(state: FrontierState, offering: Offering, out: ByteWriter) {
    this.state = state
    this.offering = offering
    this.out = out
  }

  settle(settlements: readonly Settlement[], nowMs: number): Settled {
    const { out } = this
    const late: TicketId[] = []
    const fresh: number[] = []
    out.varint(settlements.length)
    for (const settlement of settlements) {
      const lease = this.state.leases.get(settlement.ticketId)
      out.varint(lease === undefined ? 0 : lease.ticketId)
      if (lease === undefined) late.push(settlement.ticketId)
      else this.finish(lease, settlement, nowMs)
      fresh.push(this.offering.add(settlement.links))
    }
    this.hasChanged = late.length < settlements.length || this.offering.hasChanged
    return { fresh, late }
  }

  settleFormer(visits: readonly FormerVisit[]): Settled {
    const fresh: number[] = []
    let settled = 0
    this.out.varint(visits.length)
    for (const visit of visits) {
      const wasWaiting = this.finishFormer(visit)
      if (wasWaiting) settled++
      fresh.push(wasWaiting ? this.offering.add(visit.links) : 0)
    }
    this.hasChanged = settled > 0
    return { fresh, late: [] }
  }

  private finish(lease: Lease, { outcome, shown, delayMs }: Settlement, nowMs: number): void {
    const { out, state } = this
    const kind = outcome.kind === 'done' && outcome.isPage ? 'page' : outcome.kind
    out.u8(OUTCOMES.indexOf(kind) | (SHOWN.indexOf(shown) << SHOWN_SHIFT))
    if (outcome.kind === 'refused') out.text(outcome.reason)
    const pauseMs = Math.max(delayMs, state.delayOf(lease.host))
    if (shown !== undefined) out.f64(pauseMs)
    state.finish(lease, outcome, shown, pauseMs, nowMs)
  }

  /** Returns whether the link was waiting. */
  private finishFormer({ url, isPage }: FormerVisit): boolean {
    const { out, state, sought } = this
    const link = state.find(url, sought)
    const isWaiting = link !== 0 && state.links.state(link) === WAITING
    out.varint(isWaiting ? link : 0)
    if (!isWaiting) return false
    const host = state.hosts.find(sought)
    out.varint(host)
    out.u8(isPage ? 1 : 0)
    state.finishFormer(link, host, isPage)
    return true
  }
}
