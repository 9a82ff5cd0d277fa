// One oracle for each part of the hosts of a frontier that divides them. It is not asked: it is told every deed of the
// frontier under test, and complains when no oracle could have done it.
//
// A take that found as many tickets as it wanted may not have asked every part; and a part that was asked has taken back
// leases that ran out, and let hosts join. So for some parts two things are possible, and both are followed until the
// frontier shows which one it was.
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../src/base/clock.ts'
import type {
  FormerVisit,
  FrontierOptions,
  Hint,
  Link,
  PlannedVisit,
  Settled,
  Settlement,
  Taken,
  Ticket,
  TicketId,
} from '../../src/frontier/frontier.ts'
import { hostOf } from '../../src/url/host-of.ts'
import { NO_BOUND, PartOracle, type Room } from './part-oracle.ts'

/** Which room may have been used up when a ticket was chosen; nothing, if possible. */
const SHORTAGES: readonly (keyof Room)[][] = [
  ...[[], ['unproven'], ['auxiliaries'], ['pages']],
  ...[
    ['unproven', 'auxiliaries'],
    ['unproven', 'pages'],
    ['auxiliaries', 'pages'],
    ['unproven', 'auxiliaries', 'pages'],
  ],
] as (keyof Room)[][]

export class PartedOracle {
  private parts: PartOracle[][]
  private readonly partOf: (host: string) => number
  private readonly wanted: Room
  private readonly recrawl: boolean
  private partOfTicket = new Map<TicketId, number>()

  constructor(
    count: number,
    partOf: (host: string) => number,
    options: FrontierOptions,
    clock: Clock,
    knowsOrder: boolean,
  ) {
    const { unproven = Infinity, auxiliaries = Infinity, limit = Infinity, ...rest } = options
    this.recrawl = options.recrawl ?? false
    this.wanted = { unproven, auxiliaries, pages: limit }
    this.parts = Array.from({ length: count }, () => [new PartOracle(rest, clock, knowsOrder)])
    this.partOf = partOf
  }

  get count(): number {
    return this.parts.length
  }

  /** One of the possible states of each part. */
  get likely(): readonly PartOracle[] {
    return this.parts.map(states => states[0]!)
  }

  /** Keeps the states of a part that look like this; there must be one. */
  async keep(part: number, look: (state: PartOracle) => Promise<unknown>, actual: unknown): Promise<void> {
    const kept: PartOracle[] = []
    let expected: unknown
    for (const state of this.parts[part]!) {
      expected = await look(state)
      if (isDeepStrictEqual(actual, expected)) kept.push(state)
    }
    if (kept.length === 0) assert.deepEqual(actual, expected, `part ${part}`)
    this.parts[part] = kept
  }

  async offered(links: readonly Link[], fresh: number): Promise<void> {
    assert.equal(fresh, await this.offer(links))
  }

  async taken({ tickets, waitMs, end, pause }: Taken, max: number, nowMs: number): Promise<void> {
    const isFull = max >= 1 && tickets.length === max
    const before = this.parts
    const asked: PartOracle[][] = before.map(states => states.map(state => state.copy()))
    const isEnough = this.recrawl && (await this.pagesDone()) >= this.wanted.pages
    for (const state of asked.flat()) await state.asked(isEnough, nowMs)
    const shortages = this.shortages(
      before.map((states, part) => [...states, ...asked[part]!]),
      tickets,
    )
    for (const part of before.keys()) {
      const here = tickets.filter(({ host }) => this.partOf(host) === part)
      const states = await leasedInOrder(part, asked[part]!, here, nowMs, shortages)
      this.parts[part] = distinct(isFull && here.length === 0 ? [...before[part]!, ...states] : states)
    }
    for (const ticket of tickets) this.partOfTicket.set(ticket.id, this.partOf(ticket.host))
    if (!isFull) {
      await this.nothingIsLeft(nowMs, max)
      await this.waits(waitMs, nowMs)
    } else assert.equal(waitMs, 0)
    await this.ends({ end, pause }, isFull, nowMs)
  }

