import assert from 'node:assert/strict'
import { type Again, DUE_AT_ONCE, type Settlement, type Ticket } from '../../../src/frontier/frontier.ts'
import type { TimedFrontier } from '../timed.ts'
import {
  again,
  auxiliaries,
  countsAre,
  done,
  explained,
  inShort,
  isRefused,
  LEASE_MS,
  links,
  refused,
  type Sentence,
  T,
  take,
  takeOne,
  takesNothing,
  urlOf,
  viewOf,
} from './sentence.ts'

const RECRAWL = { recrawl: true }

/** Done, and to be visited again after this long. */
function revisited(ticket: Ticket, afterMs: number, rest: Partial<Again> = {}): Settlement {
  return { ...done(ticket), outcome: { kind: 'done', isPage: true, again: { afterMs, gain: 1, ...rest } } }
}

/** When links are visited for the first time, so that nothing is due before T. */
const BEFORE_MS = T - 1000

/** Visits a link, where nothing else waits; its time comes so long after T. */
async function visit(
  frontier: TimedFrontier,
  short: string,
  afterMs: number,
  rest: Partial<Again> = {},
): Promise<void> {
  await frontier.offer(links(short))
  const ticket = await takeOne(frontier, BEFORE_MS)
  assert.equal(ticket.url, urlOf(short))
  await frontier.settle([revisited(ticket, T - BEFORE_MS + afterMs, rest)], BEFORE_MS)
}

