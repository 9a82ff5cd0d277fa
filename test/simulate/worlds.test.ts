// Worlds, the servers in them, and the clock that they run on.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { crawlWorld } from '../../src/simulate/crawl-world.ts'
import { graphOfLinks, reachable } from '../../src/simulate/graph.ts'
import { WorldUrls } from '../../src/simulate/graph-web.ts'
import { measure } from '../../src/simulate/measures.ts'
import { pageRank } from '../../src/simulate/page-rank.ts'
import { type RunTrace, type SimulatedRun, simulateCrawl } from '../../src/simulate/run-simulation.ts'
import { VirtualClock } from '../../src/simulate/virtual-clock.ts'
import { dealtWorld, startSets, syntheticGraph, type World, worldOfUrls } from '../../src/simulate/world.ts'
import { crawlOf } from '../export/crawl-folder.ts'

function graphOf(pages: number, links: readonly (readonly [number, number])[]) {
  return graphOfLinks(
    pages,
    Uint32Array.from(links, ([from]) => from),
    Uint32Array.from(links, ([, to]) => to),
  ).graph()
}

const SERVERS = { latencyMs: 200, errors: 0, crawlDelays: 0, seed: 1 }

function crawled(world: World, run: Partial<SimulatedRun> = {}, servers = SERVERS): Promise<RunTrace> {
  const whole = { settings: { strategy: 'breadth', delayMs: 1000, seed: 1 }, starts: [0], ...run } as const
  return simulateCrawl(new WorldUrls(world), whole, { servers }, pageRank(world.graph))
}

test('simulate: pages are dealt to hosts by Zipf’s law, neighbours together, as the seed says', () => {
  const { graph } = dealtWorld(graphOf(10_000, []), 1, 1)
  const { hosts, hostNames, servers } = dealtWorld(graph, 100, 1)
  const sizes = new Array<number>(100).fill(0)
  for (const [page, host] of hosts.entries()) {
    sizes[host]!++
    assert.ok(page === 0 || host === hosts[page - 1] || host === hosts[page - 1]! + 1)
  }
  const sorted = sizes.toSorted((a, b) => b - a)
  for (const k of [1, 2, 5, 10]) assert.ok(Math.abs(sorted[k]! / sorted[0]! - 1 / (k + 1)) < 0.01, `${sorted}`)
  assert.ok(sorted[99]! >= 1 && sizes.indexOf(sorted[0]!) !== 0)
  assert.deepEqual([hostNames.length, new Set(servers).size], [100, 100])
  assert.deepEqual(dealtWorld(graph, 100, 1).hosts, hosts)
  assert.notDeepEqual(dealtWorld(graph, 100, 2).hosts, hosts)
  assert.equal(dealtWorld(graphOf(3, []), 100, 1).hostNames.length, 3)
})

test('simulate: hosts of a domain share a server, unless their addresses are known', () => {
  const urls = ['http://a.x.test/', 'https://b.x.test/', 'http://c.test:81/', 'http://a.x.test/2']
  const { hosts, hostNames, domains, servers } = worldOfUrls(graphOf(4, []), urls)
  assert.deepEqual(
    [[...hosts], hostNames],
    [
      [0, 1, 2, 0],
      ['a.x.test', 'b.x.test', 'c.test:81'],
    ],
  )
  assert.deepEqual(
    [[...domains], [...servers]],
    [
      [0, 0, 1],
      [0, 0, 1],
    ],
  )
  const known = new Map([
    ['a.x.test', '192.0.2.1'],
    ['c.test:81', '192.0.2.1'],
  ])
  assert.deepEqual([...worldOfUrls(graphOf(4, []), urls, known).servers], [0, 1, 0])
})

test('simulate: the links of a crawl are a world, with its seeds, its addresses and what its hosts ask for', async t => {
  const links = (...hrefs: string[]) => hrefs.map(href => `<a href="${href}">x</a>`).join('')
  const { folder } = await crawlOf(t, [
    { url: 'http://a.test/robots.txt', html: 'User-agent: *\nCrawl-delay: 7\n', isNoPage: true },
    { url: 'http://a.test/2', html: links('/1', '/2', 'http://b.test/none') },
    { url: 'http://a.test/1', html: links('/moved', '/2') },
    { url: 'http://b.test/', from: 'http://a.test/moved' },
  ])
  writeFileSync(join(folder, 'seeds.jsonl'), '{"url":"http://a.test/1"}\n')
  const work = crawlWorld(folder, 'escalona')
  let step = work.next()
  while (!step.done) step = work.next()
  const { graph, hostNames, servers, seeds, crawlDelays } = step.value
  assert.deepEqual([...graph.offsets], [0, 1, 3, 3])
  assert.deepEqual([...graph.targets], [1, 2, 0])
  assert.deepEqual([hostNames, [...servers], seeds], [['a.test', 'b.test'], [0, 0], [1]])
  assert.deepEqual(crawlDelays, [7, undefined])
})

