// Does looking at a crawl of a million links disturb it, and how soon does one see something? A crawl runs at full speed against a
// small web on loopback; in turn, somebody looks (list, hosts, explain and status, one command every two seconds) or nobody does. At
// the end one long list is read without pause. First rows are timed from the start of the process. Ratios count.
//   npm run bench:look -- [--links 1000000] [--rounds 10] [--seconds 6]
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { escalona } from '../measured.mjs'
import { cpuSecondsOf, finish, median, memoryKib, option } from '../tools.mjs'

const links = Number(option('links', 1_000_000))
const rounds = Number(option('rounds', 10))
const seconds = Number(option('seconds', 6))
const EVERY_MS = 2000

const place = name => fileURLToPath(new URL(name, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'escalona-look-'))
const children = []
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const web = started([place('web.mjs')])
const port = await new Promise(resolve => web.stdout.once('data', text => resolve(String(text).trim())))
const crawl = started([place('crawl.mjs'), folder, String(links), port])
let pages = 0
crawl.stdout.on('data', text => {
  pages = Number(String(text).trim().split('\n').at(-1))
})
while (pages < 500) await wait(100)
console.error(`crawling, ${links} links known`)

const known = `http://h7.test:${port}/section-${(links - 493) % 97}/page-${links - 493}.html`
const LOOKS = [
  ['list', folder, '--state', 'waiting', '-n', '1000'],
  ['hosts', folder],
  ['explain', folder, known],
  ['list', folder, '--state', 'held', '-n', '1000'],
  ['status', folder],
  ['hosts', folder, '--sort', 'waiting', '-n', '20'],
]
const firstRows = {}
let looksSoFar = 0
let peakMb = 0
const ratios = []
const perCpu = []
for (let round = 0; round < rounds; round++) {
  // The order alternates, so that a crawl that gets faster or slower favours nobody.
  const isFirst = round % 2 === 0
  const one = await speed(isFirst)
  const other = await speed(!isFirst)
  const [alone, looked] = isFirst ? [other, one] : [one, other]
  ratios.push(looked.perSecond / alone.perSecond)
  perCpu.push(looked.perCpuSecond / alone.perCpuSecond)
  console.error(
    `round ${round + 1}: ${alone.perSecond.toFixed(0)} pages/s alone, ${looked.perSecond.toFixed(0)} looked at`,
  )
}

const listing = [await speed(false), await speedWhileListing(), await speed(false)]
const firstRowMs = Object.fromEntries(Object.entries(firstRows).map(([name, times]) => [name, median(times)]))
const results = {
  links,
  ratio: median(ratios),
  worst: Math.min(...ratios),
  ratioPerCpuSecond: median(perCpu),
  ratioWhileListingAll: (2 * listing[1].perSecond) / (listing[0].perSecond + listing[2].perSecond),
  perCpuSecondWhileListingAll: (2 * listing[1].perCpuSecond) / (listing[0].perCpuSecond + listing[2].perCpuSecond),
  firstRowMs,
  peakMb,
}
console.error(
  `speed while somebody looks: ${results.ratio.toFixed(3)} of before (at least 0.98); while one long list is read: ${results.ratioWhileListingAll.toFixed(3)}`,
)
console.error(
  `per processor second of the crawl, which says more on a busy machine: ${results.ratioPerCpuSecond.toFixed(3)} and ${results.perCpuSecondWhileListingAll.toFixed(3)}`,
)
for (const [name, ms] of Object.entries(firstRowMs))
  console.error(`first row of ${name}: ${ms.toFixed(0)} ms (at most 200)`)
console.error(`most memory of a command: ${peakMb.toFixed(0)} MB (at most 200)`)
finish(results)
process.exit(0)

function started(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  child.on('exit', code => code !== null && code !== 0 && process.exit(1))
  return child
}

/** Pages per second, and per processor second of the crawl, over a while. */
async function speed(isLookedAt) {
  await wait(500)
  const [startMs, before, cpuBefore] = [performance.now(), pages, cpuSecondsOf(crawl.pid)]
  const endMs = startMs + seconds * 1000
  while (performance.now() < endMs) {
    const nextMs = Math.min(endMs, performance.now() + EVERY_MS)
    if (isLookedAt) await look(LOOKS[looksSoFar++ % LOOKS.length])
    await wait(Math.max(1, nextMs - performance.now()))
  }
  const [count, cpuSeconds] = [pages - before, cpuSecondsOf(crawl.pid) - cpuBefore]
  return { perSecond: (count / (performance.now() - startMs)) * 1000, perCpuSecond: count / cpuSeconds }
}

async function speedWhileListing() {
  const child = spawn(process.execPath, [escalona, 'list', folder, '--state', 'waiting'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const result = await speed(false)
  peakMb = Math.max(peakMb, memoryKib(child.pid, 'VmHWM') / 1024)
  child.kill('SIGKILL')
  return result
}

/** One command: when its first row came, and how much memory it had. */
function look(args) {
  return new Promise(resolve => {
    const startMs = performance.now()
    const child = spawn(process.execPath, [escalona, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    child.stdout.once('data', () => {
      const name = args[0] === 'list' ? `list ${args[3]}` : args.includes('--sort') ? 'hosts --sort' : args[0]
      ;(firstRows[name] ??= []).push(performance.now() - startMs)
    })
    const poll = setInterval(() => {
      peakMb = Math.max(peakMb, memoryKib(child.pid, 'VmHWM') / 1024)
    }, 5)
    child.stdout.resume()
    child.on('close', () => {
      clearInterval(poll)
      resolve()
    })
  })
}
