// A frontier on lists and sorts: slow, short, and meant to be right at a glance. It follows src/frontier/frontier.ts
// sentence by sentence; every other frontier is compared with it.
import type { Clock } from '../../src/base/clock.ts'
import {
  CHANGEABLE_OPTIONS,
  type CrawlFrontier,
  type FormerVisit,
  type FrontierChange,
  type FrontierOptions,
  type Hold,
  type Link,
  restMs,
  type Settled,
  type Settlement,
  type Taken,
  type Ticket,
  type TicketId,
} from '../../src/frontier/frontier.ts'
import { OracleAgain } from './frontier-oracle-again.ts'
import { chooseHost } from './frontier-oracle-choice.ts'
import {
  classByProof,
  emptyState,
  type HostClass,
  isDown,
  type KnownHost,
  type OpenTicket,
} from './frontier-oracle-state.ts'
import { linkOf } from './frontier-oracle-views.ts'
import {
  badValue,
  refuseBadLinks,
  refuseBadOptions,
  refuseBadSettlements,
  refuseBadValues,
  refuseBadVisits,
} from './frontier-validity.ts'

export type FrontierStrategy = NonNullable<FrontierOptions['strategy']>
export const FRONTIER_STRATEGIES: readonly FrontierStrategy[] = ['depth', 'breadth', 'best', 'explore', 'important']

export class FrontierOracle extends OracleAgain implements CrawlFrontier {
  readonly supports = { exactOrder: true, reopen: true }
  readonly isTimed = true
  readonly rules = this
  /** What was repaired at the last opening. */
  repairs: string[] = []

  constructor(options: FrontierOptions, clock: Clock) {
    super(options, clock)
    refuseBadOptions(options)
  }

  /** A second oracle that knows the same and goes its own way from here. */
  copy(): FrontierOracle {
    const twin = new FrontierOracle(this.options, this.clock)
    twin.state = structuredClone(this.state)
    return twin
  }

  /** What a close or a crash does: nobody has joined, open tickets come back, and whoever was down has one more try. */
  reopen(options = this.options): void {
    refuseBadOptions(options)
    this.options = options
    this.isClosed = false
    this.repairs = []
    const nowMs = this.clock()
    const { state } = this
    if (nowMs < state.latestMs) this.moveTimesBack(state.latestMs - nowMs, nowMs)
    state.latestMs = nowMs
    state.line = []
    for (const host of state.hosts) Object.assign(host, { joinedAs: undefined, due: [], isDueNext: false })
    for (const { plan } of state.links.values()) if (plan) plan.isDue = false
    for (const ticket of state.tickets.toSorted((a, b) => a.id - b.id)) {
      this.closeTicket(ticket, 'asked')
      this.queue(ticket.link)
      this.holdUntil(ticket.link.host, nowMs + this.delayOf(ticket.link.host), 'delay')
    }
    const { retries = 3 } = options
    for (const host of state.hosts) {
      if (host.failures <= retries) continue
      host.failures = retries
      if (host.isResting) host.readyAtMs = Math.min(host.readyAtMs, nowMs + this.delayOf(host))
    }
    for (const server of state.servers.values()) {
      if (server.failures <= retries) continue
      server.failures = retries
      server.readyAtMs = Math.min(server.readyAtMs, nowMs)
    }
  }

  async offer(links: readonly Link[]): Promise<number> {
    this.refuseWhenClosed()
    refuseBadLinks(links)
    return this.add(links)
  }

  async take(max: number, nowMs = this.clock()): Promise<Taken> {
    this.refuseWhenClosed()
    if (Number.isNaN(max)) throw badValue()
    this.saw(nowMs)
    const over = this.state.tickets.filter(ticket => ticket.dueMs <= nowMs)
    for (const ticket of over.sort((a, b) => a.dueMs - b.dueMs || a.id - b.id)) {
      this.closeTicket(ticket, 'asked')
      this.queue(ticket.link)
    }
    if (this.options.recrawl) this.becomeDue(nowMs)
    this.join(nowMs)
    const tickets: Ticket[] = []
    while (tickets.length < max) {
      const host = this.nextForAuxiliary(nowMs) ?? this.nextForPage(nowMs)
      if (!host) break
      tickets.push(this.lease(host, nowMs))
    }
    const waitMs = max >= 1 && tickets.length === max ? 0 : this.waitMs(nowMs)
    return { tickets, waitMs, ...this.ending(nowMs) }
  }

