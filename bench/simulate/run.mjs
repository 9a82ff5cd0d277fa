// How fast is a crawl simulated, on one core? Beside it: a bare loop that takes pages in the same order, breadth-first over hosts with a
// delay each and a bound on open requests, out of a heap of hosts; no frontier, no policy, no robots.txt, no servers, no texts, no measures.
//   npm run bench:simulate -- [--pages 100000] [--links 10] [--hosts 300] [--graph FILE] [--runs 1]
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { escalona, sources } from '../measured.mjs'
import { finish, median, option, timed } from '../tools.mjs'

const PAGES = Number(option('pages', 100_000))
const LINKS = Number(option('links', 10))
const HOSTS = Number(option('hosts', 300))
const RUNS = Number(option('runs', 1))
const DELAY_MS = 1000
const LATENCY_MS = 200
const MOST_OPEN = 48
const START_PAGES = 10
const folder = mkdtempSync(join(tmpdir(), 'escalona-bench-simulate-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const code = await sources(['simulate/read-graph', 'simulate/world', 'base/random', 'base/structures/heap'])

const path = option('graph', undefined) ?? written(join(folder, 'web.graph-txt'))
const { graph } = await code.readGraph(path)
const command = [
  process.execPath,
  escalona,
  'simulate',
  path,
  '--hosts',
  String(HOSTS),
  '--starts',
  '1',
  '--workers',
  '1',
]
const runs = []
const bare = []
for (let run = 0; run < RUNS; run++) {
  runs.push(await timed([...command, '--strategy', 'breadth', '-q', '--json']))
  const before = process.cpuUsage()
  const { pages, requests } = bareLoop()
  const { user, system } = process.cpuUsage(before)
  bare.push((user + system) / 1e6)
  console.log(
    `${pages} pages: ${runs.at(-1).cpuSeconds.toFixed(1)} s of processor time, ${runs.at(-1).peakMb.toFixed(0)} MB; ` +
      `the bare loop, ${requests} requests, ${bare.at(-1).toFixed(2)} s`,
  )
}
const pages = bareLoop().pages
const cpuSeconds = median(runs.map(one => one.cpuSeconds))
finish({
  ...{ bench: 'simulate', pages, hosts: HOSTS, cpuSeconds, seconds: median(runs.map(one => one.seconds)) },
  ...{ peakMb: Math.max(...runs.map(one => one.peakMb)), pagesPerCpuSecond: pages / cpuSeconds },
  ...{ bareSeconds: median(bare), timesBare: cpuSeconds / median(bare) },
})

/** A graph as the synthetic web of `escalona simulate` is, in a file. */
function written(file) {
  const fd = openSync(file, 'w')
  writeSync(fd, `${PAGES}\n`)
  let text = ''
  const next = n => code.chanceAt(42, n)
  for (let page = 0, at = 0; page < PAGES; page++) {
    const links = []
    for (let n = 0; n < LINKS; n++, at += 2)
      links.push(
        next(at) < 0.7 ? (page + 1 + Math.floor(next(at + 1) * 50)) % PAGES : Math.floor(next(at + 1) ** 3 * PAGES),
      )
    text += `${[...new Set(links)].filter(to => to !== page).join(' ')}\n`
    if (text.length < 1 << 20) continue
    writeSync(fd, text)
    text = ''
  }
  writeSync(fd, text)
  closeSync(fd)
  return file
}

/** The order without the parts: hosts by the time at which they may be asked, then in turn. */
function bareLoop() {
  const world = code.dealtWorld(graph, HOSTS, 1)
  const [starts] = code.startSets(world, { starts: 1, startPages: START_PAGES, startLinks: 0, seed: 1 })
  const { offsets, targets } = graph
  const { hosts, hostNames } = world
  const isKnown = new Uint8Array(graph.pages)
  const queues = hostNames.map(() => [])
  const heads = new Uint32Array(hostNames.length)
  const isBusy = new Uint8Array(hostNames.length)
  const readyAtMs = new Float64Array(hostNames.length)
  const ready = new code.Heap()
  const open = new code.Heap()
  let [nowMs, pages, requests] = [0, 0, 0]
  const offer = page => {
    if (isKnown[page]) return
    isKnown[page] = 1
    const host = hosts[page]
    queues[host].push(page)
    enqueue(host)
  }
  const enqueue = host => {
    if (isBusy[host] || heads[host] === queues[host].length) return
    isBusy[host] = 1
    ready.push(Math.max(nowMs, readyAtMs[host]), host)
  }
  for (const page of starts) offer(page)
  for (;;) {
    while (open.length < MOST_OPEN && ready.length > 0 && ready.topKey <= nowMs) {
      const host = ready.topId
      ready.pop()
      requests++
      open.push(nowMs + LATENCY_MS, queues[host][heads[host]++])
    }
    const nextMs = Math.min(
      open.length > 0 ? open.topKey : Infinity,
      open.length < MOST_OPEN && ready.length > 0 ? ready.topKey : Infinity,
    )
    if (nextMs === Infinity) return { pages, requests }
    nowMs = Math.max(nowMs, nextMs)
    while (open.length > 0 && open.topKey <= nowMs) {
      const page = open.topId
      open.pop()
      pages++
      const host = hosts[page]
      isBusy[host] = 0
      readyAtMs[host] = nowMs + DELAY_MS
      for (let link = offsets[page]; link < offsets[page + 1]; link++) offer(targets[link])
      enqueue(host)
    }
  }
}
