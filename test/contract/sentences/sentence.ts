import assert from 'node:assert/strict'
import type { Frontier, Link, Settlement, Ticket } from '../../../src/frontier/frontier.ts'
import type { FrontierOptions } from '../../model/frontier-oracle.ts'
import type { Subject } from '../maker.ts'

/** One sentence of the contract, and how to see that it holds, whatever the strategy. */
export interface Sentence {
  readonly says: string
  readonly options?: Partial<FrontierOptions>
  readonly needsReopening?: true
  check(subject: Subject): Promise<void>
}

/** The time at which the sentences begin. */
export const T = 1_700_000_000_000

/** How long the tickets of the sentences are lent, if they don't say otherwise. */
export const LEASE_MS = 60_000

/** `a/x` stands for http://a.com/x. */
export function urlOf(short: string): string {
  return short.replace(/^[^/]*/, host => `http://${host}.com`)
}

export function links(shorts: string, depth = 0): Link[] {
  return shorts.split(' ').map(short => ({ url: urlOf(short), depth, hops: 0 }))
}

/** The short forms of what was lent, in order. */
export function inShort(given: Iterable<Link>): string {
  return [...given].map(({ url }) => url.replace(/^http:\/\/([^/]*)\.com/, '$1')).join(' ')
}

export function done(ticket: Ticket, delayMs = 0, found: readonly Link[] = []): Settlement {
  return { ticketId: ticket.id, outcome: { kind: 'done' }, links: found, delayMs }
}

export function again(ticket: Ticket, delayMs = 0, found: readonly Link[] = []): Settlement {
  return { ticketId: ticket.id, outcome: { kind: 'again' }, links: found, delayMs }
}

export function refused(ticket: Ticket, reason: string): Settlement {
  return { ticketId: ticket.id, outcome: { kind: 'refused', reason }, links: [], delayMs: 0 }
}

/** Takes exactly one ticket. */
export async function takeOne(frontier: Frontier, nowMs: number): Promise<Ticket> {
  const tickets = await frontier.take(1, nowMs)
  assert.equal(tickets.length, 1)
  return tickets[0]!
}

export async function takesNothing(frontier: Frontier, nowMs: number): Promise<void> {
  assert.deepEqual(await frontier.take(100, nowMs), [])
}

/** Everything that can be seen of a frontier without changing it. */
export function viewOf(frontier: Frontier, urls: Iterable<string> = []): unknown {
  return {
    counts: { ...frontier.counts() },
    hosts: [...frontier.hosts()].map(view => ({ ...view, links: [...frontier.waiting(view.host)] })),
    explained: [...urls].map(url => frontier.explain(url)),
    nextReadyAtMs: frontier.nextReadyAtMs(),
  }
}

/** A call is refused with this code, and nothing has changed. */
export async function isRefused(
  frontier: Frontier,
  code: string,
  call: () => Promise<unknown>,
  urls: Iterable<string> = [],
): Promise<void> {
  const before = viewOf(frontier, urls)
  await assert.rejects(call, { code })
  assert.deepEqual(viewOf(frontier, urls), before)
}

/** Takes and settles everything, however often it comes back, and tells what was lent in order. */
export async function drain(frontier: Frontier, fromMs: number): Promise<Ticket[]> {
  const lent: Ticket[] = []
  let nowMs = fromMs
  for (;;) {
    const tickets = await frontier.take(1000, nowMs)
    lent.push(...tickets)
    if (tickets.length > 0) {
      await frontier.settle(
        tickets.map(ticket => done(ticket)),
        nowMs,
      )
      continue
    }
    const nextMs = frontier.nextReadyAtMs()
    if (nextMs === undefined) return lent
    assert.ok(nextMs > nowMs, `nothing was lent at ${nowMs}, but something should be ready at ${nextMs}`)
    nowMs = nextMs
  }
}
