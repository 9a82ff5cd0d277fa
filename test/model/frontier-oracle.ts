// A frontier on lists and sorts: slow, short, and meant to be right at a glance. It follows src/frontier/frontier.ts
// sentence by sentence; every other frontier is compared with it.
import { getDomain } from 'tldts'
import { EscalonaError } from '../../src/base/errors.ts'
import { chanceAt } from '../../src/base/random.ts'
import {
  type Explanation,
  type Frontier,
  type FrontierCounts,
  type HostView,
  hostOf,
  type Link,
  type Settlement,
  type Ticket,
} from '../../src/frontier/frontier.ts'

export type FrontierStrategy = 'depth' | 'breadth' | 'best' | 'explore'
export const FRONTIER_STRATEGIES: readonly FrontierStrategy[] = ['depth', 'breadth', 'best', 'explore']

/** What every frontier can be told when it is opened. */
export interface FrontierOptions {
  readonly strategy: FrontierStrategy
  readonly exploreChance?: number
  readonly seed: number
  readonly leaseMs: number
  readonly delayMs: number
}

interface KnownLink extends Link {
  readonly host: string
  attempt: number
  state: 'waiting' | 'lent' | 'done' | 'refused'
  reason: string
}

/** Hosts that share a server. A host that is not tied is a group alone. */
interface Group {
  delayMs: number
  readyAtMs: number
}

interface KnownHost {
  readonly name: string
  group: Group
  /** In the order in which they will be lent. */
  list: KnownLink[]
}

interface OpenTicket {
  readonly id: number
  readonly link: KnownLink
  readonly takenMs: number
  dueMs: number
}

interface OracleState {
  /** In the order in which they became known. */
  hosts: KnownHost[]
  links: Map<string, KnownLink>
  /** The open ones, in the order in which they were lent. */
  tickets: OpenTicket[]
  lentEver: number
  /** Registrable domains of which a link was lent. */
  visited: Set<string>
  /** The place behind the host that was served last, of all hosts and of the two sets of `explore`. */
  turns: { all: number; fresh: number; visited: number }
  lastTakeMs: number
}

export class FrontierOracle implements Frontier {
  private options: FrontierOptions
  private isClosed = false
  private state: OracleState = emptyState(0)

  constructor(options: FrontierOptions) {
    this.options = options
  }

  /** A second oracle that knows the same and goes its own way from here. */
  copy(): FrontierOracle {
    const twin = new FrontierOracle(this.options)
    twin.state = structuredClone(this.state)
    return twin
  }

  /** What a close or a crash does: open tickets come back, and their visits count as visits. */
  reopen(options = this.options): void {
    this.options = options
    this.isClosed = false
    for (const { link, takenMs } of this.state.tickets) {
      const group = this.host(link.host).group
      group.readyAtMs = Math.max(group.readyAtMs, takenMs + Math.max(group.delayMs, this.options.delayMs))
      this.queue(link)
    }
    this.state.tickets = []
  }

  async offer(links: readonly Link[]): Promise<number> {
    this.refuseWhenClosed()
    refuseBadLinks(links)
    return this.add(links)
  }

  async take(max: number, nowMs: number): Promise<Ticket[]> {
    this.refuseWhenClosed()
    this.state.lastTakeMs = nowMs
    const over = this.state.tickets.filter(ticket => ticket.dueMs <= nowMs)
    over.sort((a, b) => a.dueMs - b.dueMs || a.id - b.id)
    for (const ticket of over) this.queue(this.closeTicket(ticket.id))
    const lent: Ticket[] = []
    while (lent.length < max) {
      const host = this.chooseHost(nowMs)
      if (!host) break
      lent.push(this.lend(host, nowMs))
    }
    return lent
  }

  async settle(settlements: readonly Settlement[], nowMs: number): Promise<number> {
    this.refuseWhenClosed()
    this.refuseClosedTickets(settlements.map(settlement => settlement.ticketId))
    refuseBadLinks(settlements.flatMap(settlement => settlement.links))
    let fresh = 0
    for (const { ticketId, outcome, links, delayMs } of settlements) {
      const link = this.closeTicket(ticketId)
      const { group } = this.host(link.host)
      if (delayMs !== undefined) {
        const pauseMs = Math.max(delayMs, group.delayMs, this.options.delayMs)
        group.readyAtMs = Math.max(group.readyAtMs, nowMs + pauseMs)
      }
      if (outcome.kind === 'again') {
        link.attempt++
        this.queue(link)
      } else {
        link.state = outcome.kind
        if (outcome.kind === 'refused') link.reason = outcome.reason
      }
      fresh += this.add(links)
    }
    return fresh
  }

