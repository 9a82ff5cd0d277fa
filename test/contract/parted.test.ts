// The comparison with one oracle for each part, on frontiers that are known: it agrees with what is right, and notices
// what is wrong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ticket } from '../../src/frontier/frontier.ts'
import { agreesByParts } from './against-parts.ts'
import { randomPartedLife, runPartedLives } from './parted-lives.ts'
import { type Fault, partedMaker } from './parted-maker.ts'
import { smallWorld } from './worlds.ts'

for (const parts of [1, 4]) runPartedLives(partedMaker(parts), ['breadth', 'explore'])

const FAULTS: Readonly<Record<string, Fault>> = {
  'the tickets of a part come in another order': { order: tickets => tickets.toReversed() },
  'a ticket has another link': {
    order: tickets => tickets.map(ticket => ({ ...ticket, url: `${ticket.url}?` }) as Ticket),
  },
  'something that could be leased is left': { most: 1 },
  'it waits too long': { taken: taken => ({ ...taken, waitMs: taken.waitMs && taken.waitMs + 1 }) },
  'it wakes too early': { taken: taken => ({ ...taken, waitMs: taken.waitMs && taken.waitMs - 1 }) },
  'it never ends': { taken: ({ tickets, waitMs }) => ({ tickets, waitMs }) },
  'nothing was new': { settled: ({ fresh, late }) => ({ fresh: fresh.map(() => 0), late }) },
}

for (const [name, fault] of Object.entries(FAULTS)) {
  test(`ours: the comparison by parts notices when ${name}`, async () => {
    const maker = partedMaker(4, fault)
    let noticed = 0
    for (let seed = 1; seed <= 40 && noticed === 0; seed++) {
      const { options, played } = randomPartedLife(maker, seed, 'breadth', smallWorld(false), 60)
      await agreesByParts(maker, options, played, seed).catch(() => noticed++)
    }
    assert.equal(noticed, 1)
  })
}