  async place(ticketId: TicketId, name: string, nowMs = this.clock()): Promise<boolean> {
    this.refuseWhenClosed()
    this.saw(nowMs)
    const ticket = this.openTicket(ticketId)
    if (!ticket) return false
    const { host } = ticket.link
    if (host.server?.name === name) return true
    this.leaveServer(ticket, 'unasked')
    ticket.server = undefined
    const server = this.server(name)
    host.server = server
    const ticketClass = ticket.link.kind === 'page' ? classByProof(host) : 'auxiliary'
    const isBehind = this.state.line.some(other => other.server === server && other.joinedAs === ticketClass)
    if (isBehind || !this.admits(server, nowMs)) {
      this.closeTicket(ticket, 'unasked')
      this.putBack(ticket.link)
      return false
    }
    ticket.takenMs = nowMs
    this.enterServer(ticket, server, nowMs)
    return true
  }

  async settle(settlements: readonly Settlement[], nowMs = this.clock()): Promise<Settled> {
    this.refuseWhenClosed()
    refuseBadSettlements(settlements)
    refuseBadLinks(settlements.flatMap(({ links }) => links))
    this.saw(nowMs)
    const late: TicketId[] = []
    const fresh = settlements.map(settlement => {
      const ticket = this.openTicket(settlement.ticketId)
      if (ticket) this.settleOne(ticket, settlement, nowMs)
      else late.push(settlement.ticketId)
      return this.add(settlement.links)
    })
    return { fresh, late }
  }

  async settleFormer(visits: readonly FormerVisit[], nowMs = this.clock()): Promise<Settled> {
    this.refuseWhenClosed()
    refuseBadVisits(visits)
    this.saw(nowMs)
    const fresh = visits.map(({ url, isPage, links, dateMs = nowMs, again }) => {
      const link = this.state.links.get(url)
      if (!link) return 0
      if (link.state === 'waiting') {
        link.host.list = link.host.list.filter(other => other !== link)
        this.isDone(link, isPage)
      } else if (link.state !== 'done' || !link.plan || link.plan.visitedAtMs >= dateMs) return 0
      this.planNext(link, again, dateMs, nowMs)
      this.leaveWhenEmpty(link.host)
      return this.add(links)
    })
    return { fresh, late: [] }
  }

  async giveBack(ticketIds: readonly TicketId[]): Promise<void> {
    this.refuseWhenClosed()
    for (const id of ticketIds) {
      const ticket = this.openTicket(id)
      if (!ticket) continue
      this.closeTicket(ticket, 'unasked')
      this.putBack(ticket.link)
    }
  }

  async renew(ticketIds: readonly TicketId[], nowMs = this.clock()): Promise<TicketId[]> {
    this.refuseWhenClosed()
    this.saw(nowMs)
    const { leaseMs = 60_000 } = this.options
    for (const ticket of this.state.tickets) if (ticketIds.includes(ticket.id)) ticket.dueMs = nowMs + leaseMs
    return ticketIds.filter(id => !this.openTicket(id))
  }

  async hold(name: string, { forMs, isAnew = false }: Hold, nowMs = this.clock()): Promise<void> {
    this.refuseWhenClosed()
    refuseBadValues(name, forMs)
    this.saw(nowMs)
    const host = this.hostNamed(name)
    if (isAnew) {
      Object.assign(host, { readyAtMs: Math.min(host.readyAtMs, nowMs), isResting: false, failures: 0 })
    }
    this.holdUntil(host, nowMs + forMs, 'block')
    if (forMs > 0) this.leave(host)
  }

  async setDelay(name: string, delayMs: number): Promise<void> {
    this.refuseWhenClosed()
    refuseBadValues(name, delayMs)
    this.hostNamed(name).delayMs = delayMs
  }

  async note(host: string, key: string, bytes: Uint8Array, forMs: number, nowMs = this.clock()): Promise<void> {
    this.refuseWhenClosed()
    refuseBadValues(host, forMs)
    this.saw(nowMs)
    this.state.notes.set(JSON.stringify([host, key]), { bytes: bytes.slice(), untilMs: nowMs + forMs })
  }

