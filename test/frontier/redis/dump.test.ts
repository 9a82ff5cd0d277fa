// A frontier goes from a folder to Redis and back: nothing is lost, and it continues as if nothing had happened.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import type { FrontierOptions, Link } from '../../../src/frontier/frontier.ts'
import { dumpLocal } from '../../../src/frontier/local/dump/dump.ts'
import { restoreLocal } from '../../../src/frontier/local/dump/restore.ts'
import { openLocal } from '../../../src/frontier/local/open.ts'
import { CrawlDump } from '../../../src/frontier/redis/dump/crawl-dump.ts'
import { ShardDump } from '../../../src/frontier/redis/dump/shard-dump.ts'
import { SHARD_SCRIPTS } from '../../../src/frontier/redis/engine/scripts.ts'
import { parseWhere, type Where } from '../../../src/frontier/redis/engine/where.ts'
import { openRedis } from '../../../src/frontier/redis/open.ts'
import { Packer } from '../../../src/frontier/redis/shard/pack.ts'
import { HandClock } from '../../contract/hand-clock.ts'
import { type Operation, randomOperations, randomOptions } from '../../contract/operations.ts'
import { Player } from '../../contract/player.ts'
import { timed } from '../../contract/timed.ts'
import { smallWorld } from '../../contract/worlds.ts'
import { FRONTIER_STRATEGIES } from '../../model/frontier-oracle.ts'
import { RandomSource, seeds } from '../../model/random-source.ts'
import { startRedis } from '../../redis/servers.ts'
import { allOf, continuesAlike, type Dumped, factsOf, lived, streamOf, temporaryFolder } from '../dump-help.ts'
import { offered, openEngine, page, RULES } from './one-shard.ts'

const server = await startRedis({ after })
let names = 0

const WORLD = { ...smallWorld(false), revisits: true }
const never = () => Promise.reject(new Error('not here'))

function whereNew(shards: number): Where {
  return parseWhere(server.url(`dump-${++names}`, `?shards=${shards}`))
}

async function opened(t: TestContext, where: Where): Promise<CrawlDump> {
  const crawl = await CrawlDump.open(where)
  t.after(() => crawl.close())
  return crawl
}

function crawlAt(t: TestContext, shards: number): Promise<CrawlDump> {
  return opened(t, whereNew(shards))
}

async function dumped(crawl: CrawlDump, options: FrontierOptions, nowMs: number): Promise<Dumped> {
  return allOf(crawl.dump((await crawl.structure())!, { nowMs, delayMs: options.delayMs ?? 0 }))
}

async function restored(crawl: CrawlDump, dump: Dumped, options: FrontierOptions, nowMs: number) {
  await crawl.restore(streamOf(dump), { dump: 'x', nowMs, retries: options.retries ?? 3 })
}

test('frontier export: from a folder to Redis and back, the export says the same each time', async t => {
  for (const seed of seeds(t, 4, 3)) {
    const random = new RandomSource(seed)
    const options = randomOptions(random, FRONTIER_STRATEGIES[seed % FRONTIER_STRATEGIES.length]!, true)
    const clock = new HandClock()
    const folders = temporaryFolder(t)
    const [folder, back] = [join(folders, 'folder'), join(folders, 'back')]
    await lived(folder, options, random, clock, true)
    const from = { ...options, clock: clock.read }
    const first = await allOf(dumpLocal({ ...from, folder }))
    const shards = random.pick([1, 2, 5, 64])
    const crawl = await crawlAt(t, shards)
    await restored(crawl, first, options, clock.nowMs)
    const second = await dumped(crawl, options, clock.nowMs)
    assert.deepEqual(factsOf(second), factsOf(first), `ESCALONA_SEED=${seed}, in Redis`)
    await restoreLocal({ folder: back, dump: 'x', clock: clock.read }, streamOf(second))
    const third = await allOf(dumpLocal({ ...from, folder: back }))
    assert.deepEqual(factsOf(third), factsOf(second), `ESCALONA_SEED=${seed}, back in a folder`)
    assert.equal(third.head.parts, shards)
    const other = await crawlAt(t, shards)
    await restored(other, third, options, clock.nowMs)
    const fourth = await dumped(other, options, clock.nowMs)
    assert.deepEqual(factsOf(fourth), factsOf(second), `ESCALONA_SEED=${seed}, in Redis again`)
    const isExact = shards === 1 && (options.strategy === 'depth' || options.strategy === 'best')
    await continuesAlike([folder, back], options, random, clock.nowMs, { seed, isExact, revisits: true })
  }
})

