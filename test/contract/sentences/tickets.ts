import assert from 'node:assert/strict'
import type { Settlement, TicketId } from '../../../src/frontier/frontier.ts'
import { plain } from '../player.ts'
import {
  again,
  auxiliaries,
  countsAre,
  done,
  explained,
  HOUR_MS,
  inShort,
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
  waitingAt,
  wholeOf,
} from './sentence.ts'

/** A ticket as far as it can be named: some numbers name none. */
function named(ticketId: TicketId, found = ''): Settlement {
  const shown = 'answer' as const
  return { ticketId, outcome: { kind: 'done', isPage: true }, links: found ? links(found) : [], shown, delayMs: 900 }
}

export const TICKETS: readonly Sentence[] = [
  {
    says: 'ticket: shows link, host, attempt, lease, server, pages and proof',
    async check({ frontier }) {
      const link = { url: 'http://a.com:81/x', rank: 3, hops: 4 }
      await frontier.offer([link, { ...link, url: 'http://a.com:81/y' }])
      const first = await takeOne(frontier, T)
      const common = { kind: 'page', host: 'a.com:81', attempt: 1, leaseMs: LEASE_MS }
      const unknown = { hostPages: 0, isProven: false }
      assert.deepEqual(plain(first), { ...link, ...common, ...unknown, id: first.id })
      await frontier.place(first.id, '192.0.2.1', T)
      await frontier.settle([done(first)], T)
      const known = { server: '192.0.2.1', hostPages: 1, isProven: true }
      const second = await takeOne(frontier, T)
      assert.deepEqual(plain(second), { ...link, url: 'http://a.com:81/y', ...common, ...known, id: second.id })
    },
  },
  {
    says: 'ticket: numbers count up and are never used again, not even after everything was forgotten',
    async check({ frontier }) {
      const ids: number[] = []
      for (let round = 0; round < 10; round++) {
        await frontier.offer([...links('a/1 b/1'), ...auxiliaries('c/robots')])
        const tickets = await take(frontier, 2, T + round * HOUR_MS)
        ids.push(...tickets.map(({ id }) => id))
        if (round % 3 === 2) await frontier.clear()
        else await frontier.settle([again(tickets[0]!)], T + round * HOUR_MS)
      }
      assert.equal(ids.length, 20)
      assert.ok(ids.every((id, n) => Number.isSafeInteger(id) && id > (ids[n - 2] ?? 0)))
      assert.equal(new Set(ids).size, 20)
    },
  },
  {
    says: 'promise 5: a lease that has run out comes back to the end of its list, its host as it was',
    options: { delayMs: 500, leaseMs: 100 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2'))
      await takeOne(frontier, T)
      await takesNothing(frontier, T + 99)
      assert.equal(inShort(await take(frontier, 100, T + 100)), 'a/2')
      assert.equal(inShort(await waitingAt(frontier, 'a')), 'a/1')
      assert.equal((await frontier.counts()).leased, 1)
    },
  },
  {
    says: 'promise 5: a ticket that was settled, given back or has run out is late, and nobody can use it',
    options: { leaseMs: 100 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1 c/1'))
      const tickets = await take(frontier, 3, T)
      await frontier.settle([again(of('a', tickets))], T)
      await frontier.giveBack([of('b', tickets).id])
      const next = await take(frontier, 9, T + 100)
      assert.equal(next.length, 3)
      const urls = tickets.map(({ url }) => url)
      const before = await wholeOf(frontier, urls)
      for (const { id } of tickets) {
        assert.deepEqual(await frontier.settle([named(id)], T + 100), { fresh: [0], late: [id] })
        await frontier.giveBack([id])
        assert.deepEqual(await frontier.renew([id], T + 100), [id])
        assert.equal(await frontier.place(id, 'server', T + 100), false)
      }
      assert.deepEqual(await wholeOf(frontier, urls), before)
      const { late } = await frontier.settle(
        next.map(ticket => done(ticket)),
        T + 100,
      )
      assert.deepEqual(late, [])
      assert.equal((await frontier.counts()).done, 3)
    },
  },
  {
    says: 'take: only take looks for leases that have run out; until then a late visit can be settled, placed, renewed',
    options: { leaseMs: 100 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      const tickets = await take(frontier, 2, T)
      assert.equal(await frontier.place(of('a', tickets).id, 'server', T + HOUR_MS), true)
      const { late } = await frontier.settle([done(of('a', tickets))], T + HOUR_MS)
      assert.deepEqual(late, [])
      assert.deepEqual(await frontier.renew([of('b', tickets).id], T + HOUR_MS), [])
      await takesNothing(frontier, T + HOUR_MS + 99)
      assert.equal((await frontier.counts()).leased, 1)
    },
  },
  {
    says: 'take: leases come back in the order in which they ran out',
    options: { leaseMs: 100 },
    async check({ frontier }) {
      await frontier.offer([...auxiliaries('a/1 a/2'), ...links('b/1 b/2')])
      const first = await take(frontier, 2, T)
      await frontier.renew([of('a', first).id], T + 1)
      await take(frontier, 0, T + 101)
      assert.equal(sorted(inShort(await take(frontier, 2, T + 101))), 'a/2 b/2')
    },
  },
  {
    says: 'take: with a max of 0, leases come back all the same',
    options: { leaseMs: 100 },
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      await takeOne(frontier, T)
      await take(frontier, 0, T + 100)
      await countsAre(frontier, { known: 1, waiting: 1, hosts: 1 })
    },
  },
  {
    says: 'link: what comes back goes to the end of its depth, before deeper ones',
    async check({ frontier }) {
      await frontier.offer([...links('a/1 a/2', 1), ...links('a/deep', 2)])
      const ticket = await takeOne(frontier, T)
      await frontier.offer([...links('a/3', 1), ...links('a/0', 0)])
      await frontier.settle([again(ticket)], T)
      assert.equal(inShort(await waitingAt(frontier, 'a')), 'a/0 a/2 a/3 a/1 a/deep')
    },
  },
  {
    says: 'giveBack: each link keeps its place, its host is ready as before, and the attempt is the same',
    options: { delayMs: 500 },
    async check({ frontier }) {
      await frontier.offer([...links('a/1 a/2', 1), ...links('b/1')])
      const tickets = await take(frontier, 2, T)
      await frontier.offer([...links('a/0', 0), ...links('a/3', 1)])
      await frontier.giveBack(tickets.map(({ id }) => id))
      assert.equal(inShort(await waitingAt(frontier, 'a')), 'a/0 a/1 a/2 a/3')
      const second = await take(frontier, 2, T)
      assert.equal(inShort([of('a', second), of('b', second)]), 'a/0 b/1')
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
      await frontier.hold('a.com', { forMs: 300 }, T)
      await frontier.giveBack([ticket.id])
      await takesNothing(frontier, T + 299)
      await takeOne(frontier, T + 300)
    },
  },
  {
    says: 'giveBack: tickets that are not open are ignored, also one named twice',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1 c/1'))
      const [first, second, third] = await take(frontier, 3, T)
      await frontier.settle([done(third!)], T)
      await frontier.giveBack([])
      await frontier.giveBack([third!.id, first!.id, 123_456, first!.id, Number.NaN, -1, 0.5, second!.id + 2 ** 32])
      await countsAre(frontier, { known: 3, waiting: 1, leased: 1, done: 1, pages: 1, hosts: 3 })
    },
  },
  {
    says: 'renew: lets leases run for the full time again, from now on',
    options: { leaseMs: 100 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      const tickets = await take(frontier, 2, T)
      assert.deepEqual(await frontier.renew([of('a', tickets).id], T + 60), [])
      const leased = { state: 'leased', host: 'a.com', ticketId: of('a', tickets).id, leaseMs: 95 }
      assert.deepEqual(await explained(frontier, 'a/1', T + 65), leased)
      assert.equal(inShort(await take(frontier, 9, T + 159)), 'b/1')
      assert.equal(inShort(await take(frontier, 9, T + 160)), 'a/1')
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
      assert.deepEqual(await frontier.settle([done(ticket)], T + 5000), { fresh: [0], late: [] })
    },
  },
  {
    says: 'renew: returns those that are no longer open, and renews the others',
    options: { leaseMs: 100 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1 c/1'))
      const [first, second, third] = await take(frontier, 3, T)
      await frontier.giveBack([third!.id])
      const ids = [third!.id, first!.id, 123_456]
      assert.deepEqual(await frontier.renew(ids, T + 50), [third!.id, 123_456])
      assert.deepEqual(await frontier.renew([], T + 50), [])
      assert.equal(
        (await take(frontier, 9, T + 100)).some(({ url }) => url === first!.url),
        false,
      )
      assert.deepEqual(await frontier.renew([first!.id, second!.id], T + 100), [second!.id])
    },
  },
  {
    says: 'attempt: one more for each again, and for nothing else',
    options: { leaseMs: 100 },
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      const attempts: number[] = []
      let nowMs = T
      let ticket = await takeOne(frontier, nowMs)
      for (const step of ['again', 'give back', 'run out', 'no room', 'again', 'again', 'again'] as const) {
        attempts.push(ticket.attempt)
        nowMs += 100
        if (step === 'again') await frontier.settle([again(ticket)], nowMs)
        if (step === 'give back') await frontier.giveBack([ticket.id])
        if (step === 'no room') await frontier.place(ticket.id, 'server', nowMs)
        ticket = await takeOne(frontier, nowMs)
      }
      assert.deepEqual([...attempts, ticket.attempt], [1, 2, 2, 2, 2, 3, 4, 5])
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
    says: 'settle: a ticket that is not open, or named twice, is reported as late; its links are offered all the same',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      const tickets = await take(frontier, 2, T)
      const [a, b] = [of('a', tickets), of('b', tickets)]
      await frontier.settle([done(b)], T)
      const batch = [
        named(b.id, 'c/1 c/2'),
        done(a, 0, links('c/2 d/1')),
        refused(a, 'twice'),
        named(123_456, 'e/1'),
        ...[-1, 0, 0.5, Number.NaN, a.id + 2 ** 32].map(id => named(id)),
      ]
      const late = [b.id, a.id, 123_456, -1, 0, 0.5, Number.NaN, a.id + 2 ** 32]
      assert.deepEqual(await frontier.settle(batch, T), { fresh: [2, 1, 0, 1, 0, 0, 0, 0, 0], late })
      await countsAre(frontier, { known: 6, waiting: 4, done: 2, pages: 2, hosts: 5 })
    },
  },
  {
    says: 'time: nothing breaks if it goes back',
    options: { leaseMs: 100 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2 b/1'))
      const tickets = await take(frontier, 9, T)
      await frontier.settle(
        tickets.map(ticket => done(ticket, 50)),
        T - HOUR_MS,
      )
      const next = await takeOne(frontier, T + 60)
      assert.equal(next.url, 'http://a.com/2')
      await takesNothing(frontier, T - HOUR_MS)
      assert.deepEqual(await frontier.renew([next.id], T - HOUR_MS), [])
      assert.equal(inShort([await takeOne(frontier, T)]), 'a/2')
      assert.deepEqual(await frontier.settle([refused(next, 'x')], T), { fresh: [0], late: [next.id] })
    },
  },
]
