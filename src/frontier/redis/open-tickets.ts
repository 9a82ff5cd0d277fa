import { hostOf } from '../../url/host-of.ts'
import type { FormerVisit, Settled, Settlement, TicketId } from '../frontier.ts'
import { Offer } from './offering.ts'
import type { OwnTicket } from './own-tickets.ts'
import { endInterrupted } from './recovering.ts'
import { admit, changed, release, releaseExpired, renewTokens, tokensOf, wake } from './servers.ts'
import { type Call, type EngineSession, grouped, inShards, localTime, shardFor, type TrackedShard } from './session.ts'
import { leaseKindOf, type OfferedLink } from './shard/moves.ts'

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
export async function settle(call: Call, settlements: readonly Settlement[]): Promise<Settled> {
  const { session } = call
  const owns = eachOnce(session, settlements)
  const settling = new Set(owns.flatMap(own => (own === undefined ? [] : [own.shard])))
  const offered = settlements.map(({ links }) => links)
  const offer = await Offer.begin(call, offered)
  // The links of a ticket that is not open belong to no step; where others are settled, they keep their place among them.
  const isSentAlong = ({ group, host }: OfferedLink) => {
    const own = owns[group]
    return own === undefined ? settling.has(host.shard) : own.shard === host.shard
  }
  await offer.send(link => !isSentAlong(link))
  const along = grouped(offer.links.filter(isSentAlong), ({ group }) => group)
  const entries = settlements.flatMap((settlement, group): Entry[] => {
    const own = owns[group]
    const links = along.get(group) ?? []
    if (own !== undefined) return [{ settlement, group, own, shard: own.shard, links }]
    const shards = grouped(links, ({ host }) => host.shard)
    return [...shards].map(([shard, some]) => ({ settlement, group, own, shard, links: some }))
  })
  const down = await releaseSettled(call, settlements, owns)
  const late = new Set([...settlements.keys()].filter(group => owns[group] === undefined))
  const groups = grouped(entries, ({ shard }) => shard)
  await inShards(session, groups, async (shard, some) => {
    for (const group of await settleIn(call, shard, some, offer)) late.add(group)
  })
  // The hosts' shards learn of it here; those of other hosts when they try.
  const learned = down.map(({ host, shard }) => ({ host, hostShard: shard, inMs: 0, isServerDown: true }))
  await wake(call, learned)
  await offer.end()
  const ended = settlements.map(({ ticketId, delayMs }) => ({ ticketId, pauseMs: delayMs }))
  await endInterrupted(call, ended)
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
  call: Call,
  settlements: readonly Settlement[],
  owns: readonly (OwnTicket | undefined)[],
): Promise<readonly { readonly host: string; readonly shard: number }[]> {
  const tokens = owns.flatMap((own, group) => {
    if (own?.server === undefined) return []
    const { ticket, server, shard } = own
    // It is not renewed there any more.
    own.server = undefined
    const how = settlements[group]!.shown ?? ('unasked' as const)
    return [{ server, token: ticket.id, how, host: ticket.host, shard }]
  })
  return (await release(call, tokens)).filter(({ how }) => how === 'silence')
}

/** Settles in one shard. Returns the indexes in the batch of those that came too late. */
async function settleIn(call: Call, shard: TrackedShard, entries: readonly Entry[], offer: Offer): Promise<number[]> {
  const { tickets, crawlers, recent } = call.session
  const asked = entries.map(({ settlement: { outcome, shown, delayMs }, own, links }) => {
    return { ticket: own?.ticket, outcome, shown, delayMs, links }
  })
  const settled = await shard.settle(asked, call.nowMs)
  const groups = entries.map(({ group }) => group)
  offer.heard(settled, groups)
  const isLate = new Set(settled.late)
  const late: number[] = []
  for (const [i, { settlement, group, own }] of entries.entries()) {
    if (own === undefined) continue
    tickets.remove(own.ticket.id)
    // Also when it is late: the host was asked.
    recent.settled(own.ticket, settlement, localTime(call.nowMs))
    const { outcome } = settlement
    if (isLate.has(i)) late.push(group)
    else if (outcome.kind === 'done' && outcome.isPage && leaseKindOf(own.ticket) === 'page') {
      crawlers.pages++
      shard.pages++
    }
  }
  await changed(call, shard)
  return late
}

/** Settles links that wait, as their pages were archived before, and planned ones that were visited before that. */
export async function settleFormer(call: Call, visits: readonly FormerVisit[]): Promise<Settled> {
  const { session, nowMs } = call
  const { hosts, crawlers } = session
  const open = await openAmong(call, visits)
  const offered = visits.map(({ links }, group) => (open.has(group) ? links : []))
  const offer = await Offer.begin(call, offered)
  const homeOf = (group: number) => hosts.of(hostOf(visits[group]!.url)).shard
  const isAtHome = ({ group, host }: OfferedLink) => homeOf(group) === host.shard
  await offer.send(link => !isAtHome(link))
  const atHome = grouped(offer.links.filter(isAtHome), ({ group }) => group)
  await inShards(session, grouped([...open], homeOf), async (shard, groups) => {
    const done = groups.map(group => {
      const { url, isPage, dateMs, again } = visits[group]!
      return { url, host: hosts.of(hostOf(url)), isPage, dateMs, again, links: atHome.get(group) ?? [] }
    })
    const settled = await shard.settleFormer(done, nowMs)
    offer.heard(settled, groups)
    crawlers.pages += settled.pages
    shard.pages += settled.pages
    await changed(call, shard)
  })
  await offer.end()
  crawlers.closedSome()
  return { fresh: offer.fresh, late: [] }
}

