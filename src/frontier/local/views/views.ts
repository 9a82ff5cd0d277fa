import { hostOf } from '../../../url/host-of.ts'
import { checkCursor } from '../../checks.ts'
import type { Cursor, Explanation, FrontierCounts, HostView, Link, Outlook, Page } from '../../frontier.ts'
import type { LinkTexts } from '../journal/link-texts.ts'
import { type HostId, LEASED } from '../memory/hosts.ts'
import type { Lease } from '../memory/leases.ts'
import { DONE, type LinkId, PAGE, PLANNED, TAKEN, WAITING } from '../memory/links.ts'
import { Sought } from '../memory/sought.ts'
import { BOUNDS, type FrontierState } from '../state/state.ts'

/** The most links that are counted before a link. */
const MOST_PLACES = 1000

/** Makes the views of a frontier: counts, hosts, links, explanations. */
export class Views {
  private readonly state: FrontierState
  private readonly texts: LinkTexts
  private readonly sought = new Sought()

  constructor(state: FrontierState, texts: LinkTexts) {
    this.state = state
    this.texts = texts
  }

  counts(): FrontierCounts {
    const { links, leases, done, refusals, pages, hosts, waiting, down, auxiliaries, plans, turnedAway } = this.state
    const [maxHosts = 0, domainHosts = 0, pageHosts = 0] = BOUNDS.map((_, bound) => turnedAway[bound]!)
    return {
      ...{ known: links.last, waiting, leased: leases.pages, done, pages, down: down.waiting },
      ...{ planned: plans.count - plans.out, due: plans.due, revisiting: plans.out },
      ...{ refused: refusals.count, refusedFor: refusals.byReason() },
      ...{ auxiliaries: auxiliaries.waiting + leases.auxiliaries, hosts: hosts.known },
      turnedAway: { 'max-hosts': maxHosts, 'domain-hosts': domainHosts, 'page-hosts': pageHosts },
    }
  }

  hosts(cursor: Cursor, nowMs: number): Page<HostView> {
    const { skipped, limit } = checkCursor(cursor)
    const { known } = this.state.hosts
    const end = Math.min(skipped + limit, known)
    const items: HostView[] = []
    for (let host = skipped + 1; host <= end; host++) items.push(this.viewOf(host, nowMs))
    return { items, next: end < known ? String(end) : undefined }
  }

  host(name: string, nowMs: number): HostView | undefined {
    const host = this.state.hostNamed(name)
    return host === 0 ? undefined : this.viewOf(host, nowMs)
  }

  waiting(name: string, cursor: Cursor): Page<Link> {
    const { skipped, limit } = checkCursor(cursor)
    const host = this.state.hostNamed(name)
    const items: Link[] = []
    if (host === 0) return { items, next: undefined }
    let place = 0
    for (const link of this.state.lists.of(host)) {
      if (place++ < skipped) continue
      if (items.length === limit) return { items, next: String(skipped + limit) }
      const { note, ...text } = this.texts.read(link)
      items.push(note === undefined ? { kind: 'page', ...text } : { kind: 'page', ...text, note })
    }
    return { items, next: undefined }
  }

  outlook(nowMs: number): Outlook {
    const { standing, down } = this.state
    const { ready, resting, next } = standing.outlook(nowMs)
    return { ready, resting, down: down.hosts, next: next === 0 ? undefined : this.viewOf(next, nowMs) }
  }

  explain(urls: readonly string[], nowMs: number): Explanation[] {
    let leases: Map<LinkId, Lease> | undefined
    const leaseOf = (link: LinkId) => {
      leases ??= new Map(this.state.leases.all().map(lease => [lease.link, lease]))
      return leases.get(link)!
    }
    return urls.map(url => this.explainOne(url, nowMs, leaseOf))
  }

  private explainOne(url: string, nowMs: number, leaseOf: (link: LinkId) => Lease): Explanation {
    const { links, refusals, plans } = this.state
    const link = this.state.find(url, this.sought)
    if (link === 0) return { state: 'unknown' }
    const host = hostOf(url)
    switch (links.state(link)) {
      case WAITING:
        return { state: 'waiting', host, ...this.placeOf(link, this.state.hosts.find(this.sought), nowMs) }
      case TAKEN:
        return { state: 'leased', host, ...shownLease(leaseOf(link), nowMs) }
      case PLANNED: {
        const plan = plans.of(link)
        if (plans.isOut(plan)) return { state: 'leased', host, ...shownLease(leaseOf(link), nowMs) }
        const againInMs = Math.max(0, plans.dueAtMs(plan) - nowMs)
        return { state: 'done', host, isPage: plans.isPage(plan), againInMs }
      }
      case DONE:
        return { state: 'done', host, isPage: false }
      case PAGE:
        return { state: 'done', host, isPage: true }
      default:
        return { state: 'refused', host, reason: refusals.reasons[links.reason(link)]! }
    }
  }

  private placeOf(link: LinkId, host: HostId, nowMs: number) {
    const { lists, hosts, down } = this.state
    let place = 0
    let isExact = false
    for (const other of lists.of(host)) {
      isExact = other === link
      if (isExact || place === MOST_PLACES) break
      place++
    }
    return { place, isExact, readyInMs: Math.max(0, hosts.readyAtMs(host) - nowMs), isDown: down.isDown(host) }
  }

  private viewOf(host: HostId, nowMs: number): HostView {
    const { hosts, lists, servers, standing, down, plans } = this.state
    const isLeased = hosts.stand(host) === LEASED
    return {
      host: hosts.text(host),
      waiting: lists.count(host),
      due: plans.dueAt(host),
      state: isLeased ? 'leased' : standing.hasWaiting(host) ? 'waiting' : 'idle',
      readyInMs: Math.max(0, hosts.readyAtMs(host) - nowMs),
      delayMs: hosts.delays.get(host),
      server: hosts.server(host) === 0 ? undefined : servers.text(hosts.server(host)),
      pages: hosts.pages(host),
      failures: hosts.failures(host),
      isDown: down.isDown(host),
    }
  }
}

function shownLease({ ticketId, dueMs }: Lease, nowMs: number): { ticketId: number; leaseMs: number } {
  return { ticketId, leaseMs: Math.max(0, dueMs - nowMs) }
}
