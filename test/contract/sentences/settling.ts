import assert from 'node:assert/strict'
import {
  again,
  done,
  inShort,
  isRefused,
  links,
  refused,
  type Sentence,
  T,
  takeOne,
  takesNothing,
  urlOf,
} from './sentence.ts'

export const SETTLING: readonly Sentence[] = [
  {
    says: 'settle: done is done, refused is refused, again waits again',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1 c/1'))
      const tickets = await frontier.take(3, T)
      const [a, b, c] = ['a', 'b', 'c'].map(name => tickets.find(ticket => ticket.host === `${name}.com`)!)
      assert.equal(await frontier.settle([done(a!), refused(b!, 'robots'), again(c!)], T), 0)
      assert.deepEqual(frontier.counts(), { known: 3, waiting: 1, lent: 0, done: 1, refused: 1, hosts: 3 })
      assert.equal(inShort(await frontier.take(9, T)), 'c/1')
    },
  },
  {
    says: 'settle: tells how many links were new, and they wait from then on',
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      const ticket = await takeOne(frontier, T)
      assert.equal(await frontier.settle([done(ticket, 0, links('a/1 b/1 a/2 b/1'))], T), 2)
      assert.equal(inShort(frontier.waiting('a.com')), 'a/2')
      assert.equal(inShort(frontier.waiting('b.com')), 'b/1')
    },
  },
  {
    says: 'settle: a link that two settlements found is new once',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      const [first, second] = await frontier.take(2, T)
      const batch = [done(first!, 0, links('c/1 c/2')), done(second!, 0, links('c/2 c/3'))]
      assert.equal(await frontier.settle(batch, T), 3)
      assert.equal(inShort(frontier.waiting('c.com')), 'c/1 c/2 c/3')
    },
  },
  {
    says: 'settle: the host of a link that was found is known behind the others',
    async check({ frontier }) {
      await frontier.offer(links('b/1'))
      await frontier.settle([done(await takeOne(frontier, T), 0, links('c/1 a/1'))], T)
      assert.deepEqual(
        [...frontier.hosts()].map(({ host }) => host),
        ['b.com', 'c.com', 'a.com'],
      )
    },
  },
  {
    says: 'settle: the link that is tried again comes before the links that were found with it',
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2'))
      await frontier.settle([again(await takeOne(frontier, T), 0, links('a/3'))], T)
      assert.equal(inShort(frontier.waiting('a.com')), 'a/2 a/1 a/3')
    },
  },
  {
    says: 'settle: all or nothing with an unknown, a closed, or a repeated ticket',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1 c/1'))
      const [first, second, third] = await frontier.take(3, T)
      await frontier.settle([done(third!)], T)
      const found = links('d/1 a/2')
      const urls = [...found.map(({ url }) => url), first!.url, second!.url, third!.url]
      const batches = [
        [done(first!, 900, found), done(third!)],
        [done(third!), done(first!, 900, found)],
        [done(first!, 900, found), done(second!), again(first!)],
        [refused(first!, 'x'), { ...done(second!), ticketId: 123_456 }],
        [done(second!, 900, found), { ...done(first!), ticketId: -1 }],
        [done(second!, 900, found), { ...done(first!), ticketId: 0 }],
        [done(second!, 900, found), { ...done(first!), ticketId: 0.5 }],
        [done(second!, 900, found), { ...done(first!), ticketId: Number.NaN }],
        [done(second!, 900, found), { ...done(first!), ticketId: first!.id + 2 ** 32 }],
      ]
      for (const batch of batches) {
        await isRefused(frontier, 'FRONTIER_TICKET_CLOSED', () => frontier.settle(batch, T), urls)
      }
      assert.equal(await frontier.settle([], T), 0)
      assert.equal(await frontier.settle([done(first!, 0, found), done(second!)], T), 2)
    },
  },
  {
    says: 'settle: all or nothing with a bad link',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      const [first, second] = await frontier.take(2, T)
      const bad = [...links('c/1'), { url: 'nowhere', depth: 0, hops: 0 }]
      const batch = [done(first!, 900, links('d/1')), again(second!, 900, bad)]
      const urls = [urlOf('c/1'), urlOf('d/1'), first!.url, second!.url]
      await isRefused(frontier, 'FRONTIER_BAD_LINK', () => frontier.settle(batch, T), urls)
      assert.equal(await frontier.settle(batch.slice(0, 1), T), 1)
    },
  },
  {
    says: 'promise 4: a ticket that was settled or given back is closed',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      const [first, second] = await frontier.take(2, T)
      await frontier.settle([again(first!)], T)
      await frontier.giveBack([second!.id])
      for (const ticket of [first!, second!]) {
        const code = 'FRONTIER_TICKET_CLOSED'
        await isRefused(frontier, code, () => frontier.settle([done(ticket)], T))
        await isRefused(frontier, code, () => frontier.giveBack([ticket.id]))
        await isRefused(frontier, code, () => frontier.renew([ticket.id], T))
      }
    },
  },
  {
    says: 'settle: reasons of any kind and any number are kept',
    async check({ frontier }) {
      const reasons = [
        '',
        'cleared',
        'robots',
        'ü€😀',
        'x'.repeat(1000),
        ...Array.from({ length: 300 }, (_, n) => `r${n}`),
      ]
      await frontier.offer(reasons.map((_, n) => ({ url: `http://h${n}.com/`, depth: 0, hops: 0 })))
      const tickets = await frontier.take(reasons.length, T)
      await frontier.settle(
        tickets.map(ticket => refused(ticket, reasons[Number(ticket.host.slice(1, -4))]!)),
        T,
      )
      for (const [n, reason] of reasons.entries()) {
        assert.deepEqual(frontier.explain(`http://h${n}.com/`), { state: 'refused', host: `h${n}.com`, reason })
      }
    },
  },
  {
    says: 'nextReadyAtMs: undefined when nothing waits and nothing is lent',
    async check({ frontier }) {
      assert.equal(frontier.nextReadyAtMs(), undefined)
      await frontier.setDelay('a.com', 5)
      await frontier.blockUntil('b.com', T + 5)
      assert.equal(frontier.nextReadyAtMs(), undefined)
      await frontier.offer(links('a/1'))
      await frontier.settle([done(await takeOne(frontier, T))], T)
      assert.equal(frontier.nextReadyAtMs(), undefined)
    },
  },
  {
    says: 'nextReadyAtMs: 0 when take had or has something to do already',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      assert.equal(frontier.nextReadyAtMs(), 0)
      await frontier.take(1, T)
      assert.equal(frontier.nextReadyAtMs(), 0)
    },
  },
  {
    says: 'nextReadyAtMs: the earliest of the hosts that wait for their time and of the leases that run out',
    options: { leaseMs: 1000 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2 b/1'))
      const [first, second] = await frontier.take(2, T)
      assert.equal(frontier.nextReadyAtMs(), T + 1000)
      await frontier.settle([done(first!.host === 'a.com' ? first! : second!, 400)], T + 10)
      assert.equal(frontier.nextReadyAtMs(), T + 410)
      await frontier.blockUntil('a.com', T + 5000)
      assert.equal(frontier.nextReadyAtMs(), T + 1000)
      await frontier.settle([done(first!.host === 'a.com' ? second! : first!, 9000)], T + 20)
      assert.equal(frontier.nextReadyAtMs(), T + 5000)
      await takesNothing(frontier, T + 4999)
      assert.equal(frontier.nextReadyAtMs(), T + 5000)
      await frontier.take(1, T + 5000)
      assert.equal(frontier.nextReadyAtMs(), T + 6000)
    },
  },
  {
    says: 'nextReadyAtMs: a host that waits behind an open ticket counts when the lease runs out',
    options: { leaseMs: 1000 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2'))
      await takeOne(frontier, T)
      assert.equal(frontier.nextReadyAtMs(), T + 1000)
    },
  },
]