/** Opens a crawl as its only crawler, plays, and closes it with tickets open. */
async function playedIn(crawl: Where, options: FrontierOptions, operations: readonly Operation[], clock: HandClock) {
  const frontier = timed(await openRedis({ ...options, where: crawl, crawler: 'a', clock: clock.read }), clock)
  const player = new Player({ frontier, reopen: never }, clock, options.leaseMs)
  const results: unknown[] = []
  for (const operation of operations) results.push(shown(await player.play(operation)))
  results.push(await player.glance())
  await frontier.close()
  return results
}

/**
 * Without ids: those of another name begin elsewhere. Without how long to wait: that may be shorter than it would have to be, and is where
 * somebody in the line of a server did not come, while an export has no lines.
 */
const UNLIKE: ReadonlySet<string> = new Set(['id', 'ticketId', 'late', 'waitMs'])
/** One of them had such a line. */
const FOUND = [642316882]

function shown(result: unknown): unknown {
  return JSON.parse(JSON.stringify(result ?? null, (key, value) => (UNLIKE.has(key) ? undefined : value)))
}

test('dump: what lived in Redis is exported, imported under another name, and continues alike', async t => {
  for (const seed of seeds(t, 4, 2, FOUND)) {
    const random = new RandomSource(seed)
    const options = randomOptions(random, FRONTIER_STRATEGIES[seed % FRONTIER_STRATEGIES.length]!, true)
    const clock = new HandClock()
    const shards = random.pick([1, 1, 3])
    const [first, second] = [whereNew(shards), whereNew(shards)]
    await playedIn(first, options, randomOperations(random, WORLD, random.pick([5, 60, 200])), clock)
    const [source, target] = [await opened(t, first), await opened(t, second)]
    const all = await dumped(source, options, clock.nowMs)
    await restored(target, all, options, clock.nowMs)
    assert.deepEqual(factsOf(await dumped(target, options, clock.nowMs)), factsOf(all), `ESCALONA_SEED=${seed}`)
    // Over several shards, the order in which tickets come depends on which of them is asked first; and whose turn it is, is not exported.
    if (shards > 1 || (options.strategy !== 'depth' && options.strategy !== 'best')) continue
    const operations = randomOperations(random, WORLD, 60).filter(({ do: what }) => what !== 'look')
    const clocks = [new HandClock(), new HandClock()] as const
    for (const one of clocks) one.nowMs = clock.nowMs
    const results = await playedIn(first, options, operations, clocks[0])
    assert.deepEqual(await playedIn(second, options, operations, clocks[1]), results, `ESCALONA_SEED=${seed}, later`)
  }
})

test('dump: a host with thousands of links, and notes about it, come through whole', async t => {
  const nowMs = new HandClock().nowMs
  const where = whereNew(2)
  const frontier = await openRedis({ where, crawler: 'a' })
  const links = Array.from({ length: 3000 }, (_, n) => ({
    ...{ url: `http://a.test/${n}`, rank: n % 3, hops: n % 40, note: `found on ${n % 7}` },
    ...(n % 3 === 0 && { refused: `reason ${n % 5}` }),
  }))
  await frontier.offer(links)
  await frontier.offer([{ url: 'http://b.test/', rank: 0, hops: 0 }])
  await frontier.take(2)
  await frontier.note('a.test', 'robots', Buffer.from([0, 255, 10]), 60_000)
  await frontier.close()
  const source = await opened(t, where)
  const all = await dumped(source, {}, nowMs)
  const { records } = all
  const ofA = records.filter(one => one.kind === 'link' && one.link.url.startsWith('http://a.test/'))
  assert.equal(ofA.length, 3000)
  assert.equal(ofA.filter(one => one.kind === 'link' && one.link.refused !== undefined).length, 1000)
  assert.equal(records.filter(({ kind }) => kind === 'note').length, 1)
  const target = await crawlAt(t, 2)
  await restored(target, all, {}, nowMs)
  assert.deepEqual(factsOf(await dumped(target, {}, nowMs)), factsOf(all))
})

