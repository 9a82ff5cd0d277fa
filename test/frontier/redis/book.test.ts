import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openCrawlBook } from '../../../src/frontier/redis/crawl-book.ts'
import { FORMAT } from '../../../src/frontier/redis/crawl-structure.ts'
import { parseWhere } from '../../../src/frontier/redis/engine/where.ts'
import { openRedis } from '../../../src/frontier/redis/open.ts'
import { startRedis } from '../../redis/servers.ts'
import { Crew } from './crew.ts'

const server = await startRedis({ after })

test('Redis: the first to write the settings of a crawl decides, the others are given them', async t => {
  const crew = new Crew(t, server, 2)
  const [a, b] = [await crew.join('a'), await crew.join('b')]
  assert.equal(await a.book.settings(), undefined)
  assert.equal(await a.book.writeSettings('{"limit":3}'), '{"limit":3}')
  assert.equal(await b.book.writeSettings('{"limit":4}'), '{"limit":3}')
  assert.equal(await b.book.settings(), '{"limit":3}')
})

test('ours: settings are replaced only by one who knows what they are', async t => {
  const { book } = await new Crew(t, server, 2).join('a')
  await book.writeSettings('one')
  assert.equal(await book.replaceSettings('none', 'two'), false)
  assert.equal(await book.settings(), 'one')
  assert.equal(await book.replaceSettings('one', 'two'), true)
  assert.equal(await book.settings(), 'two')
  assert.equal(await book.replaceSettings('one', 'two'), true, 'an answer that never came is asked for again')
})

test('ours: seeds are kept in their order and read from any of them on', async t => {
  const { book } = await new Crew(t, server, 2).join('a')
  assert.deepEqual(await book.seeds(0), [])
  const lines = Array.from({ length: 1203 }, (_, i) => `https://site${i}.com/ç`)
  await book.addSeeds(lines)
  await book.addSeeds([])
  await book.addSeeds(['last'])
  assert.deepEqual(await book.seeds(0), [...lines, 'last'])
  assert.deepEqual(await book.seeds(1202), ['https://site1202.com/ç', 'last'])
  assert.deepEqual(await book.seeds(1204), [])
})

test('ours: a crawl is seeded once somebody has marked it so', async t => {
  const { book } = await new Crew(t, server, 2).join('a')
  assert.equal(await book.isSeeded(), false)
  await book.markSeeded()
  assert.equal(await book.isSeeded(), true)
})

test('ours: the statistics of each crawler are kept beside those of the others, the newest ones', async t => {
  const crew = new Crew(t, server, 2)
  const [a, b] = [await crew.join('a'), await crew.join('b')]
  await a.book.writeTally('a', 'old')
  await b.book.writeTally('b', 'of b')
  await a.book.writeTally('a', 'new')
  assert.deepEqual(
    new Map(await b.book.tallies()),
    new Map([
      ['a', 'new'],
      ['b', 'of b'],
    ]),
  )
})

test('ours: the book can be read by one who is no crawler, and reading makes nothing', async t => {
  const crew = new Crew(t, server, 2)
  const where = parseWhere(crew.url)
  const book = await openCrawlBook(where)
  t.after(() => book.close())
  assert.equal(await book.settings(), undefined)
  assert.deepEqual(await book.crawlers(), [])
  assert.deepEqual(await server.ask('KEYS', `{${crew.name}*`), [])
  const a = await crew.join('a')
  const [seen] = await book.crawlers()
  assert.equal(seen?.id, 'a')
  assert.ok(seen.agoMs !== undefined && seen.agoMs < 20_000)
  await a.close()
  assert.deepEqual(await book.crawlers(), [{ id: 'a', pages: 0, agoMs: undefined }])
})

test('Redis: a crawl has the number of shards that it was made with; another number is an error that names both', async t => {
  const crew = new Crew(t, server, 3)
  await crew.join('a')
  const where = parseWhere(server.url(crew.name, '?shards=8'))
  await assert.rejects(openRedis({ where, crawler: 'b' }), (error: Error & { code?: string }) => {
    assert.equal(error.code, 'FRONTIER_OTHER_SHARDS')
    return /\b3 shards\b.*\b8\b/.test(error.message)
  })
  const joined = await openRedis({ where: parseWhere(server.url(crew.name)), crawler: 'b' })
  assert.equal(new Set(Array.from({ length: 200 }, (_, i) => joined.partOf(`example${i}.com`))).size, 3)
  await joined.close()
})

test('ours: a name that holds something else, a newer format, and a bad id are errors', async t => {
  await server.ask('HSET', '{taken}m', 'name', 'somebody')
  await server.ask('SET', '{text}m', 'hello')
  const open = (name: string, crawler = 'a') => openRedis({ where: parseWhere(server.url(name)), crawler })
  await assert.rejects(open('taken'), { code: 'FRONTIER_NOT_OURS' })
  await assert.rejects(open('text'), { code: 'FRONTIER_ENGINE_ERROR' })
  const crew = new Crew(t, server, 2)
  await (await crew.join('a')).close()
  await server.ask('HSET', `{${crew.name}}m`, 'format', String(FORMAT + 1))
  await assert.rejects(open(crew.name), { code: 'FRONTIER_OTHER_VERSION' })
  for (const id of ['', 'a b', 'x'.repeat(101), 'observer:1']) {
    await assert.rejects(open('fresh', id), { code: 'FRONTIER_BAD_OPTION' })
  }
})
