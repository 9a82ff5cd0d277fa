import assert from 'node:assert/strict'
import {
  again,
  done,
  inShort,
  isRefused,
  LEASE_MS,
  links,
  refused,
  type Sentence,
  T,
  takeOne,
  takesNothing,
} from './sentence.ts'

const HOUR_MS = 3_600_000

export const LENDING: readonly Sentence[] = [
  {
    says: 'take: lends at most max links',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1 c/1 d/1 e/1'))
      assert.equal((await frontier.take(2, T)).length, 2)
      assert.equal((await frontier.take(1, T)).length, 1)
      assert.equal((await frontier.take(1000, T)).length, 2)
      await takesNothing(frontier, T)
    },
  },
  {
    says: 'take: with a max of 0 or less nothing is lent',
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      assert.deepEqual(await frontier.take(0, T), [])
      assert.deepEqual(await frontier.take(-3, T), [])
      assert.equal(frontier.counts().waiting, 1)
    },
  },
  {
    says: 'take: one link a host',
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2 a/3 b/1'))
      assert.equal(
        inShort(await frontier.take(100, T))
          .split(' ')
          .sort()
          .join(' '),
        'a/1 b/1',
      )
      assert.deepEqual(frontier.counts(), { known: 4, waiting: 2, lent: 2, done: 0, refused: 0, hosts: 2 })
    },
  },
  {
    says: 'ticket: tells link, host, attempt and when the lease runs out',
    async check({ frontier }) {
      await frontier.offer([{ url: 'http://a.com:81/x', depth: 3, hops: 4 }])
      const { id, ...rest } = await takeOne(frontier, T)
      assert.equal(typeof id, 'number')
      assert.deepEqual(rest, {
        url: 'http://a.com:81/x',
        depth: 3,
        hops: 4,
        host: 'a.com:81',
        attempt: 1,
        dueMs: T + LEASE_MS,
      })
    },
  },
  {
    says: 'ticket: its number is never used again, not even after everything was forgotten',
    async check({ frontier }) {
      const ids = new Set<number>()
      for (let round = 0; round < 10; round++) {
        await frontier.offer(links('a/1 b/1 c/1'))
        const tickets = await frontier.take(2, T + round * HOUR_MS)
        for (const { id } of tickets) ids.add(id)
        if (round % 3 === 2) await frontier.clear()
        else await frontier.settle([again(tickets[0]!)], T + round * HOUR_MS)
      }
      assert.equal(ids.size, 20)
    },
  },
  {
    says: 'promise 2: a host has at most one open ticket at a time',
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2'))
      const first = await takeOne(frontier, T)
      await takesNothing(frontier, T + LEASE_MS - 1)
      await frontier.settle([done(first)], T + LEASE_MS - 1)
      assert.equal(inShort(await frontier.take(100, T + LEASE_MS - 1)), 'a/2')
    },
  },
  {
    says: 'promise 3: no ticket is lent before the delay of the settlement has passed',
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2'))
      await frontier.settle([done(await takeOne(frontier, T), 500)], T + 20)
      await takesNothing(frontier, T + 519)
      assert.equal(inShort(await frontier.take(100, T + 520)), 'a/2')
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
      await frontier.offer(links('a/1 a/2 a/3'))
      await frontier.setDelay('a.com', 300)
      const first = await takeOne(frontier, T)
      await frontier.settle([{ ...refused(first, 'robots'), delayMs: undefined }], T)
      await frontier.settle([done(await takeOne(frontier, T))], T)
      await takesNothing(frontier, T + 299)
      await takeOne(frontier, T + 300)
    },
  },
  {
    says: 'setDelay: of hosts that are tied, a shorter delay does not take a longer one back',
    async check({ frontier }) {
      await frontier.tie(['a.com', 'b.com'])
      await frontier.setDelay('a.com', 300)
      await frontier.setDelay('b.com', 30)
      await frontier.offer(links('a/1 a/2'))
      await frontier.settle([done(await takeOne(frontier, T))], T)
      await takesNothing(frontier, T + 299)
      await takeOne(frontier, T + 300)
    },
  },
  {
    says: 'setDelay: of a host that stands alone, the last one holds',
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
    says: 'a new host is ready at once, whatever the least delay is',
    options: { delayMs: 5000 },
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      assert.equal([...frontier.hosts()][0]!.readyAtMs <= T, true)
      await takeOne(frontier, T)
    },
  },
  {
    says: 'promise 3: one host that has to wait does not hold up the others',
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2 b/1 b/2'))
      const both = await frontier.take(2, T)
      await frontier.settle(
        both.map(ticket => done(ticket, ticket.host === 'a.com' ? HOUR_MS : 10)),
        T,
      )
      const second = await takeOne(frontier, T + 10)
      assert.equal(second.url, 'http://b.com/2')
      await frontier.settle([done(second)], T + 10)
      await takesNothing(frontier, T + HOUR_MS - 1)
      assert.equal(inShort(await frontier.take(100, T + HOUR_MS)), 'a/2')
    },
  },
  {
    says: 'settle: a later time is never taken back by an earlier one',
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2'))
      const ticket = await takeOne(frontier, T)
      await frontier.blockUntil('a.com', T + 1000)
      await frontier.settle([done(ticket, 10)], T)
      await takesNothing(frontier, T + 999)
      await takeOne(frontier, T + 1000)
    },
  },
  {
    says: 'take: a lease that has run out comes back, its host ready at once',
    options: { delayMs: 500, leaseMs: 100 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2'))
      const first = await takeOne(frontier, T)
      assert.equal(first.dueMs, T + 100)
      await takesNothing(frontier, T + 99)
      assert.equal(inShort(await frontier.take(100, T + 100)), 'a/2')
      assert.equal(inShort(frontier.waiting('a.com')), 'a/1')
    },
  },
  {
    says: 'promise 4: a ticket that has run out is closed, nobody can use it',
    options: { leaseMs: 100 },
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      const first = await takeOne(frontier, T)
      const second = await takeOne(frontier, T + 100)
      assert.equal(second.url, first.url)
      assert.notEqual(second.id, first.id)
      assert.equal(second.attempt, 1)
      const code = 'FRONTIER_TICKET_CLOSED'
      await isRefused(frontier, code, () => frontier.settle([done(first)], T + 100))
      await isRefused(frontier, code, () => frontier.giveBack([first.id]))
      await isRefused(frontier, code, () => frontier.renew([first.id], T + 100))
      await frontier.settle([done(second)], T + 100)
      assert.equal(frontier.counts().done, 1)
    },
  },
  {
    says: 'take: only take looks for leases that have run out; until then a late visit can be settled',
    options: { leaseMs: 100 },
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      const ticket = await takeOne(frontier, T)
      await frontier.settle([done(ticket)], T + HOUR_MS)
      await takesNothing(frontier, T + HOUR_MS)
      assert.equal(frontier.counts().done, 1)
    },
  },
  {
    says: 'take: leases come back in the order in which they ran out',
    options: { leaseMs: 100 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      await frontier.take(2, T)
      await frontier.tie(['a.com', 'b.com'])
      await frontier.offer(links('a/2 b/2'))
      await frontier.take(0, T + 100)
      assert.equal(inShort(frontier.waiting('a.com')), 'a/2 a/1')
      assert.equal(inShort(frontier.waiting('b.com')), 'b/2 b/1')
    },
  },
  {
    says: 'link: what comes back goes behind the links of its depth, not behind deeper ones',
    async check({ frontier }) {
      await frontier.offer([...links('a/1 a/2', 1), ...links('a/deep', 2)])
      const ticket = await takeOne(frontier, T)
      await frontier.offer([...links('a/3', 1), ...links('a/0', 0)])
      await frontier.settle([again(ticket)], T)
      assert.equal(inShort(frontier.waiting('a.com')), 'a/0 a/2 a/3 a/1 a/deep')
    },
  },
  {
    says: 'giveBack: each link to the end of its list, its host ready at once',
    options: { delayMs: 500 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2 b/1'))
      const tickets = await frontier.take(2, T)
      await frontier.giveBack(tickets.map(({ id }) => id))
      assert.equal(inShort(frontier.waiting('a.com')), 'a/2 a/1')
      const second = await frontier.take(2, T)
      assert.equal(inShort(second).split(' ').sort().join(' '), 'a/2 b/1')
      assert.deepEqual(
        second.map(({ attempt }) => attempt),
        [1, 1],
      )
    },
  },
  {
    says: 'giveBack: a time that was set before still holds',
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      const ticket = await takeOne(frontier, T)
      await frontier.blockUntil('a.com', T + 300)
      await frontier.giveBack([ticket.id])
      await takesNothing(frontier, T + 299)
      await takeOne(frontier, T + 300)
    },
  },
  {
    says: 'giveBack: all or nothing',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1 c/1'))
      const [first, second, third] = await frontier.take(3, T)
      await frontier.giveBack([third!.id])
      for (const ids of [
        [first!.id, third!.id],
        [third!.id, first!.id],
        [first!.id, second!.id, first!.id],
        [123_456],
      ]) {
        await isRefused(frontier, 'FRONTIER_TICKET_CLOSED', () => frontier.giveBack(ids))
      }
      await frontier.giveBack([])
      await frontier.giveBack([second!.id, first!.id])
      assert.equal(frontier.counts().waiting, 3)
    },
  },
  {
    says: 'renew: lets leases run for the full time again, from now on',
    options: { leaseMs: 100 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      const [first, second] = await frontier.take(2, T)
      await frontier.renew([first!.id], T + 60)
      assert.equal((frontier.explain(first!.url) as { dueMs: number }).dueMs, T + 160)
      assert.equal((frontier.explain(second!.url) as { dueMs: number }).dueMs, T + 100)
      assert.equal(inShort(await frontier.take(9, T + 159)), inShort([second!]))
      assert.equal(inShort(await frontier.take(9, T + 160)), inShort([first!]))
    },
  },
  {
    says: 'renew: a lease that is renewed often does not run out',
    options: { leaseMs: 100 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2'))
      const ticket = await takeOne(frontier, T)
      for (let atMs = T + 99; atMs < T + 5000; atMs += 99) {
        await takesNothing(frontier, atMs)
        await frontier.renew([ticket.id], atMs)
      }
      await frontier.settle([done(ticket)], T + 5000)
    },
  },
  {
    says: 'renew: all or nothing',
    options: { leaseMs: 100 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1 c/1'))
      const [first, second, third] = await frontier.take(3, T)
      await frontier.giveBack([third!.id])
      const urls = [first!.url, second!.url]
      for (const ids of [
        [first!.id, third!.id],
        [first!.id, second!.id, first!.id],
        [second!.id, 123_456],
      ]) {
        await isRefused(frontier, 'FRONTIER_TICKET_CLOSED', () => frontier.renew(ids, T + 50), urls)
      }
      await frontier.renew([], T + 50)
      assert.equal((await frontier.take(9, T + 100)).length, 3)
    },
  },
  {
    says: 'attempt: one more for each again, and for nothing else',
    options: { leaseMs: 100 },
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      const attempts: number[] = []
      let ticket = await takeOne(frontier, T)
      for (const step of ['again', 'give back', 'run out', 'again', 'again', 'again'] as const) {
        attempts.push(ticket.attempt)
        const nowMs = ticket.dueMs
        if (step === 'again') await frontier.settle([again(ticket)], nowMs)
        if (step === 'give back') await frontier.giveBack([ticket.id])
        ticket = await takeOne(frontier, nowMs)
      }
      assert.deepEqual([...attempts, ticket.attempt], [1, 2, 2, 2, 3, 4, 5])
    },
  },
  {
    says: 'attempt: it counts on, also past 255',
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      for (let attempt = 1; attempt <= 300; attempt++) {
        const ticket = await takeOne(frontier, T)
        assert.equal(ticket.attempt, attempt)
        await frontier.settle([again(ticket)], T)
      }
    },
  },
  {
    says: 'time: nothing breaks if it goes back',
    options: { leaseMs: 100 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2 b/1'))
      const tickets = await frontier.take(9, T)
      await frontier.settle(
        tickets.map(ticket => done(ticket, 50)),
        T - HOUR_MS,
      )
      const next = await takeOne(frontier, T + 60)
      assert.equal(next.url, 'http://a.com/2')
      await takesNothing(frontier, T - HOUR_MS)
      await frontier.renew([next.id], T - HOUR_MS)
      assert.equal(inShort([await takeOne(frontier, T)]), 'a/2')
      await isRefused(frontier, 'FRONTIER_TICKET_CLOSED', () => frontier.settle([refused(next, 'x')], T))
    },
  },
]