  async settled(settlements: readonly Settlement[], nowMs: number, { fresh, late }: Settled): Promise<void> {
    const expected = settlements.map(() => 0)
    const partOf = settlements.map(({ ticketId }) => this.partOfTicket.get(ticketId) ?? 0)
    const isOwn = (link: Link, n: number) => this.partOf(hostOf(link.url)) === partOf[n]
    // Links of other parts are offered before their settlement.
    for (const [n, { links }] of settlements.entries()) {
      expected[n]! += await this.offer(links.filter(link => !isOwn(link, n)))
    }
    for (const part of this.parts.keys()) {
      const places = [...settlements.keys()].filter(n => partOf[n] === part)
      if (places.length === 0) continue
      const here = places.map(n => ({
        ...settlements[n]!,
        links: settlements[n]!.links.filter(link => isOwn(link, n)),
      }))
      const ids = here.map(({ ticketId }) => ticketId)
      const results = new Map<PartOracle, readonly number[]>()
      await this.keep(
        part,
        async state => {
          const result = await state.settleTheirs(here, nowMs)
          results.set(state, result.fresh)
          return result.late
        },
        late.filter(id => ids.includes(id)),
      )
      for (const [at, n] of places.entries()) expected[n]! += results.get(this.parts[part]![0]!)![at]!
    }
    assert.deepEqual(fresh, expected)
    assert.ok(late.every(id => settlements.some(({ ticketId }) => Object.is(ticketId, id))))
  }

  async formerly(visits: readonly FormerVisit[], nowMs: number, fresh: readonly number[]): Promise<void> {
    for (const [n, { url, isPage, links, dateMs = nowMs, again }] of visits.entries()) {
      const part = this.partOf(hostOf(url))
      const isOwn = (link: Link) => this.partOf(hostOf(link.url)) === part
      const [explained] = await this.likely[part]!.explain([url], nowMs)
      const { again: before } = (await this.likely[part]!.link(url)) ?? {}
      const isOpen = before
        ? explained?.state === 'done' && before.visitedAtMs < dateMs
        : explained?.state === 'waiting'
      let expected = isOpen ? await this.offer(links.filter(link => !isOwn(link))) : 0
      const own = { url, isPage, links: links.filter(isOwn), dateMs, ...(again && { again }) }
      expected += (await this.eachOf(part, state => state.settleFormer([own], nowMs))).fresh[0]!
      assert.equal(fresh[n], expected)
    }
  }

  async planned(visits: readonly PlannedVisit[], how: 'plan' | 'replan', nowMs: number, count: number): Promise<void> {
    assert.equal(count, await this.inParts(visits, (state, here) => state[how](here, nowMs)))
  }

  async hinted(hints: readonly Hint[], nowMs: number, count: number): Promise<void> {
    assert.equal(count, await this.inParts(hints, (state, here) => state.hint(here, undefined, nowMs)))
  }

  async givenBack(ids: readonly TicketId[]): Promise<void> {
    await this.everyPart(state => state.giveBack(ids.map(id => state.ours(id))))
  }

  async renewed(ids: readonly TicketId[], late: readonly TicketId[], nowMs: number): Promise<void> {
    for (const part of this.parts.keys()) {
      const here = ids.filter(id => (this.partOfTicket.get(id) ?? 0) === part)
      const lateOf = async (state: PartOracle) => {
        const result: TicketId[] = []
        for (const id of here) if ((await state.renew([state.ours(id)], nowMs)).length > 0) result.push(id)
        return result
      }
      await this.keep(
        part,
        lateOf,
        late.filter(id => here.includes(id)),
      )
    }
  }

  async requeued(links: readonly Link[], count: number): Promise<void> {
    assert.equal(count, await this.inParts(links, (state, here) => state.requeue(here)))
  }

  /** Something happened to a host that returns nothing. */
  async host(name: string, did: (state: PartOracle) => Promise<void>): Promise<void> {
    await this.eachOf(this.partOf(name), did)
  }

  async everyPart(did: (state: PartOracle) => unknown): Promise<void> {
    for (const state of this.parts.flat()) await did(state)
  }

  private offer(links: readonly Link[]): Promise<number> {
    return this.inParts(links, (state, here) => state.offer(here))
  }

  /** Each part with its own items; the sum of what they return. */
  private async inParts<Item extends { readonly url: string }>(
    items: readonly Item[],
    call: (state: PartOracle, here: readonly Item[]) => Promise<number>,
  ): Promise<number> {
    let total = 0
    for (const part of this.parts.keys()) {
      const here = items.filter(({ url }) => this.partOf(hostOf(url)) === part)
      if (here.length > 0) total += await this.eachOf(part, state => call(state, here))
    }
    return total
  }

  /** The same call in every state of a part; returns what one of them did. */
  private async eachOf<Result>(part: number, call: (state: PartOracle) => Promise<Result>): Promise<Result> {
    const [first, ...others] = this.parts[part]!
    const result = await call(first!)
    for (const state of others) await call(state)
    return result
  }

