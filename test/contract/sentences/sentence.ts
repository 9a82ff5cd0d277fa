import assert from 'node:assert/strict'
import type {
  Explanation,
  FrontierCounts,
  FrontierOptions,
  HostView,
  Link,
  Settlement,
  Shown,
  Ticket,
} from '../../../src/frontier/frontier.ts'
import { type HandClock, START_MS } from '../hand-clock.ts'
import type { Need, Subject } from '../maker.ts'
import { everyPage, plain } from '../player.ts'
import type { TimedFrontier } from '../timed.ts'

/** One sentence of the contract, and how to see that it holds, whatever the strategy. */
export interface Sentence {
  readonly says: string
  readonly options?: FrontierOptions
  /** What a frontier must support for this sentence to have a meaning. */
  readonly needs?: readonly Need[]
  check(subject: Subject, clock: HandClock): Promise<void>
}

/** The time at which the sentences begin. */
export const T = START_MS

/** How long the tickets of the sentences are leased, if they don't say otherwise. */
export const LEASE_MS = 60_000

export const HOUR_MS = 3_600_000

/** `a/x` stands for http://a.com/x. */
export function urlOf(short: string): string {
  return short.replace(/^[^/]*/, host => `http://${host}.com`)
}

export function links(shorts: string, rank = 0): Link[] {
  return shorts.split(' ').map(short => ({ url: urlOf(short), rank, hops: 0 }))
}

export function auxiliaries(shorts: string, kind: 'robots' | 'sitemap' = 'robots'): Link[] {
  return links(shorts).map(link => ({ ...link, kind }))
}

/** The short forms of links or tickets, in order. */
export function inShort(given: Iterable<Link>): string {
  return [...given].map(({ url }) => url.replace(/^http:\/\/([^/]*)\.com/, '$1')).join(' ')
}

export function sorted(shorts: string): string {
  return shorts.split(' ').sort().join(' ')
}

export function done(ticket: Ticket, delayMs = 0, found: readonly Link[] = [], shown: Shown = 'answer'): Settlement {
  return { ticketId: ticket.id, outcome: { kind: 'done', isPage: true }, links: found, shown, delayMs }
}

export function again(ticket: Ticket, delayMs = 0, found: readonly Link[] = [], shown: Shown = 'answer'): Settlement {
  return { ticketId: ticket.id, outcome: { kind: 'again' }, links: found, shown, delayMs }
}

export function refused(ticket: Ticket, reason: string, shown: Shown = 'answer'): Settlement {
  return { ticketId: ticket.id, outcome: { kind: 'refused', reason }, links: [], shown, delayMs: 0 }
}

/** The same, but nobody was asked. */
export function unasked(settlement: Settlement): Settlement {
  return { ...settlement, shown: undefined }
}

/** Leases as many as there are, up to `max`. */
export async function take(frontier: TimedFrontier, max: number, nowMs: number): Promise<Ticket[]> {
  return [...(await frontier.take(max, nowMs)).tickets]
}

/** Leases exactly one ticket. */
export async function takeOne(frontier: TimedFrontier, nowMs: number): Promise<Ticket> {
  const tickets = await take(frontier, 1, nowMs)
  assert.equal(tickets.length, 1)
  return tickets[0]!
}

export async function takesNothing(frontier: TimedFrontier, nowMs: number): Promise<void> {
  assert.deepEqual(await take(frontier, 100, nowMs), [])
}

/** Leases one of each host, places it there and settles it: what comes after is proven and placed. */
export async function isPlaced(frontier: TimedFrontier, server: string, shorts: string, nowMs: number): Promise<void> {
  await frontier.offer(links(shorts))
  for (const ticket of await take(frontier, 1000, nowMs)) {
    assert.ok(await frontier.place(ticket.id, server, nowMs), `no room for ${ticket.host} at ${server}`)
    await frontier.settle([done(ticket)], nowMs)
  }
}

