import { hostOf } from '../../url/host-of.ts'
import { checkCursor, checkFilter } from '../checks.ts'
import type {
  Cursor,
  Explanation,
  FrontierCounts,
  HostView,
  Link,
  LinkFilter,
  LinkView,
  Outlook,
  Page,
} from '../frontier.ts'
import type { LinkTexts } from './journal/link-texts.ts'
import { type HostId, LEASED } from './memory/hosts.ts'
import type { Lease } from './memory/leases.ts'
import { DONE, type LinkId, needsText, PAGE, PLANNED, REFUSED, TAKEN, WAITING } from './memory/links.ts'
import { BOUNDS, type FrontierState } from './state/state.ts'

/** The most links that are counted before a link. */
const MOST_COUNTED = 1000

/** The most links looked at, and texts read, in one call: a few milliseconds' work. */
const LOOKED_AT_AT_ONCE = 1 << 17
const TEXTS_AT_ONCE = 2048

/** Makes the views of a frontier: counts, hosts, links, explanations. */
export class Views {
  private readonly state: FrontierState
  private readonly texts: LinkTexts
  readonly textsInOrder: LinkTexts

  constructor(state: FrontierState, texts: LinkTexts) {
    this.state = state
    this.texts = texts
    this.textsInOrder = texts.inOrder()
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
    for (let host = skipped + 1; host <= end; host++) items.push(this.hostView(host, nowMs))
    return { items, next: end < known ? String(end) : undefined }
  }

  host(name: string, nowMs: number): HostView | undefined {
    const host = this.state.hostNamed(name)
    return host === 0 ? undefined : this.hostView(host, nowMs)
  }

  waiting(name: string, cursor: Cursor): Page<Link> {
    const { skipped, limit } = checkCursor(cursor)
    const host = this.state.hostNamed(name)
    const items: Link[] = []
    if (host === 0) return { items, next: undefined }
    let rank = 0
    for (const link of this.state.lists.of(host)) {
      if (rank++ < skipped) continue
      if (items.length === limit) return { items, next: String(skipped + limit) }
      const { note, ...text } = this.texts.read(link)
      items.push(note === undefined ? { kind: 'page', ...text } : { kind: 'page', ...text, note })
    }
    return { items, next: undefined }
  }

