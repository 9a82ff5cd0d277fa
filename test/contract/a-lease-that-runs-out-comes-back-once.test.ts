import assert from 'node:assert/strict'
import type { Ticket } from '../../src/frontier/frontier.ts'
import { livesTest } from './lives.ts'
import { done, viewOf } from './sentences/sentence.ts'

const SHORT = { lives: 5, freshLives: 2, options: { leaseMs: 40 }, world: { hostility: 0 } }

livesTest('a lease that runs out comes back once, and its ticket is closed', SHORT, async (life, watch) => {
  const { subject, player, options } = life
  let open = new Map<number, Ticket>()
  let over: Ticket[] = []
  let ranOut = 0
  watch(deed => {
    switch (deed.deed) {
      case 'lent':
        over = [...open.values()].filter(({ dueMs }) => dueMs <= deed.nowMs)
        ranOut += over.length
        for (const { id } of over) open.delete(id)
        for (const ticket of deed.tickets) open.set(ticket.id, ticket)
        break
      case 'settled':
        for (const { ticketId } of deed.settlements) open.delete(ticketId)
        break
      case 'given back':
        for (const id of deed.ids) open.delete(id)
        break
      case 'renewed':
        for (const id of deed.ids) open.set(id, { ...open.get(id)!, dueMs: deed.nowMs + options.leaseMs })
        break
      case 'reopened':
        open = new Map()
        break
      case 'cleared':
        if (deed.host === undefined) open = new Map()
    }
  })
  for (let step = 0; step < 400; step++) {
    over = []
    await life.play(1)
    const { frontier } = subject
    const waiting = [...frontier.hosts()].flatMap(({ host }) => [...frontier.waiting(host)].map(({ url }) => url))
    const lent = [...open.values()].map(({ url }) => url)
    const all = [...waiting, ...lent]
    assert.equal(new Set(all).size, all.length, 'a link waits or is lent twice')
    assert.equal(frontier.counts().waiting, waiting.length)
    assert.equal(frontier.counts().lent, lent.length)
    const before = viewOf(frontier, all)
    for (const ticket of over) {
      const calls = [
        () => frontier.settle([done(ticket)], player.nowMs),
        () => frontier.giveBack([ticket.id]),
        () => frontier.renew([ticket.id], player.nowMs),
      ]
      for (const call of calls) await assert.rejects(call, { code: 'FRONTIER_TICKET_CLOSED' })
    }
    if (over.length > 0) assert.deepEqual(viewOf(frontier, all), before)
  }
  assert.ok(ranOut > 20, `only ${ranOut} leases ran out`)
})
