// The gap of a server where several tickets, or a clock that goes back, meet. Random lives come here rarely.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HandClock } from '../contract/hand-clock.ts'
import { openTimed, type TimedFrontier } from '../contract/timed.ts'

const GAP_MS = 100
const SERVER = '10.0.0.1'
const ANSWERED = { outcome: { kind: 'done', isPage: true }, shown: 'answer', links: [], delayMs: 0 } as const

async function opened(): Promise<TimedFrontier> {
  return openTimed({ strategy: 'breadth', delayMs: 0, serverGapMs: GAP_MS, perServer: 2 }, new HandClock(0))
}

async function offer(frontier: TimedFrontier, ...hosts: string[]): Promise<void> {
  const { known } = await frontier.counts()
  await frontier.offer(hosts.map(host => ({ url: `http://${host}/${known}`, rank: 0, hops: 0 })))
}

async function take(frontier: TimedFrontier, max: number, nowMs: number): Promise<string[]> {
  const { tickets } = await frontier.take(max, nowMs)
  return tickets.map(({ id, host }) => `${id} ${host}`)
}

/** Both hosts have answered at one server, whose gap is over long before 1000. */
async function atOneServer(...hosts: string[]): Promise<TimedFrontier> {
  const frontier = await opened()
  await offer(frontier, ...hosts)
  for (const [n, host] of hosts.entries()) {
    assert.deepEqual(await take(frontier, 1, n * GAP_MS), [`${n + 1} ${host}`])
    assert.equal(await frontier.place(n + 1, SERVER, n * GAP_MS), true)
    await frontier.settle([{ ticketId: n + 1, ...ANSWERED }], n * GAP_MS)
  }
  return frontier
}

test('promise 4: a ticket that is given back takes its own gap back, and not that of a later one', async () => {
  const frontier = await atOneServer('a.com', 'b.com')
  await offer(frontier, 'a.com', 'b.com')
  assert.deepEqual(await take(frontier, 9, 1000), ['3 a.com'])
  assert.deepEqual(await take(frontier, 9, 1100), ['4 b.com'])
  await frontier.giveBack([3])
  assert.deepEqual(await take(frontier, 9, 1199), [])
  assert.deepEqual(await take(frontier, 9, 1200), ['5 a.com'])
})

test('promise 4: whoever is in line at a server when another host is placed there waits for the gap, and for nothing else', async () => {
  const frontier = await atOneServer('a.com')
  await offer(frontier, 'b.com', 'a.com')
  // Both are candidates; it is the turn of b.com, which has never answered and is placed nowhere.
  assert.deepEqual(await take(frontier, 1, 1000), ['2 b.com'])
  assert.equal(await frontier.place(2, SERVER, 1000), true)
  assert.equal((await frontier.take(9, 1000)).waitMs, GAP_MS)
  assert.deepEqual(await take(frontier, 9, 1100), ['3 a.com'])
})

test('promise 4: a clock that goes back while hosts are in line makes no gap shorter', async () => {
  const frontier = await atOneServer('a.com', 'b.com')
  await offer(frontier, 'a.com', 'b.com')
  assert.deepEqual(await take(frontier, 1, 1000), ['3 a.com'])
  assert.deepEqual(await take(frontier, 0, 1100), [])
  assert.deepEqual(await take(frontier, 1, 1050), [])
  assert.deepEqual(await take(frontier, 1, 1100), ['4 b.com'])
})
