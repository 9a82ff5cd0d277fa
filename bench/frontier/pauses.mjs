// How long does the frontier keep everybody else waiting? A million hosts and 20 million links are offered, then taken and
// settled with new links, in small calls, while snapshots are taken; the longest time in which nothing else could run.
// Each call is awaited; pauses are seen from outside of it, as a timer sees them.
//   npm run bench:pauses -- [--hosts 1000000] [--links 20000000]
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PerformanceObserver } from 'node:perf_hooks'
import { library } from '../measured.mjs'
import { finish, option } from '../tools.mjs'

const { openLocal } = await library()
const BATCH = 500
const AT_ONCE = 100
const VISITS = 200_000
const WANTED_MS = 50

const hosts = Number(option('hosts', 1_000_000))
const links = Number(option('links', 20_000_000))
const around = join(tmpdir(), 'escalona-bench-frontier')
mkdirSync(around, { recursive: true })
const folder = mkdtempSync(join(around, 'pauses-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

/** How long the garbage collector stopped everything, at the longest, since it was last asked. */
let collectorMs = 0
new PerformanceObserver(list => {
  for (const { duration } of list.getEntries()) collectorMs = Math.max(collectorMs, duration)
}).observe({ entryTypes: ['gc'] })

let nowMs = 1_700_000_000_000
const frontier = await openLocal({ folder, clock: () => nowMs })
let made = 0
/** How long links were made since the last turn of the event loop: not the frontier's time. */
let makingMs = 0
const figures = {}
await phase('offer', async () => {
  while (made < links) {
    await frontier.offer(newLinks(Math.min(BATCH, links - made)))
  }
})
await phase('take and settle', async () => {
  for (let visits = 0; visits < VISITS; ) {
    nowMs += 1000
    const { tickets } = await frontier.take(AT_ONCE)
    const settlements = tickets.map(({ id }) => ({
      ...{ ticketId: id, outcome: { kind: 'done', isPage: true }, shown: 'answer', delayMs: 0 },
      links: newLinks(5),
    }))
    await frontier.settle(settlements)
    visits += tickets.length
  }
})
await phase('close, with a snapshot', () => frontier.close())
const longestMs = Math.max(...Object.values(figures).map(({ longestMs: ms }) => ms))
console.log(`${longestMs <= WANTED_MS ? 'within' : 'over'} the ${WANTED_MS} ms that are wanted`)
finish({ bench: 'pauses', hosts, links, longestMs, figures })

/** What a timer sees of a phase: the longest time between two turns of the event loop, links not made meanwhile. */
async function phase(name, during) {
  let [longestMs, longestCpuMs, over, last, lastCpu, isOver] = [0, 0, 0, performance.now(), cpuMs(), false]
  collectorMs = 0
  makingMs = 0
  const watch = () => {
    const [now, cpu] = [performance.now(), cpuMs()]
    const pauseMs = now - last - makingMs
    longestCpuMs = Math.max(longestCpuMs, Math.min(pauseMs, cpu - lastCpu - makingMs))
    makingMs = 0
    last = now
    lastCpu = cpu
    if (pauseMs > WANTED_MS) over++
    longestMs = Math.max(longestMs, pauseMs)
    if (!isOver) setImmediate(watch)
  }
  setImmediate(watch)
  await during()
  isOver = true
  figures[name] = { longestMs, longestCpuMs, over, collectorMs }
  const more = `${longestCpuMs.toFixed(1)} ms of the processor; garbage collector: ${collectorMs.toFixed(1)} ms`
  console.log(`${longestMs.toFixed(1).padStart(8)} ms at the longest, ${over} over ${WANTED_MS} ms: ${name} (${more})`)
}

/** On a busy machine, the fairer measure. */
function cpuMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function newLinks(count) {
  const start = performance.now()
  const list = Array.from({ length: count }, () => linkOf(made++))
  makingMs += performance.now() - start
  return list
}

/** Every host gets as many links as the others. */
function linkOf(n) {
  return { url: `https://host-${n % hosts}.site-${n % 300_000}.com/news/${n}.html`, rank: 2, hops: 1 }
}
