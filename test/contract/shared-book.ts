// What several crawlers of one frontier did in a round, all at the same time by the clock and in no known order: whatever
// the order was, some things must never be.
import assert from 'node:assert/strict'
import {
  type FrontierOptions,
  type Link,
  restMs,
  type Settlement,
  type Ticket,
  type TicketId,
} from '../../src/frontier/frontier.ts'

export interface HeldTicket extends Ticket {
  readonly crawler: number
  readonly dueMs: number
}

/** What one crawler did in a round, in its order. */
export interface Deeds {
  readonly crawler: number
  readonly offered: Link[]
  readonly settled: Settlement[]
  readonly late: TicketId[]
  readonly givenBack: TicketId[]
  readonly renewed: TicketId[]
  readonly leased: Ticket[]
  readonly placed: { readonly id: TicketId; readonly server: string; readonly holds: boolean }[]
}

export function noDeeds(crawler: number): Deeds {
  const [offered, settled, late]: [Link[], Settlement[], TicketId[]] = [[], [], []]
  return { crawler, offered, settled, late, givenBack: [], renewed: [], leased: [], placed: [] }
}

type State = 'waiting' | 'leased' | 'done' | 'refused'

export class SharedBook {
  readonly urls = new Map<string, State>()
  readonly open = new Map<TicketId, HeldTicket>()
  /** Tickets that ran out and whose hosts were leased to others, by crawler; these don't know yet. */
  readonly lost = new Map<number, HeldTicket[]>()
  pages = 0
  /** How often a law had something to hold back. */
  readonly tight = { server: 0, gap: 0, delay: 0, limit: 0, again: 0 }
  private readonly options: FrontierOptions
  private readonly hosts = new Map<string, { readyAtMs: number; failures: number }>()
  private readonly lastLeaseMs = new Map<string, { id: TicketId; atMs: number }[]>()
  private readonly numbers = new Set<TicketId>()

  constructor(options: FrontierOptions) {
    this.options = options
  }

  isStale({ dueMs }: HeldTicket, nowMs: number): boolean {
    return dueMs <= nowMs
  }

  heldBy(crawler: number): HeldTicket[] {
    return [...this.open.values()].filter(ticket => ticket.crawler === crawler)
  }

  /** A crawler has gone, and come back: its tickets are no longer open, and their hosts keep their delay. */
  returned(crawler: number, nowMs: number): void {
    this.lost.delete(crawler)
    for (const ticket of this.heldBy(crawler)) {
      this.close(ticket)
      this.leaveNoGap(ticket.id)
      if (!this.isStale(ticket, nowMs)) this.hold(ticket.host, nowMs + (this.options.delayMs ?? 0))
    }
  }

  /** One round is over. */
  round(all: readonly Deeds[], nowMs: number): void {
    for (const { offered, settled } of all) {
      for (const { url } of [...offered, ...settled.flatMap(({ links }) => links)]) this.offer(url)
    }
    for (const deeds of all) for (const settlement of deeds.settled) this.settle(settlement, deeds, nowMs)
    for (const { givenBack } of all) for (const id of givenBack) this.giveBack(id)
    for (const { renewed } of all) {
      const dueMs = nowMs + (this.options.leaseMs ?? 60_000)
      for (const id of renewed) if (this.open.has(id)) this.open.set(id, { ...this.open.get(id)!, dueMs })
    }
    // A ticket that found no room is closed, and its link may be leased again in the same round.
    for (const found of [false, true]) {
      for (const { leased, placed, crawler } of all) {
        for (const ticket of leased) {
          const place = placed.find(({ id }) => id === ticket.id)
          if ((place?.holds ?? true) !== found) continue
          this.lease(ticket, crawler, nowMs)
          if (place) this.place(place.id, place.server, place.holds)
        }
      }
    }
    this.entered(all, nowMs)
    this.nothingIsShared(nowMs)
  }

  private offer(url: string): void {
    if (!this.urls.has(url)) this.urls.set(url, 'waiting')
  }

  private settle({ ticketId, outcome, shown, delayMs }: Settlement, { late }: Deeds, nowMs: number): void {
    const ticket = this.open.get(ticketId)!
    const isLate = late.includes(ticketId)
    assert.ok(!isLate || this.isStale(ticket, nowMs), `${ticket.url} was late, and its lease had not run out`)
    this.close(ticket)
    if (isLate) return
    this.urls.set(ticket.url, outcome.kind === 'again' ? 'waiting' : outcome.kind)
    if (outcome.kind === 'done' && outcome.isPage) this.pages++
    if (outcome.kind === 'again') this.tight.again++
    if (shown === undefined) this.leaveNoGap(ticketId)
    if (shown === undefined) return
    const host = this.hosts.get(ticket.host)!
    host.failures = shown === 'answer' ? 0 : host.failures + 1
    this.hold(ticket.host, nowMs + Math.max(delayMs, this.options.delayMs ?? 0, restMs(host.failures)))
  }

