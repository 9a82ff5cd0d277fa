// A snapshot is written while the frontier goes on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CrawlFrontier, Link } from '../../src/frontier/frontier.ts'
import { type LocalOptions, openLocal } from '../../src/frontier/local/open.ts'
import { filesOf, removeFrontier, temporaryFrontier } from '../contract/maker.ts'

const LINKS: readonly Link[] = Array.from({ length: 1000 }, (_, n) => ({
  url: `http://h${n % 100}.com/${n}`,
  rank: n % 3,
  hops: 1,
  ...(n % 10 === 7 ? { refused: n % 20 === 7 ? 'scope' : 'max-depth' } : {}),
}))
const CLOCK = { clock: () => 1_000_000 }

/** Everything is called in one turn of the event loop: a snapshot that begins after the offer is not written yet. */
async function play(frontier: CrawlFrontier): Promise<void> {
  await frontier.offer(LINKS)
  await Promise.all([
    frontier.take(10),
    frontier.place(1, '10.0.0.1'),
    frontier.settle([
      {
        ticketId: 1,
        outcome: { kind: 'done', isPage: true },
        links: [{ url: 'http://new.com/', rank: 0, hops: 2 }],
        shown: 'answer',
        delayMs: 70,
      },
      { ticketId: 2, outcome: { kind: 'refused', reason: 'type' }, links: [], shown: 'trouble', delayMs: 0 },
      { ticketId: 3, outcome: { kind: 'again' }, links: [], shown: 'silence', delayMs: 0 },
    ]),
    frontier.giveBack([4]),
    // Their reasons belong to the snapshot, which is not written yet.
    frontier.requeue(LINKS.filter(({ refused }) => refused !== undefined).slice(0, 50)),
    frontier.setDelay('h50.com', 500),
    frontier.hold('h51.com', { forMs: 9000 }),
    frontier.offer([{ url: 'http://h50.com/robots.txt', kind: 'robots', rank: 0, hops: 0 }]),
  ])
  await frontier.giveBack([5, 6, 7, 8, 9, 10])
  assert.deepEqual((await frontier.counts()).refusedFor, { scope: 25, 'max-depth': 25, type: 1 })
}

async function seen(frontier: CrawlFrontier): Promise<unknown> {
  const { items } = await frontier.hosts({ limit: 1000 })
  const waiting = await Promise.all(items.map(({ host }) => frontier.waiting(host, { limit: 100 })))
  const explained = await frontier.explain(LINKS.map(({ url }) => url))
  const refused = await frontier.links({ state: 'refused' }, { limit: 1000 })
  return { items, waiting, refused, explained, counts: await frontier.counts(), taken: await frontier.take(30) }
}

test('ours: a snapshot is the state at its moment, whatever happens while it is written', async () => {
  const folder = temporaryFrontier()
  // One snapshot, after the first offer.
  const options: LocalOptions = { ...CLOCK, folder, strategy: 'breadth', delayMs: 10, snapshotBytes: 10_000 }
  try {
    const first = await openLocal(options)
    await play(first)
    const hasSnapshot = () => filesOf(folder).some(name => /^snapshot-00000002\.bin$/.test(name))
    for (let n = 0; n < 500 && !hasSnapshot(); n++) await sleep(10)
    await first.close()
    assert.deepEqual(
      filesOf(folder).filter(name => /snapshot|journal/.test(name)),
      ['journal-00000001.log', 'journal-00000002.log', 'snapshot-00000002.bin'],
    )
    const again = await openLocal(options)
    const inMemory = await openLocal({ ...CLOCK, strategy: 'breadth', delayMs: 10 })
    await play(inMemory)
    assert.deepEqual(await seen(again), await seen(inMemory))
    await again.close()
  } finally {
    removeFrontier(folder)
  }
})
