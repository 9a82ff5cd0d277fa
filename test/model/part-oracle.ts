// The oracle of one part of the hosts of a frontier that divides them.
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../src/base/clock.ts'
import type { FrontierOptions, Settlement, Ticket, TicketId } from '../../src/frontier/frontier.ts'
import { FrontierOracle } from './frontier-oracle.ts'
import type { KnownLink } from './frontier-oracle-state.ts'

/** How many more tickets of a kind may be leased over all parts; Infinity where nothing bounds them. */
export interface Room {
  readonly unproven: number
  readonly auxiliaries: number
  readonly pages: number
}

export const NO_BOUND: Room = { unproven: Infinity, auxiliaries: Infinity, pages: Infinity }

/** Knows which number the frontier under test gave to each of its tickets. */
export class PartOracle extends FrontierOracle {
  private numbers = new Map<TicketId, TicketId>()
  /** Enough pages are done, over all parts, as of the last take that asked this one. */
  private isEnough = false
  /** Whether the first known of two due links of the same gain and time comes first, or the first planned. */
  private readonly knowsOrder: boolean

  constructor(options: FrontierOptions, clock: Clock, knowsOrder: boolean) {
    super(options, clock)
    this.knowsOrder = knowsOrder
  }

  override copy(): PartOracle {
    const twin = new PartOracle(this.options, this.clock, this.knowsOrder)
    twin.state = structuredClone(this.state)
    twin.numbers = new Map(this.numbers)
    twin.isEnough = this.isEnough
    return twin
  }

  isLike(other: PartOracle): boolean {
    return isDeepStrictEqual([this.state, this.isEnough], [other.state, other.isEnough])
  }

  /** The part is asked for tickets, and told whether enough pages are done. */
  async asked(isEnough: boolean, nowMs: number): Promise<void> {
    this.isEnough = isEnough
    this.leaveWhenFull()
    await this.take(0, nowMs)
  }

  override reopen(options = this.options): void {
    super.reopen(options)
    this.numbers.clear()
  }

  /** How many tickets of each kind are open, and how many pages are done. */
  used(): Room {
    const open = this.state.tickets.map(({ link }) => link)
    const pages = open.filter(({ kind }) => kind === 'page')
    const fresh = pages.filter(({ plan }) => !plan)
    const done = this.state.hosts.reduce((sum, host) => sum + host.pages, 0)
    return {
      unproven: pages.filter(({ host }) => !host.isProven).length,
      auxiliaries: open.length - pages.length,
      pages: fresh.length + done,
    }
  }

  /** Leases one more, with so much room for it; undefined when nothing can be leased. */
  async leaseOne(nowMs: number, room: Room): Promise<Ticket | undefined> {
    const { unproven, auxiliaries, pages } = this.used()
    const { options } = this
    const bounds = {
      unproven: unproven + room.unproven,
      auxiliaries: auxiliaries + room.auxiliaries,
      limit: pages + room.pages,
    }
    this.options = { ...options, ...bounds }
    const { tickets } = await this.take(1, nowMs)
    this.options = options
    return tickets[0]
  }

  protected override isFull(): boolean {
    return this.isEnough
  }

  protected override placeOf(link: KnownLink): number {
    return this.knowsOrder ? link.number : link.plan!.number
  }

  /** The frontier under test leased this ticket under that number. */
  number(ticket: Ticket, theirs: TicketId): void {
    this.numbers.set(theirs, ticket.id)
  }

  /** The number of a ticket here; one that was never leased, for one that is not known. */
  ours(theirs: TicketId): TicketId {
    return this.numbers.get(theirs) ?? -1
  }

  /** Settles tickets named by their numbers there, and returns those that are late, named alike. */
  async settleTheirs(settlements: readonly Settlement[], nowMs: number): Promise<{ fresh: number[]; late: number[] }> {
    const late: TicketId[] = []
    const fresh: number[] = []
    for (const settlement of settlements) {
      const settled = await this.settle([{ ...settlement, ticketId: this.ours(settlement.ticketId) }], nowMs)
      fresh.push(settled.fresh[0]!)
      if (settled.late.length > 0) late.push(settlement.ticketId)
    }
    return { fresh, late }
  }
}
