// An engine that forgets what it had acknowledged: every crawler notices, and no host is asked too early.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { parseWhere } from '../../src/frontier/redis/engine/where.ts'
import { openRedis, type RedisFrontier, type RedisOptions } from '../../src/frontier/redis/open.ts'
import { HandClock } from '../contract/hand-clock.ts'
import { makeServers, type Server, startRedis, until } from './servers.ts'

const LONGEST_MS = 20_000
const BEAT_MS = 200

interface Heard {
  readonly frontier: RedisFrontier
  readonly losses: (number | undefined)[]
}

/** A crawler that offers its links again when the engine has forgotten something. */
async function crawler(
  t: TestContext,
  server: Server,
  options: Partial<RedisOptions> & { readonly links?: readonly string[]; readonly query?: string } = {},
): Promise<Heard> {
  const losses: (number | undefined)[] = []
  const { links = [], query = '?shards=4', ...rest } = options
  const frontier: RedisFrontier = await openRedis({
    where: parseWhere(server.url('lost', query)),
    crawler: 'a',
    beatMs: BEAT_MS,
    ...rest,
    onLost: async ({ agoMs }) => {
      losses.push(agoMs)
      await frontier.offer(links.map(link))
    },
  })
  t.after(() => frontier.close())
  return { frontier, losses }
}

const DONE = { outcome: { kind: 'done', isPage: true }, links: [], shown: 'answer', delayMs: 0 } as const
const link = (url: string) => ({ url, rank: 1, hops: 0 })
const urls = (count: number, of = 'h') => Array.from({ length: count }, (_, n) => `https://${of}${n}.com/1`)

/** Takes until so many tickets came. */
async function takeAll(frontier: RedisFrontier, count: number) {
  const tickets: Awaited<ReturnType<RedisFrontier['take']>>['tickets'][number][] = []
  await until(`${count} tickets`, LONGEST_MS, async () => {
    tickets.push(...(await frontier.take(count - tickets.length)).tickets)
    return tickets.length >= count
  })
  return tickets
}

test('shared frontier: a primary is rolled back while a crawler is idle: its heartbeat notices, and what it offered is there again', async t => {
  const server = await startRedis(t)
  const links = urls(20)
  const { frontier, losses } = await crawler(t, server, { links })
  await frontier.offer(links.slice(0, 5).map(link))
  await server.copyFiles()
  await frontier.offer(links.slice(5).map(link))
  await server.rollBack()
  await until('the loss to be noticed', LONGEST_MS, () => losses.length > 0)
  assert.equal(typeof losses[0], 'number')
  assert.equal((await takeAll(frontier, 20)).length, 20)
  assert.equal(losses.length, 1)
})

test('shared frontier: emptied by somebody (FLUSHALL): the crawl is there again, under the same seed, and everything is offered anew', async t => {
  const server = await startRedis(t)
  const links = urls(20)
  const { frontier, losses } = await crawler(t, server, { links })
  await frontier.offer(links.map(link))
  const seed = await server.ask('HMGET', '{lost}m', 'format', 'shards', 'seed0', 'seed1')
  await server.ask('FLUSHALL')
  assert.equal((await takeAll(frontier, 20)).length, 20)
  assert.deepEqual(losses, [undefined])
  assert.deepEqual(await server.ask('HMGET', '{lost}m', 'format', 'shards', 'seed0', 'seed1'), seed)
  // Whoever comes now joins the same crawl.
  const next = await crawler(t, server, { crawler: 'b' })
  assert.equal((await next.frontier.counts()).known, 20)
})

test('shared frontier: nothing is over before every shard was asked whether something is gone', async t => {
  const server = await startRedis(t)
  const { frontier, losses } = await crawler(t, server, { beatMs: 600_000, links: urls(3) })
  await frontier.offer(urls(3).map(link))
  const tickets = await takeAll(frontier, 3)
  await frontier.settle(tickets.map(({ id }) => ({ ticketId: id, ...DONE })))
  assert.equal((await frontier.take(1)).end, 'nothing left')
  await server.ask('FLUSHALL')
  assert.notEqual((await frontier.take(1)).end, 'nothing left')
  assert.equal((await takeAll(frontier, 3)).length, 3)
  assert.deepEqual(losses, [undefined])
})

