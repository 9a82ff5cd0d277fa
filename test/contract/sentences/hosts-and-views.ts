import assert from 'node:assert/strict'
import {
  done,
  inShort,
  LEASE_MS,
  links,
  refused,
  type Sentence,
  T,
  takeOne,
  takesNothing,
  urlOf,
  viewOf,
} from './sentence.ts'

export const HOSTS_AND_VIEWS: readonly Sentence[] = [
  {
    says: 'counts: known is the sum of waiting, lent, done and refused',
    async check({ frontier }) {
      assert.deepEqual(frontier.counts(), { known: 0, waiting: 0, lent: 0, done: 0, refused: 0, hosts: 0 })
      await frontier.offer(links('a/1 a/2 b/1 c/1 d/1'))
      const [first, second] = await frontier.take(3, T)
      await frontier.settle([done(first!), refused(second!, 'robots')], T)
      assert.deepEqual(frontier.counts(), { known: 5, waiting: 2, lent: 1, done: 1, refused: 1, hosts: 4 })
    },
  },
  {
    says: 'hosts: in the order in which they became known, with queue length, next time and state',
    async check({ frontier }) {
      await frontier.offer(links('c/1 a/1 c/2'))
      await frontier.setDelay('b.com', 5)
      await frontier.offer(links('a/2'))
      await frontier.blockUntil('b.com', T + 77)
      assert.deepEqual(
        [...frontier.hosts()],
        [
          { host: 'c.com', waiting: 2, state: 'waiting', readyAtMs: 0 },
          { host: 'a.com', waiting: 2, state: 'waiting', readyAtMs: 0 },
          { host: 'b.com', waiting: 0, state: 'idle', readyAtMs: T + 77 },
        ],
      )
      await frontier.take(2, T)
      assert.deepEqual(
        [...frontier.hosts()].map(({ waiting, state }) => `${waiting} ${state}`),
        ['1 lent', '1 lent', '0 idle'],
      )
    },
  },
  {
    says: 'hosts: a settled host tells when it may be asked again',
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      await frontier.settle([done(await takeOne(frontier, T), 250)], T + 10)
      assert.deepEqual([...frontier.hosts()], [{ host: 'a.com', waiting: 0, state: 'idle', readyAtMs: T + 260 }])
    },
  },
  {
    says: 'hosts: a host keeps its place when its list runs empty and fills again',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      await frontier.settle(
        (await frontier.take(2, T)).map(ticket => done(ticket)),
        T,
      )
      await frontier.offer(links('c/1 a/2'))
      assert.deepEqual(
        [...frontier.hosts()].map(({ host }) => host),
        ['a.com', 'b.com', 'c.com'],
      )
    },
  },
  {
    says: 'waiting: nothing for a host that nobody knows or that is empty',
    async check({ frontier }) {
      assert.deepEqual([...frontier.waiting('a.com')], [])
      await frontier.setDelay('a.com', 1)
      assert.deepEqual([...frontier.waiting('a.com')], [])
      assert.deepEqual([...frontier.waiting('')], [])
    },
  },
  {
    says: 'explain: never seen, waiting with its place and time, lent, done, refused with the reason',
    async check({ frontier }) {
      await frontier.offer([...links('a/1 a/2 a/3 a/4', 1), ...links('a/first', 0)])
      await frontier.blockUntil('a.com', T + 5)
      assert.deepEqual(frontier.explain(urlOf('a/9')), { state: 'never seen' })
      assert.deepEqual(frontier.explain('no URL at all'), { state: 'never seen' })
      assert.deepEqual(frontier.explain(''), { state: 'never seen' })
      const host = 'a.com'
      assert.deepEqual(frontier.explain(urlOf('a/first')), { state: 'waiting', host, place: 0, readyAtMs: T + 5 })
      assert.deepEqual(frontier.explain(urlOf('a/3')), { state: 'waiting', host, place: 3, readyAtMs: T + 5 })
      const ticket = await takeOne(frontier, T + 5)
      assert.deepEqual(frontier.explain(ticket.url), {
        state: 'lent',
        host,
        ticketId: ticket.id,
        dueMs: T + 5 + LEASE_MS,
      })
      assert.deepEqual(frontier.explain(urlOf('a/3')), { state: 'waiting', host, place: 2, readyAtMs: T + 5 })
      await frontier.settle([done(ticket)], T + 5)
      assert.deepEqual(frontier.explain(ticket.url), { state: 'done', host })
      await frontier.settle([refused(await takeOne(frontier, T + 5), 'scope')], T + 5)
      assert.deepEqual(frontier.explain(urlOf('a/1')), { state: 'refused', host, reason: 'scope' })
      await frontier.clear('a.com')
      assert.deepEqual(frontier.explain(urlOf('a/4')), { state: 'refused', host, reason: 'cleared' })
    },
  },
  {
    says: 'views: looking changes nothing',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      await frontier.take(1, T)
      const urls = ['a/1', 'b/1', 'c/1'].map(urlOf)
      const first = viewOf(frontier, urls)
      assert.deepEqual([...frontier.waiting('c.com')], [])
      assert.deepEqual(viewOf(frontier, urls), first)
    },
  },
  {
    says: 'setDelay: from its next settlement on, the delay of this host is at least this; makes it known',
    async check({ frontier }) {
      await frontier.setDelay('a.com', 1000)
      assert.equal(frontier.counts().hosts, 1)
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
    says: 'blockUntil: nothing is lent before this time, a later time is never taken back; makes it known',
    async check({ frontier }) {
      await frontier.blockUntil('a.com', T + 1000)
      await frontier.blockUntil('a.com', T + 10)
      assert.equal(frontier.counts().hosts, 1)
      await frontier.offer(links('a/1'))
      await takesNothing(frontier, T + 999)
      assert.equal(frontier.nextReadyAtMs(), T + 1000)
      await takeOne(frontier, T + 1000)
    },
  },
  {
    says: 'blockUntil: holds a host back that was ready and waiting',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      await takesNothing(frontier, -1)
      await frontier.blockUntil('a.com', T + 1000)
      assert.equal(inShort(await frontier.take(9, T)), 'b/1')
      assert.equal(inShort(await frontier.take(9, T + 1000)), 'a/1')
    },
  },
  {
    says: 'tie: tied hosts count as one for leases',
    async check({ frontier }) {
      await frontier.tie(['a.com', 'b.com'])
      await frontier.offer(links('a/1 b/1 c/1'))
      const tickets = await frontier.take(9, T)
      assert.equal(tickets.length, 2)
      const tied = tickets.find(ticket => ticket.host !== 'c.com')!
      assert.deepEqual(
        [...frontier.hosts()].map(({ state }) => state),
        ['lent', 'lent', 'lent'],
      )
      await takesNothing(frontier, T)
      await frontier.settle([done(tied)], T)
      assert.equal((await frontier.take(9, T)).length, 1)
    },
  },
  {
    says: 'tie: tied hosts count as one for delays and blocks',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1 b/2'))
      await frontier.tie(['b.com', 'a.com'])
      await frontier.setDelay('a.com', 1000)
      await frontier.settle([done(await takeOne(frontier, T), 10)], T)
      await takesNothing(frontier, T + 999)
      await frontier.blockUntil('b.com', T + 2000)
      await takesNothing(frontier, T + 1999)
      assert.deepEqual(
        [...frontier.hosts()].map(({ readyAtMs }) => readyAtMs),
        [T + 2000, T + 2000],
      )
      await takeOne(frontier, T + 2000)
    },
  },
  {
    says: 'tie: the later time and the longer delay hold for all; ties add up',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1 c/1 c/2'))
      await frontier.setDelay('a.com', 700)
      await frontier.setDelay('c.com', 300)
      await frontier.blockUntil('b.com', T + 500)
      await frontier.tie(['a.com', 'b.com'])
      await frontier.tie(['b.com', 'c.com'])
      await takesNothing(frontier, T + 499)
      await frontier.settle([done(await takeOne(frontier, T + 500))], T + 500)
      await takesNothing(frontier, T + 1199)
      await takeOne(frontier, T + 1200)
      await takesNothing(frontier, T + 1200)
    },
  },
  {
    says: 'tie: open tickets stay open; while one of the group is open, no other is lent',
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2 b/1 b/2'))
      const [first, second] = await frontier.take(2, T)
      await frontier.tie(['a.com', 'b.com'])
      await frontier.settle([done(first!)], T)
      await takesNothing(frontier, T)
      await frontier.settle([done(second!)], T)
      assert.equal((await frontier.take(9, T)).length, 1)
    },
  },
  {
    says: 'tie: makes hosts known, in this order; of none, of one or of the same host it changes nothing else',
    async check({ frontier }) {
      await frontier.tie(['b.com', 'a.com', 'b.com'])
      await frontier.tie([])
      await frontier.tie(['c.com'])
      await frontier.tie(['a.com', 'a.com'])
      assert.deepEqual(
        [...frontier.hosts()].map(({ host, state }) => `${host} ${state}`),
        ['b.com idle', 'a.com idle', 'c.com idle'],
      )
      await frontier.offer(links('a/1 b/1 c/1'))
      assert.equal((await frontier.take(9, T)).length, 2)
    },
  },
  {
    says: 'tie: a thousand hosts on one server are lent one after the other',
    async check({ frontier }) {
      const names = Array.from({ length: 1000 }, (_, n) => `h${n}.com`)
      await frontier.offer(names.map(name => ({ url: `http://${name}/`, depth: 0, hops: 0 })))
      await frontier.tie(names)
      const ticket = await takeOne(frontier, T)
      await takesNothing(frontier, T)
      await frontier.settle([done(ticket, 10)], T)
      await takesNothing(frontier, T + 9)
      await takeOne(frontier, T + 10)
    },
  },
  {
    says: "clear: forgets a host's waiting links; they count as refused, with the reason cleared",
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2 a/3 b/1'))
      const tickets = await frontier.take(9, T)
      await frontier.clear('a.com')
      assert.deepEqual(frontier.counts(), { known: 4, waiting: 0, lent: 2, done: 0, refused: 2, hosts: 2 })
      assert.deepEqual([...frontier.waiting('a.com')], [])
      await frontier.giveBack(tickets.map(({ id }) => id))
      assert.equal(inShort(frontier.waiting('a.com')), 'a/1')
      await frontier.clear('nobody.com')
      assert.equal(frontier.counts().hosts, 2)
      assert.equal(await frontier.offer(links('a/2 a/4')), 1)
      assert.equal(inShort(frontier.waiting('a.com')), 'a/1 a/4')
    },
  },
  {
    says: 'clear: without a host, forgets everything, also what was ever seen, and closes all tickets',
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2 b/1 c/1'))
      await frontier.setDelay('a.com', 1000)
      await frontier.tie(['a.com', 'b.com'])
      await frontier.blockUntil('c.com', T + 1000)
      const ticket = await takeOne(frontier, T)
      await frontier.clear()
      assert.deepEqual(viewOf(frontier, [urlOf('a/1'), ticket.url]), {
        counts: { known: 0, waiting: 0, lent: 0, done: 0, refused: 0, hosts: 0 },
        hosts: [],
        explained: [{ state: 'never seen' }, { state: 'never seen' }],
        nextReadyAtMs: undefined,
      })
      await assert.rejects(frontier.settle([done(ticket)], T), { code: 'FRONTIER_TICKET_CLOSED' })
      assert.equal(await frontier.offer(links('c/1 b/1 a/1 a/2')), 4)
      assert.deepEqual(
        [...frontier.hosts()].map(({ host, readyAtMs }) => `${host} ${readyAtMs}`),
        ['c.com 0', 'b.com 0', 'a.com 0'],
      )
      const tickets = await frontier.take(9, T)
      assert.equal(tickets.length, 3)
      await frontier.settle([done(tickets.find(({ host }) => host === 'a.com')!)], T)
      assert.equal(inShort(await frontier.take(9, T)), 'a/2')
    },
  },
]
