// What the real web does to a crawl, in memory and in wound time: nobody starves, and nothing is held open for the dead.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../../src/simulate/virtual-clock.ts'
import { MemoryCrawl, type MemoryOptions, type MemoryRun } from './memory-crawl.ts'
import { type MemoryHost, MemoryWeb } from './memory-web.ts'

const S = 1000

/** A host whose home links to so many pages of its own. */
function site(name: string, pages: number, more: Partial<MemoryHost> & { links?: readonly string[] } = {}): MemoryHost {
  const { links = [], ...rest } = more
  const own = Array.from({ length: pages - 1 }, (_, n) => `http://${name}/${n + 1}`)
  const paths = new Map<string, readonly string[]>([['/', [...own, ...links]]])
  for (let n = 1; n < pages; n++) paths.set(`/${n}`, [])
  return { name, ips: [`10.${hash(name)}`], robots: '', pages: paths, ...rest }
}

function hash(name: string): string {
  let sum = 7
  for (const char of name) sum = (Math.imul(sum, 31) + char.charCodeAt(0)) >>> 0
  return `${(sum >>> 16) & 255}.${(sum >>> 8) & 255}.${sum & 255}`
}

async function crawl(
  hosts: readonly MemoryHost[],
  options: MemoryOptions,
  seeds = [`http://${hosts[0]!.name}/`],
): Promise<MemoryRun & { web: MemoryWeb }> {
  const time = new VirtualClock()
  const web = new MemoryWeb(hosts, time)
  const run = await (await MemoryCrawl.open(web, time, options)).run(seeds)
  return { ...run, web }
}

const SILENT = { trouble: () => 'silent' as const }
const REFUSES = { trouble: () => 'refuses' as const }

test('ours: a page that links to 100 silent hosts and to 100 pages of a healthy one: -n 100 takes what 100 pages take', async () => {
  const silent = Array.from({ length: 100 }, (_, n) => site(`silent${n}.com`, 2, SILENT))
  const home = site('home.com', 101, { links: silent.map(({ name }) => `http://${name}/`) })
  const { because, pages, tookMs } = await crawl([home, ...silent], { limit: 100, delayMs: 50 })
  assert.equal(because, 'limit')
  assert.equal(pages.length, 100)
  assert.ok(tookMs < 12 * S, `took ${tookMs} ms`)
})

test('ours: 53 live hosts and 200 silent ones: 1,000 pages at the speed of the live ones', async () => {
  const silent = Array.from({ length: 200 }, (_, n) => site(`silent${n}.com`, 2, SILENT))
  const live = Array.from({ length: 53 }, (_, n) =>
    site(`live${n}.com`, 30, {
      links: [`http://silent${n}.com/`, `http://silent${n + 53}.com/`, `http://silent${n + 106}.com/`],
    }),
  )
  const seeds = [...live, ...silent].map(({ name }) => `http://${name}/`)
  const { pages, tookMs } = await crawl([...live, ...silent], { limit: 1000, delayMs: 100 }, seeds)
  assert.equal(pages.length, 1000)
  assert.ok(tookMs < 10 * S, `took ${tookMs} ms`)
})

test('ours: a seed whose robots.txt can’t be had is given up when the retries are used up, and then the crawl ends', async () => {
  const { because, tookMs, web, frontier, events } = await crawl([site('dead.com', 5, REFUSES)], {})
  assert.equal(because, 'nothing left')
  assert.equal(web.log.length, 4)
  assert.ok(tookMs >= 31 * S && tookMs < 33 * S, `took ${tookMs} ms`)
  assert.equal((await frontier.counts()).down, 1)
  assert.equal(events.filter(({ kind }) => kind === 'failed').length, 1)
})

test('starvation: a page that answers 500 holds its host up for 1, 5 and 25 s, and no longer', async () => {
  const trouble = (_: number, path: string) => (path === '/1' ? { status: 500 } : undefined)
  const { because, pages, tookMs, web } = await crawl([site('a.com', 4, { trouble })], { delayMs: 100 })
  assert.equal(because, 'nothing left')
  assert.equal(pages.length, 3)
  assert.equal(web.log.filter(({ path }) => path === '/1').length, 4)
  assert.ok(tookMs >= 31 * S && tookMs < 32 * S, `took ${tookMs} ms`)
})

test('rule 5.4: only a robots.txt that was read refuses: what waits at a host that is away is still there for the next run', async () => {
  const home = site('home.com', 5)
  const dead = site('dead.com', 5, { trouble: () => ({ status: 503 }) })
  const { frontier, because } = await crawl([home, dead], {}, [
    'http://home.com/',
    'http://dead.com/',
    'http://dead.com/3',
  ])
  assert.equal(because, 'nothing left')
  const { down, waiting, refused } = await frontier.counts()
  assert.deepEqual({ down, waiting, refused }, { down: 2, waiting: 2, refused: 0 })
})

test('ours: a host that dies with 400 links waiting is asked after 1, 5 and 25 s, not 400 times', async () => {
  const startMs = 1_700_000_000_000
  const host = site('a.com', 401, { trouble: nowMs => (nowMs > startMs + 2 * S ? 'refuses' : undefined) })
  const { tookMs, web, frontier } = await crawl([host], { delayMs: 10 })
  const after = web.log.filter(({ status }) => status === undefined)
  assert.equal(after.length, 4)
  const gaps = after.slice(1).map(({ startMs }, n) => Math.round((startMs - after[n]!.endMs) / S))
  assert.deepEqual(gaps, [1, 5, 25])
  assert.ok(tookMs < 40 * S, `took ${tookMs} ms`)
  assert.ok((await frontier.counts()).down > 200)
})

