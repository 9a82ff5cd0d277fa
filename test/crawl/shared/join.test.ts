// How machines agree on the settings of a crawl that they share, on a real Redis.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { after, test } from 'node:test'
import { unixClock } from '../../../src/base/clock.ts'
import { planRun } from '../../../src/folder/run-plan.ts'
import { parseWhere, shownWhere, type Where } from '../../../src/frontier/redis/engine/where.ts'
import { openRedis } from '../../../src/frontier/redis/open.ts'
import { checkTerms, type Joined, type Joining, joinCrawl } from '../../../src/run/machines/join.ts'
import { openRun } from '../../../src/run/opening/opening.ts'
import type { CrawlSettings } from '../../../src/settings/settings.ts'
import { type WebUrl, webUrl } from '../../../src/url/web.ts'
import { temporaryFolder } from '../../cli/run-cli.ts'
import { startRedis, until } from '../../redis/servers.ts'

const server = await startRedis({ after })
const SEEDS = [webUrl('http://a.test/') as WebUrl]

function join(where: Where, given: Partial<CrawlSettings>, rest: Partial<Joining> = {}): Promise<Joined> {
  const { seedsGiven = SEEDS.length } = rest
  const request = { seeds: SEEDS.slice(0, seedsGiven), add: false, given, cores: 1, version: '0.0.0' }
  return joinCrawl({
    where,
    crawler: undefined,
    former: { given: undefined, isUnsure: false, seeds: new Set(), lacksSeeds: false },
    hasPages: false,
    seedsGiven,
    plan: former => planRun(request, former),
    onWait: () => {},
    onTrouble: () => {},
    ...rest,
  })
}

test('shared crawl: of two machines that start together with different settings, one is refused before it fetches', async t => {
  const where = parseWhere(server.url('together', '?shards=2'))
  const first = await join(where, { delayMs: 20 })
  // The first one is not at work yet, so the second one may change the settings.
  const second = await join(where, { delayMs: 50 })
  const [a, b] = [await openRedis({ where, crawler: 'a' }), await openRedis({ where, crawler: 'b' })]
  t.after(() => Promise.all([a.close(), b.close()]))
  await assert.rejects(checkTerms(where, first, a), { code: 'CRAWL_OTHER_SETTINGS', message: /--delay 50ms, not 20ms/ })
  await checkTerms(where, second, b)
  await assert.rejects(join(where, { delayMs: 20 }), { code: 'CRAWL_OTHER_SETTINGS' })
  await checkTerms(where, await join(where, {}), b)
})

test('shared crawl: a name with another number of shards is refused, and neither it nor the folder is touched', async t => {
  const made = await openRedis({ where: parseWhere(server.url('parts', '?shards=2')), crawler: 'a' })
  t.after(() => made.close())
  const where = parseWhere(server.url('parts', '?shards=8'))
  await assert.rejects(join(where, {}), { code: 'FRONTIER_OTHER_SHARDS', message: /has 2 shards, not 8/ })
  assert.equal(await made.book.settings(), undefined)
  const folder = joinPath(temporaryFolder(t), 'crawl')
  const opening = openRun({
    folder,
    seeds: SEEDS,
    add: false,
    retry: [],
    given: {},
    version: '0.0.0',
    clock: unixClock,
    frontier: shownWhere(where),
  })
  await assert.rejects(opening, { code: 'FRONTIER_OTHER_SHARDS' })
  assert.deepEqual(
    readdirSync(folder).filter(name => !name.startsWith('lock-')),
    [],
  )
})

test('ours: a machine that waits for the seeds of another takes them all when they were offered', async t => {
  const where = parseWhere(server.url('waiting', '?shards=2'))
  const first = await join(where, { delayMs: 20 })
  const a = await openRedis({ where, crawler: 'a' })
  t.after(() => a.close())
  const said: string[] = []
  const second = join(where, {}, { seedsGiven: 0, onWait: message => said.push(message) })
  await until('the wait', 5000, () => said.length > 0)
  assert.match(said[0]!, /waiting for the machine/)
  await a.book.addSeeds(['{"url":"http://a.test/"}', '{"url":"http://b.test/"}'])
  await a.book.markSeeded()
  const { seeds, seedsRead, others, text } = await second
  assert.deepEqual([seeds.map(({ url }) => url), seedsRead, others], [['http://a.test/', 'http://b.test/'], 2, 1])
  assert.equal(text, first.text)
})
