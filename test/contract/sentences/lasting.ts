import assert from 'node:assert/strict'
import {
  again,
  auxiliaries,
  countsAre,
  done,
  drain,
  explained,
  HOUR_MS,
  inShort,
  isPlaced,
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
  viewOf,
  waitingAt,
  wholeOf,
} from './sentence.ts'

/** What holds when a frontier is closed, and opened again. */
export const LASTING: readonly Sentence[] = [
  {
    says: 'close: after it every call but close is refused',
    async check({ frontier }) {
      await frontier.offer(links('a/1'))
      const ticket = await takeOne(frontier, T)
      await frontier.close()
      const calls = [
        () => frontier.offer(links('a/2')),
        () => frontier.take(1, T),
        () => frontier.place(ticket.id, 's', T),
        () => frontier.settle([done(ticket)], T),
        () => frontier.settleFormer([], T),
        () => frontier.giveBack([ticket.id]),
        () => frontier.renew([ticket.id], T),
        () => frontier.setDelay('a.com', 1),
        () => frontier.hold('a.com', { forMs: 1 }, T),
        () => frontier.note('a.com', 'key', new Uint8Array(), 1, T),
        () => frontier.noted('a.com', 'key', T),
        () => frontier.counts(),
        () => frontier.backlog(),
        () => frontier.explain([], T),
        () => frontier.links({ state: 'waiting' }, { limit: 1 }),
        () => frontier.link(urlOf('a/1')),
        () => frontier.host('a.com', T),
        () => frontier.requeue([]),
        () => frontier.outlook(T),
        () => frontier.hosts({ limit: 1 }, T),
        () => frontier.waiting('a.com', { limit: 1 }),
        () => frontier.clear(),
        () => frontier.clear('a.com'),
      ]
      for (const call of calls) await assert.rejects(call, { code: 'FRONTIER_CLOSED' }, String(call))
      await frontier.close()
    },
  },
  {
    says: 'close: calls that were made before it are finished first',
    needs: ['reopen'],
    async check(subject) {
      const { frontier } = subject
      const calls = [frontier.offer(links('a/1')), frontier.offer(links('a/2 b/1')), frontier.setDelay('c.com', 9)]
      await subject.reopen()
      assert.deepEqual(await Promise.all(calls), [1, 2, undefined])
      await countsAre(subject.frontier, { known: 3, waiting: 3, hosts: 3 })
    },
  },
  {
    says: 'reopening: nothing that was there is lost, and it is leased in the same order',
    needs: ['reopen'],
    async check(subject) {
      const { frontier } = subject
      const shorts = 'a/1 a/2 b/1 a/3 c/1 c/2 d/1 e/1'
      await frontier.offer([...links(shorts), ...links('b/deep c/deep', 300), ...auxiliaries('e/robots')])
      await frontier.offer([{ url: urlOf('n/1'), rank: 1, hops: 2, note: 'noted' }])
      const tickets = await take(frontier, 5, T)
      await frontier.settle(
        [
          done(tickets[0]!, 100),
          refused(tickets[1]!, 'robots'),
          again(tickets[2]!, 70, links('f/1 a/9')),
          again(tickets[3]!, 0, [], 'silence'),
        ],
        T,
      )
      await frontier.giveBack([tickets[4]!.id])
      await frontier.clear('d.com')
      const urls = [...shorts.split(' '), 'b/deep', 'f/1', 'a/9', 'n/1', 'z/1'].map(urlOf)
      const before = await wholeOf(frontier, urls)
      await subject.reopen()
      assert.deepEqual(await wholeOf(subject.frontier, urls), before)
      assert.equal(await subject.frontier.offer(links(shorts)), 0)
      const { waiting } = await subject.frontier.counts()
      const leased = await drain(subject.frontier, T)
      assert.equal(leased.filter(({ kind }) => kind === 'page').length, waiting)
      assert.equal(of('n', leased).note, 'noted')
      await subject.reopen()
      await takesNothing(subject.frontier, T + 1e9)
    },
  },
  {
    says: 'reopening: an empty frontier stays empty',
    needs: ['reopen'],
    async check(subject) {
      await subject.reopen()
      await subject.reopen()
      await countsAre(subject.frontier, {})
      assert.equal(await subject.frontier.offer(links('a/1')), 1)
    },
  },
  {
    says: 'close: tickets that are open come back at the next opening, to the end of their lists',
    needs: ['reopen'],
    async check(subject) {
      await subject.frontier.offer([...links('a/1 a/2 b/1'), ...auxiliaries('c/1 c/2')])
      const tickets = await take(subject.frontier, 3, T)
      await subject.reopen()
      await countsAre(subject.frontier, { known: 3, waiting: 3, auxiliaries: 2, hosts: 3 })
      assert.equal(inShort(await waitingAt(subject.frontier, 'a')), 'a/2 a/1')
      const { late } = await subject.frontier.settle([done(tickets[0]!)], T)
      assert.deepEqual(late, [tickets[0]!.id])
      const leased = await drain(subject.frontier, T)
      assert.equal(inShort(leased.filter(({ host }) => host === 'c.com')), 'c/2 c/1')
      assert.equal(leased.length, 5)
      assert.ok(leased.every(({ attempt }) => attempt === 1))
      const last = Math.max(...tickets.map(({ id }) => id))
      assert.ok(leased.every(({ id }) => id > last))
    },
  },
  {
    says: 'reopening: a visit that a restart cut off counts for the delay of its host, from the opening on',
    needs: ['reopen'],
    options: { delayMs: 100 },
    async check(subject, clock) {
      await subject.frontier.setDelay('b.com', 400)
      await subject.frontier.offer(links('a/1 b/1 c/1'))
      await subject.frontier.take(3, T)
      await subject.frontier.hold('c.com', { forMs: 1000 }, T)
      clock.nowMs = T + 50
      await subject.reopen()
      await takesNothing(subject.frontier, T + 149)
      assert.equal(inShort(await take(subject.frontier, 9, T + 449)), 'a/1')
      assert.equal(inShort(await take(subject.frontier, 9, T + 999)), 'b/1')
      assert.equal(inShort(await take(subject.frontier, 9, T + 1000)), 'c/1')
    },
  },
  {
    says: 'promise 7: delays, blocks, servers, gaps, failures, proof and pages hold across a restart',
    options: { serverGapMs: 500 },
    needs: ['reopen'],
    async check(subject, clock) {
      const { frontier } = subject
      await isPlaced(frontier, 's', 'a/1', T)
      await isPlaced(frontier, 's', 'b/1', T + 500)
      await frontier.offer(links('a/2 b/2 c/1 d/1 e/1'))
      await frontier.setDelay('d.com', 1000)
      await frontier.hold('c.com', { forMs: 700 }, T + 500)
      const tickets = await take(frontier, 9, T + 600)
      await frontier.settle([again(of('d', tickets)), again(of('e', tickets), 0, [], 'trouble')], T + 600)
      clock.nowMs = T + 600
      await subject.reopen()
      const after = subject.frontier
      const { server, pages, failures } = await viewOf(after, 'a', T)
      assert.deepEqual({ server, pages, failures }, { server: 's', pages: 1, failures: 0 })
      assert.equal((await viewOf(after, 'e', T)).failures, 1)
      await takesNothing(after, T + 999)
      const [first] = await take(after, 9, T + 1000)
      assert.deepEqual([inShort([first!]), first!.isProven, first!.hostPages], ['a/2', true, 1])
      assert.equal(inShort(await take(after, 9, T + 1200)), 'c/1')
      assert.equal(inShort(await take(after, 9, T + 1500)), 'b/2')
      assert.equal(sorted(inShort(await take(after, 9, T + 1600))), 'd/1 e/1')
    },
  },
  {
    says: 'reopening: a note is there or gone, and gone when its time is over',
    needs: ['reopen'],
    async check(subject, clock) {
      await subject.frontier.note('a.com', 'key', new Uint8Array([7]), 500, T)
      clock.nowMs = T + 100
      await subject.reopen()
      const noted = await subject.frontier.noted('a.com', 'key', T + 499)
      assert.ok(noted === undefined || (noted.length === 1 && noted[0] === 7))
      assert.equal(await subject.frontier.noted('a.com', 'key', T + 500), undefined)
    },
  },
  {
    says: 'reopening: what was forgotten stays forgotten, and ticket numbers go on',
    needs: ['reopen'],
    async check(subject) {
      await subject.frontier.offer(links('a/1 b/1'))
      const before = await take(subject.frontier, 2, T)
      await subject.frontier.clear()
      await subject.reopen()
      await countsAre(subject.frontier, {})
      assert.equal(await subject.frontier.offer(links('b/1 a/1')), 2)
      const next = await take(subject.frontier, 2, T)
      const last = Math.max(...before.map(({ id }) => id))
      assert.ok(next.length === 2 && next.every(({ id }) => id > last))
    },
  },
  {
    says: 'reopening: with other options the links are the same',
    needs: ['reopen'],
    async check(subject) {
      await subject.frontier.offer(links('a/1 a/2 b/1 c/1'))
      await subject.frontier.settle([done(await takeOne(subject.frontier, T))], T)
      for (const strategy of ['depth', 'best', 'explore', 'breadth'] as const) {
        await subject.reopen({ strategy, seed: 3, leaseMs: 10, delayMs: 1000 })
        await countsAre(subject.frontier, { known: 4, waiting: 3, done: 1, pages: 1, hosts: 3 })
      }
      const ticket = await takeOne(subject.frontier, T + 5)
      assert.equal(ticket.leaseMs, 10)
      await subject.frontier.settle([done(ticket)], T + 5)
      assert.equal((await viewOf(subject.frontier, ticket.host.slice(0, 1), T + 5)).readyInMs, 1000)
      assert.equal((await drain(subject.frontier, T + 5000)).length, 2)
    },
  },
  {
    says: 'reopening: a clock that went back moves all times back with it, and that is reported',
    options: { delayMs: 10, serverGapMs: 300 },
    needs: ['reopen', 'ownClock'],
    async check(subject, clock) {
      const { frontier } = subject
      await isPlaced(frontier, 's', 'a/0', T)
      await frontier.offer(links('a/1 b/1 c/1'))
      await frontier.hold('b.com', { forMs: 1000 }, T + 200)
      clock.nowMs = T + 200 - HOUR_MS
      await subject.reopen()
      assert.equal(subject.repairs.length, 1)
      assert.match(subject.repairs[0]!, /clock/)
      const after = subject.frontier
      assert.equal((await viewOf(after, 'b')).readyInMs, 1000)
      assert.equal(inShort(await take(after, 9, clock.nowMs + 99)), 'c/1')
      assert.equal(inShort(await take(after, 9, clock.nowMs + 100)), 'a/1')
      assert.equal(inShort(await take(after, 9, clock.nowMs + 1000)), 'b/1')
      await subject.reopen()
      assert.deepEqual(subject.repairs.length, 1)
      clock.nowMs += HOUR_MS
      await subject.reopen()
      assert.deepEqual(subject.repairs, [])
      assert.equal((await explained(subject.frontier, 'a/1')).state, 'waiting')
    },
  },
]
