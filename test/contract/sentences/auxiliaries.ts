import assert from 'node:assert/strict'
import {
  again,
  auxiliaries,
  countsAre,
  done,
  drain,
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

export const AUXILIARIES: readonly Sentence[] = [
  {
    says: 'auxiliary links: they are leased before the pages of their host, in the order in which they were offered',
    async check({ frontier }) {
      await frontier.offer([...links('a/1'), ...auxiliaries('a/z a/y', 'sitemap'), ...auxiliaries('a/robots')])
      const leased = await drain(frontier, T)
      assert.equal(inShort(leased), 'a/z a/y a/robots a/1')
      assert.deepEqual(
        leased.map(({ kind }) => kind),
        ['sitemap', 'sitemap', 'robots', 'page'],
      )
    },
  },
  {
    says: 'auxiliary links: new once while they wait or are leased, and again once they were settled',
    async check({ frontier }) {
      const [auxiliary] = auxiliaries('a/x')
      const others = [{ ...auxiliary!, kind: 'sitemap' as const }, { ...auxiliary!, note: 'n' }, ...auxiliaries('a/y')]
      assert.equal(await frontier.offer([auxiliary!, auxiliary!, ...others, ...others]), 4)
      const ticket = await takeOne(frontier, T)
      assert.equal(await frontier.offer([auxiliary!, { ...auxiliary!, hops: 7 }]), 0)
      await frontier.settle([done(ticket)], T)
      assert.equal(await frontier.offer([auxiliary!, ...others]), 1)
      assert.equal(inShort(await drain(frontier, T)), 'a/x a/x a/y a/x')
    },
  },
  {
    says: 'auxiliary links: they are not known, waiting, leased, done or refused, and a page with the same URL is another link',
    async check({ frontier }) {
      await frontier.offer([...auxiliaries('a/1 a/2'), ...links('a/1')])
      await countsAre(frontier, { known: 1, waiting: 1, auxiliaries: 2, hosts: 1 })
      const ticket = await takeOne(frontier, T)
      await countsAre(frontier, { known: 1, waiting: 1, auxiliaries: 2, hosts: 1 })
      assert.equal((await explained(frontier, 'a/1')).state, 'waiting')
      assert.equal((await explained(frontier, 'a/2')).state, 'unknown')
      await frontier.settle([done(ticket)], T)
      await frontier.settle([refused(await takeOne(frontier, T), 'none')], T)
      await countsAre(frontier, { known: 1, waiting: 1, hosts: 1 })
      assert.equal((await takeOne(frontier, T)).hostPages, 0)
    },
  },
  {
    says: 'auxiliary links: again goes to the end with one more attempt, given back to the front, run out to the end',
    options: { leaseMs: 100 },
    async check({ frontier }) {
      await frontier.offer(auxiliaries('a/1 a/2'))
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
    says: 'auxiliary links: a ticket that found no room keeps its place in front',
    options: { perServer: 1 },
    async check({ frontier }) {
      await isPlaced(frontier, 's', 'b/0', T)
      await frontier.offer([...links('b/1'), ...auxiliaries('a/1 a/2')])
      const tickets = await take(frontier, 9, T)
      assert.equal(await frontier.place(of('a', tickets).id, 's', T), false)
      await frontier.settle([done(of('b', tickets))], T)
      assert.equal(inShort(await take(frontier, 9, T)), 'a/1')
    },
  },
  {
    says: 'auxiliary links: those who joined first come first, before all pages, and no more than `auxiliaries` are open',
    needs: ['onePart'],
    options: { auxiliaries: 2 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1 c/1'))
      await frontier.offer(auxiliaries('d/1 c/1 b/1'))
      assert.equal(inShort(await take(frontier, 2, T)), 'b/1 c/1')
      const rest = await take(frontier, 9, T)
      assert.equal(inShort(rest), 'a/1')
      await takesNothing(frontier, T)
      await countsAre(frontier, { known: 3, waiting: 2, leased: 1, auxiliaries: 3, hosts: 4 })
    },
  },
  {
    says: 'auxiliary links: while one waits, no page of its host is leased, also when no auxiliary link may be',
    options: { auxiliaries: 0 },
    async check({ frontier }) {
      await frontier.offer([...links('a/1 b/1'), ...auxiliaries('a/robots')])
      assert.equal(inShort(await take(frontier, 9, T)), 'b/1')
    },
  },
  {
    says: 'auxiliary links: a host in line leaves it when an auxiliary link is offered to it, and joins anew at the next take',
    needs: ['onePart'],
    options: { perServer: 1 },
    async check({ frontier }) {
      for (const host of 'abc') await isPlaced(frontier, 's', `${host}/0`, T)
      await frontier.offer(auxiliaries('a/x b/x'))
      await take(frontier, 0, T)
      await frontier.offer([...auxiliaries('a/y'), ...links('b/1')])
      const first = await takeOne(frontier, T)
      assert.equal(inShort([first]), 'b/x')
      await frontier.settle([done(first)], T)
      assert.equal(inShort([await takeOne(frontier, T)]), 'a/x')
    },
  },
  {
    says: 'auxiliary links: one that is not new moves nobody',
    needs: ['onePart'],
    options: { perServer: 1 },
    async check({ frontier }) {
      for (const host of 'ab') await isPlaced(frontier, 's', `${host}/0`, T)
      await frontier.offer(auxiliaries('b/x'))
      await take(frontier, 0, T)
      await frontier.offer(auxiliaries('a/x b/x'))
      assert.equal(inShort([await takeOne(frontier, T)]), 'b/x')
    },
  },
  {
    says: 'auxiliary links: at a server they have their own line, and count for its room and its gap',
    needs: ['onePart'],
    options: { perServer: 2, serverGapMs: 50 },
    async check({ frontier }) {
      await isPlaced(frontier, 's', 'a/0', T)
      await isPlaced(frontier, 's', 'b/0', T + 50)
      await frontier.offer([...links('a/1'), ...auxiliaries('b/x')])
      assert.equal(inShort(await take(frontier, 9, T + 100)), 'b/x')
      await takesNothing(frontier, T + 149)
      assert.equal(inShort(await take(frontier, 9, T + 150)), 'a/1')
    },
  },
  {
    says: 'auxiliary links: a host with nothing but an auxiliary link waits; clear forgets it, and gone drops it',
    async check({ frontier }) {
      await frontier.offer(auxiliaries('a/x b/x b/y'))
      assert.equal((await viewOf(frontier, 'a')).state, 'waiting')
      assert.equal((await viewOf(frontier, 'a')).waiting, 0)
      await frontier.clear('a.com')
      assert.equal((await viewOf(frontier, 'a')).state, 'idle')
      await frontier.settle([refused(await takeOne(frontier, T), 'dns', 'gone')], T)
      await countsAre(frontier, { hosts: 2 })
      await takesNothing(frontier, T)
      assert.equal(await frontier.offer(auxiliaries('a/x b/x')), 2)
    },
  },
]