  /**
   * What may have been used up when a ticket was chosen. In one part only what was in the end; several parts share the
   * room, and one of them may have used up its own share before the others.
   */
  private shortages(possible: readonly PartOracle[][], tickets: readonly Ticket[]): readonly (keyof Room)[][] {
    const most = (kind: keyof Room) => sum(possible.map(states => Math.max(...states.map(state => state.used()[kind]))))
    const pages = tickets.filter(({ kind }) => kind === 'page')
    const fresh = pages.filter(({ again }) => !again)
    const used = {
      unproven: most('unproven') + pages.filter(({ isProven }) => !isProven).length,
      auxiliaries: most('auxiliaries') + tickets.length - pages.length,
      pages: most('pages') + fresh.length,
    }
    const isShort = (kind: keyof Room) =>
      used[kind] >= this.wanted[kind] || (this.count > 1 && this.wanted[kind] < Infinity)
    return SHORTAGES.filter(kinds => kinds.every(isShort))
  }

  /** A take that found fewer than it wanted has left nothing that could be leased. */
  private async nothingIsLeft(nowMs: number, max: number): Promise<void> {
    if (max < 1) return
    const used = this.likely.map(state => state.used())
    const left = (kind: keyof Room) => this.wanted[kind] - sum(used.map(one => one[kind]))
    const room = { unproven: left('unproven'), auxiliaries: left('auxiliaries'), pages: left('pages') }
    for (const kind of Object.keys(room) as (keyof Room)[]) {
      assert.ok(kind === 'pages' || room[kind] >= 0, `more ${kind} are open than ${this.wanted[kind]}`)
    }
    for (const [part, states] of this.parts.entries()) {
      const extras = await Promise.all(states.map(state => state.copy().leaseOne(nowMs, room)))
      this.parts[part] = states.filter((_, n) => extras[n] === undefined)
      assert.ok(this.parts[part].length > 0, `part ${part} was left ${JSON.stringify(extras[0])}, and could be leased`)
    }
  }

  private async waits(waitMs: number | undefined, nowMs: number): Promise<void> {
    const shortest: number[] = []
    const actual = waitMs ?? Infinity
    for (const [part, states] of this.parts.entries()) {
      const waits = await Promise.all(states.map(async state => (await state.copy().take(0, nowMs)).waitMs ?? Infinity))
      this.parts[part] = states.filter((_, n) => waits[n]! >= actual)
      shortest.push(Math.min(...waits.filter(wait => wait >= actual)))
      assert.ok(this.parts[part].length > 0, `waitMs was ${waitMs}, and part ${part} has something in ${waits[0]} ms`)
    }
    assert.equal(actual, Math.min(...shortest), 'waitMs')
  }

  private async ends(
    actual: Record<'end' | 'pause', Taken['end'] | undefined>,
    isFull: boolean,
    nowMs: number,
  ): Promise<void> {
    const why = (await this.pagesDone()) >= this.wanted.pages ? 'limit' : 'nothing left'
    if (why === 'limit' && !this.recrawl) return assert.deepEqual(actual, { end: why, pause: undefined })
    const parts = await Promise.all(this.likely.map(state => state.copy().take(0, nowMs)))
    const isOver = !isFull && parts.every(({ end, pause }) => end ?? pause)
    const isPause = parts.some(({ pause }) => pause)
    const expected = { end: isOver && !isPause ? why : undefined, pause: isOver && isPause ? why : undefined }
    assert.deepEqual(actual, expected)
  }

  private async pagesDone(): Promise<number> {
    return sum((await Promise.all(this.likely.map(state => state.counts()))).map(({ pages }) => pages))
  }
}

/** The states in which a part may be after these of its tickets were leased, in this order. */
async function leasedInOrder(
  part: number,
  asked: readonly PartOracle[],
  tickets: readonly Ticket[],
  nowMs: number,
  shortages: readonly (keyof Room)[][],
): Promise<readonly PartOracle[]> {
  let states = asked
  for (const ticket of tickets) {
    const next: PartOracle[] = []
    let expected: unknown
    for (const state of states) {
      for (const shortage of shortages) {
        const after = state.copy()
        const room = { ...NO_BOUND, ...Object.fromEntries(shortage.map(kind => [kind, 0])) }
        const chosen = await after.leaseOne(nowMs, room)
        if (shortage.length === 0) expected = chosen && bare(chosen)
        if (!chosen || !isDeepStrictEqual(bare(chosen), bare(ticket))) continue
        after.number(chosen, ticket.id)
        next.push(after)
        break
      }
    }
    if (next.length === 0) assert.deepEqual(bare(ticket), expected, `part ${part} leased another ticket`)
    states = next
  }
  return states
}

function distinct(states: readonly PartOracle[]): PartOracle[] {
  const kept: PartOracle[] = []
  for (const state of states) if (!kept.some(other => other.isLike(state))) kept.push(state)
  return kept
}

/** A ticket without its number, and without what is undefined: a maker may leave that out. */
function bare(ticket: Ticket): unknown {
  return Object.fromEntries(Object.entries(ticket).filter(([key, value]) => key !== 'id' && value !== undefined))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}