/** The ticket of a host, of several. */
export function of(host: string, tickets: readonly Ticket[]): Ticket {
  const ticket = tickets.find(one => one.host === `${host}.com`)
  assert.ok(ticket, `${host} has no ticket`)
  return ticket
}

/** All counts are 0 but these. */
export async function countsAre(frontier: TimedFrontier, counts: Partial<FrontierCounts>): Promise<void> {
  const none = {
    ...{ known: 0, waiting: 0, leased: 0, done: 0, refused: 0, pages: 0, down: 0, auxiliaries: 0, hosts: 0 },
    ...{ planned: 0, due: 0, revisiting: 0 },
  }
  const turnedAway = { 'max-hosts': 0, 'domain-hosts': 0, 'page-hosts': 0 }
  const { refusedFor, ...rest } = await frontier.counts()
  const refusals = Object.values(refusedFor).reduce((all, count) => all + count, 0)
  assert.equal(refusals, rest.refused)
  assert.deepEqual({ refusedFor, ...rest }, { ...none, refusedFor, turnedAway, ...counts })
}

export async function viewsOf(frontier: TimedFrontier, nowMs?: number): Promise<HostView[]> {
  return (await everyPage(cursor => frontier.hosts(cursor, nowMs))).map(plain)
}

export async function viewOf(frontier: TimedFrontier, host: string, nowMs?: number): Promise<HostView> {
  const view = (await viewsOf(frontier, nowMs)).find(one => one.host === `${host}.com`)
  assert.ok(view, `${host} is not known`)
  return view
}

/** A host's waiting links, without what every page link has. */
export async function waitingAt(frontier: TimedFrontier, host: string): Promise<Link[]> {
  const all = await everyPage<Link>(cursor => frontier.waiting(`${host}.com`, cursor))
  return all.map(({ kind, ...link }) => plain({ ...link, ...(kind === 'page' ? {} : { kind }) }) as Link)
}

export async function explained(frontier: TimedFrontier, short: string, nowMs?: number): Promise<Explanation> {
  const [explanation] = await frontier.explain([urlOf(short)], nowMs)
  return plain(explanation!)
}

/** Everything that can be seen of a frontier without changing it. */
export async function wholeOf(frontier: TimedFrontier, urls: Iterable<string> = [], nowMs = T): Promise<unknown> {
  const hosts = await viewsOf(frontier, nowMs)
  const lists = await Promise.all(hosts.map(({ host }) => everyPage(cursor => frontier.waiting(host, cursor))))
  const explanations = await frontier.explain([...urls], nowMs)
  const refusals = await everyPage(cursor => frontier.links({ state: 'refused' }, cursor))
  if (!frontier.supports.exactOrder) refusals.sort((a, b) => (a.url < b.url ? -1 : 1))
  return { refusals, counts: { ...(await frontier.counts()) }, hosts, lists, explained: explanations.map(plain) }
}

/** A call is refused with this code, and nothing has changed. */
export async function isRefused(
  frontier: TimedFrontier,
  code: string,
  call: () => Promise<unknown>,
  urls: Iterable<string> = [],
): Promise<void> {
  const before = await wholeOf(frontier, urls)
  await assert.rejects(call, { code })
  assert.deepEqual(await wholeOf(frontier, urls), before)
}

/** Leases and settles everything, however often it comes back, and returns what was leased in order. */
export async function drain(frontier: TimedFrontier, fromMs: number): Promise<Ticket[]> {
  const leased: Ticket[] = []
  let nowMs = fromMs
  for (;;) {
    const { tickets, waitMs } = await frontier.take(1000, nowMs)
    leased.push(...tickets)
    if (tickets.length > 0) {
      await frontier.settle(
        tickets.map(ticket => done(ticket)),
        nowMs,
      )
      continue
    }
    if (waitMs === undefined) return leased
    assert.ok(waitMs > 0, `nothing was leased at ${nowMs}, and nothing is to be waited for`)
    nowMs += waitMs
  }
}
