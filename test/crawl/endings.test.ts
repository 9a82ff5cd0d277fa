// What becomes of links, over a whole crawl in memory: the frontier, the statistics and failures.jsonl say the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waterfall } from '../../src/folder/stats/outcome-counts.ts'
import { Stats } from '../../src/folder/stats/stats.ts'
import { VirtualClock } from '../../src/simulate/virtual-clock.ts'
import { MemoryCrawl } from './memory-crawl.ts'
import { type MemoryHost, MemoryWeb } from './memory-web.ts'

function host(name: string, links: readonly string[], more: Partial<MemoryHost> = {}): MemoryHost {
  return { name, ips: [`10.0.0.${name.length}`], pages: new Map([['/', links]]), ...more }
}

test('endings: links of a host that is gone are counted, each once, in all places', async () => {
  const time = new VirtualClock()
  const dead = Array.from({ length: 1500 }, (_, n) => `http://dead.com/${n}`)
  const web = new MemoryWeb([host('a.com', [...dead, 'http://a.com/missing']), host('dead.com', [], { ips: [] })], time)
  const crawl = await MemoryCrawl.open(web, time)
  const { frontier, events } = await crawl.run(['http://a.com/'])
  const counts = await frontier.counts()
  assert.deepEqual(counts.refusedFor, { dns: 1500, 'status-404': 1 })
  const stats = new Stats(0)
  for (const event of events) stats.record(event, 0)
  assert.deepEqual([stats.failed.get('dns'), stats.refused.get('status-404')], [1500, 1])
  assert.deepEqual(new Set(crawl.failures.map(({ url }) => url)), new Set([...dead, 'http://a.com/missing']))
  assert.equal(crawl.failures.length, 1501)
  const ofDead = crawl.failures.filter(({ reason }) => reason === 'dns')
  assert.ok(ofDead.every(({ from, attempts }) => from === 'http://a.com/' && attempts === undefined))
  const { known, archived, failed, refused } = waterfall(counts)
  assert.deepEqual([known, archived, failed.count, refused.count], [1502, 1, 1500, 1])
})

test('endings: a narrower scope holds for what waits; nobody outside is asked', async () => {
  const time = new VirtualClock()
  const links = ['http://b.org/', 'http://b.org/1', 'http://a.com/missing']
  const web = new MemoryWeb([host('a.com', []), host('b.org', [])], time)
  const seeds = ['http://a.com/']
  const crawl = await MemoryCrawl.open(web, time, { seeds, scope: 'host' })
  await crawl.frontier.offer(links.map(url => ({ url, rank: 1, hops: 1 })))
  const { frontier } = await crawl.run(seeds)
  assert.deepEqual((await frontier.counts()).refusedFor, { scope: 2, 'status-404': 1 })
  assert.ok(web.log.every(({ host }) => host === 'a.com'))
  assert.deepEqual(
    crawl.failures.map(({ url }) => url),
    ['http://a.com/missing'],
    'what is held back has not ended',
  )
})
