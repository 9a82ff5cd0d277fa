// The strategies (docs/rules.md, 3) among the hosts that are ready now.
import assert from 'node:assert/strict'
import { chanceAt } from '../../../src/base/random.ts'
import type { Link } from '../../../src/frontier/frontier.ts'
import type { FrontierStrategy } from '../../model/frontier-oracle.ts'
import type { Subject } from '../maker.ts'
import type { TimedFrontier } from '../timed.ts'
import {
  again,
  auxiliaries,
  done,
  drain,
  inShort,
  links,
  type Sentence,
  T,
  take,
  takeOne,
  viewsOf,
} from './sentence.ts'

/** Takes and settles one after the other; a host is ready again at once. */
async function oneByOne(frontier: TimedFrontier, count: number, nowMs = T): Promise<string> {
  const order: string[] = []
  for (let n = 0; n < count; n++) {
    const ticket = await takeOne(frontier, nowMs)
    order.push(inShort([ticket]))
    await frontier.settle([done(ticket)], nowMs)
  }
  return order.join(' ')
}

/** What `take` and `settle` can do to a turn must also hold when it is closed in between. */
async function turnsGoOn(subject: Subject): Promise<void> {
  await subject.frontier.offer(links('a/1 a/2 b/1 b/2 c/1 c/2'))
  const first = await oneByOne(subject.frontier, 2)
  await subject.reopen()
  assert.equal(`${first} ${await oneByOne(subject.frontier, 4)}`, 'a/1 b/1 c/1 a/2 b/2 c/2')
}