  async requeue(links: readonly Link[]): Promise<number> {
    this.refuseWhenClosed()
    refuseBadLinks(links)
    let requeued = 0
    for (const { url, kind = 'page' } of links) {
      const link = this.state.links.get(url)
      if (kind !== 'page' || link?.state !== 'refused') continue
      link.attempt = 1
      this.queue(link)
      requeued++
    }
    return requeued
  }

  async clear(name?: string, onCleared?: (links: readonly Link[]) => void): Promise<void> {
    this.refuseWhenClosed()
    if (name === undefined) {
      const { leasedEver, latestMs } = this.state
      this.state = { ...emptyState(), leasedEver, latestMs }
      return
    }
    const host = this.state.hosts.find(known => known.name === name)
    if (!host) return
    onCleared?.((await this.waiting(host.name, { limit: 10_000 })).items)
    this.forgetWaiting(host, 'cleared')
    this.forgetPlanned(host)
  }

  async change(change: FrontierChange): Promise<void> {
    this.refuseWhenClosed()
    const options: FrontierOptions = { ...this.options }
    for (const name of CHANGEABLE_OPTIONS)
      if (change[name] !== undefined) Object.assign(options, { [name]: change[name] })
    refuseBadOptions(options)
    const { strategy = 'breadth' } = this.options
    if (options.strategy !== undefined && options.strategy !== strategy) this.state.turns = emptyState().turns
    this.options = options
    this.leaveWhenFull()
  }

  async close(): Promise<void> {
    this.isClosed = true
  }

  private settleOne(ticket: OpenTicket, { outcome, shown, delayMs }: Settlement, nowMs: number): void {
    const { link } = ticket
    const { host } = link
    this.closeTicket(ticket, shown === undefined ? 'unasked' : 'asked')
    if (outcome.kind === 'again') {
      link.attempt++
      this.queue(link)
    }
    if (outcome.kind === 'done') {
      if (link.plan) link.state = 'done'
      else this.isDone(link, outcome.isPage)
      this.planNext(link, outcome.again, nowMs, nowMs)
    }
    if (outcome.kind === 'refused' && link.plan) Object.assign(link, { state: 'done', plan: undefined })
    else if (outcome.kind === 'refused') {
      Object.assign(link, { state: 'refused', reason: outcome.reason, attempt: link.attempt + 1 })
    }
    if (shown === undefined) return
    if (shown === 'gone') {
      if (outcome.kind === 'refused') this.forgetWaiting(host, outcome.reason)
      if (!this.isPlannedAt(host)) return
    }
    host.isProven = shown === 'answer'
    host.failures = shown === 'answer' ? 0 : host.failures + 1
    if (shown === 'silence') this.fellSilent(host.server, ticket, nowMs)
    else if (host.server && shown !== 'gone') host.server.failures = 0
    const pauseMs = Math.max(delayMs, this.delayOf(host))
    const ownRestMs = restMs(host.failures)
    if (ownRestMs > pauseMs) this.holdUntil(host, nowMs + ownRestMs, 'rest')
    else this.holdUntil(host, nowMs + pauseMs, 'delay')
  }

  private join(nowMs: number): void {
    const { hosts, line } = this.state
    const leased = new Set(this.state.tickets.map(({ link }) => link.host))
    hosts
      .filter(host => this.hasWaiting(host) && !leased.has(host) && host.readyAtMs <= nowMs && !host.joinedAs)
      .sort((a, b) => a.readyAtMs - b.readyAtMs || a.number - b.number)
      .forEach(host => {
        host.joinedAs = host.auxiliaries.length > 0 ? 'auxiliary' : classByProof(host)
        line.push(host)
      })
  }

  /** The hosts of these classes that can be leased, in the order in which they joined. */
  private able(classes: readonly HostClass[], nowMs: number): KnownHost[] {
    const taken = new Set<string>()
    return this.state.line.filter(host => {
      if (!host.server) return classes.includes(host.joinedAs!)
      const place = `${host.joinedAs} ${host.server.name}`
      const isFirst = !taken.has(place)
      taken.add(place)
      return isFirst && classes.includes(host.joinedAs!) && this.admits(host.server, nowMs)
    })
  }