  private giveBack(id: TicketId): void {
    const ticket = this.open.get(id)
    if (ticket) this.close(ticket)
    this.leaveNoGap(id)
  }

  private lease(ticket: Ticket, crawler: number, nowMs: number): void {
    assert.ok(!this.numbers.has(ticket.id), `the number ${ticket.id} was used twice`)
    this.numbers.add(ticket.id)
    // What ran out may have come back meanwhile.
    for (const other of this.open.values()) {
      if (other.host !== ticket.host || !this.isStale(other, nowMs)) continue
      this.close(other)
      this.lost.set(other.crawler, [...(this.lost.get(other.crawler) ?? []), other])
    }
    assert.equal(this.urls.get(ticket.url), 'waiting', `${ticket.url} was leased`)
    const host = this.hosts.get(ticket.host) ?? { readyAtMs: 0, failures: 0 }
    this.hosts.set(ticket.host, host)
    assert.ok(host.readyAtMs <= nowMs, `${ticket.url} was leased ${host.readyAtMs - nowMs} ms before its time`)
    this.urls.set(ticket.url, 'leased')
    this.open.set(ticket.id, { ...ticket, crawler, dueMs: nowMs + (this.options.leaseMs ?? 60_000) })
  }

  private place(id: TicketId, server: string, holds: boolean): void {
    const ticket = this.open.get(id)!
    if (holds) this.open.set(id, { ...ticket, server })
    else {
      this.close(ticket)
      this.leaveNoGap(id)
    }
  }

  /** Those that were leased or placed at a server in this round, and are open. */
  private entered(all: readonly Deeds[], nowMs: number): void {
    const { serverGapMs = 0 } = this.options
    const isMoved = (id: TicketId) => all.some(({ placed }) => placed.some(one => one.id === id && one.holds))
    const isNew = (id: TicketId) => all.some(({ leased }) => leased.some(one => one.id === id))
    for (const { id, server } of this.open.values()) {
      if (server === undefined || !(isNew(id) || isMoved(id))) continue
      const leases = this.lastLeaseMs.get(server) ?? []
      const near = leases.filter(lease => nowMs - lease.atMs < serverGapMs)
      assert.deepEqual(near, [], `the ticket ${id} was leased at ${server} at ${nowMs}`)
      this.lastLeaseMs.set(server, [...leases, { id, atMs: nowMs }])
      if (serverGapMs > 0) this.tight.gap++
    }
  }

  private nothingIsShared(nowMs: number): void {
    const { perServer = 4, limit = Infinity, unproven = Infinity } = this.options
    const open = [...this.open.values()].filter(ticket => !this.isStale(ticket, nowMs))
    const hosts = open.map(({ host }) => host)
    assert.equal(new Set(hosts).size, hosts.length, `a host has two open tickets: ${hosts.sort()}`)
    for (const server of new Set(open.flatMap(ticket => ticket.server ?? []))) {
      const count = open.filter(ticket => ticket.server === server).length
      assert.ok(count <= perServer, `${count} tickets are open at ${server}, which admits ${perServer}`)
      if (count === perServer) this.tight.server++
    }
    assert.ok(this.pages + open.length <= limit, `${open.length} tickets are open after ${this.pages} pages`)
    if (this.pages + open.length === limit) this.tight.limit++
    for (const crawler of new Set(open.map(ticket => ticket.crawler))) {
      const count = open.filter(ticket => ticket.crawler === crawler && !ticket.isProven).length
      assert.ok(count <= unproven, `crawler ${crawler} has ${count} tickets of unproven hosts`)
    }
    if ([...this.hosts.values()].some(({ readyAtMs }) => readyAtMs > nowMs)) this.tight.delay++
  }

  private close(ticket: HeldTicket): void {
    this.open.delete(ticket.id)
    if (this.urls.get(ticket.url) === 'leased') this.urls.set(ticket.url, 'waiting')
  }

  private leaveNoGap(id: TicketId): void {
    for (const [server, leases] of this.lastLeaseMs) {
      this.lastLeaseMs.set(
        server,
        leases.filter(lease => lease.id !== id),
      )
    }
  }

  private hold(name: string, atMs: number): void {
    const host = this.hosts.get(name)!
    host.readyAtMs = Math.max(host.readyAtMs, atMs)
  }
}
