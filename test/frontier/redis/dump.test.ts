// A frontier goes from a folder to Redis and back: nothing is lost, and it continues as if nothing had happened.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { ALL_PARTS, type DumpRecord } from '../../../src/frontier/dump.ts'
import type { FrontierOptions } from '../../../src/frontier/frontier.ts'
import { dumpLocal } from '../../../src/frontier/local/dump.ts'
import { openLocal } from '../../../src/frontier/local/open.ts'
import { restoreLocal } from '../../../src/frontier/local/restore.ts'
import { CrawlDump } from '../../../src/frontier/redis/crawl-dump.ts'
import { openRedis } from '../../../src/frontier/redis/open.ts'
import { parseWhere } from '../../../src/frontier/redis/where.ts'
import { HandClock } from '../../contract/hand-clock.ts'
import { randomOperations, randomOptions } from '../../contract/operations.ts'
import { Player } from '../../contract/player.ts'
import { smallWorld, urlsOf } from '../../contract/worlds.ts'
import { FRONTIER_STRATEGIES } from '../../model/frontier-oracle.ts'
import { RandomSource, seeds } from '../../model/random-source.ts'
import { startRedis } from '../../redis/servers.ts'
import { allOf, continuesAlike, lived, streamOf, temporaryFolder } from '../dump-help.ts'

const server = await startRedis({ after })
let names = 0

async function crawlAt(t: TestContext, shards: number): Promise<CrawlDump> {
  const crawl = await CrawlDump.open(parseWhere(server.url(`dump-${++names}`, `?shards=${shards}`)))
  t.after(() => crawl.close())
  return crawl
}

async function dumped(crawl: CrawlDump, options: FrontierOptions, nowMs: number): Promise<DumpRecord[]> {
  return allOf(crawl.dump((await crawl.structure())!, { nowMs, delayMs: options.delayMs ?? 0 }))
}

async function restored(crawl: CrawlDump, records: readonly DumpRecord[], options: FrontierOptions, nowMs: number) {
  const [head] = records
  assert.ok(head?.kind === 'head')
  const { retries = 3 } = options
  await crawl.restore(head, streamOf(records), { dump: 'x', nowMs, retries })
}

/** Everything but the parts, which are known less exactly after a shard had them; each done link by itself. */
function whole(records: readonly DumpRecord[]): unknown {
  const over = records.flatMap(record => {
    if (record.kind !== 'over') return []
    const bytes = Buffer.from(record.fingerprints)
    const places = Array.from({ length: bytes.length / 8 }, (_, n) => bytes.toString('hex', 8 * n, 8 * n + 8))
    return places.map(fingerprint => `${fingerprint} ${JSON.stringify(record.end)}`)
  })
  const others = records.filter(({ kind }) => kind !== 'over')
  return { records: others.map(one => (one.kind === 'head' ? { ...one, parts: 0 } : one)), over: over.sort() }
}

test('issue 11.2: from a folder to Redis and back, the export is the same each time', async t => {
  for (const seed of seeds(t, 8, 4)) {
    const random = new RandomSource(seed)
    const options = randomOptions(random, FRONTIER_STRATEGIES[seed % FRONTIER_STRATEGIES.length]!)
    const clock = new HandClock()
    const folders = temporaryFolder(t)
    const [folder, back] = [join(folders, 'folder'), join(folders, 'back')]
    await lived(folder, options, random, clock)
    const from = { ...options, clock: clock.read }
    const first = await allOf(dumpLocal({ ...from, folder }))
    const crawl = await crawlAt(t, random.pick([1, 2, 5, 64]))
    await restored(crawl, first, options, clock.nowMs)
    const second = await dumped(crawl, options, clock.nowMs)
    assert.deepEqual(whole(second), whole(first), `ESCALONA_SEED=${seed}, in Redis`)
    await restoreLocal({ folder: back, dump: 'x', clock: clock.read }, streamOf(second))
    const third = await allOf(dumpLocal({ ...from, folder: back }))
    assert.deepEqual(third, second, `ESCALONA_SEED=${seed}, back in a folder`)
    const other = await crawlAt(t, (await crawl.structure())!.shards)
    await restored(other, third, options, clock.nowMs)
    assert.deepEqual(await dumped(other, options, clock.nowMs), second, `ESCALONA_SEED=${seed}, in Redis again`)
    await continuesAlike([folder, back], options, random, clock.nowMs, seed)
  }
})

void ALL_PARTS
void openLocal
void openRedis
void Player
void randomOperations
void smallWorld
void urlsOf
