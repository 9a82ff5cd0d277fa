import { hostOf } from '../../url/host-of.ts'
import type { FormerVisit, Settled, Settlement, TicketId } from '../frontier.ts'
import { Offer } from './offering.ts'
import type { OwnTicket } from './own-tickets.ts'
import { endInterrupted } from './recovering.ts'
import { admit, changed, release, releaseExpired, renewTokens, tokensOf, wake } from './servers.ts'
import {
  type CallTime,
  type EngineSession,
  grouped,
  inEachShard,
  localTime,
  shardFor,
  type TrackedShard,
} from './session.ts'
import type { OfferedLink } from './shard/moves.ts'

// What is done with open tickets. A server counts a ticket only while the record of the ticket's host says so: a host is placed before its
// server is asked, and a server is told before a ticket is closed. So a crawler that dies in between leaves no place taken that is not free
// again when its tickets come back.

/** A settlement of a batch as one shard sees it; without a ticket, if that is not open. */
interface Entry {
  readonly settlement: Settlement
  /** Its index in the batch. */
  readonly group: number
  readonly own: OwnTicket | undefined
  readonly shard: number
  readonly links: readonly OfferedLink[]
}

/**
 * Closes tickets with their outcomes. Links to other shards are offered first: a crash in between costs nothing, since the
 * ticket comes back and its links are then known. Ticket, host and the links of the same shard change in one step.
 */
export async function settle(
  session: EngineSession,
  settlements: readonly Settlement[],
  nowMs: CallTime,
): Promise<Settled> {
  const owns = eachOnce(session, settlements)
  const settling = new Set(owns.flatMap(own => (own === undefined ? [] : [own.shard])))
  const offer = await Offer.begin(
    session,
    settlements.map(({ links }) => links),
  )
  // The links of a ticket that is not open belong to no step; where others are settled, they keep their place among them.
  const isSentAlong = ({ group, host }: OfferedLink) => {
    const own = owns[group]
    return own === undefined ? settling.has(host.shard) : own.shard === host.shard
  }
  await offer.send(link => !isSentAlong(link), nowMs)
  const along = grouped(offer.links.filter(isSentAlong), ({ group }) => group)
  const entries = settlements.flatMap((settlement, group): Entry[] => {
    const own = owns[group]
    const links = along.get(group) ?? []
    if (own !== undefined) return [{ settlement, group, own, shard: own.shard, links }]
    const shards = grouped(links, ({ host }) => host.shard)
    return [...shards].map(([shard, some]) => ({ settlement, group, own, shard, links: some }))
  })
  const down = await releaseSettled(session, settlements, owns, nowMs)
  const late = new Set([...settlements.keys()].filter(group => owns[group] === undefined))
  await inEachShard(
    session,
    entries,
    ({ shard }) => shard,
    async (shard, some) => {
      for (const group of await settleIn(session, shard, some, offer, nowMs)) late.add(group)
    },
  )
  // The hosts' shards learn of it here; those of other hosts when they try.
  await wake(
    session,
    down.map(({ host, shard }) => ({ host, hostShard: shard, inMs: 0, isServerDown: true })),
    nowMs,
  )
  await offer.end()
  await endInterrupted(
    session,
    settlements.map(({ ticketId, delayMs }) => ({ ticketId, pauseMs: delayMs })),
    nowMs,
  )
  session.crawlers.closedSome()
  return { fresh: offer.fresh, late: settlements.map(({ ticketId }) => ticketId).filter((_, group) => late.has(group)) }
}

/** The ticket of each settlement, if it is open; one that is named twice only the first time. */
function eachOnce({ tickets }: EngineSession, settlements: readonly Settlement[]): (OwnTicket | undefined)[] {
  const seen = new Set<TicketId>()
  return settlements.map(({ ticketId }) => {
    const own = seen.has(ticketId) ? undefined : tickets.get(ticketId)
    seen.add(ticketId)
    return own
  })
}

