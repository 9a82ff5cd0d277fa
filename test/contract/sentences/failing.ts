import assert from 'node:assert/strict'
import type { Shown } from '../../../src/frontier/frontier.ts'
import { restMs } from '../../../src/frontier/frontier.ts'
import type { TimedFrontier } from '../timed.ts'
import {
  again,
  auxiliaries,
  countsAre,
  done,
  explained,
  HOUR_MS,
  inShort,
  isPlaced,
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

/** Visits a host once; it shows this, and its link is tried again. */
async function shows(frontier: TimedFrontier, shown: Shown, nowMs: number): Promise<void> {
  await frontier.settle([again(await takeOne(frontier, nowMs), 0, [], shown)], nowMs)
}

export const FAILING: readonly Sentence[] = [
  {
    says: 'restMs: 1, 5, 25 … s, at most an hour; nothing without a failure',
    async check() {
      assert.deepEqual([0, 1, 2, 3, 5, 6, 7, 1000].map(restMs), [
        ...[0, 1000, 5000, 25_000, 625_000, 3_125_000, HOUR_MS, HOUR_MS],
      ])
    },
  },
  {
    says: 'shown: after n failures in a row a host rests for restMs(n); trouble and silence count alike',
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      let nowMs = T
      for (const [n, shown] of (['trouble', 'silence', 'silence', 'trouble'] as const).entries()) {
        await shows(frontier, shown, nowMs)
        assert.equal((await viewOf(frontier, 'a', nowMs)).failures, n + 1)
        await takesNothing(frontier, nowMs + restMs(n + 1) - 1)
        nowMs += restMs(n + 1)
      }
      await shows(frontier, 'answer', nowMs)
      assert.equal((await viewOf(frontier, 'a', nowMs)).failures, 0)
      await shows(frontier, 'trouble', nowMs)
      assert.equal((await frontier.take(1, nowMs)).waitMs, 1000)
    },
  },
  {
    says: 'settle: the host is ready after its delay, the settlement’s, the frontier’s or its rest, whichever is longest',
    options: { delayMs: 900 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1 c/1 d/1'))
      await frontier.setDelay('b.com', 2000)
      const tickets = await take(frontier, 9, T)
      await frontier.settle(
        [
          again(of('a', tickets), 0, [], 'trouble'),
          again(of('b', tickets), 0, [], 'trouble'),
          again(of('c', tickets), 3000, [], 'silence'),
          again(of('d', tickets), 0, [], 'answer'),
        ],
        T,
      )
      const waits = await Promise.all(['a', 'b', 'c', 'd'].map(host => viewOf(frontier, host, T)))
      assert.deepEqual(
        waits.map(({ readyInMs }) => readyInMs),
        [1000, 2000, 3000, 900],
      )
    },
  },
  {
    says: 'proven: a host that has answered and has not failed since',
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      const proofs: boolean[] = []
      let nowMs = T
      for (const shown of ['answer', 'trouble', 'answer', 'silence', 'answer', 'answer'] as const) {
        const ticket = await takeOne(frontier, nowMs)
        proofs.push(ticket.isProven)
        await frontier.settle([again(ticket, 0, [], shown)], nowMs)
        nowMs += 1000
      }
      assert.deepEqual(proofs, [false, true, false, true, false, true])
    },
  },
  {
    says: 'shown: undefined proves nothing and fails nobody',
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2'))
      await frontier.settle([unasked(refused(await takeOne(frontier, T), 'robots'))], T)
      const ticket = await takeOne(frontier, T)
      assert.equal(ticket.isProven, false)
      assert.equal((await viewOf(frontier, 'a', T)).failures, 0)
    },
  },
  {
    says: 'gone: all page links that wait there are refused with the reason; times and failures stay',
    async check({ frontier }) {
      await frontier.offer([...links('a/1 a/2 a/3 b/1')])
      const ticket = of('a', await take(frontier, 2, T))
      await frontier.offer(auxiliaries('a/robots'))
      await frontier.settle([refused(ticket, 'no such host', 'gone')], T)
      await countsAre(frontier, { known: 4, leased: 1, refused: 3, hosts: 2 })
      assert.deepEqual(await explained(frontier, 'a/3'), { state: 'refused', host: 'a.com', reason: 'no such host' })
      const { readyInMs, failures } = await viewOf(frontier, 'a', T)
      assert.deepEqual([readyInMs, failures], [0, 0])
      await frontier.offer(links('a/4'))
      assert.equal(inShort(await take(frontier, 9, T)), 'a/4')
    },
  },
  {
    says: 'down: after more failures than retries, what waits at a host keeps waiting, but no crawl stays open for it',
    options: { retries: 1 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2'))
      await shows(frontier, 'trouble', T)
      assert.equal((await viewOf(frontier, 'a', T)).isDown, false)
      assert.equal((await frontier.take(9, T)).end, undefined)
      await shows(frontier, 'trouble', T + 1000)
      assert.equal((await viewOf(frontier, 'a', T)).isDown, true)
      await countsAre(frontier, { known: 2, waiting: 2, down: 2, hosts: 1 })
      const waiting = await explained(frontier, 'a/1', T + 1000)
      assert.deepEqual(waiting, {
        ...{ state: 'waiting', host: 'a.com', place: 0, isExact: true, readyInMs: 5000, isDown: true },
      })
      const taken = await frontier.take(9, T + 1000)
      assert.deepEqual([taken.end, taken.waitMs], ['nothing left', 5000])
      const ticket = await takeOne(frontier, T + 6000)
      assert.equal((await frontier.take(9, T + 6000)).end, undefined)
      await frontier.settle([done(ticket)], T + 6000)
      await countsAre(frontier, { known: 2, waiting: 1, done: 1, pages: 1, hosts: 1 })
      assert.equal((await viewOf(frontier, 'a', T)).isDown, false)
    },
  },
  {
    says: 'down: an auxiliary link at a host that is up keeps the crawl open, one at a host that is down does not',
    options: { retries: 0 },
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      await shows(frontier, 'silence', T)
      await frontier.offer(auxiliaries('a/robots b/robots'))
      await frontier.hold('b.com', { forMs: 100 }, T)
      assert.equal((await frontier.take(9, T)).end, undefined)
      await frontier.clear('b.com')
      assert.equal((await frontier.take(9, T)).end, 'nothing left')
    },
  },
  {
    says: 'silence: counts for the server too, and from the second failure on it rests for restMs(n - 1)',
    async check({ frontier }) {
      await isPlaced(frontier, 's', 'a/0 b/0 c/0', T)
      await frontier.offer(links('a/1 b/1 c/1 d/1'))
      await frontier.hold('b.com', { forMs: 10 }, T)
      await frontier.hold('c.com', { forMs: 20 }, T)
      const first = await take(frontier, 9, T)
      await frontier.settle([again(of('a', first), 0, [], 'silence'), done(of('d', first))], T)
      const second = await takeOne(frontier, T + 10)
      await frontier.settle([again(second, 0, [], 'silence')], T + 10)
      await takesNothing(frontier, T + 1009)
      assert.equal(sorted(inShort(await take(frontier, 9, T + 1010))), 'a/1 b/1 c/1')
    },
  },
  {
    says: 'silence: visits that hang at the same time count once for their server',
    async check({ frontier }) {
      await isPlaced(frontier, 's', 'a/0 b/0 c/0', T)
      await frontier.offer(links('a/1 b/1 c/1'))
      const tickets = await take(frontier, 3, T)
      for (const [n, ticket] of tickets.slice(0, 2).entries()) {
        await frontier.settle([again(ticket, 0, [], 'silence')], T + 10 + n)
      }
      await frontier.settle([done(tickets[2]!, 0, links('d/1'))], T + 12)
      assert.equal((await viewOf(frontier, 'a', T)).failures + (await viewOf(frontier, 'b', T)).failures > 0, true)
      assert.equal((await viewOf(frontier, 'c', T)).isDown, false)
      const next = tickets[2]!.host.slice(0, 1)
      await frontier.offer(links(`${next}/2`))
      assert.equal((await take(frontier, 9, T + 12)).length, 2)
    },
  },
  {
    says: 'silence: a ticket counts from the moment at which its server admitted it, not from its lease',
    options: { retries: 1 },
    async check({ frontier }) {
      await isPlaced(frontier, 's', 'a/0', T)
      await frontier.offer(links('a/1 b/1'))
      const tickets = await take(frontier, 9, T)
      await frontier.settle([again(of('a', tickets), 0, [], 'silence')], T + 10)
      assert.equal(await frontier.place(of('b', tickets).id, 's', T + 20), true)
      await frontier.settle([again(of('b', tickets), 0, [], 'silence')], T + 30)
      const { failures, isDown } = await viewOf(frontier, 'b', T + 30)
      assert.deepEqual({ failures, isDown }, { failures: 1, isDown: true })
    },
  },
  {
    says: 'down: the hosts of a server that is down are, at the latest when they have asked it, and not once it has answered',
    options: { retries: 1 },
    async check({ frontier }) {
      await isPlaced(frontier, 's', 'a/0 b/0 c/0', T)
      await frontier.offer(links('a/1 b/1'))
      await frontier.hold('b.com', { forMs: 10 }, T)
      await shows(frontier, 'silence', T)
      await shows(frontier, 'silence', T + 10)
      await frontier.offer(links('c/1 c/2'))
      await takesNothing(frontier, T + 10)
      assert.equal((await viewOf(frontier, 'c', T + 10)).isDown, true)
      await takesNothing(frontier, T + 1009)
      assert.equal((await frontier.take(9, T + 1009)).end, 'nothing left')
      assert.equal((await frontier.counts()).down, 4)
      const tickets = await take(frontier, 9, T + 1010)
      assert.equal(sorted(inShort(tickets)), 'a/1 b/1 c/1')
      await frontier.settle([again(of('c', tickets), 0, [], 'trouble')], T + 1010)
      assert.equal((await viewOf(frontier, 'c', T)).isDown, false)
      const others = ['a', 'b'].map(host => done(of(host, tickets)))
      await frontier.settle(others, T + 1010)
      await countsAre(frontier, { known: 7, waiting: 2, done: 5, pages: 5, hosts: 3 })
    },
  },
  {
    says: 'answer and trouble: they make the failures of the server forgotten; a server is down like a host',
    options: { retries: 1 },
    needs: ['exactOrder'],
    async check({ frontier }) {
      await isPlaced(frontier, 's', 'a/0 b/0 c/0', T)
      await frontier.offer(links('a/1 b/1'))
      await frontier.hold('b.com', { forMs: 10 }, T)
      await shows(frontier, 'silence', T)
      await shows(frontier, 'silence', T + 10)
      await frontier.offer(links('c/1 c/2'))
      assert.equal((await viewOf(frontier, 'c', T + 10)).isDown, true)
      await countsAre(frontier, { known: 7, waiting: 4, done: 3, pages: 3, down: 4, hosts: 3 })
      assert.equal((await frontier.take(9, T + 10)).end, 'nothing left')
      const tickets = await take(frontier, 9, T + 1010)
      await frontier.settle([again(of('c', tickets), 0, [], 'trouble')], T + 1010)
      assert.equal((await viewOf(frontier, 'c', T)).isDown, false)
      assert.equal((await viewOf(frontier, 'a', T)).isDown, false)
      assert.equal((await frontier.counts()).down, 0)
    },
  },
  {
    says: 'silence: without a server only the host fails',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      const tickets = await take(frontier, 9, T)
      await frontier.settle(
        tickets.map(ticket => again(ticket, 0, [], 'silence')),
        T,
      )
      assert.equal((await viewOf(frontier, 'a', T)).failures, 1)
      assert.equal((await take(frontier, 9, T + 1000)).length, 2)
    },
  },
  {
    says: 'opening: a host that was down has one more try: retries failures again, and its own rest is over',
    options: { retries: 1, delayMs: 50 },
    needs: ['reopen'],
    async check(subject, clock) {
      await subject.frontier.offer(links('a/1 b/1 c/1'))
      for (let nowMs = T; nowMs <= T + 1000; nowMs += 1000) {
        const tickets = await take(subject.frontier, 9, nowMs)
        const settlements = tickets.map(ticket => again(ticket, ticket.host === 'c.com' ? 9000 : 0, [], 'trouble'))
        await subject.frontier.settle(settlements, nowMs)
      }
      await subject.frontier.hold('b.com', { forMs: 7000 }, T + 1000)
      clock.nowMs = T + 1100
      await subject.reopen()
      const { failures, isDown, readyInMs } = await viewOf(subject.frontier, 'a')
      assert.deepEqual({ failures, isDown, readyInMs }, { failures: 1, isDown: false, readyInMs: 50 })
      assert.equal((await viewOf(subject.frontier, 'b')).readyInMs, 6900)
      assert.equal((await viewOf(subject.frontier, 'c')).readyInMs, 7900)
      const ticket = await takeOne(subject.frontier, T + 1150)
      assert.deepEqual([ticket.host, ticket.isProven], ['a.com', false])
      await subject.frontier.settle([again(ticket, 0, [], 'trouble')], T + 1150)
      assert.equal((await viewOf(subject.frontier, 'a', T)).isDown, true)
    },
  },
  {
    says: 'opening: a server that was down has one more try, a host that only fails rests on',
    options: { retries: 1 },
    needs: ['reopen'],
    async check(subject, clock) {
      const { frontier } = subject
      await isPlaced(frontier, 's', 'a/0 b/0 c/0', T)
      await frontier.offer(links('a/1 b/1'))
      await frontier.hold('b.com', { forMs: 10 }, T)
      await shows(frontier, 'silence', T)
      await shows(frontier, 'silence', T + 10)
      await frontier.offer(links('c/1'))
      clock.nowMs = T + 20
      await subject.reopen()
      assert.equal((await viewOf(subject.frontier, 'c')).isDown, false)
      assert.equal(inShort(await take(subject.frontier, 9, T + 20)), 'c/1')
      assert.equal((await viewOf(subject.frontier, 'a')).readyInMs, 980)
    },
  },
  {
    says: 'opening: with more retries than before, a host that was down is so no longer, and the counts stay right',
    options: { retries: 0 },
    needs: ['reopen'],
    async check(subject, clock) {
      await subject.frontier.offer(links('a/1 a/2'))
      await shows(subject.frontier, 'trouble', T)
      assert.equal((await subject.frontier.counts()).down, 2)
      clock.nowMs = T + 10
      await subject.reopen({ retries: 5 })
      assert.equal((await subject.frontier.counts()).down, 0)
      await shows(subject.frontier, 'trouble', T + 60_000)
      assert.equal((await viewOf(subject.frontier, 'a')).isDown, false)
      assert.equal((await subject.frontier.counts()).down, 0)
    },
  },
]
