// How machines agree on the settings of a crawl that they share, on a real Redis.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { planRun } from '../../../src/crawl/run-plan.ts'
import type { CrawlSettings } from '../../../src/crawl/settings.ts'
import { checkTerms, type Joined, type Joining, joinCrawl } from '../../../src/crawl/shared/join.ts'
import { parseWhere, type Where } from '../../../src/frontier/redis/engine/where.ts'
import { openRedis } from '../../../src/frontier/redis/open.ts'
import { type WebUrl, webUrl } from '../../../src/url/web.ts'
import { startRedis } from '../../redis/servers.ts'

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

test('issue 11.2: of two machines that start together with different settings, one is refused before it fetches', async t => {
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
