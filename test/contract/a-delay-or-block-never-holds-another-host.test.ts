import assert from 'node:assert/strict'
import { livesTest } from './lives.ts'
import { everyPage } from './player.ts'

livesTest(
  'a delay, a failure, a block or a release of a host never moves the time of another',
  { lives: 1, freshLives: 1, options: { perServer: 3 } },
  async life => {
    const { subject, random, player, clock, play, world } = life
    let changes = 0
    const times = async () => {
      const views = await everyPage(cursor => subject.frontier.hosts(cursor, clock.nowMs))
      return new Map(views.map(({ host, readyInMs }) => [host, readyInMs]))
    }
    const movesOnly = async (host: string, call: () => Promise<unknown>) => {
      const before = await times()
      await call()
      const after = await times()
      if (before.get(host) !== after.get(host)) changes++
      for (const one of [before, after]) one.delete(host)
      assert.deepEqual(after, before, `what happened to ${host} moved another host`)
    }
    for (let round = 0; round < life.rounds(60); round++) {
      await play(6)
      await player.play({ do: 'take', max: 60, passMs: 300 })
      const { frontier } = subject
      const host = random.pick(world.hosts)
      await movesOnly(host, () => frontier.hold(host, { forMs: random.below(5000) }, clock.nowMs))
      await movesOnly(host, () => frontier.hold(host, { forMs: 0, isAnew: true }, clock.nowMs))
      await movesOnly(host, () => frontier.setDelay(host, random.below(5000)))
      for (const ticket of player.openTickets.slice(0, 2)) {
        const { id: ticketId } = ticket
        const shown = random.pick(['answer', 'trouble', 'silence'] as const)
        const settlement = {
          ticketId,
          outcome: { kind: 'again' },
          links: [],
          shown,
          delayMs: random.below(900),
        } as const
        await movesOnly(ticket.host, () => frontier.settle([settlement], clock.nowMs))
      }
    }
    assert.ok(changes > 10, `only ${changes} times changed`)
  },
)