test('shared frontier: another crawler gets no host that is being asked by one whose lease the engine has forgotten', async t => {
  const server = await startRedis(t)
  const links = urls(6)
  const a = await crawler(t, server, { links })
  const b = await crawler(t, server, { crawler: 'b' })
  await a.frontier.offer(links.map(link))
  await until('b to be known', LONGEST_MS, () => a.frontier.crawlersAlive() === 2)
  await server.copyFiles()
  const tickets = await takeAll(a.frontier, 4)
  await server.rollBack()
  const others = await takeAll(b.frontier, 2)
  const asked = new Set(tickets.map(({ host }) => host))
  assert.deepEqual(
    others.filter(({ host }) => asked.has(host)),
    [],
  )
  assert.deepEqual((await b.frontier.take(9)).tickets, [])
  // Its settlement is late, and says that the host was asked; the link still waits, and is settled from the archive.
  const { late } = await a.frontier.settle(tickets.map(({ id }) => ({ ticketId: id, ...DONE })))
  assert.deepEqual(
    late,
    tickets.map(({ id }) => id),
  )
  await a.frontier.settleFormer(tickets.map(({ url }) => ({ url, isPage: true, links: [], dateMs: 0 })))
  await b.frontier.settle(others.map(({ id }) => ({ ticketId: id, ...DONE })))
  await until('the end', LONGEST_MS, async () => (await b.frontier.take(9)).end === 'nothing left')
  assert.equal((await b.frontier.counts()).pages, 6)
  assert.ok(a.losses.length > 0)
})

test('shared frontier: pages whose settlements are gone do not count towards the limit, and count once when they are settled again', async t => {
  const server = await startRedis(t)
  const links = urls(6)
  const { frontier, losses } = await crawler(t, server, { links, limit: 6 })
  await frontier.offer(links.map(link))
  await server.copyFiles()
  const tickets = await takeAll(frontier, 4)
  await frontier.settle(tickets.map(({ id }) => ({ ticketId: id, ...DONE })))
  await server.rollBack()
  await until('the loss to be noticed', LONGEST_MS, () => losses.length > 0)
  await frontier.settleFormer(tickets.map(({ url }) => ({ url, isPage: true, links: [], dateMs: 0 })))
  const rest = await takeAll(frontier, 2)
  await frontier.settle(rest.map(({ id }) => ({ ticketId: id, ...DONE })))
  const { end } = await frontier.take(1)
  assert.equal(end, 'limit')
  assert.equal((await frontier.counts()).pages, 6)
})

test('shared frontier: a crawler that was away during a loss is told so when it comes back, and one that is not known any more, too', async t => {
  const server = await startRedis(t)
  const away = await crawler(t, server, { crawler: 'away' })
  assert.equal(away.frontier.missedLossMs, undefined)
  await away.frontier.close()
  const { frontier, losses } = await crawler(t, server)
  await frontier.offer(urls(20).map(link))
  await server.copyFiles()
  await frontier.offer(urls(20, 'x').map(link))
  await server.rollBack()
  await until('the loss to be noticed', LONGEST_MS, () => losses.length > 0)
  const back = await crawler(t, server, { crawler: 'away', hasWorked: true })
  assert.ok(Math.abs(back.frontier.missedLossMs! - Date.now()) < LONGEST_MS, String(back.frontier.missedLossMs))
  const forgotten = await crawler(t, server, { crawler: 'forgotten', hasWorked: true })
  assert.equal(forgotten.frontier.missedLossMs, 0)
  const fresh = await crawler(t, server, { crawler: 'fresh' })
  assert.equal(fresh.frontier.missedLossMs, undefined)
})

