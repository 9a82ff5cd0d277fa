// How many pages per second does the collector archive? Escalona and its peers collect the same static web on loopback, in
// turn, as whole processes from start to end. The peers keep nothing, except wget, which writes a WARC file; Escalona does all
// it does: robots.txt, WARC, index, report, durable frontier. nginx shares the cores with them. Ratios count.
// How much processor time does a page take, on the main thread and in all? Escalona also collects a fifth of the pages in each
// run: what two lengths have in common is the start, the compiling and the report at the end, and the rest is a page's own.
//   npm run bench:crawl -- [--pages 5000] [--peer-pages 2000] [--runs 3] [--only escalona,raw-loop,crawlee,scrapy,wget]
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { escalona } from '../measured.mjs'
import { finish, median, needs, option } from '../tools.mjs'
import { benchFolder, installCrawlee, peerVersions, pythonWithScrapy } from './peers.mjs'
import { serveStaticWeb } from './static-web.mjs'

const HOSTS = 200
const PAGES_PER_HOST = 100
/** Escalona with fewer pages, to tell what a run costs from what a page costs. */
const SHORT_SHARE = 0.2
const NAMES = ['raw-loop', 'escalona', 'crawlee', 'scrapy', 'wget']

const pages = Number(option('pages', 5000))
const peerPages = Number(option('peer-pages', 2000))
const runs = Number(option('runs', 3))
const only = option('only', NAMES.join()).split(',')
const unknown = only.filter(name => !NAMES.includes(name))
if (unknown.length > 0) throw new Error(`no such program: ${unknown}. There are ${NAMES}`)

mkdirSync(benchFolder, { recursive: true })
if (only.includes('crawlee')) installCrawlee()
const python = only.includes('scrapy') ? pythonWithScrapy() : undefined
if (only.includes('wget')) needs('wget', 'wget')
if (only.includes('crawlee') && python) console.log(peerVersions(python))

const data = mkdtempSync(join(benchFolder, 'data-'))
process.on('exit', () => rmSync(data, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
const { seeds, stop } = await serveStaticWeb(benchFolder, HOSTS, PAGES_PER_HOST)

// A file of certificates in the environment is read at every start of Node, by all programs alike.
const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env
const env = { ...inherited, ESCALONA_BENCH_TIMES: join(data, 'times.json') }
const place = name => fileURLToPath(new URL(name, import.meta.url))
const crawlFolder = join(data, 'crawl')
const timesFile = env.ESCALONA_BENCH_TIMES
const crawl = ['crawl', '-s', seeds, '-o', crawlFolder, '--delay', 0, '--allow-network', '127.0.0.0/8', '-q']
const commands = {
  'raw-loop': ['node', place('raw-loop.mjs'), seeds, pages, join(data, 'raw.gz')],
  escalona: ['node', '--import', place('thread-time.mjs'), escalona, ...crawl, '-n', pages],
  crawlee: ['node', place('peer-crawlee.mjs'), seeds, peerPages],
  scrapy: [python, place('peer_scrapy.py'), seeds, peerPages],
  wget: ['node', place('peer-wget.mjs'), seeds, peerPages, join(data, 'wget')],
}

const rates = {}
/** Processor time of Escalona in each run, with all pages and with the fewer ones. */
const whole = []
const short = []
try {
  for (let run = 0; run < runs; run++) {
    for (const name of NAMES) {
      if (!only.includes(name)) continue
      rates[name] ??= []
      rates[name].push(pagesPerSecond(name))
      console.error(`run ${run + 1}: ${name} ${rates[name].at(-1).toFixed(0)} pages/s`)
      if (name === 'escalona') measureTimes()
    }
  }
} finally {
  stop()
}

const figures = Object.fromEntries(Object.entries(rates).map(([name, list]) => [name, median(list)]))
/** Of the same round: what else the machine does changes from round to round. */
const ratios = Object.fromEntries(
  NAMES.filter(name => name !== 'escalona' && rates.escalona && rates[name]).map(name => [
    name,
    median(rates[name].map((rate, run) => rates.escalona[run] / rate)),
  ]),
)
console.log('program      pages/s   escalona is … times as fast')
for (const [name, rate] of Object.entries(figures)) {
  console.log(`${name.padEnd(10)} ${rate.toFixed(0).padStart(9)} ${ratios[name]?.toFixed(2).padStart(12) ?? ''}`)
}
const times = rates.escalona && timesOf()
if (times)
  console.log(
    `escalona: ${times.cpuUsAPage} µs of processor time per page, ${times.mainThreadUsAPage} of them on the main thread ` +
      `(${times.steadyMainThreadUsAPage} without the ${times.runMainThreadMs} ms of a run)`,
  )
finish({ bench: 'crawl', runs, pages, peerPages, pagesPerSecond: figures, escalonaTo: ratios, ...times })

/** After a run with all pages: notes its times, and those of one with fewer. */
function measureTimes() {
  whole.push({ pages: archivedPages(), ...JSON.parse(readFileSync(timesFile, 'utf8')) })
  rmSync(crawlFolder, { recursive: true, force: true })
  const [program, ...args] = commands.escalona.map(String)
  spawnSync(program, [...args.slice(0, -1), String(Math.ceil(pages * SHORT_SHARE))], { cwd: data, env })
  short.push({ pages: archivedPages(), ...JSON.parse(readFileSync(timesFile, 'utf8')) })
}

/** Medians over the runs. `steady…`: of each page beyond the first ones; `run…`: what a run takes whatever its pages. */
function timesOf() {
  const steady = whole.map((long, run) => (long.mainUs - short[run].mainUs) / (long.pages - short[run].pages))
  const rounded = list => Math.round(median(list))
  return {
    mainThreadUsAPage: rounded(whole.map(({ mainUs, pages }) => mainUs / pages)),
    cpuUsAPage: rounded(whole.map(({ allUs, pages }) => allUs / pages)),
    steadyMainThreadUsAPage: rounded(steady),
    runMainThreadMs: rounded(whole.map(({ mainUs, pages }, run) => (mainUs - steady[run] * pages) / 1000)),
  }
}

function pagesPerSecond(name) {
  rmSync(crawlFolder, { recursive: true, force: true })
  const [program, ...args] = commands[name].map(String)
  const start = performance.now()
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: data, env })
  const seconds = (performance.now() - start) / 1000
  if (status !== 0) throw new Error(`${name} ended with ${status}\n${stderr.slice(-2000)}`)
  const done = name === 'escalona' ? archivedPages() : Number(/pages (\d+)/.exec(stdout)?.[1])
  const asked = name === 'escalona' || name === 'raw-loop' ? pages : peerPages
  if (!(done >= asked * 0.9)) throw new Error(`${name} collected ${done} of ${asked} pages\n${stderr.slice(-2000)}`)
  return done / seconds
}

function archivedPages() {
  return readFileSync(join(crawlFolder, 'pages.jsonl'), 'utf8').trim().split('\n').length
}
