import assert from 'node:assert/strict'
import type { Link } from '../../../src/frontier/frontier.ts'
import {
  auxiliaries,
  countsAre,
  done,
  drain,
  explained,
  inShort,
  isRefused,
  links,
  type Sentence,
  sorted,
  T,
  take,
  takeOne,
  takesNothing,
  viewsOf,
  waitingAt,
} from './sentence.ts'

export const OFFERING: readonly Sentence[] = [
  {
    says: 'offer: returns how many were new',
    async check({ frontier }) {
      assert.equal(await frontier.offer(links('a/1 a/2 b/1')), 3)
      assert.equal(await frontier.offer(links('a/1 c/1 b/1')), 1)
      assert.equal(await frontier.offer([]), 0)
      await countsAre(frontier, { known: 4, waiting: 4, hosts: 3 })
    },
  },
  {
    says: 'offer: a link twice in one batch is new once',
    async check({ frontier }) {
      assert.equal(await frontier.offer(links('a/1 b/1 a/1 a/1')), 2)
      assert.equal(sorted(inShort(await drain(frontier, T))), 'a/1 b/1')
    },
  },
  {
    says: 'offer: links wait in the order in which they were offered',
    async check({ frontier }) {
      await frontier.offer(links('a/3 a/1'))
      await frontier.offer(links('a/2 a/1 a/0'))
      assert.equal(inShort(await waitingAt(frontier, 'a')), 'a/3 a/1 a/2 a/0')
      assert.equal(inShort(await drain(frontier, T)), 'a/3 a/1 a/2 a/0')
    },
  },
  {
    says: 'link: inside a host page links come by depth, then by arrival',
    async check({ frontier }) {
      await frontier.offer([...links('a/b', 1), ...links('a/d', 2), ...links('a/a', 0), ...links('a/c', 1)])
      assert.equal(inShort(await waitingAt(frontier, 'a')), 'a/a a/b a/c a/d')
      assert.equal(inShort(await drain(frontier, T)), 'a/a a/b a/c a/d')
    },
  },
  {
    says: 'link: a depth of more than 255 counts as 255',
    async check({ frontier }) {
      await frontier.offer([...links('a/1', 1e6), ...links('a/2', 255), ...links('a/3', 256), ...links('a/4', 254)])
      const waiting = await waitingAt(frontier, 'a')
      assert.equal(inShort(waiting), 'a/4 a/1 a/2 a/3')
      assert.deepEqual(
        waiting.map(link => link.rank),
        [254, 255, 255, 255],
      )
    },
  },
  {
    says: 'link: hops and note are kept and come back with the ticket; those of the first offer hold',
    async check({ frontier }) {
      const url = 'http://a.com/x?y=1'
      const first = { url, rank: 7, hops: 2 ** 31 - 1, note: 'http://from.com/ü' }
      await frontier.offer([first])
      assert.equal(await frontier.offer([{ url, rank: 1, hops: 2, note: 'other' }]), 0)
      assert.deepEqual(await waitingAt(frontier, 'a'), [first])
      const { rank, hops, note, kind } = await takeOne(frontier, T)
      assert.deepEqual({ url, rank, hops, note, kind }, { ...first, kind: 'page' })
    },
  },
  {
    says: 'link: notes of up to 4,096 bytes are kept whole, shared or not, whatever comes back',
    async check({ frontier }) {
      const notes = ['x'.repeat(4096), 'é'.repeat(2048), 'x'.repeat(4096), undefined, 'short']
      await frontier.offer(
        notes.map((note, n) => ({ url: `http://a.com/${n}`, rank: 0, hops: 0, ...(note ? { note } : {}) })),
      )
      await frontier.giveBack([(await takeOne(frontier, T)).id])
      assert.deepEqual(
        (await drain(frontier, T)).map(({ note }) => note),
        notes,
      )
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
      const offered = urls.map(url => ({ url, rank: 0, hops: 0 }))
      assert.equal(await frontier.offer(offered), urls.length)
      assert.equal(await frontier.offer(offered), 0)
      const leased = await drain(frontier, T)
      assert.deepEqual(leased.map(ticket => ticket.url).sort(), urls.toSorted())
      const hosts = Object.fromEntries(leased.map(ticket => [ticket.url, ticket.host]))
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
      assert.equal(await frontier.offer([longest, wide].map(url => ({ url, rank: 0, hops: 0 }))), 2)
      for (const url of [`${longest}x`, `${wide}x`, `http://a.com/${'é'.repeat(40_000)}`]) {
        await isRefused(frontier, 'FRONTIER_BAD_LINK', () => frontier.offer([{ url, rank: 0, hops: 0 }]))
      }
      assert.deepEqual(
        (await drain(frontier, T)).map(ticket => ticket.url),
        [longest, wide],
      )
    },
  },
  {
    says: 'offer: a link that is not valid is an error, and then nothing has happened',
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      const urls = ['', 'a.com', '/x', 'http://', 'http:///x', 'http://?x', 'http://#', 'mailto:a@b.com']
      const numbers = [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]
      const wrong: Record<string, unknown>[] = [
        ...urls.map(url => ({ url })),
        ...numbers.flatMap(value => [{ rank: value }, { hops: value }]),
        { hops: 2 ** 31 },
        { kind: 'picture' },
        { note: 'x'.repeat(4097) },
        { note: 'é'.repeat(2049) },
      ]
      for (const one of wrong) {
        const bad = { url: 'http://d.com/', rank: 0, hops: 0, ...one } as Link
        const batch = [...links('b/1 a/2'), ...auxiliaries('e/1'), bad, ...links('c/1')]
        await isRefused(frontier, 'FRONTIER_BAD_LINK', () => frontier.offer(batch), ['http://b.com/1'])
      }
      assert.equal(await frontier.offer(links('b/1 a/2 c/1')), 3)
    },
  },
  {
    says: 'promise 1: a link that was seen before is never new again, whatever became of it',
    async check({ frontier }) {
      const all = links('a/done b/refused c/leased d/waiting e/cleared f/former g/gone')
      await frontier.offer(all)
      await frontier.settleFormer([{ url: 'http://f.com/former', isPage: true, links: [] }], T)
      const tickets = await take(frontier, 9, T)
      await frontier.settle(
        tickets.flatMap(ticket => {
          if (ticket.host === 'a.com') return [done(ticket)]
          if (ticket.host === 'b.com') return [{ ...done(ticket), outcome: { kind: 'refused', reason: 'robots' } }]
          if (ticket.host !== 'g.com') return []
          return [{ ...done(ticket), outcome: { kind: 'refused', reason: 'dns' }, shown: 'gone' }]
        }),
        T,
      )
      await frontier.giveBack(tickets.filter(({ host }) => /^[de]/.test(host)).map(({ id }) => id))
      await frontier.clear('e.com')
      assert.equal(await frontier.offer(all), 0)
      assert.equal(inShort(await take(frontier, 9, T)), 'd/waiting')
      await takesNothing(frontier, T)
    },
  },
  {
    says: 'offer: one call may carry a thousand links and more',
    async check({ frontier }) {
      const many = Array.from({ length: 5000 }, (_, n) => ({
        url: `http://h${n % 50}.com/${n}`,
        rank: n % 3,
        hops: 1,
        note: `from ${n % 7}`,
      }))
      assert.equal(await frontier.offer(many), 5000)
      assert.equal(await frontier.offer(many), 0)
      const leased = await drain(frontier, T)
      assert.equal(new Set(leased.map(({ url }) => url)).size, 5000)
      assert.ok(leased.every(({ url, note }) => note === `from ${Number(url.split('/')[3]) % 7}`))
      await countsAre(frontier, { known: 5000, done: 5000, pages: 5000, hosts: 50 })
    },
  },
  {
    says: 'bounds: once maxHosts are known, links of other hosts are turned away and not remembered',
    options: { maxHosts: 2 },
    async check({ frontier }) {
      assert.equal(await frontier.offer([...links('a/1 b/1 c/1 a/2 c/1'), ...auxiliaries('d/1')]), 3)
      const turnedAway = { 'max-hosts': 3, 'domain-hosts': 0, 'page-hosts': 0 }
      await countsAre(frontier, { known: 3, waiting: 3, hosts: 2, turnedAway })
      assert.deepEqual(await explained(frontier, 'c/1'), { state: 'unknown' })
      await frontier.setDelay('d.com', 5)
      await frontier.hold('e.com', { forMs: 5 }, T)
      assert.equal(await frontier.offer(links('c/1 d/1 e/1')), 2)
      await countsAre(frontier, { known: 5, waiting: 5, hosts: 4, turnedAway: { ...turnedAway, 'max-hosts': 4 } })
    },
  },
  {
    says: 'bounds: at most maxHostsPerDomain hosts of a registrable domain become known; a port makes another host',
    options: { maxHostsPerDomain: 2 },
    async check({ frontier }) {
      const urls = [
        'http://a.com',
        'http://w.a.com',
        'http://a.com:81',
        'http://x.a.com',
        'http://a.co.uk',
        'http://b.co.uk',
      ]
      assert.equal(await frontier.offer(urls.map(url => ({ url, rank: 0, hops: 0 }))), 4)
      const turnedAway = { 'max-hosts': 0, 'domain-hosts': 2, 'page-hosts': 0 }
      await countsAre(frontier, { known: 4, waiting: 4, hosts: 4, turnedAway })
    },
  },
  {
    says: 'bounds: one offer, and each settlement or former visit, makes at most maxNewHosts known',
    options: { maxNewHosts: 2 },
    async check({ frontier }) {
      assert.equal(await frontier.offer(links('a/1 b/1 c/1 a/2 d/1')), 3)
      const tickets = await take(frontier, 2, T)
      const { fresh } = await frontier.settle(
        [done(tickets[0]!, 0, links('c/1 d/1 e/1')), done(tickets[1]!, 0, links('e/1 f/1'))],
        T,
      )
      assert.deepEqual(fresh, [2, 2])
      const visit = { url: 'http://c.com/1', isPage: true, links: links('g/1 h/1 i/1') }
      assert.deepEqual(await frontier.settleFormer([visit], T), { fresh: [2], late: [] })
      assert.deepEqual((await frontier.counts()).turnedAway, { 'max-hosts': 0, 'domain-hosts': 0, 'page-hosts': 4 })
    },
  },
  {
    says: 'bounds: they are asked in the order max-hosts, domain-hosts, page-hosts',
    options: { maxHosts: 3, maxHostsPerDomain: 1, maxNewHosts: 1 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 w.a/1 b/1'))
      await frontier.offer(links('b/1'))
      await frontier.offer(links('c/1'))
      await frontier.offer(links('x.a/1 d/1'))
      assert.deepEqual((await frontier.counts()).turnedAway, { 'max-hosts': 2, 'domain-hosts': 1, 'page-hosts': 1 })
      assert.equal((await viewsOf(frontier)).length, 3)
    },
  },
  {
    says: 'all calls: together they do what they do one after the other',
    async check({ frontier }) {
      const calls = await Promise.all([
        frontier.offer(links('a/1 b/1')),
        frontier.offer(links('b/1 a/1')),
        frontier.take(9, T),
        frontier.take(9, T),
        frontier.setDelay('c.com', 5),
      ])
      assert.equal(calls[0] + calls[1], 2)
      const rest = await take(frontier, 9, T)
      assert.equal(sorted(inShort([...calls[2].tickets, ...calls[3].tickets, ...rest])), 'a/1 b/1')
    },
  },
]
