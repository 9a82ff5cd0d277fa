import assert from 'node:assert/strict'
import type { Link, Settlement } from '../../src/frontier/frontier.ts'
import type { RandomSource } from '../model/random-source.ts'
import { livesTest } from './lives.ts'
import { randomLinks } from './operations.ts'
import { viewOf } from './sentences/sentence.ts'

const LONG_LEASES = { lives: 5, freshLives: 2, options: { leaseMs: 1e9 }, world: { hostility: 0, pages: 100 } }
const BAD_LINK: Link = { url: 'http://?', depth: 0, hops: 0 }

livesTest(
  'a settlement with anything wrong in it changes nothing, and without it changes everything',
  LONG_LEASES,
  async life => {
    const { subject, random, player, world } = life
    let rounds = 0
    for (let round = 0; round < 60; round++) {
      await life.play(10)
      await player.play({ do: 'take', max: 20, passMs: 30_000 })
      const { frontier } = subject
      const open = player.openTickets.filter(({ id, url }) => {
        const explanation = frontier.explain(url)
        return explanation.state === 'lent' && explanation.ticketId === id
      })
      const good: Settlement[] = open.map(({ id }) => ({
        ticketId: id,
        outcome: random.pick([
          { kind: 'done' },
          { kind: 'refused', reason: `no ${round}` },
          { kind: 'again' },
        ] as const),
        links: randomLinks(random, world),
        delayMs: random.below(100),
      }))
      if (good.length === 0) continue
      rounds++
      const found = good.flatMap(({ links }) => links.map(({ url }) => url))
      const urls = [...new Set([...found, ...open.map(({ url }) => url)])]
      const before = viewOf(frontier, urls)
      const [wrong, code] = spoiled(random, good)
      await assert.rejects(frontier.settle(wrong, player.nowMs), { code })
      assert.deepEqual(viewOf(frontier, urls), before)

      const unseen = new Set(found.filter(url => frontier.explain(url).state === 'never seen'))
      const tickets = new Map(open.map(ticket => [ticket.id, ticket]))
      assert.equal(await frontier.settle(good, player.nowMs), unseen.size)
      for (const url of found) assert.notEqual(frontier.explain(url).state, 'never seen')
      const views = new Map([...frontier.hosts()].map(view => [view.host, view]))
      for (const { ticketId, outcome, delayMs } of good) {
        const { url, host } = tickets.get(ticketId)!
        assert.equal(frontier.explain(url).state, outcome.kind === 'again' ? 'waiting' : outcome.kind)
        assert.ok(views.get(host)!.readyAtMs >= player.nowMs + delayMs!)
      }
    }
    assert.ok(rounds > 20, `only ${rounds} rounds had something to settle`)
  },
)

/** The same with one thing wrong, somewhere. */
function spoiled(random: RandomSource, good: readonly Settlement[]): [Settlement[], string] {
  const at = random.below(good.length)
  const one = good[at]!
  if (random.chance(0.3)) {
    const links = one.links.toSpliced(random.below(one.links.length + 1), 0, BAD_LINK)
    return [good.with(at, { ...one, links }), 'FRONTIER_BAD_LINK']
  }
  const ticketId = random.pick([one.ticketId, one.ticketId + 1_000_000, -5])
  return [
    good.toSpliced(random.below(good.length + 1), 0, { ...one, ticketId, delayMs: 9e6 }),
    'FRONTIER_TICKET_CLOSED',
  ]
}
