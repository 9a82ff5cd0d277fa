// The power goes at a moment at which no call is under way: what lies on the disk then is all that was acknowledged. That
// a call can also be cut off in its middle is seen by test/crash/.
import assert from 'node:assert/strict'
import type { Frontier } from '../../src/frontier/frontier.ts'
import { livesTest } from './lives.ts'
import { MAKERS } from './maker.ts'
import { drain } from './sentences/sentence.ts'

const makers = MAKERS.filter(maker => maker.whyNoReopening === undefined)

livesTest('what was acknowledged is there after a crash', { lives: 5, freshLives: 3, makers }, async (life, watch) => {
  const { subject, random, player } = life
  const urls = new Set<string>()
  const ids = new Set<number>()
  watch(deed => {
    if (deed.deed === 'offered') for (const { url } of deed.links) urls.add(url)
    if (deed.deed === 'lent') for (const { id } of deed.tickets) ids.add(id)
    if (deed.deed !== 'settled') return
    for (const { links } of deed.settlements) for (const { url } of links) urls.add(url)
  })
  for (let crash = 0; crash < 12; crash++) {
    await life.play(random.below(60))
    const revived = await subject.afterCrash()
    try {
      isTheSame(subject.frontier, revived.frontier, urls)
      const { waiting } = revived.frontier.counts()
      const lent = await drain(revived.frontier, player.nowMs)
      assert.equal(lent.length, waiting)
      assert.equal(new Set(lent.map(({ url }) => url)).size, waiting)
      for (const { id } of lent) assert.ok(!ids.has(id), `the ticket ${id} was lent before the crash`)
    } finally {
      await revived.end()
    }
  }
})

/** Open tickets have come back, and nothing else has changed. */
function isTheSame(before: Frontier, after: Frontier, urls: Iterable<string>): void {
  const { waiting, lent, ...rest } = before.counts()
  assert.deepEqual(after.counts(), { ...rest, waiting: waiting + lent, lent: 0 })
  const returned = new Set<string>()
  for (const url of urls) {
    const [was, is] = [before.explain(url), after.explain(url)]
    if (was.state === 'lent') returned.add(url)
    if (was.state === 'waiting' || was.state === 'lent') assert.equal(is.state, 'waiting', url)
    else assert.deepEqual(is, was, url)
  }
  const views = [...after.hosts()]
  for (const [place, was] of [...before.hosts()].entries()) {
    const is = views[place]!
    assert.equal(is.host, was.host)
    assert.ok(is.readyAtMs >= was.readyAtMs, `${is.host} may be asked earlier than before the crash`)
    if (was.state !== 'lent') assert.deepEqual(is, was)
    const links = [...after.waiting(is.host)]
    assert.deepEqual(
      links.filter(({ url }) => !returned.has(url)),
      [...before.waiting(is.host)],
    )
  }
}
