import assert from 'node:assert/strict'
import {
  auxiliaries,
  done,
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
  waitingAt,
} from './sentence.ts'

/** What would be leased now: it is given back at once. */
async function wouldTake({ frontier }: Parameters<Sentence['check']>[0], nowMs: number): Promise<string> {
  const tickets = await take(frontier, 100, nowMs)
  await frontier.giveBack(tickets.map(({ id }) => id))
  return sorted(inShort(tickets))
}

export const SERVERS: readonly Sentence[] = [
  {
    says: 'place: says where a host is; the ticket holds, and the next one shows it',
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2'))
      const ticket = await takeOne(frontier, T)
      assert.equal(ticket.server, undefined)
      assert.equal(await frontier.place(ticket.id, 's', T), true)
      assert.equal(await frontier.place(ticket.id, 's', T), true)
      assert.equal((await viewOf(frontier, 'a')).server, 's')
      await frontier.settle([done(ticket)], T)
      assert.equal((await takeOne(frontier, T)).server, 's')
    },
  },
  {
    says: 'place: a ticket that is not open is not placed, and nobody moves',
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      const ticket = await takeOne(frontier, T)
      await frontier.settle([done(ticket)], T)
      for (const id of [ticket.id, 99, -1, Number.NaN]) assert.equal(await frontier.place(id, 's', T), false)
      assert.equal((await viewOf(frontier, 'a')).server, undefined)
    },
  },
  {
    says: 'promise 4: of the hosts at a server at most perServer have an open ticket; the others of the world go on',
    options: { perServer: 2 },
    async check({ frontier }) {
      await isPlaced(frontier, 's', 'a/0', T)
      await isPlaced(frontier, 's', 'b/0', T)
      await isPlaced(frontier, 's', 'c/0', T)
      await frontier.offer(links('a/1 b/1 c/1 d/1'))
      const tickets = await take(frontier, 9, T)
      assert.equal(tickets.length, 3)
      const atServer = tickets.filter(({ server }) => server === 's')
      assert.equal(atServer.length, 2)
      await takesNothing(frontier, T + 1)
      await frontier.settle([done(atServer[1]!)], T + 1)
      const [last, ...none] = await take(frontier, 9, T + 1)
      assert.equal(sorted(inShort([...tickets, last!, ...none])), 'a/1 b/1 c/1 d/1')
    },
  },
  {
    says: 'promise 4: at most four tickets are open at a server when nothing is said',
    async check({ frontier }) {
      for (const host of 'abcdef') await isPlaced(frontier, 's', `${host}/0`, T)
      await frontier.offer(links('a/1 b/1 c/1 d/1 e/1 f/1'))
      assert.equal((await take(frontier, 9, T)).length, 4)
    },
  },
  {
    says: 'place: false when too many tickets are open there; the link keeps its place, and its host waits in line',
    options: { perServer: 1 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1 b/2'))
      const tickets = await take(frontier, 2, T)
      const [a, b] = [of('a', tickets), of('b', tickets)]
      assert.equal(await frontier.place(a.id, 's', T), true)
      assert.equal(await frontier.place(b.id, 's', T), false)
      assert.equal(inShort(await waitingAt(frontier, 'b')), 'b/1 b/2')
      assert.equal((await viewOf(frontier, 'b')).server, 's')
      assert.deepEqual((await frontier.settle([done(b)], T)).late, [b.id])
      await takesNothing(frontier, T)
      await frontier.settle([done(a)], T)
      const again = await takeOne(frontier, T)
      assert.deepEqual([inShort([again]), again.server, again.attempt], ['b/1', 's', 1])
    },
  },
  {
    says: 'promise 4: no two tickets of a server are leased within serverGapMs; place begins the gap',
    options: { serverGapMs: 100 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2 b/1 b/2'))
      const tickets = await take(frontier, 2, T)
      assert.equal(await frontier.place(of('a', tickets).id, 's', T + 10), true)
      assert.equal(await frontier.place(of('b', tickets).id, 's', T + 109), false)
      await frontier.settle([done(of('a', tickets))], T + 109)
      await takesNothing(frontier, T + 109)
      const first = await takeOne(frontier, T + 110)
      await takesNothing(frontier, T + 209)
      const second = await takeOne(frontier, T + 210)
      assert.equal(sorted(inShort([first, second])), 'a/2 b/1')
    },
  },
  {
    says: 'place: false when a host of the same class has joined the line there, also when there is room',
    options: { serverGapMs: 100 },
    async check({ frontier }) {
      await isPlaced(frontier, 's', 'a/0', T)
      await frontier.offer(links('a/1 b/1'))
      const [b] = await take(frontier, 9, T + 50)
      assert.equal(b!.host, 'b.com')
      await frontier.settle([done(b!, 0, links('b/2'))], T + 50)
      const proven = await takeOne(frontier, T + 60)
      assert.equal(await frontier.place(proven.id, 's', T + 100), false)
      assert.equal(inShort(await take(frontier, 1, T + 100)), 'a/1')
      assert.equal(inShort(await take(frontier, 1, T + 200)), 'b/2')
    },
  },
  {
    says: 'place: a host of another class in line there is no reason to wait',
    options: { serverGapMs: 100 },
    async check({ frontier }) {
      await isPlaced(frontier, 's', 'a/0', T)
      await frontier.offer(links('a/1 b/1'))
      const [b] = await take(frontier, 9, T + 50)
      assert.equal(b!.isProven, false)
      assert.equal(await frontier.place(b!.id, 's', T + 100), true)
    },
  },
  {
    says: 'promise 4: of the hosts of a class at a server, the one that joined first comes first, whatever the strategy',
    options: { perServer: 1, exploreChance: 0 },
    async check(subject) {
      const { frontier } = subject
      for (const host of 'abcd') await isPlaced(frontier, 's', `${host}/0`, T)
      await frontier.offer(links('c/1'))
      assert.equal(inShort([await takeOne(frontier, T)]), 'c/1')
      await frontier.offer(links('d/1'))
      await takesNothing(frontier, T)
      await frontier.offer(links('b/1 a/1 a/2 a/3'))
      await takesNothing(frontier, T)
      const order: string[] = []
      for (let nowMs = T + 60_000; order.length < 5; nowMs++) {
        const ticket = await takeOne(frontier, nowMs)
        order.push(inShort([ticket]))
        await frontier.settle([done(ticket)], nowMs)
      }
      assert.equal(order.slice(0, 3).join(' '), 'd/1 a/1 b/1')
    },
  },
  {
    says: 'take: hosts join in the order of the time at which they became ready, then of their number',
    needs: ['exactOrder'],
    options: { perServer: 1 },
    async check({ frontier }) {
      for (const host of 'abcd') await isPlaced(frontier, 's', `${host}/0`, T)
      await frontier.hold('a.com', { forMs: 30 }, T)
      await frontier.hold('c.com', { forMs: 20 }, T)
      await frontier.hold('b.com', { forMs: 30 }, T)
      await frontier.hold('d.com', { forMs: 40 }, T)
      await frontier.offer(links('d/1 b/1 a/1 c/1'))
      const order: string[] = []
      for (let n = 0; n < 4; n++) {
        const ticket = await takeOne(frontier, T + 100)
        order.push(inShort([ticket]))
        await frontier.settle([done(ticket)], T + 100)
      }
      assert.equal(order.join(' '), 'c/1 a/1 b/1 d/1')
    },
  },
  {
    says: 'take: who has joined keeps its place in line until it leaves',
    needs: ['exactOrder'],
    options: { perServer: 1 },
    async check({ frontier }) {
      for (const host of 'ab') await isPlaced(frontier, 's', `${host}/0`, T)
      await frontier.offer(links('b/1'))
      await take(frontier, 0, T)
      await frontier.offer(links('a/1'))
      assert.equal(inShort([await takeOne(frontier, T)]), 'b/1')
    },
  },
  {
    says: 'take: a host leaves the line when it is blocked, and joins anew when its time has come',
    options: { perServer: 1 },
    async check(subject) {
      const { frontier } = subject
      for (const host of 'ab') await isPlaced(frontier, 's', `${host}/0`, T)
      await frontier.offer(links('a/1 b/1'))
      await take(frontier, 0, T)
      await frontier.hold('a.com', { forMs: 0 }, T)
      assert.equal(await wouldTake(subject, T), 'a/1')
      await take(frontier, 0, T)
      await frontier.hold('b.com', { forMs: 5 }, T)
      assert.equal(inShort([await takeOne(frontier, T)]), 'a/1')
      await takesNothing(frontier, T + 5)
    },
  },
  {
    says: 'take: the line of a server does not hold hosts of another class',
    options: { serverGapMs: 100, unproven: 0 },
    async check({ frontier }) {
      await isPlaced(frontier, 's', 'a/0', T).catch(() => {})
      await frontier.offer([...links('a/1'), ...auxiliaries('b/robots')])
      const auxiliary = await takeOne(frontier, T)
      assert.equal(auxiliary.host, 'b.com')
      assert.equal(await frontier.place(auxiliary.id, 's', T), true)
      await frontier.settle([done(auxiliary, 0, links('b/1'))], T)
      assert.equal(inShort(await take(frontier, 9, T + 100)), 'b/1')
    },
  },
  {
    says: 'promise 4: a ticket closed unasked leaves no gap',
    options: { serverGapMs: 100 },
    async check(subject) {
      const { frontier } = subject
      await isPlaced(frontier, 's', 'a/0', T)
      await frontier.offer(links('a/1'))
      assert.equal(await wouldTake(subject, T + 100), 'a/1')
      assert.equal(await wouldTake(subject, T + 100), 'a/1')
      await frontier.settle([unasked(refused(await takeOne(frontier, T + 100), 'robots'))], T + 100)
      await frontier.offer(links('a/2'))
      await takeOne(frontier, T + 100)
    },
  },
  {
    says: 'promise 4: a lease that ran out leaves room at its server, and its gap',
    options: { serverGapMs: 100, leaseMs: 40, perServer: 1 },
    async check({ frontier }) {
      await isPlaced(frontier, 's', 'a/0', T)
      await frontier.offer(links('a/1'))
      await takeOne(frontier, T + 100)
      await takesNothing(frontier, T + 140)
      await takesNothing(frontier, T + 199)
      await takeOne(frontier, T + 200)
    },
  },
  {
    says: 'place: a host that moves forgets its former server, which is left as if the ticket had never been leased',
    options: { serverGapMs: 100, perServer: 1 },
    async check({ frontier }) {
      await isPlaced(frontier, 's', 'a/0', T)
      await isPlaced(frontier, 's', 'b/0', T + 100)
      await frontier.offer(links('a/1'))
      const moving = await takeOne(frontier, T + 200)
      assert.equal(await frontier.place(moving.id, 'other', T + 210), true)
      await frontier.offer(links('b/1'))
      assert.equal(inShort(await take(frontier, 9, T + 210)), 'b/1')
      await frontier.settle([done(moving)], T + 220)
      await frontier.offer(links('a/2'))
      assert.equal((await frontier.take(9, T + 220)).waitMs, 90)
      const [ticket] = await take(frontier, 9, T + 310)
      assert.equal(ticket?.server, 'other')
    },
  },
  {
    says: 'place: a host that moves to a server without room is placed there, and its former server is free',
    options: { perServer: 1 },
    async check({ frontier }) {
      await isPlaced(frontier, 's', 'a/0', T)
      await isPlaced(frontier, 'full', 'b/0', T)
      await frontier.offer(links('a/1 b/1'))
      const tickets = await take(frontier, 9, T)
      assert.equal(await frontier.place(of('a', tickets).id, 'full', T), false)
      assert.equal((await viewOf(frontier, 'a')).server, 'full')
      await takesNothing(frontier, T)
      await frontier.settle([done(of('b', tickets))], T)
      assert.equal(inShort(await take(frontier, 9, T)), 'a/1')
    },
  },
  {
    says: 'promise 4: hundreds of hosts at one server are leased as it admits them, and all of them',
    options: { perServer: 1, serverGapMs: 10 },
    async check({ frontier }) {
      const names = Array.from({ length: 300 }, (_, n) => `h${n}.com`)
      await frontier.offer(names.map(name => ({ url: `http://${name}/`, rank: 0, hops: 0 })))
      const tickets = await take(frontier, 300, T)
      let placed = 0
      for (const { id } of tickets) if (await frontier.place(id, 's', T)) placed++
      assert.equal(placed, 1)
      await frontier.settle([done(tickets[0]!)], T)
      const seen = new Set([tickets[0]!.host])
      for (let n = 1; n < 300; n++) {
        const ticket = await takeOne(frontier, T + n * 10)
        seen.add(ticket.host)
        await frontier.settle([done(ticket)], T + n * 10)
      }
      assert.equal(seen.size, 300)
    },
  },
]
