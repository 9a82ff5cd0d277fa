// The oracle's hosts, servers, lists and line, and what happens to them.
import { type Link, restMs, type TicketId } from '../../src/frontier/frontier.ts'
import { hostOf } from '../../src/url/host-of.ts'
import {
  domainOf,
  type KnownHost,
  type KnownLink,
  type KnownServer,
  type OpenTicket,
  type OracleState,
} from './frontier-oracle-state.ts'
import { OracleViews } from './frontier-oracle-views.ts'

export class OracleParts extends OracleViews {
  /** A later time is never taken back. Whether it was set by nothing but a rest is remembered. */
  protected holdUntil(host: KnownHost, atMs: number, why: 'rest' | 'delay' | 'block'): void {
    if (atMs > host.readyAtMs) host.isResting = why === 'rest'
    if (atMs === host.readyAtMs) host.isResting &&= why === 'rest'
    host.readyAtMs = Math.max(host.readyAtMs, atMs)
  }

  protected delayOf(host: KnownHost): number {
    return Math.max(host.delayMs, this.options.delayMs ?? 0)
  }

  /** A host that is not known becomes known. */
  protected hostNamed(name: string): KnownHost {
    const { byName, hosts } = this.state
    let host = byName.get(name)
    if (host) return host
    host = {
      ...{ name, number: hosts.length, domain: domainOf(name), readyAtMs: 0, isResting: false, delayMs: 0 },
      ...{ failures: 0, isProven: false, server: undefined, pages: 0, list: [], auxiliaries: [], joinedAs: undefined },
      ...{ due: [], isDueNext: false, received: 0, turns: 0 },
    }
    byName.set(name, host)
    hosts.push(host)
    return host
  }

  protected server(name: string): KnownServer {
    const { servers } = this.state
    const server = servers.get(name) ?? { name, open: 0, readyAtMs: 0, failures: 0, lastFailureMs: 0 }
    servers.set(name, server)
    return server
  }

  /** Offers the links of one call, one settlement or one visit. */
  protected add(links: readonly Link[]): number {
    const { state } = this
    const hostsBefore = state.hosts.length
    let fresh = 0
    for (const { url, kind = 'page', rank, hops, note, refused, gives = 0 } of links) {
      const name = hostOf(url)
      const give = () => {
        if (kind !== 'page' || refused !== undefined) return
        const host = this.hostNamed(name)
        host.received = Math.min(host.received + gives, Number.MAX_VALUE)
      }
      if (kind === 'page' && state.links.has(url)) {
        give()
        continue
      }
      if (kind !== 'page' && this.hasAuxiliary(name, kind, url, note)) continue
      const bound = state.byName.has(name) ? undefined : this.boundFor(name, hostsBefore)
      if (bound) {
        state.turnedAway[bound]++
        continue
      }
      give()
      const host = this.hostNamed(name)
      const link: KnownLink = {
        ...{ url, kind, rank: Math.min(rank, 255), hops, note },
        ...{ host, attempt: 1, state: 'waiting', reason: '', isPage: false, plan: undefined, number: state.links.size },
      }
      if (kind === 'page') state.links.set(url, link)
      else this.leave(host)
      if (refused !== undefined) {
        Object.assign(link, { state: 'refused', reason: refused })
        continue
      }
      fresh++
      this.queue(link)
    }
    return fresh
  }

  protected boundFor(name: string, hostsBefore: number): keyof OracleState['turnedAway'] | undefined {
    const { hosts } = this.state
    const { maxHosts = Infinity, maxHostsPerDomain = Infinity, maxNewHosts = Infinity } = this.options
    if (hosts.length >= maxHosts) return 'max-hosts'
    if (maxHostsPerDomain < Infinity) {
      const domain = domainOf(name)
      if (hosts.filter(host => host.domain === domain).length >= maxHostsPerDomain) return 'domain-hosts'
    }
    if (hosts.length - hostsBefore >= maxNewHosts) return 'page-hosts'
    return undefined
  }