const BY_STRATEGY: Readonly<Record<FrontierStrategy, readonly Sentence[]>> = {
  depth: [
    {
      says: 'rule 3.2: a host is emptied before the next one',
      async check({ frontier }) {
        await frontier.offer(links('b/1 a/1 b/2 a/2'))
        assert.equal(await oneByOne(frontier, 4), 'b/1 b/2 a/1 a/2')
      },
    },
    {
      says: 'rule 3.2: the first known of the hosts that are ready',
      async check({ frontier }) {
        await frontier.offer(links('a/1 a/2 b/1 b/2 c/1'))
        await frontier.settle([done(await takeOne(frontier, T), 100)], T)
        assert.equal(await oneByOne(frontier, 1, T + 1), 'b/1')
        assert.equal(await oneByOne(frontier, 1, T + 99), 'b/2')
        assert.equal(await oneByOne(frontier, 2, T + 100), 'a/2 c/1')
      },
    },
    {
      says: 'rule 3.2: several in one take come in the order of the hosts',
      async check({ frontier }) {
        await frontier.offer(links('c/1 a/1 b/1 a/2'))
        assert.equal(inShort(await take(frontier, 9, T)), 'c/1 a/1 b/1')
      },
    },
  ],
  breadth: [
    {
      says: 'rule 3.3: one URL of each host in turn',
      async check({ frontier }) {
        await frontier.offer(links('a/1 a/2 a/3 b/1 c/1 c/2'))
        assert.equal(await oneByOne(frontier, 6), 'a/1 b/1 c/1 a/2 c/2 a/3')
      },
    },
    {
      says: 'rule 3.3: the turn goes on from one take to the next; a new host joins at the end',
      async check({ frontier }) {
        await frontier.offer(links('a/1 a/2 b/1 b/2'))
        assert.equal(await oneByOne(frontier, 1), 'a/1')
        await frontier.offer(links('c/1'))
        assert.equal(await oneByOne(frontier, 4), 'b/1 c/1 a/2 b/2')
      },
    },
    {
      says: 'rule 3.3: a host that is not ready is passed over, and its turn is not kept for it',
      async check({ frontier }) {
        await frontier.offer(links('a/1 b/1 b/2 c/1 c/2'))
        await frontier.hold('b.com', { forMs: 10 }, T)
        assert.equal(await oneByOne(frontier, 2), 'a/1 c/1')
        assert.equal(await oneByOne(frontier, 3, T + 10), 'b/1 c/2 b/2')
      },
    },
    {
      says: 'rule 3.3: a link that is given back does not take the turn back',
      async check({ frontier }) {
        await frontier.offer(links('a/1 b/1 c/1'))
        const first = await takeOne(frontier, T)
        await frontier.giveBack([first.id])
        assert.equal(await oneByOne(frontier, 3), 'b/1 c/1 a/1')
      },
    },
    {
      says: 'rule 3.3: auxiliary links and the quota of unproven hosts do not move the turn',
      options: { unproven: 1 },
      async check({ frontier }) {
        await frontier.offer([...links('a/1 a/2 b/1 b/2 c/1 c/2'), ...auxiliaries('c/robots')])
        const [auxiliary, first] = await take(frontier, 9, T)
        assert.equal(inShort([auxiliary!, first!]), 'c/robots a/1')
        await frontier.settle([done(auxiliary!)], T)
        assert.equal(await oneByOne(frontier, 2), 'c/1 c/2')
        await frontier.settle([done(first!)], T)
        assert.equal(await oneByOne(frontier, 3), 'a/2 b/1 b/2')
      },
    },
    {
      says: 'rule 3.3: after everything was forgotten the turn is at the first host',
      async check({ frontier }) {
        await frontier.offer(links('a/1 b/1 c/1'))
        await oneByOne(frontier, 2)
        await frontier.clear()
        await frontier.offer(links('x/1 y/1 z/1'))
        assert.equal(await oneByOne(frontier, 3), 'x/1 y/1 z/1')
      },
    },
    { says: 'rule 3.3: the turn goes on after a restart', needs: ['reopen'], check: turnsGoOn },
  ],
  best: [
    {
      says: 'rule 3.4: the host with the most URLs now, a tie goes to the host known first',
      async check({ frontier }) {
        await frontier.offer(links('a/1 b/1 b/2 b/3 c/1 c/2'))
        assert.equal(await oneByOne(frontier, 6), 'b/1 b/2 c/1 a/1 b/3 c/2')
      },
    },
    {
      says: 'rule 3.4: counted again after every URL, also within one take and for what comes back',
      async check({ frontier }) {
        await frontier.offer(links('a/1 a/2 b/1 b/2 b/3 c/1'))
        const tickets = await take(frontier, 9, T)
        assert.equal(inShort(tickets), 'b/1 a/1 c/1')
        await frontier.settle(
          tickets.map(ticket => again(ticket, 0, ticket.host === 'c.com' ? links('c/2 c/3 c/4') : [])),
          T,
        )
        assert.equal(inShort(await take(frontier, 9, T)), 'c/1 b/2 a/2')
      },
    },
    {
      says: 'rule 3.4: only among the hosts that are ready',
      async check({ frontier }) {
        await frontier.offer(links('a/1 a/2 a/3 b/1'))
        await frontier.hold('a.com', { forMs: 1 }, T)
        assert.equal(await oneByOne(frontier, 1), 'b/1')
        await frontier.clear('a.com')
        assert.equal((await frontier.take(9, T)).end, 'nothing left')
      },
    },
  ],
  explore: [
    {
      says: 'rule 3.5: with a chance of 1, hosts of domains that were never visited come first',
      options: { exploreChance: 1 },
      async check({ frontier }) {
        await frontier.offer(links('a/1 a/2 www.a/1 b/1 a/3 c/1'))
        assert.equal(await oneByOne(frontier, 6), 'a/1 b/1 c/1 www.a/1 a/2 a/3')
      },
    },
    {
      says: 'rule 3.5: with a chance of 0, hosts of domains that were visited come first',
      options: { exploreChance: 0 },
      async check({ frontier }) {
        await frontier.offer(links('a/1 a/2 b/1 www.a/1 b/2'))
        assert.equal(await oneByOne(frontier, 5), 'a/1 www.a/1 a/2 b/1 b/2')
      },
    },
    {
      says: 'rule 3.5: a domain counts as visited from the moment at which a ticket of it is leased',
      options: { exploreChance: 1 },
      async check({ frontier }) {
        await frontier.offer(links('a/1 www.a/1 b/1'))
        assert.equal(inShort(await take(frontier, 9, T)), 'a/1 b/1 www.a/1')
      },
    },
    {
      says: 'rule 3.5: of each kind the domains come in turn, and inside a domain the host that joined first',
      options: { exploreChance: 0 },
      async check({ frontier }) {
        await frontier.offer(links('a/1 b/1'))
        await frontier.settle(
          (await take(frontier, 9, T)).map(ticket => done(ticket)),
          T,
        )
        await frontier.offer(links('a/2 w.a/1 x.a/1 b/2 w.b/1 c/1'))
        assert.equal(inShort(await take(frontier, 9, T)), 'w.a/1 w.b/1 x.a/1 b/2 a/2 c/1')
      },
    },
    {
      says: 'rule 3.5: an auxiliary link visits its domain too, and takes no turn',
      options: { exploreChance: 1 },
      async check({ frontier }) {
        await frontier.offer([...links('a/1 b/1 c/1'), ...auxiliaries('b/robots')])
        const auxiliary = await takeOne(frontier, T)
        await frontier.settle([done(auxiliary)], T)
        assert.equal(inShort(await take(frontier, 9, T)), 'a/1 c/1 b/1')
      },
    },
    {
      says: 'rule 3.5: domains follow the public suffix list, and a port or an address is no domain',
      options: { exploreChance: 1 },
      async check({ frontier }) {
        const hosts = [
          'a.co.uk',
          'b.co.uk',
          'x.a.co.uk',
          'a.co.uk:81',
          '10.0.0.1',
          '10.0.0.1:80',
          '10.0.0.2',
          '[::1]',
          '[::1]:9',
        ]
        await frontier.offer(hosts.map(host => ({ url: `http://${host}/`, rank: 0, hops: 0 })))
        assert.deepEqual(
          (await take(frontier, 99, T)).map(({ host }) => host),
          ['a.co.uk', 'b.co.uk', '10.0.0.1', '10.0.0.2', '[::1]', 'x.a.co.uk', '10.0.0.1:80', '[::1]:9', 'a.co.uk:81'],
        )
      },
    },
    {
      says: 'rule 3.5: 0.7 when nothing is said, seeded: the same seed gives the same order',
      options: { seed: 42 },
      async check({ frontier }) {
        await frontier.offer(links(Array.from({ length: 60 }, (_, n) => `h${n}/1 h${n}/2`).join(' ')))
        const seen = new Set<string>()
        for (let n = 0; n < 60; n++) {
          const ticket = await takeOne(frontier, T)
          const isFresh = !seen.has(ticket.host)
          const hasOther = (await viewsOf(frontier)).some(({ host, waiting }) => waiting > 0 && seen.has(host))
          if (n > 0 && (hasOther || isFresh)) assert.equal(isFresh, chanceAt(42, n) < 0.7 || !hasOther, `ticket ${n}`)
          seen.add(ticket.host)
          await frontier.settle([done(ticket)], T)
        }
      },
    },
    {
      says: 'rule 3.5: what was visited is known after a restart, and forgotten with everything else',
      options: { exploreChance: 1 },
      needs: ['reopen'],
      async check(subject) {
        await subject.frontier.offer(links('a/1 a/2 b/1 b/2'))
        assert.equal(await oneByOne(subject.frontier, 1), 'a/1')
        await subject.frontier.offer(links('c/1'))
        await subject.reopen()
        assert.equal(await oneByOne(subject.frontier, 4), 'b/1 c/1 a/2 b/2')
        await subject.frontier.clear()
        await subject.frontier.offer(links('d/1 a/1 d/2'))
        await subject.reopen()
        assert.equal(inShort(await drain(subject.frontier, T)), 'd/1 a/1 d/2')
      },
    },
  ],
  // With the seed 1, the first 15 tickets go by what was received.
  important: [
    {
      says: 'rule 3.6: the host that has received the most per turn; a tie goes to the host known first',
      async check({ frontier }) {
        await frontier.offer([...links('c/1 d/1'), ...giving(1, 'a/1 a/2'), ...giving(3, 'b/1 b/2 b/3 b/4 b/5 b/6')])
        assert.equal(await oneByOne(frontier, 10), 'b/1 b/2 a/1 b/3 b/4 b/5 a/2 b/6 c/1 d/1')
      },
    },
    {
      says: 'rule 3.6: hosts that have received nothing take turns',
      async check({ frontier }) {
        await frontier.offer(links('a/1 a/2 b/1 b/2 c/1 c/2'))
        assert.equal(await oneByOne(frontier, 6), 'a/1 b/1 c/1 a/2 b/2 c/2')
      },
    },
    {
      says: 'rule 3.6: what a link gives counts at once, also when the link is known, and in the step of a settlement',
      async check({ frontier }) {
        await frontier.offer(links('a/1 a/2 b/1 b/2 c/1 c/2'))
        await frontier.offer(giving(1, 'c/1'))
        const first = await takeOne(frontier, T)
        assert.equal(inShort([first]), 'c/1')
        await frontier.settle([done(first, 0, giving(0.9, 'b/1'))], T)
        assert.equal(await oneByOne(frontier, 2), 'b/1 c/2')
      },
    },
    {
      says: 'rule 3.6: a turn is a page ticket, also one that is given back; auxiliary links are none',
      async check({ frontier }) {
        await frontier.offer([...giving(1, 'a/1 a/2'), ...giving(0.6, 'b/1 b/2'), ...auxiliaries('b/robots')])
        await frontier.settle([done(await takeOne(frontier, T))], T)
        const first = await takeOne(frontier, T)
        assert.equal(inShort([first]), 'a/1')
        await frontier.giveBack([first.id])
        assert.equal(await oneByOne(frontier, 3), 'b/1 a/1 a/2')
      },
    },
    {
      says: 'rule 3.6: several in one take come in the order of their shares, unproven ones as far as their bound allows',
      options: { unproven: 2 },
      async check({ frontier }) {
        await frontier.offer([...giving(1, 'a/1 a/2'), ...giving(2, 'b/1'), ...giving(3, 'c/1'), ...giving(4, 'd/1')])
        const [first, second] = await take(frontier, 2, T)
        assert.equal(inShort([first!, second!]), 'd/1 c/1')
        await frontier.settle([done(first!, 0, giving(0.5, 'd/2')), done(second!)], T)
        assert.equal(inShort(await take(frontier, 9, T)), 'd/2 b/1 a/1')
      },
    },
    {
      says: 'rule 3.6: what was received and how many turns there were is known after a restart',
      needs: ['reopen'],
      async check(subject) {
        await subject.frontier.offer([...giving(1, 'a/1 a/2 a/3'), ...links('c/1')])
        await subject.frontier.offer(giving(1.9, 'b/1 b/2'))
        assert.equal(await oneByOne(subject.frontier, 1), 'b/1')
        await subject.frontier.offer(giving(0.05, 'c/1'))
        await subject.reopen()
        assert.equal(await oneByOne(subject.frontier, 5), 'a/1 b/2 a/2 a/3 c/1')
      },
    },
    {
      says: 'rule 3.6: switching to it and back counts what was given before',
      needs: ['change'],
      async check({ frontier }) {
        await frontier.rules!.change({ strategy: 'breadth' })
        await frontier.offer([...links('a/1 a/2 a/3'), ...giving(1, 'b/1 b/2 b/3'), ...links('c/1 c/2')])
        assert.equal(await oneByOne(frontier, 3), 'a/1 b/1 c/1')
        await frontier.rules!.change({ strategy: 'important' })
        assert.equal(await oneByOne(frontier, 2), 'b/2 b/3')
        await frontier.rules!.change({ strategy: 'breadth' })
        assert.equal(await oneByOne(frontier, 2), 'a/2 c/2')
      },
    },
    {
      says: 'rule 3.6: nobody starves: one turn in about eight goes to all in turn, however much others receive',
      async check({ frontier }) {
        await frontier.offer(links('a/0 b/0 c/0 c/1 c/2 d/0 d/1 d/2'))
        const order: string[] = []
        for (let n = 1; n <= 200; n++) {
          const ticket = await takeOne(frontier, T)
          order.push(ticket.host)
          // The first two give all that they have to each other.
          const other = { 'a.com': `b/${n}`, 'b.com': `a/${n}` }[ticket.host]
          await frontier.settle([done(ticket, 0, other === undefined ? [] : giving(n, other))], T)
        }
        assert.equal(order.filter(host => host === 'c.com' || host === 'd.com').length, 6)
      },
    },
  ],
}

/** Links of which the first gives this to their host. */
function giving(gives: number, shorts: string): Link[] {
  return links(shorts).map((link, place) => (place === 0 ? { ...link, gives } : link))
}

/** They speak of all hosts. */
export function strategySentences(strategy: FrontierStrategy): readonly Sentence[] {
  return BY_STRATEGY[strategy].map(sentence => ({ ...sentence, needs: [...(sentence.needs ?? []), 'onePart'] }))
}