test('shared frontier: one who only looks and offers fails when the engine has forgotten, and says so', async t => {
  const server = await startRedis(t)
  const { frontier } = await crawler(t, server, { isObserver: true })
  await frontier.offer(urls(9).map(link))
  await server.ask('FLUSHALL')
  await assert.rejects(frontier.offer(urls(9, 'x').map(link)), { code: 'FRONTIER_LOST' })
})

test('shared frontier: who waits at a server asks again by itself when the server is forgotten', async t => {
  const server = await startRedis(t)
  const clock = new HandClock()
  const { frontier } = await crawler(t, server, { perServer: 1, beatMs: 600_000, clock: clock.read })
  await frontier.offer([link('https://a.com/1'), link('https://b.com/1'), link('https://b.com/2')])
  const tickets = (await frontier.take(9)).tickets
  const placed = []
  for (const { id } of tickets) placed.push(await frontier.place(id, '10.0.0.1'))
  assert.deepEqual(placed.toSorted(), [false, true])
  assert.equal((await frontier.take(9)).tickets.length, 0)
  // The shard of the server forgets it, and with it who is to be woken.
  for (const key of (await server.ask('KEYS', '{lost:*}[vuw]*')) as string[]) await server.ask('DEL', key)
  clock.nowMs += 29_999
  assert.equal((await frontier.take(9)).tickets.length, 0)
  clock.nowMs++
  assert.equal((await frontier.take(9)).tickets.length, 1)
})

test('shared frontier: a host whose record is damaged is set aside and counted, and the crawl ends without it', async t => {
  const server = await startRedis(t)
  let damaged = 0
  const onDamaged = (hosts: number) => {
    damaged += hosts
  }
  const { frontier } = await crawler(t, server, { query: '?shards=1', onDamaged })
  await frontier.offer([...urls(5), 'https://h0.com/2', 'https://h1.com/2'].map(link))
  const [records] = (await server.ask('KEYS', '{lost:*}i')) as string[]
  await server.ask('HDEL', records!, Buffer.from([0, 0, 0, 1]))
  await server.ask('HSET', records!, Buffer.from([0, 0, 0, 2]), 'damaged')
  const tickets = await takeAll(frontier, 3)
  assert.deepEqual(tickets.map(({ host }) => host).sort(), ['h2.com', 'h3.com', 'h4.com'])
  await frontier.settle(tickets.map(({ id }) => ({ ticketId: id, ...DONE })))
  assert.equal((await frontier.take(1)).end, 'nothing left')
  assert.equal(damaged, 2)
})

test('shared frontier, wait=1: a call whose answer was lost waits for the replica when it is repeated', async t => {
  const [primary, replica] = (await makeServers(t, 2, {}, [])) as [Server, Server]
  await Promise.all([primary.start(), replica.start()])
  await replica.ask('REPLICAOF', '127.0.0.1', String(primary.port))
  await until(
    'the replica to copy',
    LONGEST_MS,
    async () => (await primary.info()).slave0?.includes('state=online') ?? false,
  )
  const { frontier } = await crawler(t, primary, { query: '?shards=1&wait=1', beatMs: 600_000 })
  await frontier.offer([link('https://a.com/1')])
  replica.freeze()
  let isAcknowledged = false
  const offer = frontier.offer([link('https://b.com/1')]).then(() => {
    isAcknowledged = true
  })
  const waits = async () =>
    Number(/calls=(\d+)/.exec((await primary.info('commandstats')).cmdstat_wait ?? '')?.[1] ?? 0)
  const before = await waits()
  await until('the first WAIT', LONGEST_MS, async () => (await waits()) > before)
  await primary.ask('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
  const broken = await waits()
  await until('the repeated call to wait', LONGEST_MS, async () => isAcknowledged || (await waits()) > broken + 2)
  assert.equal(isAcknowledged, false)
  replica.thaw()
  await offer
})