/** Begins to clear a host, and does no more: as when it is killed. */
class KilledShard extends ShardDump {
  beginToClear(host: string): Promise<unknown> {
    return this.write(SHARD_SCRIPTS.clear, new Packer(64).list(2).text(host).text('cleared').done(), undefined)
  }
}

test('frontier export: what a crawler that was killed had begun to clear is exported as refused', async t => {
  const owner = { id: 'me', opening: 1, revivals: 1 }
  const shard = new KilledShard(await openEngine(t, server), '{dump.killed}', 0, owner, RULES)
  const links = Array.from({ length: 600 }, (_, n) => page(`http://a.test/${n}`, { note: `n ${n % 3}` }))
  await shard.offer(offered(links))
  await shard.beginToClear('a.test')
  assert.equal((await shard.counts()).waiting, 600)
  const refused: unknown[] = []
  for await (const some of shard.records(0, 0)) {
    for (const record of some) if (record.kind === 'link') refused.push(record.link)
  }
  const expected = links.map(({ kind: _, ...link }) => ({ ...link, refused: 'cleared' }))
  const byUrl = (list: unknown[]) => (list as Link[]).toSorted((a, b) => (a.url < b.url ? -1 : 1))
  assert.deepEqual(byUrl(refused), byUrl(expected))
})

test('frontier export: a damaged export, or one of other shards, is refused by Redis as well', async t => {
  const frontier = await openRedis({ where: whereNew(4), crawler: 'a' })
  await frontier.offer([{ url: 'http://a.test/', rank: 0, hops: 0 }])
  await frontier.close()
  const source = await opened(t, parseWhere(server.url(`dump-${names}`)))
  const all = await dumped(source, {}, 0)
  const [first, second] = [await crawlAt(t, 4), await crawlAt(t, 3)]
  await assert.rejects(restored(first, { ...all, records: all.records.filter(({ kind }) => kind !== 'link') }, {}, 0), {
    code: 'DUMP_DAMAGED',
  })
  await assert.rejects(restored(first, all, {}, 0), { code: 'FRONTIER_UNFINISHED' })
  await assert.rejects(restored(second, all, {}, 0), { code: 'DUMP_OTHER_SHARDS' })
  assert.equal(await second.structure(), undefined)
})

test('dump: planned links of a folder are planned in every shard, and due when their time has come', async t => {
  const folder = join(temporaryFolder(t), 'folder')
  const clock = new HandClock()
  const links = Array.from({ length: 600 }, (_, n) => ({ url: `http://h${n % 7}.example/${n}`, rank: 1, hops: 0 }))
  const frontier = await openLocal({ folder, clock: clock.read })
  await frontier.offer(links)
  const again = { afterMs: 5, gain: 1, note: 'n' }
  const visits = links.map(({ url }, n) => ({ url, isPage: n % 3 > 0, links: [], ...(n % 2 === 0 && { again }) }))
  await frontier.settleFormer(visits)
  await frontier.close()
  const all = await allOf(dumpLocal({ folder, clock: clock.read }))
  assert.equal(all.records.filter(({ kind }) => kind === 'planned').length, 300)
  const where = whereNew(4)
  await restored(await opened(t, where), all, {}, clock.nowMs)
  const shared = await openRedis({ where, crawler: 'one', recrawl: true, clock: clock.read })
  t.after(() => shared.close())
  const { known, done, pages, planned } = await shared.counts()
  assert.deepEqual({ known, done, pages, planned }, { known: 600, done: 600, pages: 400, planned: 300 })
  const urls = links.map(({ url }) => url)
  for (const [n, one] of (await shared.explain(urls)).entries()) {
    assert.deepEqual([one.state, 'isPage' in one && one.isPage], ['done', n % 3 > 0], urls[n])
  }
  assert.equal((await shared.take(9)).tickets.length, 0)
  clock.nowMs += 5
  const { tickets } = await shared.take(9)
  assert.equal(tickets.length, 7)
  for (const { note, again } of tickets) assert.deepEqual([note, again?.visitedAtMs], ['n', clock.nowMs - 5])
})
