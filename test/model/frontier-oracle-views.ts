// What can be seen of the oracle.
import type { Clock } from '../../src/base/clock.ts'
import { EscalonaError } from '../../src/base/errors.ts'
import type {
  BacklogClass,
  Cursor,
  Explanation,
  FrontierCounts,
  FrontierOptions,
  HostView,
  Link,
  LinkFilter,
  LinkView,
  Outlook,
  Page,
} from '../../src/frontier/frontier.ts'
import { emptyState, isDown, type KnownHost, type KnownLink } from './frontier-oracle-state.ts'
import { badValue, refuseBadCursor } from './frontier-validity.ts'

/** As many links are counted before a link, for `explain`. */
const MOST_PLACES = 1000

export class OracleViews {
  protected state = emptyState()
  protected isClosed = false
  protected options: FrontierOptions
  protected readonly clock: Clock

  constructor(options: FrontierOptions, clock: Clock) {
    this.options = options
    this.clock = clock
  }

  async counts(): Promise<FrontierCounts> {
    this.refuseWhenClosed()
    const { hosts, tickets, turnedAway } = this.state
    const among = { waiting: 0, leased: 0, done: 0, refused: 0 }
    for (const link of this.state.links.values()) among[link.plan ? 'done' : link.state]++
    const again = [...this.state.links.values()].filter(({ plan }) => plan)
    const planned = again.filter(({ state }) => state === 'done')
    const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0)
    return {
      known: this.state.links.size,
      ...among,
      refusedFor: this.refusedFor(),
      pages: sum(hosts.map(host => host.pages)),
      planned: planned.length,
      due: planned.filter(({ plan }) => plan!.isDue).length,
      revisiting: again.length - planned.length,
      down: sum(hosts.filter(host => isDown(host, this.options)).map(host => host.list.length)),
      auxiliaries:
        sum(hosts.map(host => host.auxiliaries.length)) + tickets.filter(({ link }) => link.kind !== 'page').length,
      hosts: hosts.length,
      turnedAway: { ...turnedAway },
    }
  }

  /** In the order in which they became known. */
  async links({ state, reasons, host }: LinkFilter, page: Cursor): Promise<Page<LinkView>> {
    this.refuseWhenClosed()
    if (state !== 'waiting' && state !== 'leased' && state !== 'refused') throw badValue()
    const isWanted = (link: KnownLink) =>
      link.state === state &&
      link.plan === undefined &&
      (host === undefined || link.host.name === host) &&
      (state !== 'refused' || reasons === undefined || reasons.includes(link.reason))
    return pageOf([...this.state.links.values()].filter(isWanted), page, linkViewOf)
  }

  async link(url: string): Promise<LinkView | undefined> {
    this.refuseWhenClosed()
    const link = this.state.links.get(url)
    if (link === undefined) return undefined
    if (link.plan) return { ...linkViewOf(link), again: { visitedAtMs: link.plan.visitedAtMs } }
    return link.state === 'done' ? undefined : linkViewOf(link)
  }

  async outlook(nowMs = this.clock()): Promise<Outlook> {
    this.refuseWhenClosed()
    const { hosts, tickets } = this.state
    const leased = new Set(tickets.map(({ link }) => link.host))
    const waiting = hosts.filter(host => this.hasWaiting(host) && !leased.has(host))
    const resting = waiting.filter(host => !host.joinedAs && host.readyAtMs > nowMs)
    const [next] = resting.toSorted((a, b) => a.readyAtMs - b.readyAtMs || a.number - b.number)
    const planned = [...this.state.links.values()].filter(({ state, plan }) => state === 'done' && plan)
    const timesMs = planned.map(({ plan }) => (plan!.isDue ? 0 : Math.max(0, plan!.dueAtMs - nowMs)))
    return {
      ready: waiting.length - resting.length,
      resting: resting.length,
      down: hosts.filter(host => host.list.length > 0 && isDown(host, this.options)).length,
      next: next && this.viewOf(next, nowMs),
      ...(timesMs.length > 0 && { againInMs: Math.min(...timesMs) }),
    }
  }

  async backlog(): Promise<BacklogClass[]> {
    this.refuseWhenClosed()
    const { delayMs: leastMs = 0 } = this.options
    return this.state.hosts
      .filter(({ list }) => list.length > 0)
      .map(({ name, list, delayMs }) => ({
        hosts: 1,
        waiting: list.length,
        delayMs: Math.max(delayMs, leastMs),
        example: name,
      }))
  }

  async explain(urls: readonly string[], nowMs = this.clock()): Promise<Explanation[]> {
    this.refuseWhenClosed()
    return urls.map(url => this.explainOne(url, nowMs))
  }

  async hosts(page: Cursor, nowMs = this.clock()): Promise<Page<HostView>> {
    this.refuseWhenClosed()
    return pageOf(this.state.hosts, page, host => this.viewOf(host, nowMs))
  }

  async host(name: string, nowMs = this.clock()): Promise<HostView | undefined> {
    this.refuseWhenClosed()
    const host = this.state.byName.get(name)
    return host && this.viewOf(host, nowMs)
  }

  async waiting(name: string, page: Cursor): Promise<Page<Link>> {
    this.refuseWhenClosed()
    return pageOf(this.state.byName.get(name)?.list ?? [], page, linkOf)
  }

  async noted(host: string, key: string, nowMs = this.clock()): Promise<Uint8Array | undefined> {
    this.refuseWhenClosed()
    const note = this.state.notes.get(JSON.stringify([host, key]))
    return note && nowMs < note.untilMs ? note.bytes.slice() : undefined
  }

  protected refuseWhenClosed(): void {
    if (this.isClosed) throw new EscalonaError('FRONTIER_CLOSED', 'the frontier is closed')
  }

  /** Enough pages are done: only visits again are wanted. */
  protected isFull(): boolean {
    const { recrawl = false, limit = Infinity } = this.options
    // Counting takes long, and there are never more pages than links.
    return recrawl && this.state.links.size >= limit && this.pages() >= limit
  }

  protected pages(): number {
    return this.state.hosts.reduce((pages, host) => pages + host.pages, 0)
  }

  /** How many pages of a host could be leased. */
  protected pagesOf(host: KnownHost): number {
    return (this.isFull() ? 0 : host.list.length) + host.due.length
  }

  protected hasWaiting(host: KnownHost): boolean {
    return this.pagesOf(host) + host.auxiliaries.length > 0
  }

  /** Planned links that are not due yet. */
  protected comingLinks(): KnownLink[] {
    return [...this.state.links.values()].filter(({ state, plan }) => state === 'done' && plan && !plan.isDue)
  }

  private refusedFor(): Record<string, number> {
    const counts = new Map<string, number>()
    for (const { state, reason } of this.state.links.values()) {
      if (state === 'refused') counts.set(reason, (counts.get(reason) ?? 0) + 1)
    }
    return Object.fromEntries(counts)
  }

  private explainOne(url: string, nowMs: number): Explanation {
    const link = this.state.links.get(url)
    if (!link) return { state: 'unknown' }
    const { name: host, list, readyAtMs } = link.host
    switch (link.state) {
      case 'waiting': {
        const place = list.indexOf(link)
        return {
          ...{ state: 'waiting', host, place: Math.min(place, MOST_PLACES), isExact: place <= MOST_PLACES },
          ...{ readyInMs: Math.max(readyAtMs - nowMs, 0), isDown: isDown(link.host, this.options) },
        }
      }
      case 'leased': {
        const { id, dueMs } = this.state.tickets.find(open => open.link === link)!
        return { state: 'leased', host, ticketId: id, leaseMs: Math.max(dueMs - nowMs, 0) }
      }
      case 'done':
        return {
          ...{ state: 'done', host, isPage: link.isPage },
          ...(link.plan && { againInMs: Math.max(link.plan.dueAtMs - nowMs, 0) }),
        }
      case 'refused':
        return { state: 'refused', host, reason: link.reason }
    }
  }

  private viewOf(host: KnownHost, nowMs: number): HostView {
    const { name, list, readyAtMs, delayMs, server, pages, failures, received, turns } = host
    const isLeased = this.state.tickets.some(({ link }) => link.host === host)
    return {
      host: name,
      waiting: list.length,
      due: host.due.length,
      state: isLeased ? 'leased' : this.hasWaiting(host) ? 'waiting' : 'idle',
      readyInMs: Math.max(readyAtMs - nowMs, 0),
      delayMs,
      server: server?.name,
      pages,
      received,
      turns,
      failures,
      isDown: isDown(host, this.options),
    }
  }
}

export function linkOf({ url, kind, rank, hops, note }: KnownLink): Link {
  return { url, kind, rank, hops, ...(note === undefined ? {} : { note }) }
}

function pageOf<From, To>(all: readonly From[], cursor: Cursor, view: (item: From) => To): Page<To> {
  const { start, limit } = refuseBadCursor(cursor)
  const end = start + limit
  return { items: all.slice(start, end).map(view), next: end < all.length ? String(end) : undefined }
}

function linkViewOf(link: KnownLink): LinkView {
  const reason = link.state === 'refused' ? { reason: link.reason } : {}
  return { ...linkOf(link), host: link.host.name, ...reason, attempts: link.attempt - 1 }
}
