import assert from 'node:assert/strict'
import { hostOf } from '../../src/url/host-of.ts'
import { livesTest } from './lives.ts'
import { OpenBook, type OpenTicket } from './open-book.ts'
import { everyPage } from './player.ts'

const SHORT = { lives: 1, freshLives: 1, options: { leaseMs: 40, limit: 1e6 }, world: { auxiliaries: 0 } }

livesTest('a lease that runs out comes back once, and waits or is leased only once', SHORT, async (life, watch) => {
  let over: OpenTicket[] = []
  let ranOut = 0
  const book = new OpenBook(40, (ticket, how) => {
    if (how === 'run out') over.push(ticket)
  })
  watch(deed => {
    book.saw(deed)
    if (deed.deed === 'leased') for (const ticket of deed.tickets) book.enter(ticket, deed.nowMs)
  })
  for (let step = 0; step < life.rounds(300); step++) {
    over = []
    await life.play(1)
    ranOut += over.length
    const { frontier } = life.subject
    const hosts = await everyPage(cursor => frontier.hosts(cursor))
    const lists = await Promise.all(hosts.map(({ host }) => everyPage(cursor => frontier.waiting(host, cursor))))
    const leased = [...book.open.values()].map(({ url }) => url)
    const all = [...lists.flat().map(({ url }) => url), ...leased]
    assert.equal(new Set(all).size, all.length, 'a link waits or is leased twice')
    const back = over.filter(({ url }) => !leased.includes(url))
    const explanations = await frontier.explain(back.map(({ url }) => url))
    for (const [n, { url }] of back.entries()) {
      // What came back may have been settled or cleared since, by another call of the same step.
      const { state } = explanations[n]!
      const inList = lists[hosts.findIndex(({ host }) => host === hostOf(url))]?.filter(link => link.url === url)
      assert.equal(inList?.length ?? 0, state === 'waiting' ? 1 : 0, `${url} is ${state}`)
    }
  }
  assert.ok(ranOut > 5, `only ${ranOut} leases ran out`)
})