/** The visits that settle something, in their order: their links wait, or are planned and were visited before. */
async function openAmong({ session, nowMs }: Call, visits: readonly FormerVisit[]): Promise<Set<number>> {
  const open: number[] = []
  const groups = grouped([...visits.keys()], group => shardFor(session, hostOf(visits[group]!.url)).number)
  await inShards(session, groups, async (shard, list) => {
    const urls = [...new Set(list.map(group => visits[group]!.url))]
    const visitedAtMs = new Map((await shard.visited(urls, nowMs)).map((atMs, i) => [urls[i]!, atMs]))
    const now = list.every(group => visits[group]!.dateMs !== undefined) ? 0 : await shard.now(nowMs)
    for (const group of list) {
      const { url, dateMs = now, again } = visits[group]!
      if (visitedAtMs.get(url)! >= dateMs) continue
      visitedAtMs.set(url, again === undefined ? Number.POSITIVE_INFINITY : dateMs)
      open.push(group)
    }
  })
  return new Set(open.sort((a, b) => a - b))
}

/** Places the host of a ticket at a server. False: there is no room, or the ticket is not open. */
export async function place(call: Call, ticketId: TicketId, server: string): Promise<boolean> {
  const { tickets, shards, crawlers } = call.session
  const own = tickets.get(ticketId)
  if (own === undefined) {
    await endInterrupted(call, [{ ticketId, pauseMs: 0 }])
    return false
  }
  if (own.server === server) return true
  const { ticket } = own
  const shard = shards[own.shard]!
  await releaseUnasked(call, [own])
  const isOpen = await shard.placeAt(ticket, server, call.nowMs)
  const [admission] = isOpen ? await admit(call, [{ own, server }]) : []
  const isGranted = admission?.isGranted === true
  if (isGranted) own.server = server
  else tickets.remove(ticketId)
  if (admission?.isGranted === false) {
    const how = { parkedMs: admission.laterMs, isServerDown: admission.isDown }
    await shard.giveBack([{ ticket, how }], call.nowMs)
  }
  await changed(call, shard)
  if (!isGranted) crawlers.closedSome()
  return isGranted
}

export async function giveBack(call: Call, ticketIds: readonly TicketId[]): Promise<void> {
  const { session, nowMs } = call
  const open = openOf(session, ticketIds)
  await releaseUnasked(call, open)
  const groups = grouped(open, ({ shard }) => shard)
  await inShards(session, groups, async (shard, list) => {
    const returned = list.map(({ ticket }) => ({ ticket, how: 'as it was' as const }))
    await shard.giveBack(returned, nowMs)
    for (const { ticket } of list) session.tickets.remove(ticket.id)
    await changed(call, shard)
  })
  const ended = ticketIds.map(ticketId => ({ ticketId, pauseMs: 0 }))
  await endInterrupted(call, ended)
  session.crawlers.closedSome()
}

async function releaseUnasked(call: Call, owns: readonly OwnTicket[]): Promise<void> {
  const tokens = tokensOf(owns).map(token => ({ ...token, how: 'unasked' as const }))
  for (const own of owns) own.server = undefined
  await release(call, tokens)
}

/** Returns those that are not open. */
export async function renew(call: Call, ticketIds: readonly TicketId[]): Promise<TicketId[]> {
  const { session, nowMs } = call
  const { tickets, settings } = session
  // A lease that ran out may be renewed as long as no client noticed, but not if its place at the server is another's by now.
  const withoutRoom = await renewTokens(call, tokensOf(openOf(session, ticketIds)))
  for (const { token } of withoutRoom) tickets.remove(token)
  const groups = grouped(openOf(session, ticketIds), ({ shard }) => shard)
  const closed = await inShards(session, groups, async (shard, list) => {
    const leases = list.map(({ ticket }) => ticket)
    const places = await shard.renew(leases, nowMs)
    shard.isChanged = true
    const dueMs = localTime(nowMs) + settings.leaseMs
    for (const own of list) own.dueMs = dueMs
    return places.map(at => list[at]!)
  })
  const lost = closed.flat().map(({ server, ticket }) => ({ server, ticketId: ticket.id }))
  for (const { ticketId } of lost) tickets.remove(ticketId)
  await releaseExpired(call, lost)
  return ticketIds.filter(id => tickets.get(id) === undefined)
}

/** Each once. */
function openOf({ tickets }: EngineSession, ticketIds: readonly TicketId[]): OwnTicket[] {
  return [...new Set(ticketIds.map(id => tickets.get(id)).filter(own => own !== undefined))]
}