  private nextForAuxiliary(nowMs: number): KnownHost | undefined {
    const open = this.state.tickets.filter(({ link }) => link.kind !== 'page').length
    return open < (this.options.auxiliaries ?? Infinity) ? this.able(['auxiliary'], nowMs)[0] : undefined
  }

  private nextForPage(nowMs: number): KnownHost | undefined {
    const { limit = Infinity, unproven = Infinity } = this.options
    const open = this.state.tickets.filter(({ link }) => link.kind === 'page')
    const isRoom = this.pages() + open.filter(({ link }) => !link.plan).length < limit
    if (!isRoom && !this.isFull()) return undefined
    const isFull = open.filter(({ link }) => !link.host.isProven).length >= unproven
    const able = this.able(isFull ? ['proven'] : ['proven', 'unproven'], nowMs)
    return chooseHost(able, this.state, this.options, host => this.pagesOf(host))
  }

  private lease(host: KnownHost, nowMs: number): Ticket {
    const { state } = this
    const { leaseMs = 60_000 } = this.options
    if (host.joinedAs !== 'auxiliary') host.turns++
    const link = host.joinedAs === 'auxiliary' ? host.auxiliaries.shift()! : this.nextPage(host)
    this.leave(host)
    link.state = 'leased'
    state.visited.add(host.domain)
    const id = ++state.leasedEver
    const serverMs = { set: 0, before: 0 }
    const ticket: OpenTicket = { id, link, takenMs: nowMs, dueMs: nowMs + leaseMs, server: undefined, serverMs }
    if (host.server) this.enterServer(ticket, host.server, nowMs)
    state.tickets.push(ticket)
    const { name, server, pages: hostPages, isProven } = host
    const { kind, attempt } = link
    const { visitedAtMs, isHinted } = link.plan ?? { visitedAtMs: 0, isHinted: false }
    return {
      ...{ ...linkOf(link), id, kind, attempt, host: name, leaseMs, server: server?.name, hostPages, isProven },
      ...(link.plan && { again: { visitedAtMs, isHinted } }),
    }
  }

  private waitMs(nowMs: number): number | undefined {
    const { hosts, line, tickets } = this.state
    const leased = new Set(tickets.map(({ link }) => link.host))
    const resting = hosts.filter(host => this.hasWaiting(host) && !leased.has(host) && !host.joinedAs)
    const servers = line.flatMap(({ server }) =>
      server && server.open < (this.options.perServer ?? 4) ? [server] : [],
    )
    const times = [...[...resting, ...servers].map(one => one.readyAtMs), ...tickets.map(({ dueMs }) => dueMs)]
    const future = times.filter(atMs => atMs > nowMs)
    if (this.options.recrawl) future.push(...this.comingLinks().map(({ plan }) => Math.max(plan!.dueAtMs, nowMs)))
    return future.length === 0 ? undefined : Math.min(...future) - nowMs
  }

  private ending(nowMs: number): Pick<Taken, 'end' | 'pause'> {
    const { hosts, tickets } = this.state
    const { recrawl = false, limit = Infinity } = this.options
    const why = this.pages() >= limit ? 'limit' : 'nothing left'
    if (!recrawl && why === 'limit') return { end: why }
    const coming = recrawl ? this.comingLinks() : []
    if (tickets.length > 0 || coming.some(({ plan }) => plan!.dueAtMs <= nowMs)) return {}
    if (hosts.some(host => this.hasWaiting(host) && !isDown(host, this.options))) return {}
    return coming.length === 0 && hosts.every(({ due }) => due.length === 0) ? { end: why } : { pause: why }
  }

  /** The clock went back while the frontier was closed. */
  private moveTimesBack(byMs: number, nowMs: number): void {
    const { hosts, servers, notes } = this.state
    for (const one of [...hosts, ...servers.values()]) one.readyAtMs -= byMs
    for (const server of servers.values()) server.lastFailureMs -= byMs
    for (const { plan } of this.state.links.values()) {
      if (!plan) continue
      plan.dueAtMs -= byMs
      plan.visitedAtMs = Math.min(plan.visitedAtMs, nowMs)
    }
    for (const note of notes.values()) note.untilMs -= byMs
    this.repairs.push(`the clock went back by ${byMs} ms`)
  }
}