export const REVISITING: readonly Sentence[] = [
  {
    says: 'again: a done link is planned, and due when its time has come; its ticket says when it was visited',
    options: RECRAWL,
    async check({ frontier }) {
      await visit(frontier, 'a/1', 1000)
      await countsAre(frontier, { known: 1, done: 1, pages: 1, planned: 1, hosts: 1 })
      assert.deepEqual(await explained(frontier, 'a/1', T + 400), {
        ...{ state: 'done', host: 'a.com', isPage: true, againInMs: 600 },
      })
      const { tickets, waitMs, end, pause } = await frontier.take(5, T + 400)
      assert.deepEqual(
        { tickets, waitMs, end, pause },
        { tickets: [], waitMs: 600, end: undefined, pause: 'nothing left' },
      )
      const ticket = await takeOne(frontier, T + 1000)
      assert.deepEqual([ticket.url, ticket.attempt, ticket.hostPages], [urlOf('a/1'), 1, 1])
      assert.deepEqual(ticket.again, { visitedAtMs: BEFORE_MS, isHinted: false })
      await countsAre(frontier, { known: 1, done: 1, pages: 1, revisiting: 1, hosts: 1 })
      assert.equal((await explained(frontier, 'a/1', T + 1000)).state, 'leased')
    },
  },
  {
    says: 'again: a first visit has no again in its ticket; a visit that is settled without again is the last',
    options: RECRAWL,
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      const first = await takeOne(frontier, T)
      assert.equal(first.again, undefined)
      await frontier.settle([revisited(first, 10)], T)
      await frontier.settle([done(await takeOne(frontier, T + 10))], T + 10)
      await countsAre(frontier, { known: 1, done: 1, pages: 1, hosts: 1 })
      assert.deepEqual(await explained(frontier, 'a/1', T), { state: 'done', host: 'a.com', isPage: true })
      assert.deepEqual(await frontier.take(1, T + 1e9), { tickets: [], waitMs: undefined, end: 'nothing left' })
    },
  },
  {
    says: 'again: without the option recrawl, planned links stay planned, and no crawl stays open for them',
    async check({ frontier }) {
      await visit(frontier, 'a/1', 0)
      assert.deepEqual(await frontier.take(1, T + 1e9), { tickets: [], waitMs: undefined, end: 'nothing left' })
      await countsAre(frontier, { known: 1, done: 1, pages: 1, planned: 1, hosts: 1 })
    },
  },
  {
    says: 'again: a note replaces that of the link; without one the link keeps the one it has',
    options: RECRAWL,
    async check({ frontier }) {
      await frontier.offer([{ url: urlOf('a/1'), rank: 3, hops: 7, note: 'found' }])
      await frontier.settle([revisited(await takeOne(frontier, T), 0)], T)
      const second = await takeOne(frontier, T)
      assert.deepEqual([second.note, second.rank, second.hops], ['found', 3, 7])
      await frontier.settle([revisited(second, 0, { note: 'visited' })], T)
      const third = await takeOne(frontier, T)
      assert.deepEqual([third.note, third.rank, third.hops], ['visited', 3, 7])
    },
  },
  {
    says: 'again: of the due links of a host the highest gain comes first, then the earliest time, then the first known',
    options: RECRAWL,
    async check({ frontier }) {
      for (const [short, afterMs, gain] of [
        ['a/1', 50, 1],
        ['a/2', 40, 1],
        ['a/3', 40, 1],
        ['a/4', 60, 2.5],
        ['a/5', 10, 0],
      ] as const) {
        await visit(frontier, short, afterMs, { gain })
      }
      const order: string[] = []
      for (let n = 0; n < 5; n++) {
        const ticket = await takeOne(frontier, T + 100)
        order.push(inShort([ticket]))
        await frontier.settle([done(ticket)], T + 100)
      }
      assert.equal(order.join(' '), 'a/4 a/2 a/3 a/1 a/5')
    },
  },
  {
    says: 'again: a host with new and due links leases them in turn, a new one first',
    options: RECRAWL,
    async check({ frontier }) {
      for (const short of ['a/1', 'a/2', 'a/3']) await visit(frontier, short, 10)
      await takesNothing(frontier, T)
      await frontier.offer(links('a/n1 a/n2 a/n3 a/n4'))
      const order: string[] = []
      for (let n = 0; n < 7; n++) {
        const ticket = await takeOne(frontier, T + 10)
        order.push(inShort([ticket]))
        await frontier.settle([done(ticket)], T + 10)
      }
      assert.equal(order.join(' '), 'a/n1 a/1 a/n2 a/2 a/n3 a/3 a/n4')
    },
  },
  {
    says: 'again: a due link waits for the delay, the block and the auxiliary links of its host like any other',
    options: RECRAWL,
    async check({ frontier }) {
      await visit(frontier, 'a/1', 10)
      await frontier.hold('a.com', { forMs: 500 }, T)
      await takesNothing(frontier, T + 499)
      assert.deepEqual((await viewOf(frontier, 'a', T + 499)).due, 1)
      assert.equal((await frontier.outlook(T + 499)).resting, 1)
      await frontier.offer(auxiliaries('a/robots.txt'))
      const auxiliary = await takeOne(frontier, T + 500)
      assert.equal(auxiliary.kind, 'robots')
      await frontier.settle([done(auxiliary, 100)], T + 500)
      await takesNothing(frontier, T + 599)
      assert.ok((await takeOne(frontier, T + 600)).again)
    },
  },
  {
    says: 'again: a visit that must be tried again, was given back or ran out is due at once, with its note and its gain',
    options: RECRAWL,
    async check({ frontier }) {
      await visit(frontier, 'a/low', 0, { gain: 1 })
      await frontier.offer(links('a/high'))
      await frontier.settle([revisited(await takeOne(frontier, T), 0, { gain: 2, note: 'n' })], T)
      const first = await takeOne(frontier, T)
      assert.equal(inShort([first]), 'a/high')
      await frontier.settle([again(first)], T)
      const second = await takeOne(frontier, T)
      assert.deepEqual([inShort([second]), second.attempt, second.note], ['a/high', 2, 'n'])
      await frontier.giveBack([second.id])
      const third = await takeOne(frontier, T)
      assert.deepEqual([inShort([third]), third.attempt], ['a/high', 2])
      const fourth = await takeOne(frontier, T + LEASE_MS)
      assert.deepEqual([inShort([fourth]), fourth.attempt], ['a/high', 2])
      await frontier.settle([revisited(fourth, 0, { gain: 0 })], T + LEASE_MS)
      assert.equal(inShort([await takeOne(frontier, T + LEASE_MS)]), 'a/low')
    },
  },
  {
    says: 'again: a visit that is refused leaves the link done, and it is no longer planned',
    options: RECRAWL,
    async check({ frontier }) {
      await visit(frontier, 'a/1', 0)
      await frontier.settle([refused(await takeOne(frontier, T), 'robots')], T)
      await countsAre(frontier, { known: 1, done: 1, pages: 1, hosts: 1 })
      await takesNothing(frontier, T + 1e9)
    },
  },
  {
    says: 'again: a visit again is not counted again, neither for its host nor for the limit',
    options: { ...RECRAWL, limit: 2 },
    async check({ frontier }) {
      await visit(frontier, 'a/1', 0)
      const second = await takeOne(frontier, T)
      await frontier.settle([revisited(second, 1000)], T)
      await countsAre(frontier, { known: 1, done: 1, pages: 1, planned: 1, hosts: 1 })
      assert.equal((await viewOf(frontier, 'a', T)).pages, 1)
    },
  },
  {
    says: 'again: when the limit is reached, due links are leased, and new ones no longer',
    options: { ...RECRAWL, limit: 1 },
    async check({ frontier }) {
      await visit(frontier, 'a/1', 100)
      await frontier.offer(links('a/new b/new'))
      assert.deepEqual(await frontier.take(5, T), { tickets: [], waitMs: 100, pause: 'limit' })
      assert.equal((await frontier.outlook(T)).ready, 0)
      const tickets = await take(frontier, 5, T + 100)
      assert.equal(inShort(tickets), 'a/1')
      await frontier.settle([done(tickets[0]!)], T + 100)
      assert.deepEqual(await frontier.take(5, T + 100), { tickets: [], waitMs: undefined, end: 'limit' })
    },
  },
  {
    says: 'again: a limit that is raised lets new links come again',
    options: { ...RECRAWL, limit: 1 },
    needs: ['change'],
    async check({ frontier }) {
      await visit(frontier, 'a/1', 100)
      await frontier.offer(links('a/new b/new'))
      await takesNothing(frontier, T)
      await frontier.rules!.change({ limit: 9 })
      assert.equal(inShort((await take(frontier, 5, T)).toSorted((a, b) => (a.url < b.url ? -1 : 1))), 'a/new b/new')
    },
  },
  {
    says: 'pause: not while something is due, new or leased; what waits at a host that is down does not count',
    options: { ...RECRAWL, retries: 0 },
    async check({ frontier }) {
      await visit(frontier, 'a/1', 0)
      await visit(frontier, 'b/1', 1e6)
      const { tickets, pause: none } = await frontier.take(1, T)
      assert.deepEqual([inShort(tickets), none], ['a/1', undefined])
      assert.equal((await frontier.take(1, T)).pause, undefined)
      await frontier.settle([again(tickets[0]!, 0, [], 'silence')], T)
      const later = await frontier.take(0, T)
      assert.deepEqual([later.pause, later.end], ['nothing left', undefined])
      await frontier.offer(links('c/1'))
      assert.equal((await frontier.take(0, T)).pause, undefined)
    },
  },
  {
    says: 'pause: what is due at a host that is down is no end, and is leased when the rest is over',
    options: { ...RECRAWL, retries: 0 },
    async check({ frontier }) {
      await visit(frontier, 'a/1', 0)
      await frontier.settle([again(await takeOne(frontier, T), 0, [], 'silence')], T)
      assert.deepEqual(await frontier.take(5, T), { tickets: [], waitMs: 1000, pause: 'nothing left' })
      assert.equal(inShort([await takeOne(frontier, T + 1000)]), 'a/1')
    },
  },
  {
    says: 'plan: done links that are not planned get a next visit; others change nothing',
    options: RECRAWL,
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      await frontier.settle([done(await takeOne(frontier, T))], T)
      await visit(frontier, 'b/1', 5000)
      await frontier.offer([...links('c/1'), { ...links('d/1')[0]!, refused: 'scope' }])
      const plan = (short: string, dueAtMs: number) => ({
        ...{ url: urlOf(short), rank: 2, hops: 4, note: 'planned' },
        ...{ visitedAtMs: T - 50, dueAtMs, gain: 1 },
      })
      const all = ['a/1', 'b/1', 'c/1', 'd/1', 'e/1', 'a/1'].map(short => plan(short, T + 200))
      assert.equal(await frontier.plan(all, T), 1)
      await countsAre(frontier, { known: 4, waiting: 1, done: 2, refused: 1, pages: 2, planned: 2, hosts: 4 })
      const [c] = await take(frontier, 9, T)
      await frontier.settle([done(c!)], T)
      const ticket = await takeOne(frontier, T + 200)
      assert.deepEqual([ticket.url, ticket.note, ticket.rank, ticket.hops], [urlOf('a/1'), 'planned', 2, 4])
      assert.deepEqual(ticket.again, { visitedAtMs: T - 50, isHinted: false })
    },
  },
  {
    says: 'replan: planned links that were visited then get another time and note, due or not; others change nothing, also after an opening',
    options: RECRAWL,
    needs: ['reopen'],
    async check(subject, clock) {
      for (const short of ['a/1', 'b/1', 'c/1']) await visit(subject.frontier, short, short === 'b/1' ? 0 : 1e6)
      assert.equal((await subject.frontier.outlook(T - 10)).againInMs, 10)
      await subject.frontier.giveBack([(await takeOne(subject.frontier, T)).id])
      assert.equal((await subject.frontier.outlook(T)).againInMs, 0)
      const anew = (short: string, dueAtMs: number, visitedAtMs = BEFORE_MS) => ({
        ...{ url: urlOf(short), rank: 2, hops: 4, note: 'anew', visitedAtMs, dueAtMs, gain: 1 },
      })
      const visits = [anew('a/1', T + 5), anew('b/1', T + 500), anew('c/1', T, BEFORE_MS - 1), anew('d/1', T)]
      assert.equal(await subject.frontier.replan(visits, T), 2)
      clock.nowMs = T
      await subject.reopen()
      const { frontier } = subject
      assert.equal((await frontier.outlook(T)).againInMs, 5)
      await takesNothing(frontier, T + 4)
      const ticket = await takeOne(frontier, T + 5)
      assert.deepEqual([inShort([ticket]), ticket.note, ticket.again?.visitedAtMs], ['a/1', 'anew', BEFORE_MS])
      assert.equal(await frontier.replan([anew('a/1', T)], T + 5), 0, 'it is leased')
      await takesNothing(frontier, T + 499)
      assert.equal(inShort([await takeOne(frontier, T + 500)]), 'b/1')
    },
  },
  {
    says: 'hint: a planned link that was visited before is due now; one whose time has come changes nothing',
    options: RECRAWL,
    async check({ frontier }) {
      await visit(frontier, 'a/1', 1e6)
      await visit(frontier, 'b/1', 0)
      await visit(frontier, 'c/1', 1e6)
      const hints = [
        { url: urlOf('a/1'), changedAtMs: T + 1 },
        { url: urlOf('b/1'), changedAtMs: T + 1 },
        { url: urlOf('c/1'), changedAtMs: BEFORE_MS },
        { url: urlOf('d/1'), changedAtMs: T + 1 },
        { url: urlOf('a/1'), changedAtMs: T + 1 },
      ]
      assert.equal(await frontier.hint(hints, undefined, T + 5), 1)
      const tickets = (await take(frontier, 9, T + 5)).toSorted((a, b) => (a.url < b.url ? -1 : 1))
      assert.deepEqual(
        tickets.map(ticket => [inShort([ticket]), ticket.again?.isHinted]),
        [
          ['a/1', true],
          ['b/1', false],
        ],
      )
      await frontier.settle([revisited(tickets[0]!, 10)], T + 5)
      assert.equal((await takeOne(frontier, T + 15)).again?.isHinted, false)
    },
  },
  {
    says: 'hint: a planned link is due so long after its last visit at the earliest, also after an opening',
    options: RECRAWL,
    needs: ['reopen'],
    async check(subject, clock) {
      await visit(subject.frontier, 'a/1', 1e6)
      await visit(subject.frontier, 'b/1', 300)
      await visit(subject.frontier, 'c/1', 1e6)
      const hints = ['a/1', 'b/1', 'c/1'].map(short => ({
        ...{ url: urlOf(short), changedAtMs: T },
        leastMs: short === 'c/1' ? T - BEFORE_MS : T - BEFORE_MS + 500,
      }))
      assert.equal(await subject.frontier.hint(hints, 1, T), 1)
      assert.equal(await subject.frontier.hint(hints, undefined, T), 1, 'b/1 is due before that')
      assert.equal(await subject.frontier.hint(hints, undefined, T), 0, 'a second time changes nothing')
      clock.nowMs = T
      await subject.reopen()
      const { frontier } = subject
      for (const [atMs, short, isHinted] of [
        [T, 'c/1', true],
        [T + 300, 'b/1', false],
        [T + 500, 'a/1', true],
      ] as const) {
        if (atMs > T) await takesNothing(frontier, atMs - 1)
        const ticket = await takeOne(frontier, atMs)
        assert.deepEqual([inShort([ticket]), ticket.again?.isHinted], [short, isHinted])
      }
    },
  },
  {
    says: 'settleFormer: plans, and settles a planned link that was visited before; a later visit stays',
    options: RECRAWL,
    async check({ frontier }) {
      await frontier.offer([{ ...links('a/1')[0]!, note: 'found' }])
      const former = { url: urlOf('a/1'), isPage: true, links: links('a/2') }
      const next = { afterMs: 100, gain: 1 }
      assert.deepEqual((await frontier.settleFormer([{ ...former, dateMs: T - 9, again: next }], T)).fresh, [1])
      await countsAre(frontier, { known: 2, waiting: 1, done: 1, pages: 1, planned: 1, hosts: 1 })
      const early = { ...former, dateMs: T - 9, links: links('a/3'), again: { ...next, note: 'early' } }
      assert.deepEqual((await frontier.settleFormer([early], T)).fresh, [0])
      const later = { ...former, dateMs: T - 5, links: links('a/3'), again: { afterMs: 300, gain: 1, note: 'later' } }
      const last = { ...former, dateMs: T - 4, links: [], again: { afterMs: 200, gain: 1 } }
      assert.deepEqual((await frontier.settleFormer([later, last], T)).fresh, [1, 0])
      await frontier.settle([done(await takeOne(frontier, T))], T)
      await frontier.settle([done(await takeOne(frontier, T))], T)
      await takesNothing(frontier, T + 199)
      const ticket = await takeOne(frontier, T + 200)
      assert.deepEqual([ticket.note, ticket.again], ['later', { visitedAtMs: T - 4, isHinted: false }])
      await frontier.giveBack([ticket.id])
      assert.deepEqual((await frontier.settleFormer([{ ...former, dateMs: T - 3, links: [] }], T + 200)).fresh, [0])
      await countsAre(frontier, { known: 3, done: 3, pages: 3, hosts: 1 })
    },
  },
  {
    says: 'clear: the due and planned links of a host stay done, and are no longer planned',
    options: RECRAWL,
    async check({ frontier }) {
      for (const host of ['a', 'b']) {
        await visit(frontier, `${host}/1`, 0)
        await visit(frontier, `${host}/2`, 500)
      }
      await frontier.take(0, T)
      await countsAre(frontier, { known: 4, done: 4, pages: 4, planned: 4, due: 2, hosts: 2 })
      await frontier.clear('a.com')
      await countsAre(frontier, { known: 4, done: 4, pages: 4, planned: 2, due: 1, hosts: 2 })
      assert.equal(inShort([await takeOne(frontier, T)]), 'b/1')
    },
  },
  {
    says: 'gone: what waits is refused, and planned links stay planned: the host rests as after a failure',
    options: { ...RECRAWL, retries: 0 },
    async check({ frontier }) {
      await visit(frontier, 'a/1', 0)
      await frontier.offer([...links('a/new'), ...auxiliaries('a/robots.txt')])
      const auxiliary = await takeOne(frontier, T)
      assert.equal(auxiliary.kind, 'robots')
      await frontier.settle([refused(auxiliary, 'dns', 'gone')], T)
      await countsAre(frontier, { known: 2, done: 1, refused: 1, pages: 1, planned: 1, due: 1, hosts: 1 })
      assert.deepEqual(await frontier.take(5, T), { tickets: [], waitMs: 1000, pause: 'nothing left' })
      assert.equal(inShort([await takeOne(frontier, T + 1000)]), 'a/1')
    },
  },
  {
    says: 'again: links whose time comes at once become due in several takes, the earliest first, and nobody waits meanwhile',
    options: { ...RECRAWL, perServer: 9 },
    async check({ frontier }) {
      const many = DUE_AT_ONCE + 10
      const all = Array.from({ length: many }, (_, n) => ({ url: urlOf(`a/${n}`), rank: 0, hops: 0 }))
      await frontier.offer(all)
      const visits = all.map(({ url }) => ({ url, isPage: true, links: [], again: { afterMs: 7, gain: 1 } }))
      await frontier.settleFormer(visits, T)
      assert.equal((await frontier.take(0, T + 6)).waitMs, 1)
      await countsAre(frontier, { known: many, done: many, pages: many, planned: many, hosts: 1 })
      const first = await frontier.take(1, T + 7)
      assert.equal(inShort(first.tickets), 'a/0')
      assert.equal((await frontier.counts()).due, DUE_AT_ONCE - 1)
      const { waitMs, pause } = await frontier.take(0, T + 7)
      assert.deepEqual([waitMs, pause], [LEASE_MS, undefined])
      assert.equal((await frontier.counts()).due, many - 1)
    },
  },
  {
    says: 'again: what is not valid is an error, and then nothing has happened',
    options: RECRAWL,
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      const ticket = await takeOne(frontier, T)
      const urls = [urlOf('a/1')]
      const wrong: Partial<Again>[] = [{ afterMs: -1 }, { afterMs: Number.NaN }, { gain: -1 }, { gain: Infinity }]
      for (const one of [...wrong, { note: 'é'.repeat(2049) }]) {
        const bad = [revisited(ticket, 1, one)]
        await isRefused(frontier, 'FRONTIER_BAD_SETTLEMENT', () => frontier.settle(bad, T), urls)
        const former = [{ url: urlOf('a/1'), isPage: true, links: [], again: { afterMs: 1, gain: 1, ...one } }]
        await isRefused(frontier, 'FRONTIER_BAD_VALUE', () => frontier.settleFormer(former, T), urls)
      }
      await frontier.settle([done(ticket)], T)
      const good = { url: urlOf('a/1'), rank: 0, hops: 0, visitedAtMs: T, dueAtMs: T, gain: 1 }
      for (const one of [{ visitedAtMs: Number.NaN }, { dueAtMs: Infinity }, { gain: -1 }]) {
        await isRefused(frontier, 'FRONTIER_BAD_VALUE', () => frontier.plan([good, { ...good, ...one }], T), urls)
      }
      await isRefused(frontier, 'FRONTIER_BAD_LINK', () => frontier.plan([good, { ...good, url: 'x' }], T), urls)
      for (const bad of [{ changedAtMs: Number.NaN }, { leastMs: -1 }]) {
        const hint = { url: urlOf('a/1'), changedAtMs: T, ...bad }
        await isRefused(frontier, 'FRONTIER_BAD_VALUE', () => frontier.hint([hint], undefined, T), urls)
      }
    },
  },
  {
    says: 'again: planned links, their times, gains, notes and hints are there after an opening',
    options: RECRAWL,
    needs: ['reopen'],
    async check(subject, clock) {
      await visit(subject.frontier, 'a/low', 1000, { gain: 1, note: 'low' })
      await visit(subject.frontier, 'a/high', 1000, { gain: 3, note: 'high' })
      await visit(subject.frontier, 'b/1', 1e6)
      await subject.frontier.hint([{ url: urlOf('b/1'), changedAtMs: T + 1 }], undefined, T + 10)
      await visit(subject.frontier, 'c/1', 0)
      const open = (await take(subject.frontier, 9, T + 10)).find(({ host }) => host === 'c.com')
      assert.ok(open)
      clock.nowMs = T + 20
      for (let n = 0; n < 2; n++) {
        await subject.reopen()
        await countsAre(subject.frontier, { known: 4, done: 4, pages: 4, planned: 4, hosts: 3 })
      }
      const now = await take(subject.frontier, 9, T + 20)
      const seen = now.map(ticket => [inShort([ticket]), ticket.again?.isHinted]).sort()
      assert.deepEqual(seen, [
        ['b/1', true],
        ['c/1', false],
      ])
      const high = await takeOne(subject.frontier, T + 1000)
      assert.deepEqual([inShort([high]), high.note, high.again?.visitedAtMs], ['a/high', 'high', BEFORE_MS])
    },
  },
  {
    says: 'again: a clock that went back moves the times of planned links back; none was visited later than now',
    options: RECRAWL,
    needs: ['reopen', 'ownClock'],
    async check(subject, clock) {
      await visit(subject.frontier, 'a/1', 1000)
      await takesNothing(subject.frontier, T)
      clock.nowMs = T - 5000
      for (let n = 0; n < 2; n++) await subject.reopen()
      await takesNothing(subject.frontier, T - 4001)
      assert.equal((await takeOne(subject.frontier, T - 4000)).again?.visitedAtMs, T - 5000)
    },
  },
]
