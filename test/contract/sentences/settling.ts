import assert from 'node:assert/strict'
import type { Settlement } from '../../../src/frontier/frontier.ts'
import {
  again,
  countsAre,
  done,
  explained,
  inShort,
  isRefused,
  links,
  of,
  refused,
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

export const SETTLING: readonly Sentence[] = [
  {
    says: 'settle: done is done, refused is refused, again waits again',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1 c/1 d/1'))
      const tickets = await take(frontier, 9, T)
      const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(name => of(name, tickets))
      const noPage = { ...done(d!), outcome: { kind: 'done', isPage: false } } as const
      const settled = await frontier.settle([done(a!), refused(b!, 'robots'), again(c!), noPage], T)
      assert.deepEqual(settled, { fresh: [0, 0, 0, 0], late: [] })
      await countsAre(frontier, { known: 4, waiting: 1, done: 2, pages: 1, refused: 1, hosts: 4 })
      assert.equal(inShort(await take(frontier, 9, T)), 'c/1')
    },
  },
  {
    says: 'settle: returns how many links of each were new, and they wait from then on',
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      const ticket = await takeOne(frontier, T)
      const { fresh } = await frontier.settle([done(ticket, 0, links('a/1 b/1 a/2 b/1'))], T)
      assert.deepEqual(fresh, [2])
      assert.equal(inShort(await waitingAt(frontier, 'a')), 'a/2')
      assert.equal(inShort(await waitingAt(frontier, 'b')), 'b/1')
    },
  },
  {
    says: 'settle: a link that two settlements found is new once, for the first',
    needs: ['onePart'],
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      const [first, second] = await take(frontier, 2, T)
      const batch = [done(first!, 0, links('c/1 c/2')), done(second!, 0, links('c/2 c/3'))]
      assert.deepEqual(await frontier.settle(batch, T), { fresh: [2, 1], late: [] })
      assert.equal(inShort(await waitingAt(frontier, 'c')), 'c/1 c/2 c/3')
    },
  },
  {
    says: 'settle: the host of a link that was found is known after the others',
    needs: ['onePart'],
    async check({ frontier }) {
      await frontier.offer(links('b/1'))
      await frontier.settle([done(await takeOne(frontier, T), 0, links('c/1 a/1'))], T)
      assert.deepEqual(
        (await viewsOf(frontier)).map(({ host }) => host),
        ['b.com', 'c.com', 'a.com'],
      )
    },
  },
  {
    says: 'settle: the link that is tried again comes before the links that were found with it',
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2'))
      await frontier.settle([again(await takeOne(frontier, T), 0, links('a/3'))], T)
      assert.equal(inShort(await waitingAt(frontier, 'a')), 'a/2 a/1 a/3')
    },
  },
  {
    says: 'promise 6: a batch with a settlement that is not valid changes nothing',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      const [first, second] = await take(frontier, 2, T)
      const good = done(first!, 900, links('c/1 d/1'))
      const wrong: object[] = [
        { outcome: { kind: 'lost' } },
        { outcome: { kind: 'refused' } },
        { outcome: { kind: 'refused', reason: 7 } },
        { outcome: { kind: 'refused', reason: 'x'.repeat(201) } },
        { outcome: { kind: 'refused', reason: 'é'.repeat(101) } },
        { shown: 'gone' },
        { outcome: { kind: 'again' }, shown: 'gone' },
        { shown: 'laughter' },
        { delayMs: -1 },
        { delayMs: Number.NaN },
        { delayMs: Number.POSITIVE_INFINITY },
      ]
      const urls = ['a/1', 'b/1', 'c/1', 'd/1'].map(urlOf)
      for (const one of wrong) {
        const bad = { ...done(second!), ...one } as Settlement
        const late = { ...bad, ticketId: 99 }
        for (const batch of [
          [good, bad],
          [bad, good],
          [good, late],
        ]) {
          await isRefused(frontier, 'FRONTIER_BAD_SETTLEMENT', () => frontier.settle(batch, T), urls)
        }
      }
      assert.deepEqual((await frontier.settle([good, done(second!)], T)).fresh, [2, 0])
    },
  },
  {
    says: 'promise 6: a batch with a bad link changes nothing',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      const [first, second] = await take(frontier, 2, T)
      const bad = [...links('c/1'), { url: 'nowhere', rank: 0, hops: 0 }]
      const batch = [done(first!, 900, links('d/1')), again(second!, 900, bad)]
      const urls = [urlOf('c/1'), urlOf('d/1'), first!.url, second!.url]
      await isRefused(frontier, 'FRONTIER_BAD_LINK', () => frontier.settle(batch, T), urls)
      const visits = [{ url: urlOf('a/2'), isPage: true, links: bad }]
      await isRefused(frontier, 'FRONTIER_BAD_LINK', () => frontier.settleFormer(visits, T), urls)
      assert.deepEqual(await frontier.settle(batch.slice(0, 1), T), { fresh: [1], late: [] })
    },
  },
  {
    says: 'settle: an empty batch changes nothing',
    async check({ frontier }) {
      assert.deepEqual(await frontier.settle([], T), { fresh: [], late: [] })
      assert.deepEqual(await frontier.settleFormer([], T), { fresh: [], late: [] })
    },
  },
  {
    says: 'settle: reasons of up to 200 bytes and any number are kept',
    async check({ frontier }) {
      const reasons = [
        ...['', 'cleared', 'robots', 'ü€😀', 'x'.repeat(200), 'é'.repeat(100)],
        ...Array.from({ length: 300 }, (_, n) => `r${n}`),
      ]
      await frontier.offer(reasons.map((_, n) => ({ url: `http://h${n}.com/`, rank: 0, hops: 0 })))
      const tickets = await take(frontier, reasons.length, T)
      await frontier.settle(
        tickets.map(ticket => refused(ticket, reasons[Number(ticket.host.slice(1, -4))]!)),
        T,
      )
      for (const [n, reason] of reasons.entries()) {
        assert.deepEqual(await explained(frontier, `h${n}/`), { state: 'refused', host: `h${n}.com`, reason })
      }
    },
  },
  {
    says: 'settleFormer: links that wait are done, their links are offered, and nobody’s time changes',
    options: { delayMs: 500 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2 a/3 b/1'))
      const visits = [
        { url: urlOf('a/2'), isPage: true, links: links('a/4 c/1 a/1') },
        { url: urlOf('b/1'), isPage: false, links: [] },
      ]
      assert.deepEqual(await frontier.settleFormer(visits, T), { fresh: [2, 0], late: [] })
      await countsAre(frontier, { known: 6, waiting: 4, done: 2, pages: 1, hosts: 3 })
      assert.deepEqual(await explained(frontier, 'a/2'), { state: 'done', host: 'a.com', isPage: true })
      assert.deepEqual(await explained(frontier, 'b/1'), { state: 'done', host: 'b.com', isPage: false })
      assert.equal(inShort(await waitingAt(frontier, 'a')), 'a/1 a/3 a/4')
      const { readyInMs, pages, failures } = await viewOf(frontier, 'a', T)
      assert.deepEqual({ readyInMs, pages, failures }, { readyInMs: 0, pages: 1, failures: 0 })
      const ticket = of('a', await take(frontier, 9, T))
      assert.deepEqual([ticket.hostPages, ticket.isProven], [1, false])
    },
  },
  {
    says: 'settleFormer: one that does not wait changes nothing',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1 c/1 d/1'))
      await frontier.clear('c.com')
      const tickets = await take(frontier, 9, T)
      await frontier.settle([done(of('a', tickets)), { ...again(of('d', tickets)), outcome: { kind: 'again' } }], T)
      const shorts = ['a/1', 'b/1', 'c/1', 'z/1']
      const visits = shorts.map(short => ({ url: urlOf(short), isPage: true, links: links('x/1') }))
      const before = await wholeOf(frontier, shorts.map(urlOf))
      assert.deepEqual(await frontier.settleFormer(visits, T), { fresh: [0, 0, 0, 0], late: [] })
      assert.deepEqual(await wholeOf(frontier, shorts.map(urlOf)), before)
      const twice = [0, 0].map(() => ({ url: urlOf('d/1'), isPage: true, links: links('x/1 x/2') }))
      assert.deepEqual((await frontier.settleFormer(twice, T)).fresh, [2, 0])
      assert.equal((await frontier.counts()).pages, 2)
    },
  },
  {
    says: 'settleFormer: a host whose last link it settles waits for nothing',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      await frontier.take(0, T)
      await frontier.settleFormer([{ url: urlOf('a/1'), isPage: true, links: [] }], T)
      assert.equal((await viewOf(frontier, 'a', T)).state, 'idle')
      assert.equal(inShort(await take(frontier, 9, T)), 'b/1')
      await takesNothing(frontier, T)
    },
  },
]
