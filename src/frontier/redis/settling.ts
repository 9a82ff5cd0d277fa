import { type FormerVisit, hostOf, type Settled, type Settlement, type TicketId } from '../frontier.ts'
import type { Moment } from './moment.ts'
import type { OfferedLink, ShardSettlement } from './moves.ts'
import type { Offer, Offering } from './offering.ts'
import type { OwnTicket } from './own-tickets.ts'
import type { Servers } from './servers.ts'
import { byShard, partFor, type Session } from './session.ts'

/** A settlement of this batch, with its ticket if that is open. */
interface Placed {
  readonly settlement: Settlement
  /** Its place in the batch. */
  readonly group: number
  readonly own: OwnTicket
}

/**
 * Closes tickets with their outcomes. Links to other shards are offered first: a crash in between costs nothing, since the
 * ticket comes back and its links are then known. Ticket, host and the links of the same shard change in one step.
 */
export class Settling {
  private readonly session: Session
  private readonly offering: Offering
  private readonly servers: Servers

  constructor(session: Session, offering: Offering, servers: Servers) {
    this.session = session
    this.offering = offering
    this.servers = servers
  }

  async settle(settlements: readonly Settlement[], now: Moment): Promise<Settled> {
    const placed = this.placed(settlements)
    const homes = new Map(placed.map(({ group, own }) => [group, own.shard]))
    const offer = await this.offering.begin(settlements.map(({ links }) => links))
    const isAtHome = ({ group, host }: OfferedLink) => homes.get(group) === host.shard
    await this.offering.send(offer, link => !isAtHome(link), now)
    const atHome = byShard(offer.links.filter(isAtHome), ({ group }) => group)
    const late = new Set(settlements.map((_, group) => group).filter(group => !homes.has(group)))
    const groups = byShard(placed, ({ own }) => own.shard)
    await Promise.all([...groups].map(([number, list]) => this.settleIn(number, list, { atHome, offer, late }, now)))
    await this.offering.end(offer)
    this.session.crawlers.closedSome()
    return {
      fresh: offer.fresh,
      late: settlements.map(({ ticketId }) => ticketId).filter((_, group) => late.has(group)),
    }
  }

  async settleFormer(visits: readonly FormerVisit[], now: Moment): Promise<Settled> {
    const waiting = await this.waitingAmong(visits, now)
    const offer = await this.offering.begin(visits.map(({ links }, group) => (waiting.has(group) ? links : [])))
    const { parts, places, crawlers } = this.session
    const homeOf = (group: number) => places.of(hostOf(visits[group]!.url)).shard
    const isAtHome = ({ group, host }: OfferedLink) => homeOf(group) === host.shard
    await this.offering.send(offer, link => !isAtHome(link), now)
    const atHome = byShard(offer.links.filter(isAtHome), ({ group }) => group)
    const groups = byShard([...waiting], homeOf)
    await Promise.all(
      [...groups].map(async ([number, list]) => {
        const part = parts[number]!
        const done = list.map(group => {
          const { url, isPage } = visits[group]!
          return { url, host: places.of(hostOf(url)), isPage, links: atHome.get(group) ?? [] }
        })
        const settled = await part.shard.settleFormer(done, now.engineMs)
        part.isChanged = true
        offer.heard(settled)
        crawlers.pages += settled.pages
        await this.servers.passOn(part, now)
      }),
    )
    await this.offering.end(offer)
    crawlers.closedSome()
    return { fresh: offer.fresh, late: [] }
  }

  /** The settlements whose tickets are open, each ticket once. */
  private placed(settlements: readonly Settlement[]): Placed[] {
    const seen = new Set<TicketId>()
    return settlements.flatMap((settlement, group) => {
      const own = this.session.tickets.get(settlement.ticketId)
      if (own === undefined || seen.has(settlement.ticketId)) return []
      seen.add(settlement.ticketId)
      return [{ settlement, group, own }]
    })
  }

  private async settleIn(
    number: number,
    list: readonly Placed[],
    batch: { atHome: ReadonlyMap<number, OfferedLink[]>; offer: Offer; late: Set<number> },
    now: Moment,
  ): Promise<void> {
    const { parts, tickets, crawlers } = this.session
    const part = parts[number]!
    part.isChanged = true
    const asked = list.map(({ settlement, group, own }): ShardSettlement => {
      const { outcome, shown, delayMs } = settlement
      return { ticket: own.ticket, outcome, shown, delayMs, links: batch.atHome.get(group) ?? [] }
    })
    const settled = await part.shard.settle(asked, now.engineMs)
    part.isChanged = true
    batch.offer.heard(settled)
    const late = new Set(settled.late)
    for (const [i, { settlement, group, own }] of list.entries()) {
      tickets.remove(own.ticket.id)
      if (late.has(i)) batch.late.add(group)
      else if (isDonePage(settlement, own)) crawlers.pages++
    }
    await Promise.all([
      this.letGo(
        list.filter((_, i) => !late.has(i)),
        now,
      ),
      this.servers.passOn(part, now),
    ])
  }

  /** The tickets' servers have room again. */
  private async letGo(list: readonly Placed[], now: Moment): Promise<void> {
    const tokens = list.flatMap(({ own, settlement }) => {
      const { server, ticket, shard } = own
      if (server === undefined) return []
      return [{ server, token: ticket.token, how: settlement.shown ?? ('unasked' as const), host: ticket.host, shard }]
    })
    const down = (await this.servers.release(tokens, now)).filter(({ how }) => how === 'silence')
    // The hosts' shards learn of it here; those of other hosts when they try.
    const learned = down.map(({ host, shard }) => ({ host, hostShard: shard, inMs: 0, isServerDown: true }))
    await this.servers.wake(learned, now)
  }

  /** The visits whose links wait; of two with the same link, only the first. */
  private async waitingAmong(visits: readonly FormerVisit[], now: Moment): Promise<Set<number>> {
    const firsts = new Map<string, number>()
    for (const [group, { url }] of visits.entries()) if (!firsts.has(url)) firsts.set(url, group)
    const groups = byShard([...firsts], ([url]) => partFor(this.session, hostOf(url)).number)
    const waiting = new Set<number>()
    await Promise.all(
      [...groups].map(async ([number, list]) => {
        const states = await this.session.parts[number]!.shard.explain(
          list.map(([url]) => url),
          now.engineMs,
        )
        for (const [i, [, group]] of list.entries()) if (states[i]?.state === 'waiting') waiting.add(group)
      }),
    )
    return new Set([...waiting].sort((a, b) => a - b))
  }
}

function isDonePage({ outcome }: Settlement, { ticket }: OwnTicket): boolean {
  return outcome.kind === 'done' && outcome.isPage && !ticket.isErrand
}
