import assert from 'node:assert/strict'
import type { Link } from '../../../src/frontier/frontier.ts'
import {
  auxiliaries,
  countsAre,
  done,
  explained,
  HOUR_MS,
  inShort,
  isPlaced,
  links,
  of,
  type Sentence,
  T,
  take,
  takeOne,
  takesNothing,
  urlOf,
  viewOf,
  viewsOf,
  waitingAt,
  wholeOf,
} from './sentence.ts'

export const HOSTS: readonly Sentence[] = [
  {
    says: 'setDelay: from its next settlement on, the delay of this host is at least this; makes it known',
    async check({ frontier }) {
      await frontier.setDelay('a.com', 1000)
      assert.equal((await viewOf(frontier, 'a')).delayMs, 1000)
      await frontier.offer(links('a/1 a/2 a/3 a/4'))
      const first = await takeOne(frontier, T)
      await frontier.settle([done(first, 10)], T)
      await takesNothing(frontier, T + 999)
      const second = await takeOne(frontier, T + 1000)
      await frontier.setDelay('a.com', 50)
      await frontier.settle([done(second, 10)], T + 1000)
      await takesNothing(frontier, T + 1049)
      const third = await takeOne(frontier, T + 1050)
      await frontier.settle([done(third, 70)], T + 1050)
      await takesNothing(frontier, T + 1119)
      await takeOne(frontier, T + 1120)
    },
  },
  {
    says: 'setDelay: does not move a time that holds already',
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2'))
      await frontier.settle([done(await takeOne(frontier, T), 10)], T)
      await frontier.setDelay('a.com', 1000)
      await takeOne(frontier, T + 10)
    },
  },
  {
    says: 'block: nothing is leased for so long, a later time is never taken back; makes the host known',
    async check({ frontier }) {
      await frontier.hold('a.com', { forMs: 1000 }, T)
      await frontier.hold('a.com', { forMs: 10 }, T + 5)
      await countsAre(frontier, { hosts: 1 })
      await frontier.offer([...links('a/1'), ...auxiliaries('a/robots')])
      const { tickets, waitMs } = await frontier.take(9, T + 999)
      assert.deepEqual([tickets.length, waitMs], [0, 1])
      await takeOne(frontier, T + 1000)
    },
  },
  {
    says: 'block: holds a host back that was ready and waiting, and no other',
    async check({ frontier }) {
      await isPlaced(frontier, 's', 'a/0 b/0', T)
      await frontier.offer(links('a/1 b/1'))
      await frontier.take(0, T)
      await frontier.hold('a.com', { forMs: 1000 }, T)
      assert.equal(inShort(await take(frontier, 9, T)), 'b/1')
      assert.equal(inShort(await take(frontier, 9, T + 1000)), 'a/1')
    },
  },
  {
    says: 'block: a ticket that is open stays open',
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      const ticket = await takeOne(frontier, T)
      await frontier.hold('a.com', { forMs: 1000 }, T)
      assert.deepEqual(await frontier.settle([done(ticket)], T), { fresh: [0], late: [] })
    },
  },
  {
    says: 'note: what was noted about a host is there for a while; the last one of a key holds; nobody becomes known',
    async check({ frontier }) {
      const bytes = (...values: number[]) => new Uint8Array(values)
      const read = async (host: string, key: string, nowMs: number) => {
        const noted = await frontier.noted(host, key, nowMs)
        return noted && [...noted]
      }
      assert.equal(await read('a.com', 'robots', T), undefined)
      const first = bytes(1, 2, 255)
      await frontier.note('a.com', 'robots', first, 100, T)
      first[0] = 9
      await frontier.note('a.com', 'other', bytes(), HOUR_MS, T)
      await frontier.note('b.com', 'robots', bytes(3), HOUR_MS, T)
      assert.deepEqual(await read('a.com', 'robots', T + 99), [1, 2, 255])
      assert.equal(await read('a.com', 'robots', T + 100), undefined)
      assert.deepEqual(await read('a.com', 'other', T + 100), [])
      await frontier.note('b.com', 'robots', bytes(4, 5), 50, T + 100)
      assert.deepEqual(await read('b.com', 'robots', T + 149), [4, 5])
      assert.equal(await read('b.com', 'robots', T + 150), undefined)
      assert.equal(await read('b.com', 'other', T), undefined)
      await countsAre(frontier, {})
    },
  },
  {
    says: 'note: the rules of a long robots.txt are kept whole',
    async check({ frontier }) {
      const bytes = Uint8Array.from({ length: 500_000 }, (_, n) => n % 251)
      await frontier.note('a.com', 'robots', bytes, HOUR_MS, T)
      const noted = await frontier.noted('a.com', 'robots', T)
      assert.ok(noted && Buffer.from(bytes).equals(noted))
    },
  },
  {
    says: "clear: forgets a host's waiting links; they count as refused, with the reason cleared",
    async check({ frontier }) {
      await frontier.offer([...links('a/1 a/2 a/3 b/1')])
      const tickets = await take(frontier, 9, T)
      await frontier.offer(auxiliaries('a/robots'))
      await frontier.clear('a.com')
      await countsAre(frontier, { known: 4, leased: 2, refused: 2, hosts: 2 })
      assert.deepEqual(await explained(frontier, 'a/3'), { state: 'refused', host: 'a.com', reason: 'cleared' })
      assert.deepEqual(await waitingAt(frontier, 'a'), [])
      await frontier.giveBack(tickets.map(({ id }) => id))
      assert.equal(inShort(await waitingAt(frontier, 'a')), 'a/1')
      await frontier.clear('nobody.com')
      assert.equal((await frontier.counts()).hosts, 2)
      assert.equal(await frontier.offer(links('a/2 a/4')), 1)
      assert.equal(inShort(await waitingAt(frontier, 'a')), 'a/1 a/4')
    },
  },
  {
    says: 'clear: whoever asks gets the links with their notes before they are forgotten, however many there are',
    async check({ frontier }) {
      const many = Array.from({ length: 2100 }, (_, n) => ({ ...links(`a/${n}`)[0]!, note: `from ${n}` }))
      await frontier.offer(many)
      await frontier.offer(links('b/1'))
      const cleared: Link[] = []
      await frontier.clear('a.com', some => void cleared.push(...some))
      assert.deepEqual(
        cleared.map(({ url, note }) => ({ url, note })),
        many.map(({ url, note }) => ({ url, note })),
      )
      await countsAre(frontier, { known: 2101, waiting: 1, refused: 2100, refusedFor: { cleared: 2100 }, hosts: 2 })
      await frontier.clear('nobody.com', some => void cleared.push(...some))
      await frontier.clear('a.com', some => void cleared.push(...some))
      assert.equal(cleared.length, 2100)
      assert.equal(inShort(await take(frontier, 9, T)), 'b/1')
    },
  },
  {
    says: 'clear: a host in line leaves it, and is not leased',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      await frontier.take(0, T)
      await frontier.clear('a.com')
      assert.equal(inShort(await take(frontier, 9, T)), 'b/1')
    },
  },
  {
    says: 'clear: without a host, forgets everything, also what was ever seen, and closes all tickets',
    options: { maxNewHosts: 4, perServer: 1 },
    async check({ frontier }) {
      await isPlaced(frontier, 's', 'a/0', T)
      await frontier.offer([...links('a/1 a/2 b/1 c/1 d/1 e/1 f/1'), ...auxiliaries('c/robots')])
      await frontier.setDelay('a.com', 1000)
      await frontier.hold('c.com', { forMs: 1000 }, T)
      await frontier.note('a.com', 'key', new Uint8Array([1]), HOUR_MS, T)
      const ticket = of('a', await take(frontier, 9, T))
      await frontier.clear()
      await countsAre(frontier, {})
      assert.deepEqual(await viewsOf(frontier), [])
      assert.deepEqual(await explained(frontier, 'a/1'), { state: 'unknown' })
      assert.equal(await frontier.noted('a.com', 'key', T), undefined)
      assert.deepEqual(await frontier.settle([done(ticket)], T), { fresh: [0], late: [ticket.id] })
      assert.equal(await frontier.offer(links('c/1 b/1 a/1 a/2')), 4)
      const idle = {
        waiting: 1,
        due: 0,
        state: 'waiting',
        readyInMs: 0,
        delayMs: 0,
        pages: 0,
        failures: 0,
        isDown: false,
        received: 0,
        turns: 0,
      }
      const views = await viewsOf(frontier, T)
      assert.deepEqual(
        views.sort((a, b) => (a.host < b.host ? -1 : 1)),
        [
          { host: 'a.com', ...idle, waiting: 2 },
          { host: 'b.com', ...idle },
          { host: 'c.com', ...idle },
        ],
      )
      const tickets = await take(frontier, 9, T)
      assert.equal(tickets.length, 3)
      await frontier.settle([done(of('a', tickets))], T)
      assert.equal(inShort(await take(frontier, 9, T)), 'a/2')
    },
  },
  {
    says: 'views: looking changes nothing, and makes nobody known',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      await take(frontier, 1, T)
      const urls = ['a/1', 'b/1', 'c/1'].map(urlOf)
      const first = await wholeOf(frontier, urls)
      assert.deepEqual(await waitingAt(frontier, 'c'), [])
      assert.equal(await frontier.noted('c.com', 'key', T), undefined)
      await frontier.backlog()
      assert.deepEqual(await wholeOf(frontier, urls), first)
    },
  },
]
