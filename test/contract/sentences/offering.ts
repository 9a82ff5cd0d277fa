import assert from 'node:assert/strict'
import { done, drain, inShort, isRefused, links, type Sentence, T, takeOne, takesNothing } from './sentence.ts'

export const OFFERING: readonly Sentence[] = [
  {
    says: 'offer: tells how many were new',
    async check({ frontier }) {
      assert.equal(await frontier.offer(links('a/1 a/2 b/1')), 3)
      assert.equal(await frontier.offer(links('a/1 c/1 b/1')), 1)
      assert.equal(await frontier.offer([]), 0)
      assert.deepEqual(frontier.counts(), { known: 4, waiting: 4, lent: 0, done: 0, refused: 0, hosts: 3 })
    },
  },
  {
    says: 'offer: a link twice in one batch is new once',
    async check({ frontier }) {
      assert.equal(await frontier.offer(links('a/1 b/1 a/1 a/1')), 2)
      assert.equal(
        inShort(await drain(frontier, T))
          .split(' ')
          .sort()
          .join(' '),
        'a/1 b/1',
      )
    },
  },
  {
    says: 'offer: links wait in the order in which they were offered',
    async check({ frontier }) {
      await frontier.offer(links('a/3 a/1'))
      await frontier.offer(links('a/2 a/1 a/0'))
      assert.equal(inShort(frontier.waiting('a.com')), 'a/3 a/1 a/2 a/0')
      assert.equal(inShort(await drain(frontier, T)), 'a/3 a/1 a/2 a/0')
    },
  },
  {
    says: 'link: inside a host links come by depth, then by arrival',
    async check({ frontier }) {
      await frontier.offer([...links('a/b', 1), ...links('a/d', 2), ...links('a/a', 0), ...links('a/c', 1)])
      assert.equal(inShort(frontier.waiting('a.com')), 'a/a a/b a/c a/d')
      assert.equal(inShort(await drain(frontier, T)), 'a/a a/b a/c a/d')
    },
  },
  {
    says: 'link: a depth of more than 255 counts as 255',
    async check({ frontier }) {
      await frontier.offer([
        ...links('a/1', 1_000_000),
        ...links('a/2', 255),
        ...links('a/3', 256),
        ...links('a/4', 254),
      ])
      assert.equal(inShort(frontier.waiting('a.com')), 'a/4 a/1 a/2 a/3')
      assert.deepEqual(
        [...frontier.waiting('a.com')].map(link => link.depth),
        [254, 255, 255, 255],
      )
    },
  },
  {
    says: 'link: hops are kept, and the depth of the first offer holds',
    async check({ frontier }) {
      const url = 'http://a.com/x?y=1'
      await frontier.offer([{ url, depth: 7, hops: 70_000 }])
      assert.equal(await frontier.offer([{ url, depth: 1, hops: 2 }]), 0)
      assert.deepEqual([...frontier.waiting('a.com')], [{ url, depth: 7, hops: 70_000 }])
      const { depth, hops } = await takeOne(frontier, T)
      assert.deepEqual({ depth, hops }, { depth: 7, hops: 70_000 })
    },
  },
  {
    says: 'link: URLs are taken as they are, whatever they look like',
    async check({ frontier }) {
      const urls = [
        'x://é.com/ü€😀',
        'http://A.com',
        'http://a.com',
        'http://a.com/',
        'http://u:p@a.com:1/\n\0#?',
        'a://b?',
      ]
      const offered = urls.map(url => ({ url, depth: 0, hops: 0 }))
      assert.equal(await frontier.offer(offered), urls.length)
      assert.equal(await frontier.offer(offered), 0)
      const lent = await drain(frontier, T)
      assert.deepEqual(lent.map(ticket => ticket.url).sort(), urls.toSorted())
      const hosts = Object.fromEntries(lent.map(ticket => [ticket.url, ticket.host]))
      assert.deepEqual(
        urls.map(url => hosts[url]),
        ['é.com', 'A.com', 'a.com', 'a.com', 'u:p@a.com:1', 'b'],
      )
    },
  },
  {
    says: 'link: a URL of 65,535 bytes is taken, one byte more is an error, counted in bytes and not in characters',
    async check({ frontier }) {
      const longest = `http://a.com/${'x'.repeat(65_535 - 13)}`
      const wide = `http://a.com/${'é'.repeat(32_761)}`
      assert.equal(Buffer.byteLength(wide), 65_535)
      assert.equal(await frontier.offer([longest, wide].map(url => ({ url, depth: 0, hops: 0 }))), 2)
      for (const url of [`${longest}x`, `${wide}x`, `http://a.com/${'é'.repeat(40_000)}`]) {
        await isRefused(frontier, 'FRONTIER_BAD_LINK', () => frontier.offer([{ url, depth: 0, hops: 0 }]))
      }
      assert.deepEqual(
        (await drain(frontier, T)).map(ticket => ticket.url),
        [longest, wide],
      )
    },
  },
  {
    says: 'offer: a link without a host is an error, and then nothing has happened',
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      for (const url of ['', 'a.com', '/x', 'http://', 'http:///x', 'http://?x', 'http://#', 'mailto:a@b.com']) {
        const batch = [...links('b/1 a/2'), { url, depth: 0, hops: 0 }, ...links('c/1')]
        await isRefused(frontier, 'FRONTIER_BAD_LINK', () => frontier.offer(batch), ['http://b.com/1'])
      }
      assert.equal(await frontier.offer(links('b/1 a/2 c/1')), 3)
    },
  },
  {
    says: 'promise 1: a link that was seen before is never new again, whatever became of it',
    async check({ frontier }) {
      await frontier.offer(links('a/done b/refused c/lent d/waiting e/cleared'))
      const tickets = await frontier.take(5, T)
      await frontier.settle(
        tickets.flatMap(ticket => {
          if (ticket.host === 'a.com') return [done(ticket)]
          if (ticket.host === 'b.com') return [{ ...done(ticket), outcome: { kind: 'refused', reason: 'robots' } }]
          return []
        }),
        T,
      )
      await frontier.giveBack(tickets.filter(({ host }) => /^[de]/.test(host)).map(({ id }) => id))
      await frontier.clear('e.com')
      assert.equal(await frontier.offer(links('a/done b/refused c/lent d/waiting e/cleared')), 0)
      assert.equal(inShort(await frontier.take(9, T)), 'd/waiting')
      await takesNothing(frontier, T)
    },
  },
  {
    says: 'offer: one call may carry a thousand links and more',
    async check({ frontier }) {
      const many = Array.from({ length: 5000 }, (_, n) => ({
        url: `http://h${n % 50}.com/${n}`,
        depth: n % 3,
        hops: 1,
      }))
      assert.equal(await frontier.offer(many), 5000)
      assert.equal(await frontier.offer(many), 0)
      const lent = await drain(frontier, T)
      assert.equal(new Set(lent.map(({ url }) => url)).size, 5000)
      assert.equal(lent.length, 5000)
      assert.deepEqual(frontier.counts(), { known: 5000, waiting: 0, lent: 0, done: 5000, refused: 0, hosts: 50 })
    },
  },
  {
    says: 'all calls: they take effect in the order in which they are made, also when nobody waits',
    async check({ frontier }) {
      const calls = [
        frontier.offer(links('a/1')),
        frontier.take(5, T),
        frontier.offer(links('a/1 b/1')),
        frontier.take(5, T),
      ]
      const [first, second, third, fourth] = await Promise.all(calls)
      assert.equal(first, 1)
      assert.equal(inShort(second as never), 'a/1')
      assert.equal(third, 1)
      assert.equal(inShort(fourth as never), 'b/1')
    },
  },
]
