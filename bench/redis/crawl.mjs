// How many pages per second does a collector archive with its frontier in a Redis on the same machine, beside one with its
// frontier in its folder? Whole processes from start to end, in turn, on the static web of bench/crawl. nginx and Redis share
// the cores with them, so the share counts, not the rates.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { benchFolder } from '../crawl/peers.mjs'
import { serveStaticWeb } from '../crawl/static-web.mjs'
import { escalona } from '../measured.mjs'
import { median } from '../tools.mjs'
import { startServers } from './servers.mjs'

const HOSTS = 200
const PAGES_PER_HOST = 100

/** Medians over the rounds; `share`: of the ratios of each round. */
export async function measureCrawl({ runs, pages }) {
  mkdirSync(benchFolder, { recursive: true })
  const data = mkdtempSync(join(benchFolder, 'data-'))
  const { seeds, stop } = await serveStaticWeb(benchFolder, HOSTS, PAGES_PER_HOST)
  const servers = await startServers({ primaries: 1, replicas: 0 })
  const rates = { local: [], redis: [] }
  try {
    for (let run = 0; run < runs; run++) {
      const frontier = `redis://${servers.addresses[0]}/bench-${run}`
      rates.local.push(pagesPerSecond(seeds, pages, join(data, `local-${run}`), []))
      rates.redis.push(pagesPerSecond(seeds, pages, join(data, `redis-${run}`), ['--frontier', frontier]))
      const shown = Object.entries(rates).map(([name, list]) => `${name} ${list.at(-1).toFixed(0)} pages/s`)
      console.error(`crawl, run ${run + 1}: ${shown.join(', ')}`)
    }
  } finally {
    stop()
    await servers.stop()
    rmSync(data, { recursive: true, force: true })
  }
  return {
    localPagesPerSecond: median(rates.local),
    redisPagesPerSecond: median(rates.redis),
    share: median(rates.redis.map((rate, run) => rate / rates.local[run])),
  }
}

function pagesPerSecond(seeds, pages, folder, more) {
  const args = ['crawl', '-s', seeds, '-n', pages, '-o', folder, '--delay', 0, '--allow-network', '127.0.0.0/8', '-q']
  const start = performance.now()
  const { status, stderr } = spawnSync('node', [escalona, ...args, ...more].map(String), { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the crawl ended with ${status}\n${stderr.slice(-2000)}`)
  return pages / ((performance.now() - start) / 1000)
}
