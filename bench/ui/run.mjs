// Does the live page slow the crawl down that it shows, and how soon does it answer? A crawl that knows very many hosts and links runs at
// full speed against a web on loopback; in turn, the page is open or it is not. Then every answer of the API is timed while the crawl
// goes on. Ratios count.
//   npm run bench:ui -- [--hosts 100000] [--links 1000000] [--rounds 8] [--seconds 6] [--asks 30] [--browser] [--huge]
// --huge: a million hosts and ten million links. --browser: Chromium looks, instead of a program that asks for what the page asks for.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { escalona } from '../measured.mjs'
import { cpuSecondsOf, finish, median, memoryKib, option } from '../tools.mjs'
import { browser, program } from './visitors.mjs'

const isHuge = process.argv.includes('--huge')
const hosts = Number(option('hosts', isHuge ? 1_000_000 : 100_000))
const links = Number(option('links', isHuge ? 10_000_000 : 1_000_000))
const rounds = Number(option('rounds', 8))
const seconds = Number(option('seconds', 6))
const asks = Number(option('asks', 30))
const visit = process.argv.includes('--browser') ? browser : program
const TOKEN = 'a-token-of-the-benchmark'
/** A page is never open for less time than its hosts need to be read for the first time. */
const WARM_UP_MS = 2000

const place = name => fileURLToPath(new URL(name, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'escalona-ui-'))
const children = []
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const web = started([place('web.mjs')], 'stdout')
let given = 0
const [port, dns] = await new Promise(resolve => {
  web.lines.once('line', line => {
    resolve(line.split(' '))
    web.lines.on('line', count => (given = Number(count)))
  })
})
const filledMs = timed(() => execFileSync(process.execPath, [place('fill.mjs'), folder, `${hosts}`, `${links}`, port]))
console.error(`${links} links of ${hosts} hosts offered in ${(filledMs / 1000).toFixed(0)} s`)
const crawl = started(
  [
    ...[
      escalona,
      'crawl',
      `http://h0.d0.test:${port}/`,
      '-o',
      folder,

      '--strategy',
      'depth',
    ],
    ...[
      '--dns',
      `127.0.0.1:${dns}`,
      '--allow-network',
      '127.0.0.0/8',
      '--contact',
      'bench@example.org',
      '--ui',
      '--ui-token',
      TOKEN,
    ],
    ...[
      '--max-time',
      'none',
      '--delay',
      '0',
      '--server-delay',
      '0',
      '--per-server',
      '48',
      '--max-hosts-per-domain',
      '1M',
    ],
  ],
  'stderr',
)
const origin = await new Promise(resolve => {
  crawl.lines.on('line', line => {
    const [, address] = /live page: (http:\/\/[^/]+)/.exec(line) ?? []
    if (address !== undefined) resolve(address)
  })
})
while (given < 100) await wait(100)
console.error(`crawling; the page is at ${origin}`)

const ratios = []
const perCpu = []
const mb = []
for (let round = 0; round < rounds; round++) {
  // The order alternates, so that a crawl that gets faster or slower favours nobody.
  const isFirst = round % 2 === 0
  const one = await speed(isFirst)
  const other = await speed(!isFirst)
  const [alone, shown] = isFirst ? [other, one] : [one, other]
  ratios.push(shown.perSecond / alone.perSecond)
  perCpu.push(shown.perCpuSecond / alone.perCpuSecond)
  mb.push(memoryMb())
  console.error(
    `round ${round + 1}: ${alone.perSecond.toFixed(0)} pages/s with nobody looking, ${shown.perSecond.toFixed(0)} with the page open; ${mb.at(-1).toFixed(0)} MB`,
  )
}
const answers = await timedAnswers()
const results = {
  bench: 'ui',
  hosts,
  links,
  ...(rounds > 0 && {
    ratio: median(ratios),
    worst: Math.min(...ratios),
    ratioPerCpuSecond: median(perCpu),
    mbFirst: mb[0],
    mbLast: mb.at(-1),
  }),
  ...answers,
}
for (const [name, { medianMs, mostMs }] of Object.entries(answers.answers))
  console.error(`${name}: ${medianMs.toFixed(1)} ms, ${mostMs.toFixed(1)} ms at the most`)
if (rounds > 0)
  console.error(
    `speed with the page open: ${results.ratio.toFixed(3)} of before (at least 0.95), ${results.ratioPerCpuSecond.toFixed(3)} per processor second`,
  )
console.error(
  `slowest answer ${results.slowestMs.toFixed(0)} ms (under 100); memory ${results.mbBefore.toFixed(0)} MB before ${asks} rounds of questions, ${results.mbAfter.toFixed(0)} MB after`,
)
finish(results)
process.exit(0)

function started(args, output) {
  const stdio = ['ignore', 'ignore', 'ignore']
  stdio[output === 'stdout' ? 1 : 2] = 'pipe'
  const child = spawn(process.execPath, args, { stdio })
  children.push(child)
  child.on('exit', code => {
    console.error(`${args[0]} ended with ${code}`)
    process.exit(1)
  })
  return { pid: child.pid, lines: createInterface({ input: child[output] }) }
}

