// A real crawl on loopback, and a simulated one of what it has collected: the same pages, in the same order on each host, in the same time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crawlWorld } from '../../src/simulate/crawl-world.ts'
import { WorldUrls } from '../../src/simulate/graph-web.ts'
import { pageRank } from '../../src/simulate/page-rank.ts'
import { simulateCrawl } from '../../src/simulate/run-simulation.ts'
import type { World } from '../../src/simulate/world.ts'
import { hostOf } from '../../src/url/host-of.ts'
import { pagesIn } from '../journey/collected.ts'
import { crawl, journey } from '../journey/crawl.ts'
import { pageWith, robotsTxt, type SmallHost, smallWeb } from '../journey/small-web.ts'
import { ONLY_IN_SOAK } from '../model/random-source.ts'

interface Compared {
  /** The URLs of the pages of each host in the order in which they were asked for. */
  readonly real: ReadonlyMap<string, readonly string[]>
  readonly simulated: ReadonlyMap<string, readonly string[]>
  /** From the first request to the end of the last one. */
  readonly realMs: number
  readonly simulatedMs: number
}

async function compared(
  log: readonly { readonly startMs: number; readonly endMs?: number }[],
  folder: string,
  settings: { readonly delayMs: number },
  latencyMs: number,
): Promise<Compared> {
  const work = crawlWorld(folder, 'escalona')
  let step = work.next()
  while (!step.done) step = work.next()
  const world: World = step.value
  const urls = new WorldUrls(world)
  const servers = { latencyMs, errors: 0, crawlDelays: 0, seed: 1 }
  const run = { settings: { ...settings, strategy: 'breadth' as const }, starts: world.seeds! }
  const { pages, virtualMs } = await simulateCrawl(urls, run, { servers }, pageRank(world.graph))
  return {
    real: byHost(pagesIn(folder).map(({ url }) => url)),
    simulated: byHost([...pages].map(page => urls.url(page))),
    realMs: Math.max(...log.map(({ endMs = 0 }) => endMs)) - Math.min(...log.map(({ startMs }) => startMs)),
    simulatedMs: virtualMs,
  }
}

function byHost(urls: readonly string[]): Map<string, string[]> {
  const hosts = new Map<string, string[]>()
  for (const url of [...urls]) hosts.set(hostOf(url), [...(hosts.get(hostOf(url)) ?? []), url])
  return new Map([...hosts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const HOSTS = 8
const PAGES = 15
const DELAY_MS = 60

function pathOf(depth: number): string {
  return Array.from({ length: depth }, (_, n) => n).join('/')
}

/**
 * Front pages lead to own pages of depth 1, and to one page of each other host, deeper the further away that is: so which page of a host
 * comes next does not depend on how soon other hosts answer, as long as they do before the host's own pages are done.
 */
function ladder(n: number): SmallHost {
  const own = Array.from({ length: PAGES }, (_, page) => `/p${(page * 7) % PAGES}`)
  const others = Array.from({ length: HOSTS - 1 }, (_, step) => {
    const host = (n + step + 1) % HOSTS
    return `http://h${host}.test:{{port}}/${pathOf(step + 1)}/from${n}`
  })
  return {
    name: `h${n}.test`,
    address: `127.49.91.${n + 1}`,
    answer(path) {
      if (path === '/robots.txt') return n === 0 ? robotsTxt('User-agent: *\nCrawl-delay: 0.1\n') : undefined
      if (path === '/moved') return { status: 301, headers: { Location: `/${pathOf(HOSTS + 1)}/there` } }
      return pageWith(path, path === '/' ? [...others, ...own, '/moved'] : path === '/p3' ? ['/x/y', '/p0', '/'] : [])
    },
  }
}

test('simulate: a simulated crawl takes the pages of each host in the order of the real one, and no less time', async t => {
  const web = await smallWeb(
    t,
    Array.from({ length: HOSTS }, (_, n) => ladder(n)),
  )
  const { code, stderr } = await crawl(web, '--delay', `${DELAY_MS}ms`, '--strategy', 'breadth')
  assert.equal(code, 0, stderr)
  const { real, simulated, realMs, simulatedMs } = await compared(web.log, web.folder, { delayMs: DELAY_MS }, 1)
  t.diagnostic(`real ${realMs.toFixed(0)} ms, simulated ${simulatedMs} ms`)
  assert.equal(real.get(hostOf(web.url('h0.test')))!.length, 1 + PAGES + (HOSTS - 1) + 2)
  assert.deepEqual(simulated, real)
  // The other direction would judge the machine.
  assert.ok(realMs > 0.95 * simulatedMs, `${realMs.toFixed(0)} ms, simulated ${simulatedMs} ms`)
})

const TRIES = 3

test('simulate: a crawl of the synthetic web takes as long as its simulation, within 5 %', ONLY_IN_SOAK, async t => {
  let best = Infinity
  for (let tries = 0; tries < TRIES && best > 1.05; tries++) {
    const trip = await journey(t, { oddities: false, hosts: 12, pagesAHost: 10, waitMs: 20, seed: 1 + tries })
    const { code, stderr } = await crawl(trip, '--delay', '1s', '--strategy', 'breadth')
    assert.equal(code, 0, stderr)
    const { real, simulated, realMs, simulatedMs } = await compared(trip.server.log, trip.folder, { delayMs: 1000 }, 20)
    let same = 0
    for (const [host, urls] of real) {
      assert.deepEqual(simulated.get(host)?.toSorted(), urls.toSorted())
      if (urls.join() === simulated.get(host)?.join()) same++
    }
    t.diagnostic(
      `real ${realMs.toFixed(0)} ms, simulated ${simulatedMs} ms; the same order on ${same} of ${real.size} hosts`,
    )
    assert.ok(realMs > 0.95 * simulatedMs)
    best = Math.min(best, realMs / simulatedMs)
  }
  assert.ok(best < 1.05, `${best}`)
})
