// The power goes at a moment at which no call is under way: what lies on the disk then is all that was acknowledged. That
// a call can also be cut off in its middle is seen by test/crash/.
import assert from 'node:assert/strict'
import type { CrawlFrontier, Ticket } from '../../src/frontier/frontier.ts'
import { livesTest } from './lives.ts'
import { UNBOUNDED } from './operations.ts'
import { everyPage } from './player.ts'
import { drain } from './sentences/sentence.ts'

const options = { ...UNBOUNDED, unproven: 1e6, auxiliaries: 1e6, retries: 1 }

livesTest(
  'what was acknowledged is there after a crash',
  { lives: 1, freshLives: 1, options, needsReopening: true },
  async (life, watch) => {
    const { subject, random, clock } = life
    const urls = new Set<string>()
    let lastId = 0
    watch(deed => {
      if (deed.deed === 'offered') for (const { url } of deed.links) urls.add(url)
      if (deed.deed === 'leased') for (const { id } of deed.tickets) lastId = id
      if (deed.deed === 'settled') for (const { links } of deed.settlements) for (const { url } of links) urls.add(url)
      if (deed.deed === 'formerly visited')
        for (const { links } of deed.visits) for (const { url } of links) urls.add(url)
    })
    for (let crash = 0; crash < life.rounds(10); crash++) {
      await life.play(random.below(60))
      // The frontier may not keep the time of a call that changed nothing.
      await subject.frontier.hold('time-keeper.example', { forMs: 1 }, clock.nowMs)
      const revived = await subject.afterCrash()
      try {
        await isTheSame(subject.frontier, revived.frontier, [...urls])
        const { waiting } = await revived.frontier.counts()
        const isFirst = ({ kind, again }: Ticket) => kind === 'page' && again === undefined
        const leased = await drain(revived.frontier, clock.nowMs)
        const pages = leased.filter(isFirst)
        assert.equal(pages.length, waiting)
        assert.equal(new Set(pages.map(({ url }) => url)).size, waiting)
        assert.ok(
          leased.every(({ id }) => id > lastId),
          'a ticket has the number of one that was leased before the crash',
        )
      } finally {
        await revived.end()
      }
    }
  },
)

/** Open tickets have come back, who was down has one more try, and nothing else has changed. */
async function isTheSame(before: CrawlFrontier, after: CrawlFrontier, urls: readonly string[]): Promise<void> {
  const { waiting, leased, planned, revisiting, due: _due, down: _down, ...rest } = await before.counts()
  const { down, ...counts } = await after.counts()
  // Which links are due is seen at the next take.
  const again = { planned: planned + revisiting, revisiting: 0, due: 0 }
  assert.deepEqual({ ...counts }, { ...rest, ...again, waiting: waiting + leased, leased: 0 })
  assert.equal(down, 0)
  const returned = new Set<string>()
  const [wereAll, areAll] = [await before.explain(urls), await after.explain(urls)]
  for (const [n, url] of urls.entries()) {
    const [was, is] = [wereAll[n]!, areAll[n]!]
    if (was.state === 'leased') returned.add(url)
    if (was.state === 'leased') assert.ok(is.state === 'waiting' || (is.state === 'done' && 'againInMs' in is), url)
    else if (was.state === 'waiting') assert.equal(is.state, 'waiting', url)
    else assert.deepEqual(is, was, url)
  }
  const refusals = async (frontier: CrawlFrontier) => {
    const links = await everyPage(cursor => frontier.links({ state: 'refused' }, cursor))
    return frontier.supports.exactOrder ? links : links.sort((a, b) => (a.url < b.url ? -1 : 1))
  }
  assert.deepEqual(await refusals(after), await refusals(before))
  const views = await everyPage(cursor => after.hosts(cursor))
  for (const [place, was] of (await everyPage(cursor => before.hosts(cursor))).entries()) {
    const is = views[place]!
    assert.ok(was.isDown || is.readyInMs >= was.readyInMs, `${is.host} may be asked earlier than before the crash`)
    const same = { isDown: false, failures: Math.min(was.failures, 1), due: 0 }
    if (was.due > 0) Object.assign(same, { state: is.state })
    if (was.state === 'leased') Object.assign(same, { state: is.state, waiting: is.waiting, readyInMs: is.readyInMs })
    if (was.isDown) Object.assign(same, { readyInMs: is.readyInMs })
    assert.deepEqual({ ...is }, { ...was, ...same })
    const links = await everyPage(cursor => after.waiting(is.host, cursor))
    assert.deepEqual(
      links.filter(({ url }) => !returned.has(url)),
      await everyPage(cursor => before.waiting(is.host, cursor)),
    )
  }
}