  async giveBack(ticketIds: readonly number[]): Promise<void> {
    this.refuseWhenClosed()
    this.refuseClosedTickets(ticketIds)
    for (const id of ticketIds) this.queue(this.closeTicket(id))
  }

  async renew(ticketIds: readonly number[], nowMs: number): Promise<void> {
    this.refuseWhenClosed()
    this.refuseClosedTickets(ticketIds)
    for (const ticket of this.state.tickets) {
      if (ticketIds.includes(ticket.id)) ticket.dueMs = nowMs + this.options.leaseMs
    }
  }

  nextReadyAtMs(): number | undefined {
    const lent = this.lentGroups()
    const free = this.state.hosts.filter(host => host.list.length > 0 && !lent.has(host.group))
    const times = [...free.map(host => host.group.readyAtMs), ...this.state.tickets.map(ticket => ticket.dueMs)]
    if (times.length === 0) return undefined
    const earliest = Math.min(...times)
    return earliest <= this.state.lastTakeMs ? 0 : earliest
  }

  counts(): FrontierCounts {
    const links = [...this.state.links.values()]
    const among = (state: KnownLink['state']) => links.filter(link => link.state === state).length
    return {
      known: links.length,
      waiting: among('waiting'),
      lent: among('lent'),
      done: among('done'),
      refused: among('refused'),
      hosts: this.state.hosts.length,
    }
  }

  hosts(): HostView[] {
    const lent = this.lentGroups()
    return this.state.hosts.map(({ name, list, group }) => ({
      host: name,
      waiting: list.length,
      state: lent.has(group) ? 'lent' : list.length > 0 ? 'waiting' : 'idle',
      readyAtMs: group.readyAtMs,
    }))
  }

  waiting(host: string): Link[] {
    const known = this.state.hosts.find(({ name }) => name === host)
    return (known?.list ?? []).map(({ url, depth, hops }) => ({ url, depth, hops }))
  }

  explain(url: string): Explanation {
    const link = this.state.links.get(url)
    if (!link) return { state: 'never seen' }
    const { name: host, list, group } = this.host(link.host)
    switch (link.state) {
      case 'waiting':
        return { state: 'waiting', host, place: list.indexOf(link), readyAtMs: group.readyAtMs }
      case 'lent': {
        const ticket = this.state.tickets.find(open => open.link === link)!
        return { state: 'lent', host, ticketId: ticket.id, dueMs: ticket.dueMs }
      }
      case 'done':
        return { state: 'done', host }
      case 'refused':
        return { state: 'refused', host, reason: link.reason }
    }
  }

  async setDelay(host: string, delayMs: number): Promise<void> {
    this.refuseWhenClosed()
    const { group } = this.host(host)
    const isTied = this.state.hosts.filter(other => other.group === group).length > 1
    group.delayMs = isTied ? Math.max(group.delayMs, delayMs) : delayMs
  }

  async blockUntil(host: string, atMs: number): Promise<void> {
    this.refuseWhenClosed()
    const { group } = this.host(host)
    group.readyAtMs = Math.max(group.readyAtMs, atMs)
  }

  async tie(hosts: readonly string[]): Promise<void> {
    this.refuseWhenClosed()
    const groups = hosts.map(name => this.host(name).group)
    const joined: Group = {
      delayMs: Math.max(...groups.map(group => group.delayMs)),
      readyAtMs: Math.max(...groups.map(group => group.readyAtMs)),
    }
    for (const host of this.state.hosts) if (groups.includes(host.group)) host.group = joined
  }

  async clear(host?: string): Promise<void> {
    this.refuseWhenClosed()
    if (host === undefined) {
      this.state = emptyState(this.state.lentEver)
      return
    }
    const known = this.state.hosts.find(({ name }) => name === host)
    for (const link of known?.list ?? []) {
      link.state = 'refused'
      link.reason = 'cleared'
    }
    if (known) known.list = []
  }

  async close(): Promise<void> {
    this.isClosed = true
  }

