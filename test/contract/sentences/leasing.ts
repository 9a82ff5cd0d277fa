import assert from 'node:assert/strict'
import { plain } from '../player.ts'
import {
  again,
  auxiliaries,
  countsAre,
  done,
  HOUR_MS,
  inShort,
  isPlaced,
  isRefused,
  LEASE_MS,
  links,
  of,
  refused,
  type Sentence,
  sorted,
  T,
  take,
  takeOne,
  takesNothing,
  unasked,
  viewOf,
} from './sentence.ts'

export const LEASING: readonly Sentence[] = [
  {
    says: 'take: leases at most max links',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1 c/1 d/1 e/1'))
      assert.equal((await take(frontier, 2, T)).length, 2)
      assert.equal((await take(frontier, 1, T)).length, 1)
      assert.equal((await take(frontier, Number.POSITIVE_INFINITY, T)).length, 2)
      await takesNothing(frontier, T)
    },
  },
  {
    says: 'take: with a max of 0 or less nothing is leased; one that is no number is an error',
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      assert.deepEqual(await take(frontier, 0, T), [])
      assert.deepEqual(await take(frontier, -3, T), [])
      await isRefused(frontier, 'FRONTIER_BAD_VALUE', () => frontier.take(Number.NaN, T))
      assert.equal((await frontier.counts()).waiting, 1)
    },
  },
  {
    says: 'take: one link per host',
    async check({ frontier }) {
      await frontier.offer([...links('a/1 a/2 a/3 b/1'), ...auxiliaries('c/1 c/2')])
      assert.equal(sorted(inShort(await take(frontier, 100, T))), 'a/1 b/1 c/1')
      await countsAre(frontier, { known: 4, waiting: 2, leased: 2, auxiliaries: 2, hosts: 3 })
    },
  },
  {
    says: 'promise 2: a host has at most one open ticket',
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2'))
      const first = await takeOne(frontier, T)
      await frontier.offer(auxiliaries('a/robots'))
      await takesNothing(frontier, T + LEASE_MS - 1)
      await frontier.settle([done(first)], T + LEASE_MS - 1)
      assert.equal(inShort(await take(frontier, 100, T + LEASE_MS - 1)), 'a/robots')
    },
  },
  {
    says: 'promise 3: no ticket is leased before the delay of the settlement has passed',
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2'))
      await frontier.settle([done(await takeOne(frontier, T), 500)], T + 20)
      await takesNothing(frontier, T + 519)
      assert.equal(inShort(await take(frontier, 100, T + 520)), 'a/2')
    },
  },
  {
    says: 'promise 3: the least delay of every host holds when the settlement asks for less',
    options: { delayMs: 100 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2 a/3'))
      await frontier.settle([done(await takeOne(frontier, T), 5)], T)
      await takesNothing(frontier, T + 99)
      await frontier.settle([done(await takeOne(frontier, T + 100), 300)], T + 100)
      await takesNothing(frontier, T + 399)
      await takeOne(frontier, T + 400)
    },
  },
  {
    says: 'promise 3: a link that is settled without asking its host leaves the host its time',
    options: { delayMs: 100 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2 a/3 a/4'))
      await frontier.setDelay('a.com', 300)
      await frontier.settle([{ ...unasked(refused(await takeOne(frontier, T), 'robots')), delayMs: 500 }], T)
      await frontier.settle([unasked(again(await takeOne(frontier, T)))], T)
      await frontier.settle([done(await takeOne(frontier, T))], T)
      await takesNothing(frontier, T + 299)
      await takeOne(frontier, T + 300)
    },
  },
  {
    says: 'setDelay: the last one holds',
    async check({ frontier }) {
      await frontier.setDelay('a.com', 300)
      await frontier.setDelay('a.com', 30)
      await frontier.offer(links('a/1 a/2'))
      await frontier.settle([done(await takeOne(frontier, T))], T)
      await takesNothing(frontier, T + 29)
      await takeOne(frontier, T + 30)
    },
  },
  {
    says: 'take: a new host is ready at once, whatever the least delay is',
    options: { delayMs: 5000 },
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      assert.equal((await viewOf(frontier, 'a', T)).readyInMs, 0)
      await takeOne(frontier, T)
    },
  },
  {
    says: 'promise 3: one host that has to wait does not hold up the others, not even at the same server',
    async check({ frontier }) {
      await isPlaced(frontier, 'server', 'a/0 b/0', T)
      await frontier.offer(links('a/1 a/2 b/1 b/2'))
      const both = await take(frontier, 2, T)
      await frontier.settle(
        both.map(ticket => done(ticket, ticket.host === 'a.com' ? HOUR_MS : 10)),
        T,
      )
      const second = await takeOne(frontier, T + 10)
      assert.equal(second.url, 'http://b.com/2')
      await frontier.settle([done(second)], T + 10)
      await takesNothing(frontier, T + HOUR_MS - 1)
      assert.equal(inShort(await take(frontier, 100, T + HOUR_MS)), 'a/2')
    },
  },
  {
    says: 'settle: a later time is never taken back by an earlier one',
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2'))
      const ticket = await takeOne(frontier, T)
      await frontier.hold('a.com', { forMs: 1000 }, T)
      await frontier.settle([done(ticket, 10)], T)
      await takesNothing(frontier, T + 999)
      await takeOne(frontier, T + 1000)
    },
  },
  {
    says: 'nowMs: without it, the time is that of the clock',
    options: { leaseMs: 100, delayMs: 50 },
    async check({ frontier }, clock) {
      await frontier.offer(links('a/1 a/2 b/1'))
      const first = (await frontier.take(9)).tickets
      clock.nowMs += 10
      await frontier.settle([done(of('a', first))])
      clock.nowMs += 49
      assert.deepEqual((await frontier.take(9)).waitMs, 1)
      clock.nowMs += 1
      assert.equal(inShort((await frontier.take(9)).tickets), 'a/2')
      await frontier.hold('a.com', { forMs: 1000 })
      await frontier.note('a.com', 'key', new Uint8Array([1]), 10)
      clock.nowMs += 9
      assert.deepEqual([...(await frontier.noted('a.com', 'key'))!], [1])
      assert.equal((await viewOf(frontier, 'a')).readyInMs, 991)
      clock.nowMs += 1
      assert.equal(await frontier.noted('a.com', 'key'), undefined)
    },
  },
  {
    says: 'waitMs: undefined when nothing waits and nothing is leased',
    async check({ frontier }) {
      const nothing = { tickets: [], end: 'nothing left' }
      const taken = async () => plain(await frontier.take(9, T))
      assert.deepEqual(await taken(), nothing)
      await frontier.setDelay('a.com', 5)
      await frontier.hold('b.com', { forMs: 5 }, T)
      assert.deepEqual(await taken(), nothing)
      await frontier.offer(links('a/1'))
      await frontier.settle([done(await takeOne(frontier, T))], T)
      assert.deepEqual(await taken(), nothing)
    },
  },
  {
    says: 'waitMs: 0 when max tickets were leased, whatever is left',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      assert.equal((await frontier.take(1, T)).waitMs, 0)
      assert.equal((await frontier.take(1, T)).waitMs, 0)
      assert.equal((await frontier.take(1, T)).waitMs, LEASE_MS)
    },
  },
  {
    says: 'waitMs: the shortest of the times of hosts and of the leases that run out',
    options: { leaseMs: 1000 },
    async check({ frontier }) {
      const waitMs = async (nowMs: number) => (await frontier.take(9, nowMs)).waitMs
      await frontier.offer(links('a/1 a/2 b/1'))
      const tickets = await take(frontier, 9, T)
      assert.equal(await waitMs(T + 1), 999)
      await frontier.settle([done(of('a', tickets), 400)], T + 10)
      assert.equal(await waitMs(T + 10), 400)
      await frontier.hold('a.com', { forMs: 5000 }, T)
      assert.equal(await waitMs(T + 10), 990)
      await frontier.settle([done(of('b', tickets), 9000)], T + 20)
      assert.equal(await waitMs(T + 20), 4980)
      assert.equal(await waitMs(T + 4999), 1)
      await takeOne(frontier, T + 5000)
      assert.equal(await waitMs(T + 5000), 1000)
    },
  },
  {
    says: 'waitMs: the time of a server counts while somebody waits there and it has room',
    needs: ['onePart'],
    options: { serverGapMs: 300, perServer: 2 },
    async check({ frontier }) {
      await isPlaced(frontier, 'server', 'a/0', T)
      await isPlaced(frontier, 'server', 'b/0', T + 300)
      await isPlaced(frontier, 'server', 'c/0', T + 600)
      await frontier.offer(links('a/1 b/1 c/1'))
      const taken = await frontier.take(9, T + 700)
      assert.deepEqual([taken.tickets.length, taken.waitMs], [0, 200])
      const first = await takeOne(frontier, T + 900)
      assert.equal((await frontier.take(9, T + 1000)).waitMs, 200)
      await takeOne(frontier, T + 1200)
      const { waitMs = 0 } = await frontier.take(9, T + 1300)
      // Those who wait at a server ask again after 30 s where what wakes them could be lost.
      assert.ok(waitMs === LEASE_MS - 400 || (!frontier.supports.exactOrder && waitMs === 30_000 - 600), String(waitMs))
      await frontier.settle([done(first)], T + 1300)
      assert.equal((await frontier.take(9, T + 1300)).waitMs, 200)
    },
  },
  {
    says: 'waitMs: nothing that only another call can bring counts: no quota, no limit, no max',
    options: { unproven: 1, leaseMs: 5000 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      await takeOne(frontier, T)
      assert.equal((await frontier.take(9, T + 1)).waitMs, 4999)
      await frontier.clear()
      await frontier.offer(links('a/1'))
      assert.equal((await frontier.take(0, T)).waitMs, undefined)
    },
  },
]
