import assert from 'node:assert/strict'
import type { Link, LinkFilter } from '../../../src/frontier/frontier.ts'
import { everyPage, plain } from '../player.ts'
import type { TimedFrontier } from '../timed.ts'
import {
  again,
  auxiliaries,
  countsAre,
  done,
  drain,
  explained,
  inShort,
  isRefused,
  links,
  refused,
  type Sentence,
  T,
  take,
  takeOne,
  takesNothing,
  unasked,
  urlOf,
  viewOf,
  waitingAt,
} from './sentence.ts'

function held(shorts: string, reason: string, rank = 0): Link[] {
  return links(shorts, rank).map(link => ({ ...link, refused: reason }))
}

/** Where the order is not exact, in the order of this list of all that may be there. */
async function listed(frontier: TimedFrontier, which: LinkFilter, limit = 100, all = ''): Promise<string> {
  const found = await everyPage(cursor => frontier.links(which, cursor), limit)
  if (frontier.supports.exactOrder) return inShort(found)
  const places = new Map(all.split(' ').map((short, place) => [urlOf(short), place]))
  return inShort(found.sort((a, b) => places.get(a.url)! - places.get(b.url)!))
}

/** Links that are refused, how they are listed, and how they come back. */
export const REFUSING: readonly Sentence[] = [
  {
    says: 'offer: a link that is offered as refused is known, is not new, and nothing waits',
    async check({ frontier }) {
      const fresh = await frontier.offer([...held('a/1', 'scope'), ...links('b/1'), ...held('b/2 a/2', 'max-depth')])
      assert.equal(fresh, 1)
      const refusedFor = { scope: 1, 'max-depth': 2 }
      await countsAre(frontier, { known: 4, waiting: 1, refused: 3, refusedFor, hosts: 2 })
      assert.deepEqual(await explained(frontier, 'a/1'), { state: 'refused', host: 'a.com', reason: 'scope' })
      assert.equal((await viewOf(frontier, 'a', T)).state, 'idle')
      assert.equal(await frontier.offer([...links('a/1'), ...held('b/1', 'scope')]), 0)
      assert.equal(inShort(await drain(frontier, T)), 'b/1')
      assert.equal((await frontier.take(1, T)).end, 'nothing left')
    },
  },
  {
    says: 'offer: a reason of more than 200 bytes, and an auxiliary link that is refused, are errors',
    async check({ frontier }) {
      await frontier.offer(held('a/1', 'x'.repeat(200)))
      for (const bad of [
        held('b/1', 'é'.repeat(101)),
        auxiliaries('b/1').map(link => ({ ...link, refused: 'scope' })),
      ]) {
        await isRefused(frontier, 'FRONTIER_BAD_LINK', () => frontier.offer([...links('c/1'), ...bad]))
        await isRefused(frontier, 'FRONTIER_BAD_LINK', () => frontier.requeue([...held('a/1', ''), ...bad]))
      }
    },
  },
  {
    says: 'offer: the bounds on hosts hold for refused links, too',
    options: { maxHosts: 2 },
    async check({ frontier }) {
      assert.equal(await frontier.offer([...held('a/1', 'scope'), ...links('b/1'), ...held('c/1', 'scope')]), 1)
      const turnedAway = { 'max-hosts': 1, 'domain-hosts': 0, 'page-hosts': 0 }
      await countsAre(frontier, { known: 2, waiting: 1, refused: 1, hosts: 2, turnedAway })
    },
  },
  {
    says: 'settle: of the links found, the refused ones are known and not new',
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      const found = [...held('a/2', 'scope'), ...links('a/3'), ...auxiliaries('a/robots')]
      const { fresh } = await frontier.settle([done(await takeOne(frontier, T), 0, found)], T)
      assert.deepEqual(fresh, [2])
      await countsAre(frontier, { known: 3, waiting: 1, refused: 1, done: 1, pages: 1, hosts: 1, auxiliaries: 1 })
    },
  },
  {
    says: 'requeue: refused links wait at the end of their lists, as if never tried',
    async check({ frontier }) {
      await frontier.offer([...links('a/1 a/2', 1), ...held('a/0', 'scope', 1), ...links('a/deep', 2)])
      await frontier.settle([again(await takeOne(frontier, T))], T)
      await frontier.settle([refused(await takeOne(frontier, T), 'robots')], T)
      assert.equal(inShort(await waitingAt(frontier, 'a')), 'a/1 a/deep')
      // Their lists are those of the first offer.
      assert.equal(await frontier.requeue(links('a/2 a/0', 200)), 2)
      assert.equal(inShort(await waitingAt(frontier, 'a')), 'a/1 a/2 a/0 a/deep')
      await countsAre(frontier, { known: 4, waiting: 4, hosts: 1, refusedFor: {} })
      const leased = await drain(frontier, T)
      assert.deepEqual(
        leased.map(({ url, attempt }) => `${url.slice(13)} ${attempt}`),
        ['1 2', '2 1', '0 1', 'deep 1'],
      )
    },
  },
  {
    says: 'requeue: hops and note are those of the first offer',
    async check({ frontier }) {
      const [link] = held('a/1', 'scope', 3)
      await frontier.offer([{ ...link!, hops: 7, note: 'from here' }])
      await frontier.requeue([{ ...link!, hops: 1, note: 'from there' }])
      const { rank, hops, note, attempt } = await takeOne(frontier, T)
      assert.deepEqual({ rank, hops, note, attempt }, { rank: 3, hops: 7, note: 'from here', attempt: 1 })
    },
  },
  {
    says: 'requeue: what was never seen, waits, is leased or done, is an auxiliary link or comes twice, changes nothing',
    async check({ frontier }) {
      await frontier.offer([...links('a/1'), ...held('b/1', 'scope')])
      assert.equal(await frontier.requeue([...links('a/1 z/1'), ...auxiliaries('b/1')]), 0)
      const ticket = await takeOne(frontier, T)
      assert.equal(await frontier.requeue(links('a/1')), 0)
      await frontier.settle([done(ticket)], T)
      assert.equal(await frontier.requeue(links('a/1')), 0)
      assert.equal(await frontier.requeue([]), 0)
      assert.equal(await frontier.requeue(links('b/1 b/1')), 1)
      assert.equal(await frontier.requeue(links('b/1')), 0)
      assert.equal(inShort(await drain(frontier, T)), 'b/1')
    },
  },
  {
    says: 'requeue: the links of a host that was gone, or was cleared, can wait again',
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2 a/3'))
      await frontier.settle([refused(await takeOne(frontier, T), 'no such host', 'gone')], T)
      await takesNothing(frontier, T)
      assert.equal(await frontier.requeue(links('a/3 a/1')), 2)
      assert.equal((await takeOne(frontier, T)).url, urlOf('a/3'))
      await frontier.clear('a.com')
      assert.equal(await frontier.requeue(links('a/1')), 1)
      assert.deepEqual((await frontier.counts()).refusedFor, { 'no such host': 1 })
    },
  },
  {
    says: 'requeue: it survives a close, at the same place in its list',
    needs: ['reopen'],
    async check(subject) {
      await subject.frontier.offer([...held('a/1 a/2', 'scope'), ...links('a/3')])
      await subject.frontier.requeue(links('a/2'))
      await subject.frontier.offer(links('a/4'))
      await subject.reopen()
      assert.equal(inShort(await waitingAt(subject.frontier, 'a')), 'a/3 a/2 a/4')
      assert.equal(await listed(subject.frontier, { state: 'refused' }), 'a/1')
      assert.equal(await subject.frontier.requeue(links('a/1')), 1)
      assert.equal(inShort(await drain(subject.frontier, T)), 'a/3 a/2 a/4 a/1')
    },
  },
  {
    says: 'links: in the order in which they became known, by state, reason and host, in pages',
    async check({ frontier }) {
      await frontier.offer([...links('a/1', 9), ...held('b/1', 'scope'), ...links('b/2 a/2'), ...held('a/3', 'type')])
      await frontier.offer([...held('b/4', 'scope'), ...auxiliaries('a/robots')])
      for (const limit of [1, 2, 100]) {
        const list = (which: LinkFilter) => listed(frontier, which, limit, 'a/1 b/1 b/2 a/2 a/3 b/4')
        assert.equal(await list({ state: 'waiting' }), 'a/1 b/2 a/2')
        assert.equal(await list({ state: 'refused' }), 'b/1 a/3 b/4')
        assert.equal(await list({ state: 'refused', reasons: ['scope'] }), 'b/1 b/4')
        assert.equal(await list({ state: 'refused', reasons: ['type', 'scope'] }), 'b/1 a/3 b/4')
        assert.equal(await list({ state: 'refused', host: 'a.com' }), 'a/3')
        assert.equal(await list({ state: 'waiting', host: 'a.com' }), 'a/1 a/2')
      }
      for (const nothing of [{ reasons: [] }, { reasons: ['robots'] }, { host: 'z.com' }]) {
        assert.equal(await listed(frontier, { state: 'refused', ...nothing }), '')
      }
      const wrong = { state: 'done' } as unknown as LinkFilter
      await isRefused(frontier, 'FRONTIER_BAD_VALUE', () => frontier.links(wrong, { limit: 1 }))
      await isRefused(frontier, 'FRONTIER_BAD_VALUE', () => frontier.links({ state: 'waiting' }, { limit: 0 }))
    },
  },
  {
    says: 'links: with all that is known of them',
    async check({ frontier }) {
      const [link] = links('a/1', 2)
      await frontier.offer([{ ...link!, hops: 5, note: 'n' }])
      const view = { url: urlOf('a/1'), kind: 'page', rank: 2, hops: 5, note: 'n', host: 'a.com', attempts: 0 }
      const only = async (which: LinkFilter) => (await frontier.links(which, { limit: 9 })).items.map(plain)
      assert.deepEqual(await only({ state: 'waiting' }), [view])
      await frontier.settle([again(await takeOne(frontier, T))], T)
      assert.deepEqual(await only({ state: 'waiting' }), [{ ...view, attempts: 1 }])
      await frontier.settle([unasked(refused(await takeOne(frontier, T), 'robots'))], T)
      assert.deepEqual(await only({ state: 'refused' }), [{ ...view, attempts: 2, reason: 'robots' }])
      await frontier.requeue([link!])
      assert.deepEqual(await only({ state: 'waiting' }), [view])
    },
  },
  {
    says: 'link, host: one alone; undefined when it is not known, or done',
    async check({ frontier }) {
      await frontier.offer([...held('a/1', 'scope', 2), ...links('b/1')])
      const view = { kind: 'page', rank: 0, hops: 0, attempts: 0 }
      const only = async (short: string) => {
        const link = await frontier.link(urlOf(short))
        return link && plain(link)
      }
      assert.deepEqual(await only('a/1'), { ...view, url: urlOf('a/1'), rank: 2, host: 'a.com', reason: 'scope' })
      const waiting = { ...view, url: urlOf('b/1'), host: 'b.com' }
      assert.deepEqual(await only('b/1'), waiting)
      const ticket = await takeOne(frontier, T)
      assert.deepEqual(await only('b/1'), waiting)
      await frontier.settle([done(ticket)], T)
      for (const short of ['b/1', 'a/2', 'z/1']) assert.equal(await only(short), undefined)
      assert.deepEqual(plain((await frontier.host('b.com', T))!), await viewOf(frontier, 'b', T))
      assert.equal(await frontier.host('z.com', T), undefined)
    },
  },
  {
    says: 'links: a long list comes in bounded pages, and nothing is left out',
    async check({ frontier }) {
      const many = Array.from({ length: 5000 }, (_, n) => `a/${n}`)
      await frontier.offer([...held(many.join(' '), 'scope'), ...links('b/1')])
      const found = await everyPage(cursor => frontier.links({ state: 'refused' }, cursor), 10_000)
      const urls = found.map(({ url }) => url)
      if (frontier.supports.exactOrder) assert.deepEqual(urls, many.map(urlOf))
      else assert.deepEqual(urls.sort(), many.map(urlOf).sort())
      assert.equal(await listed(frontier, { state: 'refused', host: 'b.com' }), '')
    },
  },
  {
    says: 'outlook: who is ready, who rests and until when, and who is down',
    options: { retries: 0 },
    async check({ frontier }) {
      assert.deepEqual(plain(await frontier.outlook(T)), { ready: 0, resting: 0, down: 0 })
      await frontier.offer([...links('a/1 b/1 b/2 c/1 d/1'), ...held('e/1', 'scope')])
      await frontier.hold('c.com', { forMs: 500 }, T)
      await frontier.hold('d.com', { forMs: 300 }, T)
      const { next, ...rest } = await frontier.outlook(T)
      assert.deepEqual(rest, { ready: 2, resting: 2, down: 0 })
      assert.deepEqual([next?.host, next?.readyInMs], ['d.com', 300])
      // What a host that has a ticket has besides waits for nothing but that.
      const tickets = await take(frontier, 2, T)
      assert.deepEqual(plain({ ...(await frontier.outlook(T)), next: undefined }), { ready: 0, resting: 2, down: 0 })
      await frontier.settle(
        tickets.map(ticket => again(ticket, 0, [], 'silence')),
        T,
      )
      const resting = await frontier.outlook(T)
      assert.deepEqual([resting.ready, resting.resting, resting.down, resting.next?.host], [0, 4, 2, 'd.com'])
      await frontier.hold('d.com', { forMs: 2000 }, T)
      assert.equal((await frontier.outlook(T)).next?.host, 'c.com')
      const later = await frontier.outlook(T + 1500)
      assert.deepEqual([later.ready, later.resting, later.next?.host, later.next?.readyInMs], [3, 1, 'd.com', 500])
      await frontier.clear('d.com')
      assert.deepEqual(plain(await frontier.outlook(T + 1500)), { ready: 3, resting: 0, down: 2 })
    },
  },
]