/** The tickets' servers have room again. Returns the hosts whose servers did not answer, and are down now. */
async function releaseSettled(
  session: EngineSession,
  settlements: readonly Settlement[],
  owns: readonly (OwnTicket | undefined)[],
  nowMs: CallTime,
): Promise<readonly { readonly host: string; readonly shard: number }[]> {
  const tokens = owns.flatMap((own, group) => {
    if (own?.server === undefined) return []
    const { ticket, server, shard } = own
    // It is not renewed there any more.
    own.server = undefined
    return [
      { server, token: ticket.id, how: settlements[group]!.shown ?? ('unasked' as const), host: ticket.host, shard },
    ]
  })
  return (await release(session, tokens, nowMs)).filter(({ how }) => how === 'silence')
}

/** Settles in one shard. Returns the indexes in the batch of those that came too late. */
async function settleIn(
  session: EngineSession,
  shard: TrackedShard,
  entries: readonly Entry[],
  offer: Offer,
  nowMs: CallTime,
): Promise<number[]> {
  const { tickets, crawlers, recent } = session
  const settled = await shard.settle(
    entries.map(({ settlement: { outcome, shown, delayMs }, own, links }) => {
      return { ticket: own?.ticket, outcome, shown, delayMs, links }
    }),
    nowMs,
  )
  offer.heard(
    settled,
    entries.map(({ group }) => group),
  )
  const isLate = new Set(settled.late)
  const late: number[] = []
  for (const [i, { settlement, group, own }] of entries.entries()) {
    if (own === undefined) continue
    tickets.remove(own.ticket.id)
    // Also when it is late: the host was asked.
    recent.settled(own.ticket, settlement, localTime(nowMs))
    const { outcome } = settlement
    if (isLate.has(i)) late.push(group)
    else if (outcome.kind === 'done' && outcome.isPage && !own.ticket.isAuxiliary) {
      crawlers.pages++
      shard.pages++
    }
  }
  await changed(session, shard, nowMs)
  return late
}

/** Settles links that wait, as their pages were archived before. */
export async function settleFormer(
  session: EngineSession,
  visits: readonly FormerVisit[],
  nowMs: CallTime,
): Promise<Settled> {
  const { hosts, crawlers } = session
  const waiting = await waitingAmong(session, visits, nowMs)
  const offer = await Offer.begin(
    session,
    visits.map(({ links }, group) => (waiting.has(group) ? links : [])),
  )
  const homeOf = (group: number) => hosts.of(hostOf(visits[group]!.url)).shard
  const isAtHome = ({ group, host }: OfferedLink) => homeOf(group) === host.shard
  await offer.send(link => !isAtHome(link), nowMs)
  const atHome = grouped(offer.links.filter(isAtHome), ({ group }) => group)
  await inEachShard(session, [...waiting], homeOf, async (shard, groups) => {
    const done = groups.map(group => {
      const { url, isPage } = visits[group]!
      return { url, host: hosts.of(hostOf(url)), isPage, links: atHome.get(group) ?? [] }
    })
    const settled = await shard.settleFormer(done, nowMs)
    offer.heard(settled, groups)
    crawlers.pages += settled.pages
    shard.pages += settled.pages
    await changed(session, shard, nowMs)
  })
  await offer.end()
  crawlers.closedSome()
  return { fresh: offer.fresh, late: [] }
}

/** The visits whose links wait, in their order; of two with the same link, only the first. */
async function waitingAmong(
  session: EngineSession,
  visits: readonly FormerVisit[],
  nowMs: CallTime,
): Promise<Set<number>> {
  const firsts = new Map<string, number>()
  for (const [group, { url }] of visits.entries()) if (!firsts.has(url)) firsts.set(url, group)
  const waiting: number[] = []
  await inEachShard(
    session,
    [...firsts],
    ([url]) => shardFor(session, hostOf(url)).number,
    async (shard, list) => {
      const states = await shard.explain(
        list.map(([url]) => url),
        nowMs,
      )
      for (const [i, [, group]] of list.entries()) if (states[i]?.state === 'waiting') waiting.push(group)
    },
  )
  return new Set(waiting.sort((a, b) => a - b))
}

