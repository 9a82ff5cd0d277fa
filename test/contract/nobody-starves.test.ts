import assert from 'node:assert/strict'
import { livesTest } from './lives.ts'
import { OpenBook } from './open-book.ts'
import { UNBOUNDED } from './operations.ts'
import { everyPage } from './player.ts'

/** No server ever rests, so that it is known when it admits. */
const world = { shown: ['answer', 'answer', 'trouble', undefined] as const, hostility: 0.01 }
const options = { ...UNBOUNDED, unproven: 3, leaseMs: 1000 }

livesTest(
  'every proven host that is ready and whose server admits it is leased when there is room',
  { lives: 1, freshLives: 1, options, world },
  async (life, watch) => {
    const { perServer = 4, serverGapMs = 0, auxiliaries = Number.POSITIVE_INFINITY } = life.options
    const book = new OpenBook(life.options.leaseMs)
    let proven = new Set<string>()
    let lastLeaseMs = new Map<string, number>()
    let chances = 0
    watch(deed => {
      if (deed.deed === 'settled') {
        for (const { ticket, settlement } of book.closedBy(deed.settlements)) {
          if (settlement.shown === 'answer') proven.add(ticket.host)
          if (settlement.shown === 'trouble') proven.delete(ticket.host)
        }
      }
      book.saw(deed)
      if (deed.deed === 'leased') {
        for (const ticket of deed.tickets) {
          book.enter(ticket, deed.nowMs)
          if (ticket.server !== undefined) lastLeaseMs.set(ticket.server, deed.nowMs)
        }
      }
      if (deed.deed === 'placed' && deed.holds) lastLeaseMs.set(deed.server, deed.nowMs)
      if (deed.deed === 'reopened') {
        lastLeaseMs = new Map([...lastLeaseMs].map(([server, atMs]) => [server, atMs - deed.backMs]))
      }
      if (deed.deed !== 'cleared' || deed.host !== undefined) return
      proven = new Set()
      lastLeaseMs = new Map()
    })
    for (let round = 0; round < life.rounds(150); round++) {
      await life.play(3)
      await life.player.play({ do: 'take', max: 1000, passMs: life.random.pick([0, 10, 300]) })
      const nowMs = life.clock.nowMs
      const views = await everyPage(cursor => life.subject.frontier.hosts(cursor, nowMs))
      const openAuxiliaries = [...book.open.values()].filter(({ kind }) => kind !== 'page').length
      const admits = (server: string) => {
        const open = [...book.open.values()].filter(ticket => ticket.server === server).length
        return open < perServer && nowMs - (lastLeaseMs.get(server) ?? 0) >= serverGapMs
      }
      for (const { host, state, readyInMs, server } of views) {
        if (state !== 'waiting' || readyInMs > 0 || (server !== undefined && !admits(server))) continue
        // An auxiliary link that may not be leased yet holds the pages of its host.
        assert.ok(!proven.has(host) || openAuxiliaries >= auxiliaries, `${host} was ready, and ${server} admitted it`)
      }
      chances += [...book.open.values()].filter(ticket => ticket.isProven && ticket.takenMs === nowMs).length
    }
    assert.ok(chances > 5, `only ${chances} proven hosts were leased`)
  },
)
