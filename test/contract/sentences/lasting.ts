import assert from 'node:assert/strict'
import {
  again,
  done,
  drain,
  inShort,
  isRefused,
  links,
  refused,
  type Sentence,
  T,
  takeOne,
  takesNothing,
  urlOf,
  viewOf,
} from './sentence.ts'

/** What holds when a frontier is closed, and opened again. */
export const LASTING: readonly Sentence[] = [
  {
    says: 'close: after it every call is refused',
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      const ticket = await takeOne(frontier, T)
      await frontier.close()
      const calls = [
        () => frontier.offer(links('a/2')),
        () => frontier.take(1, T),
        () => frontier.settle([done(ticket)], T),
        () => frontier.giveBack([ticket.id]),
        () => frontier.renew([ticket.id], T),
        () => frontier.setDelay('a.com', 1),
        () => frontier.blockUntil('a.com', T),
        () => frontier.tie(['a.com', 'b.com']),
        () => frontier.clear(),
        () => frontier.clear('a.com'),
      ]
      for (const call of calls) await assert.rejects(call, { code: 'FRONTIER_CLOSED' })
    },
  },
  {
    says: 'close: calls that were made before it are finished first',
    needsReopening: true,
    async check(subject) {
      const { frontier } = subject
      const calls = [frontier.offer(links('a/1')), frontier.offer(links('a/2 b/1')), frontier.setDelay('c.com', 9)]
      await subject.reopen()
      assert.deepEqual(await Promise.all(calls), [1, 2, undefined])
      assert.deepEqual(subject.frontier.counts(), { known: 3, waiting: 3, lent: 0, done: 0, refused: 0, hosts: 3 })
    },
  },
  {
    says: 'reopening: nothing that was there is lost, and it is lent in the same order',
    needsReopening: true,
    async check(subject) {
      const { frontier } = subject
      const shorts = 'a/1 a/2 b/1 a/3 c/1 c/2 d/1 e/1'
      await frontier.offer([...links(shorts), ...links('b/deep c/deep', 300)])
      const tickets = await frontier.take(4, T)
      await frontier.settle(
        [done(tickets[0]!, 100), refused(tickets[1]!, 'robots'), again(tickets[2]!, 70, links('f/1 a/9'))],
        T,
      )
      await frontier.giveBack([tickets[3]!.id])
      await frontier.clear('e.com')
      const urls = [...shorts.split(' '), 'b/deep', 'f/1', 'a/9', 'z/1'].map(urlOf)
      const before = viewOf(frontier, urls)
      await subject.reopen()
      assert.deepEqual(viewOf(subject.frontier, urls), before)
      assert.equal(await subject.frontier.offer(links(shorts)), 0)
      assert.equal((await drain(subject.frontier, T)).length, subject.frontier.counts().done - 1)
      await subject.reopen()
      await takesNothing(subject.frontier, T + 1e9)
    },
  },
  {
    says: 'reopening: an empty frontier stays empty',
    needsReopening: true,
    async check(subject) {
      await subject.reopen()
      await subject.reopen()
      assert.equal(subject.frontier.counts().known, 0)
      assert.equal(await subject.frontier.offer(links('a/1')), 1)
    },
  },
  {
    says: 'close: tickets that are open come back at the next opening, in the order in which they were lent',
    needsReopening: true,
    async check(subject) {
      await subject.frontier.offer(links('a/1 a/2 b/1'))
      const tickets = await subject.frontier.take(2, T)
      await subject.reopen()
      assert.equal(subject.frontier.counts().lent, 0)
      assert.equal(inShort(subject.frontier.waiting('a.com')), 'a/2 a/1')
      const call = () => subject.frontier.settle([done(tickets[0]!)], T)
      await isRefused(subject.frontier, 'FRONTIER_TICKET_CLOSED', call)
      const lent = await drain(subject.frontier, T)
      assert.equal(lent.length, 3)
      assert.deepEqual(new Set(lent.map(({ attempt }) => attempt)), new Set([1]))
      const ids = [...tickets, ...lent].map(({ id }) => id)
      assert.equal(new Set(ids).size, ids.length)
    },
  },
  {
    says: 'promise 6: a visit that a restart cut off counts for the delay of its host',
    needsReopening: true,
    options: { delayMs: 100 },
    async check(subject) {
      await subject.frontier.setDelay('b.com', 400)
      await subject.frontier.offer(links('a/1 b/1'))
      await subject.frontier.take(2, T)
      await subject.reopen()
      await takesNothing(subject.frontier, T + 99)
      assert.equal(inShort(await subject.frontier.take(9, T + 399)), 'a/1')
      assert.equal(inShort(await subject.frontier.take(9, T + 400)), 'b/1')
    },
  },
  {
    says: 'promise 6: delays, blocks, ties and times hold across a restart',
    needsReopening: true,
    async check(subject) {
      const { frontier } = subject
      await frontier.offer(links('a/1 a/2 b/1 c/1 d/1 d/2'))
      await frontier.tie(['a.com', 'b.com'])
      await frontier.setDelay('d.com', 1000)
      await frontier.blockUntil('c.com', T + 500)
      for (const ticket of await frontier.take(9, T)) await frontier.settle([done(ticket, 200)], T)
      await subject.reopen()
      await takesNothing(subject.frontier, T + 199)
      const [tied] = await subject.frontier.take(9, T + 200)
      assert.match(tied!.host, /^[ab]/)
      await subject.reopen()
      assert.match(inShort(await subject.frontier.take(9, T + 499)), /^[ab]\/.$/)
      assert.equal(inShort(await subject.frontier.take(9, T + 500)), 'c/1')
      await takesNothing(subject.frontier, T + 999)
      assert.equal(inShort(await subject.frontier.take(9, T + 1000)), 'd/2')
    },
  },
  {
    says: 'reopening: what was forgotten stays forgotten, and ticket numbers go on',
    needsReopening: true,
    async check(subject) {
      await subject.frontier.offer(links('a/1 b/1'))
      const tickets = await subject.frontier.take(2, T)
      await subject.frontier.clear()
      await subject.reopen()
      assert.equal(subject.frontier.counts().known, 0)
      assert.equal(await subject.frontier.offer(links('b/1 a/1')), 2)
      const next = await subject.frontier.take(2, T)
      assert.equal(new Set([...tickets, ...next].map(({ id }) => id)).size, 4)
    },
  },
  {
    says: 'reopening: with other options the links are the same',
    needsReopening: true,
    async check(subject) {
      await subject.frontier.offer(links('a/1 a/2 b/1 c/1'))
      await subject.frontier.settle([done(await takeOne(subject.frontier, T))], T)
      for (const strategy of ['depth', 'best', 'explore', 'breadth'] as const) {
        await subject.reopen({ strategy, seed: 3, leaseMs: 10, delayMs: 1000 })
        assert.deepEqual(subject.frontier.counts(), { known: 4, waiting: 3, lent: 0, done: 1, refused: 0, hosts: 3 })
      }
      const ticket = await takeOne(subject.frontier, T + 5)
      assert.equal(ticket.dueMs, T + 15)
      await subject.frontier.settle([done(ticket)], T + 5)
      assert.equal([...subject.frontier.hosts()].find(({ host }) => host === ticket.host)!.readyAtMs, T + 1005)
      assert.equal((await drain(subject.frontier, T + 5000)).length, 2)
    },
  },
]
