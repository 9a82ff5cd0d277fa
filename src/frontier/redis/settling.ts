import { hostOf } from '../../url/host-of.ts'
import type { FormerVisit, Settled, Settlement, TicketId } from '../frontier.ts'
import type { Moment } from './moment.ts'
import type { Offer, Offering } from './offering.ts'
import type { OwnTicket } from './own-tickets.ts'
import { endInterrupted } from './recovering.ts'
import type { Servers } from './servers.ts'
import { type EngineSession, grouped, partFor } from './session.ts'
import type { OfferedLink, ReleasedToken, ShardSettlement } from './shard/moves.ts'

/** A settlement of this batch as one shard sees it; without a ticket, if that is not open. */
interface Entry {
  readonly settlement: Settlement
  /** Its place in the batch. */
  readonly group: number
  readonly own: OwnTicket | undefined
  readonly shard: number
  readonly links: readonly OfferedLink[]
}

interface SettledToken extends ReleasedToken {
  readonly host: string
  readonly shard: number
}

/**
 * Closes tickets with their outcomes. Links to other shards are offered first: a crash in between costs nothing, since the
 * ticket comes back and its links are then known. Ticket, host and the links of the same shard change in one step.
 */
export class Settling {
  private readonly session: EngineSession
  private readonly offering: Offering
  private readonly servers: Servers

  constructor(session: EngineSession, offering: Offering, servers: Servers) {
    this.session = session
    this.offering = offering
    this.servers = servers
  }

  async settle(settlements: readonly Settlement[], now: Moment): Promise<Settled> {
    const owns = this.ownsOf(settlements)
    const settling = new Set(owns.flatMap(own => (own === undefined ? [] : [own.shard])))
    const offer = await this.offering.begin(settlements.map(({ links }) => links))
    // The links of a ticket that is not open belong to no step; where others are settled, they keep their place among them.
    const isSentAlong = ({ group, host }: OfferedLink) => {
      const own = owns[group]
      return own === undefined ? settling.has(host.shard) : own.shard === host.shard
    }
    await this.offering.send(offer, link => !isSentAlong(link), now)
    const along = grouped(offer.links.filter(isSentAlong), ({ group }) => group)
    const entries = settlements.flatMap((settlement, group): Entry[] => {
      const own = owns[group]
      const links = along.get(group) ?? []
      if (own !== undefined) return [{ settlement, group, own, shard: own.shard, links }]
      const shards = grouped(links, ({ host }) => host.shard)
      return [...shards].map(([shard, some]) => ({ settlement, group, own, shard, links: some }))
    })
    const late = new Set([...settlements.keys()].filter(group => owns[group] === undefined))
    const tokens: SettledToken[] = []
    await Promise.all(
      [...grouped(entries, ({ shard }) => shard)].map(async ([shard, some]) => {
        const closed = await this.settleIn(shard, some, offer, now)
        for (const group of closed.late) late.add(group)
        tokens.push(...closed.tokens)
      }),
    )
    await this.letGo(tokens, now)
    await this.offering.end(offer)
    await endInterrupted(
      this.session,
      settlements.map(({ ticketId, delayMs }) => ({ ticketId, pauseMs: delayMs })),
      now,
    )
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
    const atHome = grouped(offer.links.filter(isAtHome), ({ group }) => group)
    const groups = grouped([...waiting], homeOf)
    await Promise.all(
      [...groups].map(async ([number, list]) => {
        const part = parts[number]!
        const done = list.map(group => {
          const { url, isPage } = visits[group]!
          return { url, host: places.of(hostOf(url)), isPage, links: atHome.get(group) ?? [] }
        })
        const settled = await part.shard.settleFormer(done, now.engineMs)
        part.isChanged = true
        offer.heard(settled, list)
        crawlers.pages += settled.pages
        part.pages += settled.pages
        await this.servers.passOn(part, now)
      }),
    )
    await this.offering.end(offer)
    crawlers.closedSome()
    return { fresh: offer.fresh, late: [] }
  }

  /** The ticket of each settlement, if it is open; one that is named twice only the first time. */
  private ownsOf(settlements: readonly Settlement[]): (OwnTicket | undefined)[] {
    const seen = new Set<TicketId>()
    return settlements.map(({ ticketId }) => {
      const own = seen.has(ticketId) ? undefined : this.session.tickets.get(ticketId)
      seen.add(ticketId)
      return own
    })
  }

  /** Settles in one shard. Returns the places in the batch of those that came too late, and what is left to let go. */
  private async settleIn(
    shard: number,
    entries: readonly Entry[],
    offer: Offer,
    now: Moment,
  ): Promise<{ late: number[]; tokens: SettledToken[] }> {
    const { parts, tickets, crawlers } = this.session
    const part = parts[shard]!
    const asked = entries.map(({ settlement: { outcome, shown, delayMs }, own, links }): ShardSettlement => {
      return { ticket: own?.ticket, outcome, shown, delayMs, links }
    })
    const settled = await part.shard.settle(asked, now.engineMs)
    part.isChanged = true
    offer.heard(
      settled,
      entries.map(({ group }) => group),
    )
    const isLate = new Set(settled.late)
    const late: number[] = []
    const tokens: SettledToken[] = []
    for (const [i, { settlement, group, own }] of entries.entries()) {
      if (own === undefined) continue
      const { ticket, server } = own
      tickets.remove(ticket.id)
      // Also when it is late: the host was asked.
      this.session.recent.settled(ticket, settlement, now)
      if (isLate.has(i)) {
        late.push(group)
        continue
      }
      if (isDonePage(settlement, own)) {
        crawlers.pages++
        part.pages++
      }
      if (server !== undefined) {
        tokens.push({ server, token: ticket.token, how: settlement.shown ?? 'unasked', host: ticket.host, shard })
      }
    }
    await this.servers.passOn(part, now)
    return { late, tokens }
  }

  /** The tickets' servers have room again. */
  private async letGo(tokens: readonly SettledToken[], now: Moment): Promise<void> {
    const down = (await this.servers.release(tokens, now)).filter(({ how }) => how === 'silence')
    // The hosts' shards learn of it here; those of other hosts when they try.
    const learned = down.map(({ host, shard }) => ({ host, hostShard: shard, inMs: 0, isServerDown: true }))
    await this.servers.wake(learned, now)
  }

  /** The visits whose links wait; of two with the same link, only the first. */
  private async waitingAmong(visits: readonly FormerVisit[], now: Moment): Promise<Set<number>> {
    const firsts = new Map<string, number>()
    for (const [group, { url }] of visits.entries()) if (!firsts.has(url)) firsts.set(url, group)
    const groups = grouped([...firsts], ([url]) => partFor(this.session, hostOf(url)).number)
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
  return outcome.kind === 'done' && outcome.isPage && !ticket.isAuxiliary
}