  outlook(nowMs: number): Outlook {
    const { hostQueue, down, plans } = this.state
    const { ready, resting, next } = hostQueue.outlook(nowMs)
    const view = next === 0 ? undefined : this.hostView(next, nowMs)
    const hosts = { ready, resting, down: down.hosts, next: view }
    if (plans.due > 0) return { ...hosts, againInMs: 0 }
    return plans.next === 0 ? hosts : { ...hosts, againInMs: Math.max(0, plans.dueAtMs(plans.next) - nowMs) }
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
    const link = this.state.find(url)
    if (link === 0) return { state: 'unknown' }
    const host = hostOf(url)
    switch (links.state(link)) {
      case WAITING:
        return { state: 'waiting', host, ...this.rankOf(link, this.state.hosts.find(this.state.key), nowMs) }
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

  private rankOf(link: LinkId, host: HostId, nowMs: number) {
    const { lists, hosts, down } = this.state
    let rank = 0
    let isExact = false
    for (const other of lists.of(host)) {
      isExact = other === link
      if (isExact || rank === MOST_COUNTED) break
      rank++
    }
    return { place: rank, isExact, readyInMs: Math.max(0, hosts.readyAtMs(host) - nowMs), isDown: down.isDown(host) }
  }

  private hostView(host: HostId, nowMs: number): HostView {
    const { hosts, lists, servers, leasable, down, plans } = this.state
    const isLeased = hosts.queueState(host) === LEASED
    return {
      host: hosts.text(host),
      waiting: lists.count(host),
      due: plans.dueAt(host),
      state: isLeased ? 'leased' : leasable.hasAny(host) ? 'waiting' : 'idle',
      readyInMs: Math.max(0, hosts.readyAtMs(host) - nowMs),
      delayMs: hosts.delays.get(host),
      server: hosts.server(host) === 0 ? undefined : servers.text(hosts.server(host)),
      pages: hosts.pages(host),
      received: hosts.received.get(host),
      turns: hosts.turns.get(host),
      failures: hosts.failures(host),
      isDown: down.isDown(host),
    }
  }

  /** Links by number; a cursor is the number of the last link that was looked at. */
  links(which: LinkFilter, cursor: Cursor): Page<LinkView> {
    checkFilter(which)
    const { skipped, limit } = checkCursor(cursor)
    const { last } = this.state.links
    const items: LinkView[] = []
    if (which.state === 'leased') return this.leased(which.host, skipped, limit)
    const isWanted = this.wanted(which)
    if (isWanted === undefined) return { items, next: undefined }
    const end = Math.min(last, skipped + LOOKED_AT_AT_ONCE)
    let link = skipped
    for (let texts = 0; link < end && items.length < limit && texts < TEXTS_AT_ONCE; ) {
      if (!isWanted(++link)) continue
      const view = this.linkView(link)
      if (which.host === undefined || view.host === which.host) items.push(view)
      texts++
    }
    return { items, next: link < last ? String(link) : undefined }
  }

  /** There are few open tickets: they are looked at, not all links. */
  private leased(host: string | undefined, skipped: number, limit: number): Page<LinkView> {
    const isNext = ({ link, plan }: Lease) => link > skipped && plan === 0
    const open = this.state.leases.all().filter(isNext)
    const views = open.sort((a, b) => a.link - b.link).map(({ link }) => ({ link, view: this.linkView(link) }))
    const found = views.filter(({ view }) => host === undefined || view.host === host)
    const some = found.slice(0, limit)
    return {
      items: some.map(({ view }) => view),
      next: found.length > limit ? String(some.at(-1)!.link) : undefined,
    }
  }

  /** One link that waits, is leased, was refused or is planned; the texts of others are not kept. */
  link(url: string): LinkView | undefined {
    const { links, plans } = this.state
    const link = this.state.find(url)
    if (link === 0) return undefined
    const plan = plans.of(link)
    if (plan === 0) return needsText(links.state(link)) ? this.linkView(link) : undefined
    const text = this.textsInOrder.readAt(link, plans.segment(plan), plans.textAt(plan))
    return { ...this.linkView(link, text), again: { visitedAtMs: plans.visitedAtMs(plan) } }
  }

  /** A test for the wanted links; undefined when there can be none. */
  private wanted({ state, reasons, host }: LinkFilter): ((link: LinkId) => boolean) | undefined {
    const { links, lists, refusals } = this.state
    const known = host === undefined ? undefined : this.state.hostNamed(host)
    if (known === 0) return undefined
    if (state === 'waiting') {
      const count = known === undefined ? this.state.waiting : lists.count(known)
      return count === 0 ? undefined : link => links.state(link) === WAITING
    }
    const numbers = (reasons ?? refusals.reasons).map(reason => refusals.find(reason))
    const some = new Set(numbers.filter(number => number !== undefined && refusals.countFor(number) > 0))
    return some.size === 0 ? undefined : link => links.state(link) === REFUSED && some.has(links.reason(link))
  }

  private linkView(link: LinkId, { note, ...text } = this.textsInOrder.read(link)): LinkView {
    const { links, refusals } = this.state
    return {
      kind: 'page',
      ...text,
      ...(note === undefined ? {} : { note }),
      host: hostOf(text.url),
      ...(links.state(link) === REFUSED ? { reason: refusals.reasons[links.reason(link)]! } : {}),
      attempts: links.attempts(link),
    }
  }
}

function shownLease({ ticketId, dueMs }: Lease, nowMs: number): { ticketId: number; leaseMs: number } {
  return { ticketId, leaseMs: Math.max(0, dueMs - nowMs) }
}
