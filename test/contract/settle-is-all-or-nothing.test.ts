import assert from 'node:assert/strict'
import type { Settlement } from '../../src/frontier/frontier.ts'
import type { RandomSource } from '../model/random-source.ts'
import { livesTest } from './lives.ts'
import { spoiledSettlement, UNBOUNDED } from './operations.ts'
import { everyPage } from './player.ts'
import { wholeOf } from './sentences/sentence.ts'
import { badLink, randomLinks } from './worlds.ts'

const options = { ...UNBOUNDED, leaseMs: 1e9 }
const LONG_LEASES = { lives: 1, freshLives: 1, options, world: { hostility: 0, pages: 100, auxiliaries: 0 } }

livesTest('a batch with anything wrong in it changes nothing, and without it everything', LONG_LEASES, async life => {
  const { subject, random, player, world } = life
  let rounds = 0
  for (let round = 0; round < life.rounds(50); round++) {
    await life.play(8)
    await player.play({ do: 'take', max: 20, passMs: 30_000 })
    const { frontier } = subject
    const explanations = await frontier.explain(player.openTickets.map(({ url }) => url))
    const open = player.openTickets.filter(({ id }, n) => {
      const explanation = explanations[n]!
      return explanation.state === 'leased' && explanation.ticketId === id
    })
    const good: Settlement[] = open.map(({ id }) => ({
      ticketId: id,
      outcome: random.pick([
        { kind: 'done', isPage: true },
        { kind: 'refused', reason: `no ${round}` },
        { kind: 'again' },
      ] as const),
      links: randomLinks(random, world),
      shown: 'answer',
      delayMs: random.below(100),
    }))
    if (good.length === 0) continue
    rounds++
    const found = good.flatMap(({ links }) => links.map(({ url }) => url))
    const urls = [...new Set([...found, ...open.map(({ url }) => url)])]
    const before = await wholeOf(frontier, urls, player.nowMs)
    const [wrong, code] = spoiled(random, good)
    await assert.rejects(frontier.settle(wrong, player.nowMs), { code })
    assert.deepEqual(await wholeOf(frontier, urls, player.nowMs), before)

    const statesOf = async (list: readonly string[]) => (await frontier.explain(list)).map(({ state }) => state)
    const states = await statesOf(found)
    const unseen = new Set(found.filter((_, n) => states[n] === 'unknown'))
    // Of several links with the same URL, the first one counts; where hosts lie in several parts, any of them may be first.
    const offered = good.flatMap(({ links }) => links)
    const variants = [...unseen].map(url => offered.filter(link => link.url === url).map(link => link.refused))
    const settled = await frontier.settle(good, player.nowMs)
    assert.deepEqual(settled.late, [])
    const fresh = settled.fresh.reduce((all, count) => all + count, 0)
    const { exactOrder } = frontier.supports
    const first = variants.filter(([refused]) => refused === undefined).length
    const least = exactOrder ? first : variants.filter(some => some.every(refused => refused === undefined)).length
    const most = exactOrder ? first : variants.filter(some => some.includes(undefined)).length
    assert.ok(fresh >= least && fresh <= most, `${fresh} were new, not ${least} to ${most}`)
    assert.ok((await statesOf(found)).every(state => state !== 'unknown'))
    const views = await everyPage(cursor => frontier.hosts(cursor, player.nowMs))
    for (const [n, { url, host, again }] of open.entries()) {
      const { outcome, delayMs } = good[n]!
      const [state] = await statesOf([url])
      // Whatever becomes of a visit again, its link stays done.
      assert.equal(state, again ? 'done' : outcome.kind === 'again' ? 'waiting' : outcome.kind)
      assert.ok(views.find(view => view.host === host)!.readyInMs >= delayMs)
    }
  }
  assert.ok(rounds > 5, `only ${rounds} rounds had something to settle`)
})

/** The same with one thing wrong, somewhere. */
function spoiled(random: RandomSource, good: readonly Settlement[]): [Settlement[], string] {
  const at = random.below(good.length)
  const one = good[at]!
  if (random.chance(0.5)) return [good.with(at, spoiledSettlement(random, one)), 'FRONTIER_BAD_SETTLEMENT']
  const links = one.links.toSpliced(random.below(one.links.length + 1), 0, badLink(random))
  return [good.with(at, { ...one, links }), 'FRONTIER_BAD_LINK']
}
