import assert from 'node:assert/strict'
import {
  again,
  auxiliaries,
  countsAre,
  done,
  inShort,
  isPlaced,
  links,
  type Sentence,
  T,
  take,
  takeOne,
  takesNothing,
  viewOf,
} from './sentence.ts'

/** What a person may do to a frontier while it is in use. */
export const STEERING: readonly Sentence[] = [
  {
    says: 'hold anew: ends a block and the wait for a delay',
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2 a/3'))
      await frontier.settle([done(await takeOne(frontier, T), 1000)], T)
      await frontier.hold('a.com', { forMs: 9000 }, T)
      await takesNothing(frontier, T + 10)
      await frontier.hold('a.com', { forMs: 0, isAnew: true }, T + 10)
      assert.equal((await viewOf(frontier, 'a', T + 10)).readyInMs, 0)
      await frontier.settle([done(await takeOne(frontier, T + 10), 1000)], T + 10)
      await takesNothing(frontier, T + 20)
      await frontier.hold('a.com', { forMs: 0, isAnew: true }, T + 20)
      await takeOne(frontier, T + 20)
    },
  },
  {
    says: 'hold anew: ends a rest; failures in a row are 0 again, so the host is no longer down, and the next one counts as the first',
    options: { retries: 1 },
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      await frontier.settle([again(await takeOne(frontier, T), 0, [], 'trouble')], T)
      await frontier.settle([again(await takeOne(frontier, T + 1000), 0, [], 'trouble')], T + 1000)
      await countsAre(frontier, { known: 1, waiting: 1, down: 1, hosts: 1 })
      assert.equal((await frontier.take(1, T + 1001)).end, 'nothing left')
      await frontier.hold('a.com', { forMs: 0, isAnew: true }, T + 1001)
      await countsAre(frontier, { known: 1, waiting: 1, hosts: 1 })
      await frontier.settle([again(await takeOne(frontier, T + 1001), 0, [], 'trouble')], T + 1001)
      const { tickets, waitMs, end } = await frontier.take(1, T + 1001)
      assert.deepEqual([tickets.length, waitMs, end], [0, 1000, undefined])
    },
  },
  {
    says: "hold anew: the server's time stays",
    options: { serverGapMs: 500 },
    async check({ frontier }) {
      await isPlaced(frontier, 's', 'a/0', T)
      await frontier.offer(links('a/1'))
      await frontier.hold('a.com', { forMs: 100 }, T)
      await frontier.hold('a.com', { forMs: 0, isAnew: true }, T + 50)
      await takesNothing(frontier, T + 499)
      await takeOne(frontier, T + 500)
    },
  },
  {
    says: 'hold anew: an open ticket stays open, and what its settlement says holds afterwards',
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2'))
      const ticket = await takeOne(frontier, T)
      await frontier.hold('a.com', { forMs: 0, isAnew: true }, T + 1)
      await takesNothing(frontier, T + 1)
      assert.deepEqual(await frontier.settle([done(ticket, 1000)], T + 2), { fresh: [0], late: [] })
      await takesNothing(frontier, T + 1001)
      await takeOne(frontier, T + 1002)
    },
  },
  {
    says: 'hold anew: a host that is not known becomes known; one that is ready stays ready',
    async check({ frontier }) {
      await frontier.hold('nobody.com', { forMs: 0, isAnew: true }, T)
      await countsAre(frontier, { hosts: 1 })
      await frontier.offer(links('a/1'))
      await frontier.hold('a.com', { forMs: 0, isAnew: true }, T)
      await takeOne(frontier, T)
      await assert.rejects(frontier.hold('', { forMs: 0, isAnew: true }, T), { code: 'FRONTIER_BAD_VALUE' })
    },
  },
  {
    says: 'hold anew: a longer block, a rest and the wait for a delay become this long; another host is not moved',
    options: { retries: 1 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2 b/1'))
      await frontier.hold('b.com', { forMs: 9000 }, T)
      await frontier.settle([again(await takeOne(frontier, T), 9000, [], 'trouble')], T)
      await frontier.hold('a.com', { forMs: 50_000 }, T)
      await frontier.hold('a.com', { forMs: 300, isAnew: true }, T + 10)
      const { readyInMs, failures } = await viewOf(frontier, 'a', T + 10)
      assert.deepEqual([readyInMs, failures], [300, 0])
      const { tickets, waitMs } = await frontier.take(9, T + 309)
      assert.deepEqual([tickets.length, waitMs], [0, 1])
      await takeOne(frontier, T + 310)
      await takesNothing(frontier, T + 8999)
    },
  },
  {
    says: 'hold anew: nothing is leased between the release and the block; a host that is ready leaves, and one that is not known becomes known',
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      for (const forMs of [50_000, 9000, 2000, 1000]) {
        // Whichever of the two comes first.
        const [taken] = await Promise.all([
          forMs === 50_000 ? undefined : frontier.take(9, T),
          frontier.hold('a.com', { forMs, isAnew: true }, T),
        ])
        assert.deepEqual(taken?.tickets ?? [], [])
      }
      await frontier.hold('c.com', { forMs: 1000, isAnew: true }, T)
      await countsAre(frontier, { known: 1, waiting: 1, hosts: 2 })
      await takesNothing(frontier, T + 999)
      assert.equal(inShort(await take(frontier, 9, T + 1000)), 'a/1')
      await assert.rejects(frontier.hold('', { forMs: 1, isAnew: true }, T), { code: 'FRONTIER_BAD_VALUE' })
      await assert.rejects(frontier.hold('a.com', { forMs: -1, isAnew: true }, T), { code: 'FRONTIER_BAD_VALUE' })
    },
  },
  {
    says: 'hold anew: survives a restart',
    needs: ['reopen'],
    async check(subject) {
      await subject.frontier.offer(links('a/1'))
      await subject.frontier.hold('a.com', { forMs: 50_000 }, T)
      await subject.frontier.hold('a.com', { forMs: 700, isAnew: true }, T)
      await subject.reopen()
      assert.equal((await viewOf(subject.frontier, 'a', T)).readyInMs, 700)
      await takesNothing(subject.frontier, T + 699)
      await takeOne(subject.frontier, T + 700)
    },
  },
  {
    says: 'hold anew for 0 ms: survives a restart',
    options: { retries: 1 },
    needs: ['reopen'],
    async check(subject) {
      const { frontier } = subject
      await frontier.offer(links('a/1'))
      await frontier.settle([again(await takeOne(frontier, T), 0, [], 'silence')], T)
      await frontier.hold('a.com', { forMs: 50_000 }, T)
      await frontier.hold('a.com', { forMs: 0, isAnew: true }, T)
      await subject.reopen()
      await subject.frontier.settle([again(await takeOne(subject.frontier, T), 0, [], 'silence')], T)
      assert.equal((await viewOf(subject.frontier, 'a', T)).readyInMs, 1000)
    },
  },
  {
    says: 'change: the limit, up and down; open tickets stay open',
    options: { limit: 1 },
    needs: ['change'],
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1 c/1 d/1'))
      const first = await takeOne(frontier, T)
      await takesNothing(frontier, T)
      await frontier.rules!.change({ limit: 3 })
      const two = await take(frontier, 9, T)
      assert.equal(two.length, 2)
      await frontier.rules!.change({ limit: 1 })
      assert.deepEqual(
        await frontier.settle(
          [first, ...two].map(ticket => done(ticket)),
          T,
        ),
        {
          fresh: [0, 0, 0],
          late: [],
        },
      )
      assert.equal((await frontier.take(9, T)).end, 'limit')
      await frontier.rules!.change({ limit: Number.POSITIVE_INFINITY })
      await takeOne(frontier, T)
    },
  },
  {
    says: 'change: the least delay, from the next settlement on, and in the backlog at once',
    options: { delayMs: 1000 },
    needs: ['change'],
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2 a/3'))
      await frontier.settle([done(await takeOne(frontier, T))], T)
      await frontier.rules!.change({ delayMs: 10 })
      assert.deepEqual(
        (await frontier.backlog()).map(({ delayMs }) => delayMs),
        [10],
      )
      await takesNothing(frontier, T + 999)
      await frontier.settle([done(await takeOne(frontier, T + 1000))], T + 1000)
      await takesNothing(frontier, T + 1009)
      await takeOne(frontier, T + 1010)
    },
  },
  {
    says: 'change: how many tickets a server has, and the gap between two of them',
    options: { perServer: 3 },
    needs: ['change'],
    async check({ frontier }) {
      await isPlaced(frontier, 's', 'a/0 b/0 c/0', T)
      await frontier.offer(links('a/1 b/1 c/1'))
      const first = await takeOne(frontier, T)
      await frontier.rules!.change({ perServer: 1 })
      await takesNothing(frontier, T)
      await frontier.rules!.change({ perServer: 2, serverGapMs: 700 })
      const second = await takeOne(frontier, T)
      await frontier.rules!.change({ perServer: 1 })
      await frontier.settle([done(first)], T)
      await takesNothing(frontier, T + 9000)
      await frontier.settle([done(second)], T + 9000)
      await takeOne(frontier, T + 9000)
    },
  },
  {
    says: 'change: how many tickets of unproven hosts, and how many auxiliary links, are open',
    options: { unproven: 1, auxiliaries: 1 },
    async check({ frontier }) {
      await frontier.offer([...links('a/1 b/1 c/1'), ...auxiliaries('d/robots e/robots f/robots')])
      assert.equal((await take(frontier, 9, T)).length, 2)
      await frontier.change({ unproven: 2 })
      assert.equal((await take(frontier, 9, T)).length, 1)
      await frontier.change({ auxiliaries: 2 })
      assert.equal((await take(frontier, 9, T)).length, 1)
      await frontier.change({ unproven: Number.POSITIVE_INFINITY, auxiliaries: Number.POSITIVE_INFINITY })
      assert.equal((await take(frontier, 9, T)).length, 2)
    },
  },
  {
    says: 'change: to another strategy, which begins its turns anew, among hosts that have joined already',
    needs: ['change', 'exactOrder'],
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1 b/2 c/1 c/2 c/3 d/1 d/2'))
      await frontier.rules!.change({ strategy: 'best' })
      assert.equal(inShort(await take(frontier, 1, T)), 'c/1')
      await frontier.rules!.change({ strategy: 'breadth' })
      assert.equal(inShort(await take(frontier, 1, T)), 'a/1')
      await frontier.rules!.change({ strategy: 'depth' })
      await frontier.rules!.change({ strategy: 'breadth', delayMs: 0 })
      assert.equal(inShort(await take(frontier, 1, T)), 'b/1')
      await frontier.rules!.change({ strategy: 'explore', exploreChance: 1 })
      assert.equal(inShort(await take(frontier, 9, T)), 'd/1')
    },
  },
  {
    says: 'change: turns that begin anew do so across a restart, too',
    needs: ['change', 'exactOrder', 'reopen'],
    async check(subject) {
      const { frontier } = subject
      await frontier.rules!.change({ strategy: 'breadth' })
      await frontier.offer(links('a/1 a/2 b/1 b/2'))
      await frontier.settle([done(await takeOne(frontier, T))], T)
      await frontier.rules!.change({ strategy: 'depth' })
      await frontier.rules!.change({ strategy: 'breadth' })
      await subject.reopen({ strategy: 'breadth' })
      assert.equal(inShort(await take(subject.frontier, 1, T)), 'a/2')
    },
  },
  {
    says: 'change: an option that is out of range is an error, and then nothing is changed',
    async check({ frontier }) {
      await frontier.offer([...links('a/1 b/1 c/1'), ...auxiliaries('d/robots')])
      const wrong = { auxiliaries: 0, unproven: -1 }
      await assert.rejects(frontier.change(wrong), { code: 'FRONTIER_BAD_OPTION' })
      const alsoWrong = frontier.rules?.change({ auxiliaries: 0, perServer: Number.NaN })
      if (alsoWrong) await assert.rejects(alsoWrong, { code: 'FRONTIER_BAD_OPTION' })
      assert.equal((await take(frontier, 9, T)).length, 4)
    },
  },
  {
    says: 'change: where several crawlers share the options, only the bounds of this one are changed',
    async check({ frontier }) {
      const options = { unproven: 1, delayMs: 77 }
      await frontier.offer(links('a/1 b/1 c/1'))
      await (frontier.rules ?? frontier).change(options)
      const ticket = await takeOne(frontier, T)
      assert.equal((await take(frontier, 9, T)).length, 0)
      await frontier.settle([done(ticket)], T)
      const { readyInMs } = (await frontier.host(ticket.host, T))!
      assert.equal(readyInMs, frontier.rules ? 77 : 0)
    },
  },
]
