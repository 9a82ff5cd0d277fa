import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { shardTags } from '../../../src/frontier/redis/shard/host-shards.ts'
import { ownerOf, Shares } from '../../../src/frontier/redis/taking.ts'
import { startRedis, until } from '../../redis/servers.ts'
import { Crew, done, link, links } from './crew.ts'

const server = await startRedis({ after })

test('Redis: crawlers know of each other while they are alive', async t => {
  const crew = new Crew(t, server, 2, { beatMs: 250 })
  const a = await crew.join('a')
  assert.equal(a.crawlersAlive(), 1)
  const b = await crew.join('b')
  assert.equal(b.crawlersAlive(), 2)
  await until('a to hear of b', 2000, () => a.crawlersAlive() === 2)
  const observer = await crew.join('', { isObserver: true })
  assert.equal(observer.crawlersAlive(), 2)
  await b.close()
  await until('a to hear that b has left', 2000, () => a.crawlersAlive() === 1)
  await assert.rejects(observer.take(1), { code: 'FRONTIER_UNSUPPORTED' })
})

test('Redis: a crawler that comes back finds its former tickets at the end of their lists, its hosts with their delay', async t => {
  let nowMs = 1e12
  const crew = new Crew(t, server, 4, { clock: () => nowMs, delayMs: 5000 })
  const first = await crew.join('a')
  await first.offer([link('site.com', 1), link('site.com', 2)])
  const [old] = (await first.take(1)).tickets
  const again = await crew.join('a')
  const { tickets, waitMs } = await again.take(1)
  assert.deepEqual([tickets.length, waitMs], [0, 5000])
  nowMs += 5000
  assert.equal((await again.take(1)).tickets[0]?.url, 'https://site.com/2')
  assert.deepEqual((await again.settle([done(old!)])).late, [old!.id])
})

test("Redis: nobody else's tickets come back when a crawler opens", async t => {
  const crew = new Crew(t, server, 4)
  const a = await crew.join('a')
  await a.offer(links(8))
  const { tickets } = await a.take(8)
  const b = await crew.join('b')
  assert.equal((await b.take(8)).tickets.length, 0)
  assert.deepEqual((await a.settle(tickets.map(ticket => done(ticket)))).late, [])
  await until('b to see the end', 2000, async () => (await b.take(8)).end === 'nothing left')
})

test('ours: a crawler that was cut off for longer than its leases is fenced; it goes on with new tickets', async t => {
  const crew = new Crew(t, server, 4, { leaseMs: 300, beatMs: 40 })
  // Its heartbeat hardly beats, so the others think that it is gone.
  const silent = await crew.join('silent', { beatMs: 60_000 })
  await silent.offer(links(6))
  const former = (await silent.take(6)).tickets
  assert.equal(former.length, 6)
  const a = await crew.join('a')
  await until('the burial', 5000, async () =>
    (await a.book.crawlers()).some(({ id, agoMs }) => id === 'silent' && agoMs === undefined),
  )
  const { late, fresh } = await silent.settle([done(former[0]!, { links: [link('new.com')] })])
  assert.deepEqual([late, fresh], [[former[0]!.id], [1]])
  const { tickets } = await silent.take(10)
  assert.equal(tickets.length, 7)
  assert.ok(tickets.every(({ id }) => id > former.at(-1)!.id))
  assert.deepEqual((await silent.settle(tickets.map(ticket => done(ticket)))).late, [])
  assert.equal((await a.counts()).pages, 7)
})

test('ours: a crawler that was fenced reopens at its next heartbeat, even if nobody calls it', async t => {
  const crew = new Crew(t, server, 2, { leaseMs: 100, beatMs: 40 })
  const slow = await crew.join('slow', { beatMs: 1500 })
  await slow.offer(links(1))
  const a = await crew.join('a')
  const isAlive = async () => (await a.book.crawlers()).some(({ id, agoMs }) => id === 'slow' && agoMs !== undefined)
  await until('the burial', 1400, async () => !(await isAlive()))
  await until('the next heartbeat', 3000, isAlive)
})

test('ours: a host whose waking was lost with a crawler tries again when that crawler comes back', async t => {
  const crew = new Crew(t, server, 1, { perServer: 1, delayMs: 60_000 })
  const a = await crew.join('a')
  const b = await crew.join('b')
  await a.offer([link('first.com')])
  const [held] = (await a.take(1)).tickets
  assert.equal(await a.place(held!.id, 'shared'), true)
  await b.offer([link('second.com')])
  const [denied] = (await b.take(1)).tickets
  assert.equal(await b.place(denied!.id, 'shared'), false)
  // As if a had been killed right after the server called second.com, before it passed that on.
  const [tag] = shardTags(crew.name, 1)
  assert.equal(await server.ask('DEL', `${tag}v`, `${tag}w:f:shared`, `${tag}u`), 3)
  assert.equal((await b.take(1)).tickets.length, 0)
  await crew.join('a')
  await until('b to take the host', 2000, async () => (await b.take(1)).tickets[0]?.host === 'second.com')
})

test('Redis: the first crawler of a crawl gives hosts that are down one more try; a second one does not', async t => {
  let nowMs = 1e12
  const crew = new Crew(t, server, 4, { clock: () => nowMs, retries: 0 })
  const a = await crew.join('a')
  await a.offer([link('down.com', 1), link('down.com', 2)])
  const [ticket] = (await a.take(1)).tickets
  await a.settle([done(ticket!, { outcome: { kind: 'again' }, shown: 'silence' })])
  assert.equal((await a.counts()).down, 2)
  const b = await crew.join('b')
  assert.equal((await b.counts()).down, 2)
  await b.close()
  await a.close()
  nowMs++
  const c = await crew.join('c')
  assert.equal((await c.counts()).down, 0)
  assert.equal((await c.take(1)).tickets.length, 1)
})

test('ours: closing is quick while the engine is away, and what was under way is rejected', async t => {
  const away = await startRedis(t)
  const frontier = await new Crew(t, away, 4).join('a')
  away.freeze()
  const offered = frontier.offer(links(10))
  const failed = assert.rejects(offered, { code: 'FRONTIER_CLOSED' })
  const beganMs = performance.now()
  await frontier.close()
  assert.ok(performance.now() - beganMs < 10_000)
  await failed
  await assert.rejects(frontier.counts(), { code: 'FRONTIER_CLOSED' })
  await frontier.close()
  away.thaw()
})

test('ours: every shard belongs to one of the living, and a crawler that comes or goes moves only its own share', () => {
  const shards = Array.from({ length: 64 }, (_, i) => i)
  const before = shards.map(shard => ownerOf(shard, ['a', 'b', 'c']))
  assert.deepEqual(
    shards.map(shard => ownerOf(shard, ['c', 'a', 'b'])),
    before,
  )
  const after = shards.map(shard => ownerOf(shard, ['a', 'c']))
  for (const shard of shards) if (before[shard] !== 'b') assert.equal(after[shard], before[shard])
  const counts = ['a', 'b', 'c'].map(id => before.filter(owner => owner === id).length)
  assert.ok(Math.min(...counts) >= 10, String(counts))
  const shares = new Shares()
  const order = shares.order(64, ['b', 'a', 'c'])
  assert.deepEqual(
    order.toSorted((x, y) => x - y),
    shards,
  )
  assert.ok(order.slice(0, counts[1]).every(shard => before[shard] === 'b'))
  shares.passOver(1)
  assert.notEqual(shares.order(64, ['b', 'a', 'c'])[0], order[0])
})
