import assert from 'node:assert/strict'
import type { Link } from '../../../src/frontier/frontier.ts'
import { plain } from '../player.ts'
import {
  again,
  auxiliaries,
  countsAre,
  done,
  explained,
  inShort,
  LEASE_MS,
  links,
  of,
  refused,
  type Sentence,
  T,
  take,
  takeOne,
  urlOf,
  viewOf,
  viewsOf,
} from './sentence.ts'

export const VIEWS: readonly Sentence[] = [
  {
    says: 'counts: known is the sum of waiting, leased, done and refused',
    async check({ frontier }) {
      await countsAre(frontier, {})
      await frontier.offer([...links('a/1 a/2 b/1 c/1 d/1'), ...auxiliaries('e/1')])
      const tickets = await take(frontier, 4, T)
      const auxiliary = of('e', tickets)
      const [first, second] = tickets.filter(ticket => ticket !== auxiliary)
      await frontier.settle([done(auxiliary), done(first!), refused(second!, 'robots')], T)
      await countsAre(frontier, { known: 5, waiting: 2, leased: 1, done: 1, refused: 1, pages: 1, hosts: 5 })
    },
  },
  {
    says: 'hosts: in the order in which they became known, with all that is known of them',
    needs: ['onePart'],
    async check({ frontier }) {
      await frontier.offer(links('c/1 a/1 c/2'))
      await frontier.setDelay('b.com', 5)
      await frontier.offer(links('a/2'))
      await frontier.hold('b.com', { forMs: 77 }, T)
      const fresh = { due: 0, readyInMs: 0, delayMs: 0, pages: 0, failures: 0, isDown: false, received: 0, turns: 0 }
      assert.deepEqual(await viewsOf(frontier, T + 7), [
        { ...fresh, host: 'c.com', waiting: 2, state: 'waiting' },
        { ...fresh, host: 'a.com', waiting: 2, state: 'waiting' },
        { ...fresh, host: 'b.com', waiting: 0, state: 'idle', readyInMs: 70, delayMs: 5 },
      ])
      const tickets = await take(frontier, 2, T)
      await frontier.place(of('a', tickets).id, 's', T)
      assert.deepEqual(
        (await viewsOf(frontier, T)).map(({ waiting, state, server }) => `${waiting} ${state} ${server}`),
        ['1 leased undefined', '1 leased s', '0 idle undefined'],
      )
      await frontier.settle([done(of('a', tickets), 250)], T + 10)
      const settled = {
        ...fresh,
        host: 'a.com',
        waiting: 1,
        state: 'waiting',
        readyInMs: 240,
        server: 's',
        pages: 1,
        turns: 1,
      }
      assert.deepEqual(await viewOf(frontier, 'a', T + 20), settled)
      assert.equal((await viewOf(frontier, 'a', T + 9999)).readyInMs, 0)
    },
  },
  {
    says: 'hosts: what links have given to each, and how many of its page tickets were leased',
    async check({ frontier }) {
      const [first, second, other] = links('a/1 a/2 b/1') as [Link, Link, Link]
      await frontier.offer([{ ...first, gives: 0.5 }, { ...second, gives: 0.25 }, other])
      await frontier.offer([{ ...first, gives: 1 }])
      await frontier.offer([{ ...second, gives: 8, refused: 'scope' }])
      await frontier.offer([{ ...other, url: urlOf('b/2'), gives: 8, refused: 'scope' }])
      await frontier.offer([{ ...other, kind: 'robots', gives: 8 }])
      const given = async () =>
        Object.fromEntries((await viewsOf(frontier, T)).map(({ host, received, turns }) => [host, [received, turns]]))
      assert.deepEqual(await given(), { 'a.com': [1.75, 0], 'b.com': [0, 0] })
      const tickets = await take(frontier, 9, T)
      assert.equal(inShort([of('b', tickets)]), 'b/1')
      const [ticket] = [of('a', tickets)]
      assert.equal('gives' in ticket, false)
      await frontier.settle([again(ticket, 0, [{ ...other, gives: 2 }])], T)
      // A ticket that was closed already: its links are offered all the same.
      await frontier.settle([done(ticket, 0, [{ ...other, gives: 4 }])], T)
      await frontier.giveBack([of('a', await take(frontier, 9, T)).id])
      await frontier.clear('a.com')
      assert.deepEqual(await given(), { 'a.com': [1.75, 2], 'b.com': [6, 0] })
      await frontier.clear()
      await frontier.offer(links('a/1'))
      assert.deepEqual(await given(), { 'a.com': [0, 0] })
    },
  },
  {
    says: 'hosts: as much as anybody may give never is more than a number can be',
    async check({ frontier }) {
      for (let n = 0; n < 2; n++) await frontier.offer(links('a/1 a/2').map(link => ({ ...link, gives: 1e308 })))
      assert.equal((await viewOf(frontier, 'a', T)).received, Number.MAX_VALUE)
      assert.equal(inShort(await take(frontier, 9, T)), 'a/1')
    },
  },
  {
    says: 'hosts: a host keeps its place when its list runs empty and fills again',
    needs: ['onePart'],
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      await frontier.settle(
        (await take(frontier, 2, T)).map(ticket => done(ticket)),
        T,
      )
      await frontier.offer(links('c/1 a/2'))
      assert.deepEqual(
        (await viewsOf(frontier)).map(({ host }) => host),
        ['a.com', 'b.com', 'c.com'],
      )
    },
  },
  {
    says: 'hosts: they come in pages, and the last one says so',
    needs: ['onePart'],
    async check({ frontier }) {
      assert.deepEqual(plain(await frontier.hosts({ limit: 5 }, T)), { items: [] })
      await frontier.offer(links('a/1 b/1 c/1 d/1 e/1'))
      const pages: string[] = []
      let after: string | undefined
      do {
        const page = await frontier.hosts({ limit: 2, ...(after === undefined ? {} : { after }) }, T)
        pages.push(page.items.map(({ host }) => host[0]).join(''))
        after = page.next
      } while (after !== undefined)
      assert.deepEqual(pages, ['ab', 'cd', 'e'])
      const whole = await frontier.hosts({ limit: 5 }, T)
      assert.deepEqual([whole.items.length, whole.next], [5, undefined])
      assert.equal((await frontier.hosts({ limit: 10_000 }, T)).items.length, 5)
      const first = await frontier.hosts({ limit: 5 - 1 }, T)
      await frontier.offer(links('f/1'))
      const rest = await frontier.hosts({ limit: 9, after: first.next! }, T)
      assert.deepEqual(
        rest.items.map(({ host }) => host),
        ['e.com', 'f.com'],
      )
    },
  },
  {
    says: 'waiting: the page links of a host in their order, in pages; nothing for a host that nobody knows',
    async check({ frontier }) {
      await frontier.offer([
        ...links('a/1 a/2', 1),
        ...links('a/3 a/4'),
        ...auxiliaries('a/robots'),
        ...links('a/5', 300),
      ])
      const pages: string[] = []
      let after: string | undefined
      do {
        const page = await frontier.waiting('a.com', { limit: 2, ...(after === undefined ? {} : { after }) })
        pages.push(inShort(page.items))
        after = page.next
      } while (after !== undefined)
      assert.deepEqual(pages, ['a/3 a/4', 'a/1 a/2', 'a/5'])
      const whole = await frontier.waiting('a.com', { limit: 5 })
      assert.deepEqual([whole.items.length, whole.next], [5, undefined])
      for (const host of ['b.com', 'nobody', 'x']) {
        const none = await frontier.waiting(host, { limit: 1 })
        assert.deepEqual([none.items.length, none.next], [0, undefined])
      }
    },
  },
  {
    says: 'explain: unknown, waiting with its place and time, leased, done, refused with the reason',
    async check({ frontier }) {
      await frontier.offer([...links('a/1 a/2 a/3 a/4', 1), ...links('a/first', 0), ...auxiliaries('a/robots')])
      await frontier.hold('a.com', { forMs: 5 }, T)
      assert.deepEqual(await explained(frontier, 'a/9'), { state: 'unknown' })
      const both = await frontier.explain(['no URL at all', '', urlOf('a/robots')], T)
      assert.deepEqual(
        both.map(({ state }) => state),
        ['unknown', 'unknown', 'unknown'],
      )
      const host = 'a.com'
      const waiting = { state: 'waiting', host, isExact: true, isDown: false }
      assert.deepEqual(await explained(frontier, 'a/first', T), { ...waiting, place: 0, readyInMs: 5 })
      assert.deepEqual(await explained(frontier, 'a/3', T + 1), { ...waiting, place: 3, readyInMs: 4 })
      await frontier.settle([done(await takeOne(frontier, T + 5))], T + 5)
      const ticket = await takeOne(frontier, T + 5)
      const leased = { state: 'leased', host, ticketId: ticket.id }
      assert.deepEqual(await explained(frontier, 'a/first', T + 6), { ...leased, leaseMs: LEASE_MS - 1 })
      assert.deepEqual(await explained(frontier, 'a/first', T + 10 + LEASE_MS), { ...leased, leaseMs: 0 })
      assert.deepEqual(await explained(frontier, 'a/3', T + 6), { ...waiting, place: 2, readyInMs: 0 })
      await frontier.settle([done(ticket)], T + 5)
      assert.deepEqual(await explained(frontier, 'a/first'), { state: 'done', host, isPage: true })
      await frontier.settle([refused(await takeOne(frontier, T + 5), 'scope')], T + 5)
      assert.deepEqual(await explained(frontier, 'a/1'), { state: 'refused', host, reason: 'scope' })
      await frontier.clear('a.com')
      assert.deepEqual(await explained(frontier, 'a/4'), { state: 'refused', host, reason: 'cleared' })
    },
  },
  {
    says: 'explain: several URLs in their order, also the same one twice',
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1'))
      const urls = ['b/1', 'z/1', 'a/1', 'b/1'].map(urlOf)
      const states = (await frontier.explain(urls, T)).map(one => (one.state === 'unknown' ? '' : one.host))
      assert.deepEqual(states, ['b.com', '', 'a.com', 'b.com'])
      assert.deepEqual(await frontier.explain([], T), [])
    },
  },
  {
    says: 'explain: the place is exact while at most 1,000 links of its host come before it',
    async check({ frontier }) {
      const deep = Array.from({ length: 700 }, (_, n) => ({ url: `http://a.com/d${n}`, rank: 2, hops: 0 }))
      const flat = Array.from({ length: 700 }, (_, n) => ({ url: `http://a.com/f${n}`, rank: 1, hops: 0 }))
      await frontier.offer([...deep, ...flat])
      const urls = ['f0', 'f699', 'd0', 'd299', 'd300', 'd301', 'd699'].map(name => urlOf(`a/${name}`))
      const places = (await frontier.explain(urls, T)).map(one => one.state === 'waiting' && [one.place, one.isExact])
      assert.deepEqual(places, [
        [0, true],
        [699, true],
        [700, true],
        [999, true],
        [1000, true],
        [1000, false],
        [1000, false],
      ])
      await frontier.settle([done(await takeOne(frontier, T))], T)
      const [next] = await frontier.explain([urlOf('a/d301')], T)
      assert.deepEqual(next?.state === 'waiting' && [next.place, next.isExact], [1000, true])
    },
  },
  {
    says: 'backlog: how much waits after which delay, about',
    options: { delayMs: 10 },
    async check({ frontier }) {
      assert.deepEqual(await frontier.backlog(), [])
      const shorts = ['a', 'b', 'c', 'd'].flatMap((host, n) =>
        Array.from({ length: 4 ** n }, (_, page) => `${host}/${page}`),
      )
      await frontier.offer(links(shorts.join(' ')))
      await frontier.setDelay('d.com', 1000)
      await frontier.setDelay('idle.com', 1000)
      const classes = await frontier.backlog()
      const isAbout = (about: number, exact: number) => about >= exact / 2 && about <= exact * 2
      const total = (of: (one: (typeof classes)[number]) => number) => classes.reduce((sum, one) => sum + of(one), 0)
      assert.equal(
        total(({ hosts }) => hosts),
        4,
      )
      assert.ok(
        isAbout(
          total(({ hosts, waiting }) => hosts * waiting),
          shorts.length,
        ),
      )
      const slow = classes.filter(({ delayMs }) => isAbout(delayMs, 1000))
      assert.ok(slow.length === 1 && slow[0]!.hosts === 1 && isAbout(slow[0]!.waiting, 64))
      assert.ok(slow[0]!.example === undefined || slow[0]!.example === 'd.com')
      assert.ok(classes.filter(one => one !== slow[0]).every(({ delayMs }) => isAbout(delayMs, 10)))
    },
  },
]
