import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startRedis } from '../../redis/servers.ts'
import { Crew, done, link, links } from './crew.ts'

const server = await startRedis({ after })

test('ours: never more hosts are known than maxHosts, over all shards and crawlers', async t => {
  const crew = new Crew(t, server, 8, { maxHosts: 50 })
  const crawlers = await Promise.all(['a', 'b', 'c'].map(id => crew.join(id)))
  const fresh = await Promise.all(Array.from({ length: 12 }, (_, i) => crawlers[i % 3]!.offer(links(10, 2, 5 * i))))
  const { hosts, known } = await crawlers[0]!.counts()
  // What one call reserves and does not need, another one may have missed.
  assert.ok(hosts <= 50)
  assert.deepEqual([sum(fresh), 2 * hosts], [known, known])
  await crawlers[2]!.offer(links(65, 2))
  const { hosts: all, turnedAway } = await crawlers[0]!.counts()
  assert.equal(all, 50)
  assert.ok(turnedAway['max-hosts'] >= 30)
  assert.equal(await crawlers[1]!.offer([link('host0.example0.com', 77)]), 1, 'a known host takes more')
})

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

test('ours: hosts that a block makes known count, and a bound holds after reopening', async t => {
  const crew = new Crew(t, server, 4)
  const first = await crew.join('a')
  await first.offer(links(3))
  await first.close()
  const again = await crew.join('a', { maxHosts: 5 })
  await again.hold('blocked.com', { forMs: 1000 })
  await again.hold('blocked.com', { forMs: 2000 })
  assert.equal(await again.offer(links(5, 1, 100)), 1)
  assert.equal((await again.counts()).hosts, 5)
})

test('ours: one settlement makes at most maxNewHosts known, wherever they belong', async t => {
  const crew = new Crew(t, server, 8, { maxNewHosts: 3 })
  const frontier = await crew.join('a')
  assert.equal(await frontier.offer(links(2)), 2)
  const { tickets } = await frontier.take(2)
  const settlements = tickets.map((ticket, i) => done(ticket, { links: links(5, 2, 100 + 3 * i) }))
  // The second one has two hosts of the first, which are known by then.
  assert.deepEqual((await frontier.settle(settlements)).fresh, [6, 6])
  const { hosts, turnedAway } = await frontier.counts()
  assert.deepEqual([hosts, turnedAway['page-hosts']], [8, 8])
})

test('ours: clearing forgets hosts, pages and tickets for every crawler', async t => {
  const crew = new Crew(t, server, 4, { maxHosts: 4, limit: 3, beatMs: 40 })
  const [a, b] = [await crew.join('a'), await crew.join('b')]
  await a.offer(links(4))
  const { tickets } = await a.take(2)
  const other = (await b.take(2)).tickets
  assert.equal(other.length, 1)
  await a.settle(tickets.map(ticket => done(ticket)))
  await b.clear()
  await sleep(200) // a learns of it with its next heartbeat
  const { known, hosts, leased, pages } = await a.counts()
  assert.deepEqual([known, hosts, leased, pages], [0, 0, 0, 0])
  assert.deepEqual((await b.settle([done(other[0]!)])).late, [other[0]!.id])
  assert.equal(await a.offer(links(6)), 4)
  assert.equal((await a.take(4)).tickets.length, 3)
})
