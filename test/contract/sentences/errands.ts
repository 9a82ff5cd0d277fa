import assert from 'node:assert/strict'
import {
  again,
  countsAre,
  done,
  drain,
  errands,
  explained,
  inShort,
  isPlaced,
  links,
  of,
  refused,
  type Sentence,
  T,
  take,
  takeOne,
  takesNothing,
  viewOf,
} from './sentence.ts'

export const ERRANDS: readonly Sentence[] = [
  {
    says: 'errands: they are leased before the pages of their host, in the order in which they were offered',
    async check({ frontier }) {
      await frontier.offer([...links('a/1'), ...errands('a/z a/y', 'sitemap'), ...errands('a/robots')])
      const leased = await drain(frontier, T)
      assert.equal(inShort(leased), 'a/z a/y a/robots a/1')
      assert.deepEqual(
        leased.map(({ kind }) => kind),
        ['sitemap', 'sitemap', 'robots', 'page'],
      )
    },
  },
  {
    says: 'errands: new once while they wait or are leased, and again once they were settled',
    async check({ frontier }) {
      const [errand] = errands('a/x')
      const others = [{ ...errand!, kind: 'sitemap' as const }, { ...errand!, note: 'n' }, ...errands('a/y')]
      assert.equal(await frontier.offer([errand!, errand!, ...others, ...others]), 4)
      const ticket = await takeOne(frontier, T)
      assert.equal(await frontier.offer([errand!, { ...errand!, hops: 7 }]), 0)
      await frontier.settle([done(ticket)], T)
      assert.equal(await frontier.offer([errand!, ...others]), 1)
      assert.equal(inShort(await drain(frontier, T)), 'a/x a/x a/y a/x')
    },
  },
  {
    says: 'errands: they are not known, waiting, leased, done or refused, and a page with the same URL is another link',
    async check({ frontier }) {
      await frontier.offer([...errands('a/1 a/2'), ...links('a/1')])
      await countsAre(frontier, { known: 1, waiting: 1, errands: 2, hosts: 1 })
      const ticket = await takeOne(frontier, T)
      await countsAre(frontier, { known: 1, waiting: 1, errands: 2, hosts: 1 })
      assert.equal((await explained(frontier, 'a/1')).state, 'waiting')
      assert.equal((await explained(frontier, 'a/2')).state, 'unknown')
      await frontier.settle([done(ticket)], T)
      await frontier.settle([refused(await takeOne(frontier, T), 'none')], T)
      await countsAre(frontier, { known: 1, waiting: 1, hosts: 1 })
      assert.equal((await takeOne(frontier, T)).hostPages, 0)
    },
  },
  {
    says: 'errands: again goes to the end with one more attempt, given back to the front, run out to the end',
    options: { leaseMs: 100 },
    async check({ frontier }) {
      await frontier.offer(errands('a/1 a/2'))
      const first = await takeOne(frontier, T)
      await frontier.giveBack([first.id])
      const second = await takeOne(frontier, T)
      assert.deepEqual([inShort([second]), second.attempt], ['a/1', 1])
      await frontier.settle([again(second)], T)
      const third = await takeOne(frontier, T)
      assert.equal(inShort([third]), 'a/2')
      const fourth = await takeOne(frontier, T + 100)
      assert.deepEqual([inShort([fourth]), fourth.attempt], ['a/1', 2])
      await frontier.settle([done(fourth)], T + 100)
      const fifth = await takeOne(frontier, T + 100)
      assert.deepEqual([inShort([fifth]), fifth.attempt], ['a/2', 1])
    },
  },
  {
    says: 'errands: a ticket that found no room keeps its place in front',
    options: { perServer: 1 },
    async check({ frontier }) {
      await isPlaced(frontier, 's', 'b/0', T)
      await frontier.offer([...links('b/1'), ...errands('a/1 a/2')])
      const tickets = await take(frontier, 9, T)
      assert.equal(await frontier.place(of('a', tickets).id, 's', T), false)
      await frontier.settle([done(of('b', tickets))], T)
      assert.equal(inShort(await take(frontier, 9, T)), 'a/1')
    },
  },
  {
    says: 'errands: those who joined first come first, before all pages, and no more than `errands` are open',
    needs: ['onePart'],
    options: { errands: 2 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1 c/1'))
      await frontier.offer(errands('d/1 c/1 b/1'))
      assert.equal(inShort(await take(frontier, 2, T)), 'b/1 c/1')
      const rest = await take(frontier, 9, T)
      assert.equal(inShort(rest), 'a/1')
      await takesNothing(frontier, T)
      await countsAre(frontier, { known: 3, waiting: 2, leased: 1, errands: 3, hosts: 4 })
    },
  },
  {
    says: 'errands: while one waits, no page of its host is leased, also when no errand may be',
    options: { errands: 0 },
    async check({ frontier }) {
      await frontier.offer([...links('a/1 b/1'), ...errands('a/robots')])
      assert.equal(inShort(await take(frontier, 9, T)), 'b/1')
    },
  },
  {
    says: 'errands: a host in line leaves it when an errand is offered to it, and joins anew at the next take',
    needs: ['onePart'],
    options: { perServer: 1 },
    async check({ frontier }) {
      for (const host of 'abc') await isPlaced(frontier, 's', `${host}/0`, T)
      await frontier.offer(errands('a/x b/x'))
      await take(frontier, 0, T)
      await frontier.offer([...errands('a/y'), ...links('b/1')])
      const first = await takeOne(frontier, T)
      assert.equal(inShort([first]), 'b/x')
      await frontier.settle([done(first)], T)
      assert.equal(inShort([await takeOne(frontier, T)]), 'a/x')
    },
  },
  {
    says: 'errands: one that is not new moves nobody',
    needs: ['onePart'],
    options: { perServer: 1 },
    async check({ frontier }) {
      for (const host of 'ab') await isPlaced(frontier, 's', `${host}/0`, T)
      await frontier.offer(errands('b/x'))
      await take(frontier, 0, T)
      await frontier.offer(errands('a/x b/x'))
      assert.equal(inShort([await takeOne(frontier, T)]), 'b/x')
    },
  },
  {
    says: 'errands: at a server they have their own line, and count for its room and its gap',
    needs: ['onePart'],
    options: { perServer: 2, serverGapMs: 50 },
    async check({ frontier }) {
      await isPlaced(frontier, 's', 'a/0', T)
      await isPlaced(frontier, 's', 'b/0', T + 50)
      await frontier.offer([...links('a/1'), ...errands('b/x')])
      assert.equal(inShort(await take(frontier, 9, T + 100)), 'b/x')
      await takesNothing(frontier, T + 149)
      assert.equal(inShort(await take(frontier, 9, T + 150)), 'a/1')
    },
  },
  {
    says: 'errands: a host with nothing but an errand waits; clear forgets it, and gone drops it',
    async check({ frontier }) {
      await frontier.offer(errands('a/x b/x b/y'))
      assert.equal((await viewOf(frontier, 'a')).state, 'waiting')
      assert.equal((await viewOf(frontier, 'a')).waiting, 0)
      await frontier.clear('a.com')
      assert.equal((await viewOf(frontier, 'a')).state, 'idle')
      await frontier.settle([refused(await takeOne(frontier, T), 'dns', 'gone')], T)
      await countsAre(frontier, { hosts: 2 })
      await takesNothing(frontier, T)
      assert.equal(await frontier.offer(errands('a/x b/x')), 2)
    },
  },
]
