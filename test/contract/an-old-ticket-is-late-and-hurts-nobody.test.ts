import assert from 'node:assert/strict'
import type { TicketId } from '../../src/frontier/frontier.ts'
import { livesTest } from './lives.ts'
import { OpenBook } from './open-book.ts'
import { wholeOf } from './sentences/sentence.ts'

livesTest(
  'an old ticket is late, and hurts nobody',
  { lives: 1, freshLives: 1, options: { limit: 1e6 } },
  async (life, watch) => {
    const { subject, random, clock } = life
    const old: { id: TicketId; url: string }[] = []
    const book = new OpenBook(life.options.leaseMs, ticket => old.push(ticket))
    watch(deed => {
      book.saw(deed)
      if (deed.deed === 'leased') for (const ticket of deed.tickets) book.enter(ticket, deed.nowMs)
    })
    let tries = 0
    for (let round = 0; round < life.rounds(50); round++) {
      await life.play(8)
      if (old.length === 0) continue
      const { frontier } = subject
      const some = Array.from({ length: 3 }, () => random.pick(old.slice(-20)))
      const ids = some.map(({ id }) => id)
      const urls = some.map(({ url }) => url)
      const nowMs = clock.nowMs
      const before = await wholeOf(frontier, urls, nowMs)
      const settlements = ids.map(ticketId => ({
        ticketId,
        outcome: random.pick([{ kind: 'done', isPage: true }, { kind: 'again' }] as const),
        links: [],
        shown: random.pick(['answer', 'silence', undefined] as const),
        delayMs: 9e6,
      }))
      const settled = await frontier.settle(settlements, nowMs)
      assert.deepEqual({ ...settled }, { fresh: [0, 0, 0], late: ids })
      await frontier.giveBack(ids)
      assert.deepEqual(await frontier.renew(ids, nowMs), ids)
      for (const id of ids) assert.equal(await frontier.place(id, 'elsewhere', nowMs), false)
      assert.deepEqual(await wholeOf(frontier, urls, nowMs), before)
      tries++
    }
    assert.ok(tries > 5, `only ${tries} times there was an old ticket`)
  },
)