const DEAD_HOSTS = 10_000

test('ours: 10,000 hosts at a dead server don’t hold a crawl open', async () => {
  const home = site('home.com', 3)
  const dead = Array.from({ length: DEAD_HOSTS }, (_, n) => site(`d${n}.com`, 1, { ips: ['10.9.9.9'], ...REFUSES }))
  const seeds = [home, ...dead].map(({ name }) => `http://${name}/`)
  const { because, tookMs, web, frontier } = await crawl([home, ...dead], {}, seeds)
  assert.equal(because, 'nothing left')
  assert.ok(tookMs < 300 * S, `took ${tookMs} ms`)
  assert.ok(web.log.length < 200, `${web.log.length} requests`)
  assert.equal((await frontier.counts()).down, DEAD_HOSTS)
})

test('ours: a host with several addresses: the next one is tried before the request counts as failed', async () => {
  const host = site('a.com', 3, { ips: ['10.0.0.1', '10.0.0.2'] })
  const time = new VirtualClock()
  const web = new MemoryWeb([host], time)
  const visit = web.visit.bind(web)
  web.visit = async (name, job) => {
    if (job.address?.ip !== '10.0.0.1') return visit(name, job)
    await time.sleep(1)
    return { result: { kind: 'failed', why: 'connect', isSilent: true }, close() {} }
  }
  const { pages, events } = await (await MemoryCrawl.open(web, time)).run(['http://a.com/'])
  assert.equal(pages.length, 3)
  assert.deepEqual(
    events.filter(({ kind }) => kind === 'again' || kind === 'failed'),
    [],
  )
})

test('ours: the network is away for two minutes in the middle: nothing is counted as failed, and the crawl goes on by itself', async () => {
  const startMs = 1_700_000_000_000
  const isAway = (nowMs: number) => nowMs > startMs + 3 * S && nowMs < startMs + 123 * S
  for (const trouble of ['silent', 'refuses', 'our network', 'dns'] as const) {
    const hosts = Array.from({ length: 20 }, (_, n) =>
      site(`h${n}.com`, 60, { trouble: nowMs => (isAway(nowMs) ? trouble : undefined) }),
    )
    const seeds = hosts.map(({ name }) => `http://${name}/`)
    const { pages, because, events, frontier, tookMs } = await crawl(hosts, {}, seeds)
    assert.equal(because, 'nothing left', trouble)
    assert.equal(pages.length, 1200, trouble)
    assert.equal((await frontier.counts()).refused, 0, trouble)
    assert.ok(tookMs < 200 * S, `${trouble}: took ${tookMs} ms`)
    const said = events.flatMap(event => (event.kind === 'trouble' ? [event.message] : []))
    assert.equal(said.length, 2, `${trouble}: ${said.join('; ')}`)
    assert.match(said[0]!, /network seems to be down/)
    assert.match(said[1]!, /network is back after/)
  }
})

test('ours: a crawl that is started again while the network is away goes on when it is back, and refuses nothing', async () => {
  for (const trouble of ['silent', 'refuses', 'our network', 'dns'] as const) {
    let isAway = false
    const hosts = Array.from({ length: 60 }, (_, n) =>
      site(`h${n}.com`, 25, { trouble: () => (isAway ? trouble : undefined) }),
    )
    const seeds = hosts.map(({ name }) => `http://${name}/`)
    const time = new VirtualClock()
    const web = new MemoryWeb(hosts, time)
    const first = await MemoryCrawl.open(web, time)
    time.timer(1500, () => first.conductor.stop())
    const { because, frontier } = await first.run(seeds)
    assert.equal(because, 'stopped')
    isAway = true
    time.timer(60 * S, () => (isAway = false))
    const second = await MemoryCrawl.open(web, time, { frontier, hasAnswered: true })
    const { pages } = await second.run([])
    assert.equal(first.pages.length + pages.length, 1500, trouble)
    assert.ok(first.pages.length < 1200)
    assert.equal((await frontier.counts()).refused, 0, trouble)
  }
})

test('ours: names that don’t exist cost no request, and their links are refused once', async () => {
  const dead = Array.from({ length: 300 }, (_, n) => `http://nowhere${n}.com/`)
  const home = site('home.com', 50, { links: dead })
  const { pages, frontier, tookMs } = await crawl([home], { delayMs: 10 })
  assert.equal(pages.length, 50)
  assert.equal((await frontier.counts()).refused, 300)
  assert.ok(tookMs < 4 * S, `took ${tookMs} ms`)
})

test('ours: requests for robots.txt don’t count against the pages missing to -n', async () => {
  const hosts = Array.from({ length: 40 }, (_, n) => site(`h${n}.com`, 2, { answerMs: 1000 }))
  const seeds = hosts.map(({ name }) => `http://${name}/`)
  const { pages, web } = await crawl(hosts, { limit: 1 }, seeds)
  assert.equal(pages.length, 1)
  // While the first page was on its way, other hosts were asked for their rules.
  assert.ok(web.log.filter(({ path }) => path === '/robots.txt').length > 5)
})
