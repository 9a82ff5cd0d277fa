import assert from 'node:assert/strict'
import type { Ticket } from '../../src/frontier/frontier.ts'
import { livesTest } from './lives.ts'
import { UNBOUNDED } from './operations.ts'
import type { Deed } from './player.ts'

const LIMIT = 6

livesTest(
  'when a page is leased, no more page tickets are open than pages are missing',
  { lives: 1, freshLives: 1, options: { ...UNBOUNDED, limit: LIMIT, unproven: 1e6 } },
  async (life, watch) => {
    const deeds: Deed[] = []
    let tight = 0
    watch(deed => deeds.push(deed))
    for (let step = 0; step < life.rounds(500); step++) {
      await life.play(1)
      const seen = deeds.splice(0)
      const leases = seen.some(deed => deed.deed === 'leased' && deed.tickets.some(isFirstVisit))
      const { pages, leased } = await life.subject.frontier.counts()
      const ends = seen.filter(deed => deed.deed === 'leased')
      if (ends.length === 1 && seen.length === 1) {
        const { end, pause } = ends[0]!
        // Visits again go on after the limit.
        if (life.options.recrawl) assert.ok(pages >= LIMIT || (end ?? pause) !== 'limit')
        else assert.equal(end === 'limit', pages >= LIMIT)
      }
      // A former visit may be one page more than was wanted: it was made before the tickets were leased.
      if (!leases || seen.some(({ deed }) => deed === 'formerly visited')) continue
      assert.ok(pages + leased <= LIMIT, `${leased} page tickets are open, and ${LIMIT - pages} pages are missing`)
      if (pages + leased === LIMIT) tight++
    }
    assert.ok(tight > 0, 'the limit was never near')
  },
)

function isFirstVisit({ kind, again }: Ticket): boolean {
  return kind === 'page' && again === undefined
}
