// How fresh an archive is, in a real crawl on loopback of a web whose pages change by a seeded Poisson law, beside what as many visits
// would do if all pages were visited equally often, and in the best way:
//   npm run bench:freshness -- [--minutes 15] [--delay 0,2] [--for freshness,changes] [--pages 400] [--hosts 20] [--seed 1]
// All runs go on at the same time, each with servers, a log and a folder of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '15' },
    delay: { type: 'string', default: '0,2' },
    for: { type: 'string', default: 'freshness,changes' },
    pages: { type: 'string', default: '400' },
    hosts: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    escalona: { type: 'string', default: fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url)) },
  },
})
const [minutes, pages, hosts, seed] = [values.minutes, values.pages, values.hosts, values.seed].map(Number)
const [FROM_MS, TO_MS, NEVER] = [4000, 600_000, 0.2]
const FIRST_PORT = 42_000

/** Mean time between changes of each page, and when it changes. */
function pagesThatChange(chance) {
  return Array.from({ length: pages }, () => {
    const meanMs = chance() < NEVER ? Infinity : FROM_MS * (TO_MS / FROM_MS) ** chance()
    const atMs = []
    for (let ms = 0; meanMs < Infinity && ms < minutes * 60_000 + 60_000; ) {
      ms -= Math.log(1 - chance()) * meanMs
      atMs.push(ms)
    }
    return { meanMs, atMs }
  })
}

/** One crawl. Each host has an address of its own, and the same number of pages. */
async function crawl(delay, goal, port, law) {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-fresh-'))
  const startMs = Date.now()
  const visits = law.map(() => [])
  const url = page => `http://127.70.0.${1 + (page % hosts)}:${port}/${page}`
  const versionOf = (page, ms) => law[page].atMs.findIndex(at => at > ms)
  const servers = Array.from({ length: hosts }, (_, host) =>
    createServer((request, response) => {
      const page = Number(request.url.slice(1))
      if (!(page < pages) || request.url === '/') return void response.writeHead(404).end()
      const nowMs = Date.now() - startMs
      const version = versionOf(page, nowMs)
      visits[page].push(nowMs)
      const etag = `"${version}"`
      if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
      response.writeHead(200, { 'content-type': 'text/html', etag })
      response.end(`<title>${page}</title><p>Page ${page}, version ${version}.</p>`)
    }).listen(port, `127.70.0.${1 + host}`),
  )
  const seeds = join(folder, 'seeds.txt')
  writeFileSync(seeds, law.map((_, page) => `${url(page)}\n`).join(''))
  const child = spawn(
    process.execPath,
    [
      ...[values.escalona, 'crawl', '-s', seeds, '-o', join(folder, 'crawl'), '-q', '--allow-network', '127.0.0.0/8'],
      ...[
        '--delay',
        `${delay}s`,
        '--recrawl',
        '--recrawl-for',
        goal,
        '--max-time',
        `${minutes}m`,
        '--seed',
        String(seed),
      ],
      ...['--recrawl-first', '10s', '--recrawl-min', '1s', '--recrawl-max', '1h', '--sitemaps', 'no', '--workers', '1'],
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const [code] = await once(child, 'exit')
  const endMs = Date.now() - startMs
  for (const server of servers) server.close()
  const captured = readFileSync(join(folder, 'crawl', 'pages.jsonl'), 'utf8')
    .split('\n')
    .filter(line => line.includes('"change":"changed"')).length
  rmSync(folder, { recursive: true, force: true })
  if (code !== 0) throw new Error(`escalona ended with ${code}`)
  return { delay, goal, captured, ...measured(law, visits, endMs, delay) }
}

function measured(law, visits, endMs, delay) {
  let [fresh, all] = [0, 0]
  for (const [page, { atMs }] of law.entries()) {
    for (const [n, ms] of visits[page].entries()) {
      const untilMs = visits[page][n + 1] ?? endMs
      const changeMs = atMs.find(at => at > ms) ?? Infinity
      fresh += Math.min(changeMs, untilMs) - ms
      all += untilMs - ms
    }
  }
  const count = visits.reduce((sum, { length }) => sum + length, 0)
  const means = law.map(({ meanMs }) => meanMs)
  const changes = law.reduce((sum, { atMs }) => sum + atMs.filter(at => at < endMs).length, 0)
  // All hosts are alike, so what the delay of each allows is what it allows over all.
  const perMs = Math.min(count / endMs, delay > 0 ? hosts / (delay * 1000) : Infinity)
  const everyMs = pages / perMs
  const uniform = means.reduce((sum, meanMs) => sum + freshnessOf(meanMs, everyMs), 0) / pages
  return { freshness: fresh / all, uniform, optimum: optimum(means, perMs), visits: count, changes }
}

function freshnessOf(meanMs, everyMs) {
  const x = everyMs / meanMs
  return x === 0 ? 1 : x === Infinity ? 0 : -Math.expm1(-x) / x
}

/** Cho and Garcia-Molina: one more visit is worth the same at every page. By two nested halvings, apart from what the crawler does. */
function optimum(means, perMs) {
  const halved = (low, high, isLow) => {
    for (let step = 0; step < 60; step++) {
      const middle = (low + high) / 2
      if (isLow(middle)) low = middle
      else high = middle
    }
    return high
  }
  const everyMs = (meanMs, worth) =>
    meanMs === Infinity || meanMs <= worth
      ? Infinity
      : meanMs * halved(0, 60, x => 1 - (1 + x) * Math.exp(-x) < worth / meanMs)
  const worth = halved(0, TO_MS, worth => means.reduce((sum, meanMs) => sum + 1 / everyMs(meanMs, worth), 0) > perMs)
  return (
    means.reduce((sum, meanMs) => sum + (meanMs === Infinity ? 1 : freshnessOf(meanMs, everyMs(meanMs, worth))), 0) /
    means.length
  )
}

let state = seed
function chance() {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

const law = pagesThatChange(chance)
const runs = values.delay.split(',').flatMap(delay => values.for.split(',').map(goal => [Number(delay), goal]))
const results = await Promise.all(runs.map(([delay, goal], n) => crawl(delay, goal, FIRST_PORT + n, law)))
console.log('delay  for        freshness  uniform  optimum  of optimum  visits  captured  changes')
for (const one of results) {
  const { delay, goal, freshness, uniform, optimum, visits, captured, changes } = one
  const cells = [freshness, uniform, optimum, freshness / optimum].map(number => number.toFixed(3))
  console.log(
    `${String(delay).padEnd(7)}${goal.padEnd(11)}${cells[0].padEnd(11)}${cells[1].padEnd(9)}${cells[2].padEnd(9)}${cells[3].padEnd(12)}${String(visits).padEnd(8)}${String(captured).padEnd(10)}${changes}`,
  )
}