function timed(work) {
  const startMs = performance.now()
  work()
  return performance.now() - startMs
}

/** Pages per second, and per processor second of the crawl with its page, over a while. */
async function speed(isOpen) {
  const leave = isOpen ? await visit({ origin, token: TOKEN }) : () => {}
  await wait(WARM_UP_MS)
  const [startMs, before, cpuBefore] = [performance.now(), given, cpuSecondsOf(crawl.pid)]
  await wait(seconds * 1000)
  const [count, cpuSeconds] = [given - before, cpuSecondsOf(crawl.pid) - cpuBefore]
  await leave()
  return { perSecond: (count / (performance.now() - startMs)) * 1000, perCpuSecond: count / cpuSeconds }
}

/** How long each question takes to be answered, asked one after the other while the crawl runs and somebody listens. */
async function timedAnswers() {
  const leave = await program({ origin, token: TOKEN })
  await wait(WARM_UP_MS)
  const ask = (path, options = {}) =>
    fetch(`${origin}${path}`, {
      ...options,
      headers: { Authorization: `Bearer ${TOKEN}`, ...(options.body && { 'Content-Type': 'application/json' }) },
    })
  const { items: pages } = await (await ask('/api/pages?limit=100')).json()
  const host = n => `h${n}.d${n % 5000}.test:${port}`
  const some = () => Math.floor(Math.random() * hosts)
  const questions = {
    // What an answer costs that needs nothing of the crawl, on this machine now.
    'GET /healthz': () => ask('/healthz'),
    'GET /api/crawl': () => ask('/api/crawl'),
    'GET /api/series': () => ask('/api/series'),
    'GET /api/hosts': () => ask('/api/hosts?limit=50'),
    'GET /api/hosts, far down': () => ask(`/api/hosts?limit=50&offset=${some()}`),
    'GET /api/hosts, by queue': () => ask('/api/hosts?sort=waiting&limit=50'),
    'GET /api/hosts, by pages': () => ask('/api/hosts?sort=pages&limit=50'),
    'GET /api/hosts, by name': () => ask(`/api/hosts?sort=name&limit=50&offset=${some()}`),
    'GET /api/hosts, searched': () => ask(`/api/hosts?q=h${some()}&sort=waiting&limit=50`),
    'GET /api/hosts, found nothing': () => ask('/api/hosts?q=nowhere&limit=50'),
    'GET /api/hosts/{host}': () => ask(`/api/hosts/${encodeURIComponent(host(some()))}`),
    'GET /api/pages': () => ask('/api/pages?limit=50'),
    'GET /api/pages, searched': () => ask('/api/pages?q=page-1&limit=50'),
    'GET /api/pages, found nothing': () => ask('/api/pages?q=nowhere&limit=50'),
    'GET /api/page': () => ask(`/api/page?url=${encodeURIComponent(pages[some() % pages.length].url)}`),
    'GET /api/explain, archived': () => ask(`/api/explain?url=${encodeURIComponent(pages[some() % pages.length].url)}`),
    'GET /api/explain, waiting': () =>
      ask(`/api/explain?url=${encodeURIComponent(`http://${host(some())}/section/page-9.html`)}`),
    'GET /api/explain, unknown': () => ask(`/api/explain?url=${encodeURIComponent(`http://nowhere${some()}.test/`)}`),
    'GET /api/settings': () => ask('/api/settings'),
    'GET /api/actions': () => ask('/api/actions'),
    'GET /metrics': () => ask('/metrics'),
    'POST /api/seeds': () =>
      ask('/api/seeds', { method: 'POST', body: JSON.stringify({ urls: [`http://${host(some())}/added`] }) }),
    'PATCH /api/hosts/{host}': () =>
      ask(`/api/hosts/${encodeURIComponent(host(some()))}`, { method: 'PATCH', body: '{"delayMs":1000}' }),
    'POST /api/crawl/pause': () => ask('/api/crawl/pause', { method: 'POST' }),
    'POST /api/crawl/resume': () => ask('/api/crawl/resume', { method: 'POST' }),
  }
  const took = Object.fromEntries(Object.keys(questions).map(name => [name, []]))
  let mbBefore = 0
  for (let n = -1; n < asks; n++) {
    // The first round reads what later ones find in memory.
    if (n === 0) mbBefore = memoryMb()
    for (const [name, question] of Object.entries(questions)) {
      const startMs = performance.now()
      const answer = await question()
      const text = await answer.text()
      if (n >= 0) took[name].push(performance.now() - startMs)
      if (!answer.ok) throw new Error(`${name}: ${answer.status} ${text.slice(0, 300)}`)
    }
  }
  const mbAfter = memoryMb()
  await leave()
  const answers = Object.fromEntries(
    Object.entries(took).map(([name, times]) => [name, { medianMs: median(times), mostMs: Math.max(...times) }]),
  )
  const slowestMs = Math.max(...Object.values(answers).map(({ mostMs }) => mostMs))
  return { slowestMs, mbBefore, mbAfter, answers }
}

/** The memory of the crawl with its page. */
function memoryMb() {
  return memoryKib(crawl.pid, 'VmRSS') / 1024
}