/** Places the host of a ticket at a server. False: there is no room, or the ticket is not open. */
export async function place(
  session: EngineSession,
  ticketId: TicketId,
  server: string,
  nowMs: CallTime,
): Promise<boolean> {
  const { tickets, shards, crawlers } = session
  const own = tickets.get(ticketId)
  if (own === undefined) {
    await endInterrupted(session, [{ ticketId, pauseMs: 0 }], nowMs)
    return false
  }
  if (own.server === server) return true
  const { ticket } = own
  const shard = shards[own.shard]!
  await releaseUnasked(session, [own], nowMs)
  const isOpen = await shard.placeAt(ticket, server, nowMs)
  const [admission] = isOpen ? await admit(session, [{ own, server }], nowMs) : []
  const isGranted = admission?.isGranted === true
  if (isGranted) own.server = server
  else tickets.remove(ticketId)
  if (admission?.isGranted === false) {
    await shard.giveBack([{ ticket, how: { parkedMs: admission.laterMs, isServerDown: admission.isDown } }], nowMs)
  }
  await changed(session, shard, nowMs)
  if (!isGranted) crawlers.closedSome()
  return isGranted
}

export async function giveBack(session: EngineSession, ticketIds: readonly TicketId[], nowMs: CallTime): Promise<void> {
  const { tickets, crawlers } = session
  const open = openOf(session, ticketIds)
  await releaseUnasked(session, open, nowMs)
  await inEachShard(
    session,
    open,
    ({ shard }) => shard,
    async (shard, list) => {
      await shard.giveBack(
        list.map(({ ticket }) => ({ ticket, how: 'as it was' })),
        nowMs,
      )
      for (const { ticket } of list) tickets.remove(ticket.id)
      await changed(session, shard, nowMs)
    },
  )
  await endInterrupted(
    session,
    ticketIds.map(ticketId => ({ ticketId, pauseMs: 0 })),
    nowMs,
  )
  crawlers.closedSome()
}

async function releaseUnasked(session: EngineSession, owns: readonly OwnTicket[], nowMs: CallTime): Promise<void> {
  const tokens = tokensOf(owns).map(token => ({ ...token, how: 'unasked' as const }))
  for (const own of owns) own.server = undefined
  await release(session, tokens, nowMs)
}

/** Returns those that are not open. */
export async function renew(
  session: EngineSession,
  ticketIds: readonly TicketId[],
  nowMs: CallTime,
): Promise<TicketId[]> {
  const { tickets, settings } = session
  // A lease that ran out may be renewed as long as nobody noticed, but not if its place at the server is another's by now.
  const withoutRoom = await renewTokens(session, tokensOf(openOf(session, ticketIds)), nowMs)
  for (const { token } of withoutRoom) tickets.remove(token)
  const lost = await inEachShard(
    session,
    openOf(session, ticketIds),
    ({ shard }) => shard,
    async (shard, list) => {
      const closed = await shard.renew(
        list.map(({ ticket }) => ticket),
        nowMs,
      )
      shard.isChanged = true
      const dueMs = localTime(nowMs) + settings.leaseMs
      for (const own of list) own.dueMs = dueMs
      return closed.map(at => list[at]!)
    },
  )
  for (const { ticket } of lost.flat()) tickets.remove(ticket.id)
  await releaseExpired(
    session,
    lost.flat().map(({ server, ticket }) => ({ server, ticketId: ticket.id })),
    nowMs,
  )
  return ticketIds.filter(id => tickets.get(id) === undefined)
}

/** Each once. */
function openOf({ tickets }: EngineSession, ticketIds: readonly TicketId[]): OwnTicket[] {
  return [...new Set(ticketIds.map(id => tickets.get(id)).filter(own => own !== undefined))]
}