  /** A host that is not known becomes known. */
  private host(name: string): KnownHost {
    let host = this.state.hosts.find(known => known.name === name)
    if (!host) this.state.hosts.push((host = { name, group: { delayMs: 0, readyAtMs: 0 }, list: [] }))
    return host
  }

  private add(links: readonly Link[]): number {
    let fresh = 0
    for (const { url, depth, hops } of links) {
      if (this.state.links.has(url)) continue
      fresh++
      const host = hostOf(url)
      const link: KnownLink = { url, depth: Math.min(depth, 255), hops, host, attempt: 1, state: 'waiting', reason: '' }
      this.state.links.set(url, link)
      this.queue(link)
    }
    return fresh
  }

  /** To the end of its list. */
  private queue(link: KnownLink): void {
    link.state = 'waiting'
    const { list } = this.host(link.host)
    list.push(link)
    list.sort((a, b) => a.depth - b.depth) // stable, so equal depths stay in order of arrival
  }

  private closeTicket(id: number): KnownLink {
    const place = this.state.tickets.findIndex(ticket => ticket.id === id)
    return this.state.tickets.splice(place, 1)[0]!.link
  }

  private lentGroups(): Set<Group> {
    return new Set(this.state.tickets.map(({ link }) => this.host(link.host).group))
  }

  private lend(host: KnownHost, nowMs: number): Ticket {
    const link = host.list.shift()!
    link.state = 'lent'
    this.state.visited.add(domainOf(host.name))
    const id = ++this.state.lentEver
    const dueMs = nowMs + this.options.leaseMs
    this.state.tickets.push({ id, link, takenMs: nowMs, dueMs })
    const { url, depth, hops, attempt } = link
    return { id, url, depth, hops, host: host.name, attempt, dueMs }
  }

  private chooseHost(nowMs: number): KnownHost | undefined {
    const { hosts, visited, lentEver } = this.state
    const lent = this.lentGroups()
    const able = hosts.filter(({ list, group }) => list.length > 0 && group.readyAtMs <= nowMs && !lent.has(group))
    switch (this.options.strategy) {
      case 'depth':
        return able[0]
      case 'best':
        return able.toSorted((a, b) => b.list.length - a.list.length)[0] // stable: a tie goes to the first known
      case 'breadth':
        return this.inTurn('all', able)
      case 'explore': {
        const fresh = able.filter(host => !visited.has(domainOf(host.name)))
        const others = able.filter(host => visited.has(domainOf(host.name)))
        const wantsFresh = chanceAt(this.options.seed, lentEver) < (this.options.exploreChance ?? 0.7)
        const servesFresh = wantsFresh ? fresh.length > 0 : others.length === 0
        return servesFresh ? this.inTurn('fresh', fresh) : this.inTurn('visited', others)
      }
    }
  }

  /** The first of these at or behind the place whose turn it is, or else from the start; moves the turn. */
  private inTurn(circle: keyof OracleState['turns'], able: readonly KnownHost[]): KnownHost | undefined {
    const { hosts, turns } = this.state
    const host = able.find(one => hosts.indexOf(one) >= turns[circle]) ?? able[0]
    if (host) turns[circle] = hosts.indexOf(host) + 1
    return host
  }

  private refuseWhenClosed(): void {
    if (this.isClosed) throw new EscalonaError('FRONTIER_CLOSED', 'the frontier is closed')
  }

  private refuseClosedTickets(ids: readonly number[]): void {
    const isOpen = (id: number) => this.state.tickets.some(ticket => ticket.id === id)
    if (!ids.every(isOpen) || new Set(ids).size < ids.length) {
      throw new EscalonaError('FRONTIER_TICKET_CLOSED', 'a ticket is closed or named twice')
    }
  }
}

function emptyState(lentEver: number): OracleState {
  return {
    hosts: [],
    links: new Map(),
    tickets: [],
    lentEver,
    visited: new Set(),
    turns: { all: 0, fresh: 0, visited: 0 },
    lastTakeMs: 0,
  }
}

function refuseBadLinks(links: readonly Link[]): void {
  for (const { url } of links) {
    if (hostOf(url) === '' || Buffer.byteLength(url) > 65_535) {
      throw new EscalonaError('FRONTIER_BAD_LINK', 'a link has no host or is too long')
    }
  }
}

/** The registrable domain of a host, or the host itself where there is none; a port does not count. */
export function domainOf(host: string): string {
  const name = host.replace(/:[0-9]*$/, '')
  return getDomain(name) ?? name
}
