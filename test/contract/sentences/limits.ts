import assert from 'node:assert/strict'
import {
  again,
  auxiliaries,
  done,
  inShort,
  isRefused,
  links,
  of,
  refused,
  type Sentence,
  sorted,
  T,
  take,
  takeOne,
  takesNothing,
  urlOf,
} from './sentence.ts'

export const LIMITS: readonly Sentence[] = [
  {
    says: 'promise 8: with a limit no more page tickets are open than pages are missing; auxiliary links do not count',
    options: { limit: 3 },
    async check({ frontier }) {
      await frontier.offer([...links('a/1 b/1 c/1 d/1 e/1 f/1'), ...auxiliaries('g/robots')])
      const tickets = await take(frontier, 9, T)
      assert.equal(tickets.filter(({ kind }) => kind === 'page').length, 3)
      assert.equal(tickets.length, 4)
      await takesNothing(frontier, T)
      const pages = tickets.filter(({ kind }) => kind === 'page')
      await frontier.settle([done(pages[0]!), refused(pages[1]!, 'robots')], T)
      await frontier.settle([{ ...done(pages[2]!), outcome: { kind: 'done', isPage: false } }], T)
      const taken = await frontier.take(9, T)
      assert.equal(taken.tickets.length, 2)
      assert.equal(taken.end, undefined)
      await frontier.settle(
        taken.tickets.map(ticket => done(ticket)),
        T,
      )
      const last = await frontier.take(9, T)
      assert.deepEqual([last.tickets.length, last.end], [0, 'limit'])
      assert.equal((await frontier.counts()).pages, 3)
    },
  },
  {
    says: 'end: limit, also when nothing is left; and after it auxiliary links are leased still',
    options: { limit: 1 },
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      await frontier.settle([done(await takeOne(frontier, T))], T)
      assert.equal((await frontier.take(9, T)).end, 'limit')
      await frontier.offer([...links('a/2'), ...auxiliaries('b/x')])
      const taken = await frontier.take(9, T)
      assert.equal(inShort(taken.tickets), 'b/x')
      assert.equal(taken.end, 'limit')
    },
  },
  {
    says: 'end: a page of a former visit counts for the limit; after everything was forgotten it counts from 0',
    options: { limit: 1 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2'))
      await frontier.settleFormer([{ url: urlOf('a/1'), isPage: true, links: [] }], T)
      assert.equal((await frontier.take(9, T)).end, 'limit')
      await frontier.clear()
      await frontier.offer(links('a/1'))
      await takeOne(frontier, T)
    },
  },
  {
    says: 'promise 8: a lease that expired is not leased again when a former visit has taken its place in the limit',
    options: { limit: 2, leaseMs: 10 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 b/1 z/1 z/2'))
      const visited = async (url: string, nowMs: number) =>
        frontier.settleFormer([{ url: urlOf(url), isPage: true, links: [] }], nowMs)
      await frontier.hold('z.com', { forMs: 1000 }, T)
      assert.equal((await take(frontier, 9, T)).length, 2)
      await visited('z/1', T)
      assert.equal((await take(frontier, 9, T + 10)).length, 1)
      await visited('z/2', T + 10)
      const last = await frontier.take(9, T + 20)
      assert.deepEqual([last.tickets.length, last.end], [0, 'limit'])
    },
  },
  {
    says: 'end: nothing left only when no ticket is open and nothing waits; not by max',
    async check({ frontier }) {
      assert.equal((await frontier.take(0, T)).end, 'nothing left')
      await frontier.offer(links('a/1'))
      assert.equal((await frontier.take(0, T)).end, undefined)
      const taken = await frontier.take(1, T)
      assert.equal(taken.end, undefined)
      await frontier.settle([done(taken.tickets[0]!)], T)
      assert.equal((await frontier.take(1, T)).end, 'nothing left')
    },
  },
  {
    says: 'unproven: no more page tickets of unproven hosts are open; proven hosts and auxiliary links go on',
    options: { unproven: 2 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2 b/1 b/2 c/1 d/1'))
      const first = await take(frontier, 9, T)
      assert.equal(first.length, 2)
      await takesNothing(frontier, T)
      await frontier.settle(
        first.map(ticket => again(ticket)),
        T,
      )
      await frontier.offer(auxiliaries('e/robots'))
      const second = await take(frontier, 9, T)
      assert.equal(second.filter(({ isProven }) => isProven).length, 2)
      assert.equal(second.filter(({ isProven, kind }) => !isProven && kind === 'page').length, 2)
      assert.equal(second.length, 5)
    },
  },
  {
    says: 'unproven: a host that fails is unproven again, and one that answers is proven',
    options: { unproven: 1 },
    async check({ frontier }) {
      await frontier.offer(links('a/1 a/2 b/1 b/2'))
      const first = await takeOne(frontier, T)
      await frontier.settle([done(first)], T)
      const both = await take(frontier, 9, T)
      assert.equal(both.length, 2)
      await frontier.settle([again(of(first.host.slice(0, 1), both), 0, [], 'trouble')], T)
      await takesNothing(frontier, T + 1000)
    },
  },
  {
    says: 'change: a lower bound on unproven hosts or auxiliary links holds when the leases that are too many expire',
    options: { unproven: 3, auxiliaries: 3, leaseMs: 10 },
    async check({ frontier }) {
      await frontier.offer([...links('a/1 b/1 c/1 d/1'), ...auxiliaries('e/x f/x g/x h/x')])
      assert.equal((await take(frontier, 9, T)).length, 6)
      await frontier.change({ unproven: 1, auxiliaries: 2 })
      await takesNothing(frontier, T)
      const tickets = await take(frontier, 9, T + 10)
      assert.equal(tickets.filter(({ kind }) => kind === 'page').length, 1)
      assert.equal(tickets.length, 3)
    },
  },
  {
    says: 'options: one that is out of range is an error at opening',
    needs: ['reopen'],
    async check(subject) {
      const durations = ['leaseMs', 'delayMs', 'serverGapMs']
      const bounds = [
        'perServer',
        'retries',
        'limit',
        'unproven',
        'auxiliaries',
        'maxHosts',
        'maxHostsPerDomain',
        'maxNewHosts',
      ]
      const wrong: object[] = [
        { strategy: 'random' },
        { exploreChance: -0.1 },
        { exploreChance: 1.1 },
        { exploreChance: Number.NaN },
        ...[...durations, ...bounds].flatMap(name => [{ [name]: -1 }, { [name]: Number.NaN }]),
        ...durations.slice(1).map(name => ({ [name]: Number.POSITIVE_INFINITY })),
      ]
      for (const options of wrong) {
        await assert.rejects(subject.reopen(options), { code: 'FRONTIER_BAD_OPTION' }, JSON.stringify(options))
      }
      await subject.reopen({})
      assert.equal(await subject.frontier.offer(links('a/1')), 1)
    },
  },
  {
    says: 'values: durations and hosts that are not valid are errors, and then nothing has happened',
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      const code = 'FRONTIER_BAD_VALUE'
      const bytes = new Uint8Array([1])
      for (const ms of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
        await isRefused(frontier, code, () => frontier.hold('b.com', { forMs: ms }, T))
        await isRefused(frontier, code, () => frontier.setDelay('b.com', ms))
        await isRefused(frontier, code, () => frontier.note('a.com', 'key', bytes, ms, T))
      }
      for (const host of ['', 'x'.repeat(65_536)]) {
        await isRefused(frontier, code, () => frontier.hold(host, { forMs: 1 }, T))
        await isRefused(frontier, code, () => frontier.setDelay(host, 1))
        await isRefused(frontier, code, () => frontier.note(host, 'key', bytes, 1, T))
      }
      for (const limit of [0, -1, 1.5, 10_001, Number.NaN]) {
        await isRefused(frontier, code, () => frontier.hosts({ limit }, T))
        await isRefused(frontier, code, () => frontier.waiting('a.com', { limit }))
      }
      for (const after of ['', 'x', '-1', '1,5', '1e3', 'NaN']) {
        await isRefused(frontier, code, () => frontier.hosts({ limit: 1, after }, T))
        await isRefused(frontier, code, () => frontier.waiting('a.com', { limit: 1, after }))
      }
      assert.equal(sorted(inShort(await take(frontier, 9, T))), 'a/1')
    },
  },
]