test('simulate: start pages have more links than --start-links, are different, and depend on set and seed alone', () => {
  const graph = graphOf(
    100,
    Array.from({ length: 100 }, (_, n) => [n < 50 ? 7 : n < 55 ? 8 : n, (n * 3) % 100] as const),
  )
  const world = dealtWorld(graph, 3, 1)
  const many = dealtWorld(
    graphOfLinks(500, ...(Object.values(syntheticGraph(500, 1)) as [Uint32Array, Uint32Array])).graph(),
    3,
    1,
  )
  assert.deepEqual(startSets(world, { starts: 1, startPages: 10, startLinks: 5, seed: 1 }), [[7]])
  const options = { starts: 3, startPages: 20, startLinks: 0, seed: 1 }
  const sets = startSets(many, options)
  assert.deepEqual(startSets(many, options), sets)
  assert.notDeepEqual(startSets(many, { ...options, seed: 2 }), sets)
  assert.equal(new Set(sets.map(String)).size, 3)
  for (const set of sets) assert.equal(new Set(set).size, 20)
  assert.throws(() => startSets(world, { ...options, startLinks: 1000 }), { code: 'SIMULATE_NO_START' })
})

test('simulate: a crawl reaches what can be reached, politely; errors, Crawl-delays and answer times are those of the model', async () => {
  const { from, to } = syntheticGraph(300, 3)
  const world = dealtWorld(graphOfLinks(300, from, to).graph(), 6, 3)
  const plain = await crawled(world)
  assert.deepEqual(plain.pages.toSorted(), reachable(world.graph, [0]).toSorted())
  assert.deepEqual(plain.atMs, plain.atMs.toSorted())
  assert.equal(plain.requests, plain.pages.length + 6, 'and a robots.txt per host')
  assert.equal(plain.smallestGapMs, 1000)
  assert.ok(plain.virtualMs >= plain.atMs.at(-1)! && plain.idleSlots > 0.8 && plain.idleSlots < 1)
  const measures = measure(world, pageRank(world.graph), [0], plain)
  assert.deepEqual([measures.reachable, measures.curve.at(-1)!.pageRank.toFixed(6)], [plain.pages.length, '1.000000'])
  assert.equal(measures.atMs['0.5'], plain.atMs[Math.round(plain.pages.length / 2) - 1])
  const part = dealtWorld(graphOf(5, [[0, 1]]), 1, 1)
  assert.equal(measure(part, pageRank(part.graph), [0], await crawled(part)).reachable, 2)
  const failing = await crawled(world, {}, { ...SERVERS, errors: 0.3 })
  assert.ok(failing.requests > 1.2 * plain.requests && failing.pages.length > 200)
  const patient = await crawled(world, {}, { ...SERVERS, crawlDelays: 1 })
  assert.equal(patient.smallestGapMs, 10_000)
  const slow = await crawled(world, {}, { ...SERVERS, latencyMs: 2000 })
  assert.ok(slow.virtualMs > 1.3 * plain.virtualMs)
  const asked = await crawled({ ...world, crawlDelays: [3, 3, 3, 3, 3, 3] })
  assert.equal(asked.smallestGapMs, 3000)
})

test('simulate: the newest link first is a depth-first search, random is neither, and PageRank orders a host', async () => {
  // A binary tree on one host, and one page on another.
  const tree = Array.from({ length: 14 }, (_, n) => [Math.floor(n / 2), n + 1] as const)
  const one = dealtWorld(graphOf(15, tree), 1, 1)
  const { pages } = await crawled(one, { order: 'newest' })
  assert.deepEqual([...pages], [0, 2, 6, 14, 13, 5, 12, 11, 1, 4, 10, 9, 3, 8, 7])
  assert.deepEqual(
    [...(await crawled(one)).pages],
    Array.from({ length: 15 }, (_, n) => n),
  )
  const random = [...(await crawled(one, { order: 'random' })).pages]
  assert.ok(random.join() !== pages.join() && random.join() !== random.toSorted((a, b) => a - b).join())
  // Many pages lead to the last one.
  const fan = dealtWorld(
    graphOf(5, [
      [0, 1],
      [0, 2],
      [0, 3],
      [0, 4],
      [1, 4],
      [2, 4],
      [3, 4],
    ]),
    1,
    1,
  )
  assert.deepEqual([...(await crawled(fan)).pages], [0, 1, 2, 3, 4])
  assert.deepEqual([...(await crawled(fan, { rank: 'pagerank' })).pages], [0, 4, 1, 2, 3])
})

test('virtual clock: alarms ring by time, then in the order in which they were set; cancelled ones never do', async () => {
  const time = new VirtualClock(0)
  const rung: string[] = []
  const cancel = time.timer(5, () => rung.push('cancelled'))
  for (let n = 0; n < 50_000; n++) time.timer(1, () => rung.push('never'))()
  time.timer(10, () => rung.push(`late at ${time.nowMs}`))
  time.timer(5, () => {
    rung.push(`first at ${time.nowMs}`)
    void Promise.resolve().then(() => rung.push('what follows'))
    time.timer(0, () => rung.push(`inner at ${time.nowMs}`))
  })
  time.timer(5, () => rung.push('second'))
  cancel()
  await time.until(time.sleep(10))
  assert.deepEqual(rung, ['first at 5', 'second', 'what follows', 'inner at 5', 'late at 10'])
  await assert.rejects(time.until(new Promise(() => {})), /the end has not come/)
  await assert.rejects(time.until(time.sleep(100), 50), /after 50 ms/)
})