  protected hasAuxiliary(name: string, kind: string, url: string, note: string | undefined): boolean {
    const leased = this.state.tickets.map(({ link }) => link).filter(({ host }) => host.name === name)
    const all = [...(this.state.byName.get(name)?.auxiliaries ?? []), ...leased]
    return all.some(link => link.kind === kind && link.url === url && link.note === note)
  }

  /** To the end of its list; of a page, to the end of its depth. */
  protected queue(link: KnownLink): void {
    if (this.isPlannedAgain(link)) return
    const { list, auxiliaries } = link.host
    link.state = 'waiting'
    if (link.kind === 'page') list.splice(list.filter(other => other.rank <= link.rank).length, 0, link)
    else auxiliaries.push(link)
  }

  /** To the front of its list; of a page, to the front of its depth. */
  protected putBack(link: KnownLink): void {
    if (this.isPlannedAgain(link)) return
    const { list, auxiliaries } = link.host
    link.state = 'waiting'
    if (link.kind === 'page') list.splice(list.filter(other => other.rank < link.rank).length, 0, link)
    else auxiliaries.unshift(link)
  }

  protected isDone(link: KnownLink, isPage: boolean): void {
    link.state = 'done'
    if (link.kind !== 'page' || !isPage) return
    link.isPage = true
    link.host.pages++
    this.leaveWhenFull()
  }

  /** A link that was visited again and must be once more is planned with the time that it had. */
  private isPlannedAgain(link: KnownLink): boolean {
    if (link.plan) link.state = 'done'
    return link.plan !== undefined
  }

  /** The limit is reached, so new pages are no longer wanted. Those without anything else leave the line. */
  protected leaveWhenFull(): void {
    if (this.isFull()) for (const host of this.state.line) this.leaveWhenEmpty(host)
  }

  protected forgetWaiting(host: KnownHost, reason: string): void {
    for (const link of host.list) Object.assign(link, { state: 'refused', reason })
    host.list = []
    host.auxiliaries = []
    this.leaveWhenEmpty(host)
  }

  protected forgetPlanned(host: KnownHost): void {
    host.due = []
    for (const link of this.state.links.values()) {
      if (link.host === host && link.state === 'done') link.plan = undefined
    }
    this.leaveWhenEmpty(host)
  }

  protected isPlannedAt(host: KnownHost): boolean {
    return [...this.state.links.values()].some(link => link.host === host && link.plan !== undefined)
  }

  protected openTicket(id: TicketId): OpenTicket | undefined {
    return this.state.tickets.find(ticket => ticket.id === id)
  }

  /** The link is not touched. A server that was not asked is as it was before, unless somebody moved its time since. */
  protected closeTicket(ticket: OpenTicket, how: 'asked' | 'unasked'): void {
    this.state.tickets = this.state.tickets.filter(open => open !== ticket)
    this.leaveServer(ticket, how)
  }

  protected leaveServer({ server, serverMs }: OpenTicket, how: 'asked' | 'unasked'): void {
    if (!server) return
    server.open--
    if (how === 'unasked' && server.readyAtMs === serverMs.set) server.readyAtMs = serverMs.before
  }

  protected enterServer(ticket: OpenTicket, server: KnownServer, nowMs: number): void {
    ticket.server = server
    ticket.serverMs = { before: server.readyAtMs, set: nowMs + (this.options.serverGapMs ?? 0) }
    server.open++
    server.readyAtMs = ticket.serverMs.set
  }

  protected admits({ open, readyAtMs }: KnownServer, nowMs: number): boolean {
    return open < (this.options.perServer ?? 4) && readyAtMs <= nowMs
  }

  protected leave(host: KnownHost): void {
    host.joinedAs = undefined
    this.state.line = this.state.line.filter(other => other !== host)
  }

  protected leaveWhenEmpty(host: KnownHost): void {
    if (!this.hasWaiting(host)) this.leave(host)
  }

  /** Visits that hang at the same time count once. */
  protected fellSilent(server: KnownServer | undefined, ticket: OpenTicket, nowMs: number): void {
    if (!server || ticket.takenMs < server.lastFailureMs) return
    server.failures++
    server.lastFailureMs = nowMs
    if (server.failures >= 2) server.readyAtMs = Math.max(server.readyAtMs, nowMs + restMs(server.failures - 1))
  }
}
