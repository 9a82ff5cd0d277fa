// Do 50 good hosts keep their request rate beside hosts that mean no good? The same good hosts are crawled alone and beside
// each adversary, in turn, for a fixed time each; what counts is how often their own server was asked, as a ratio to alone.
//   npm run bench:adversary -- [--seconds 12] [--warm-up 5] [--delay 100] [--runs 1] [--only rules,dead-links,…]
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { benchFolder } from '../crawl/peers.mjs'
import { escalona } from '../measured.mjs'
import { finish, median, option } from '../tools.mjs'
import { ADVERSARIES } from './adversaries.mjs'
import { serveNames } from './names.mjs'

const GOOD_HOSTS = 50
const LEAST_RATIO = 0.8
/** A maze gets at most this share of the requests after its first pages. */
const MOST_MAZE_SHARE = 0.02
const MAZE_PAGES = 200
/** A maze that never gets so far by itself is given up. */
const LONGEST_WARM_UP_MS = 90_000

const seconds = Number(option('seconds', 12))
const warmUp = Number(option('warm-up', 5))
const delay = Number(option('delay', 100))
const runs = Number(option('runs', 1))
const only = option('only', Object.keys(ADVERSARIES).join()).split(',')
const unknown = only.filter(name => ADVERSARIES[name] === undefined)
if (unknown.length > 0) throw new Error(`no such adversary: ${unknown}. There are ${Object.keys(ADVERSARIES)}`)

mkdirSync(benchFolder, { recursive: true })
const data = mkdtempSync(join(benchFolder, 'adversary-'))
const children = new Set()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(data, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

// Alone before and after each adversary: what else the machine does changes from minute to minute.
const alone = [await measure('alone', undefined)]
const ratios = Object.fromEntries(only.map(name => [name, []]))
const mazeShares = []
for (let run = 0; run < runs; run++) {
  for (const name of only) {
    const beside = await measure(name, ADVERSARIES[name])
    const before = alone.at(-1)
    const after = await measure('alone', undefined)
    alone.push(after)
    ratios[name].push((2 * beside.rate) / (before.rate + after.rate))
    if (beside.share !== undefined) mazeShares.push(beside.share)
  }
}

const rates = alone.map(({ rate }) => rate)
console.log(`${GOOD_HOSTS} good hosts alone: ${median(rates).toFixed(0)} requests/s`)
for (const name of only) {
  const ratio = median(ratios[name])
  console.log(`${name.padEnd(16)} ${ratio.toFixed(2)}${ratio < LEAST_RATIO ? '   below what is promised' : ''}`)
}
if (mazeShares.length > 0) {
  const share = median(mazeShares)
  const verdict = share > MOST_MAZE_SHARE ? '   more than is promised' : ''
  console.log(`the maze got ${(100 * share).toFixed(2)} % of the requests after its first pages${verdict}`)
}
finish({
  bench: 'adversary',
  runs,
  seconds,
  delay,
  requestsASecondAlone: median(rates),
  /** How much the machine itself changed: on a quiet one it is near 1. */
  slowestAloneToFastest: Math.min(...rates) / Math.max(...rates),
  coresAlone: median(alone.map(({ cores }) => cores)),
  ratios: Object.fromEntries(only.map(name => [name, median(ratios[name])])),
  ...(mazeShares.length > 0 && { mazeShare: median(mazeShares) }),
})

/** Requests a second at the good hosts, after the warm-up, and the cores that the crawl had. */
async function measure(name, adversary) {
  const goodWeb = fork(new URL('good-web.mjs', import.meta.url), [
    String(GOOD_HOSTS),
    String(adversary?.hasDeadLinks ?? false),
  ])
  children.add(goodWeb)
  const [{ port }] = await once(goodWeb, 'message')
  const web = await adversary?.serve?.(port)
  const names = await serveNames(web?.names)
  const folder = join(data, 'crawl')
  const seeds = join(data, 'seeds.txt')
  const goodSeeds = Array.from({ length: GOOD_HOSTS }, (_, n) => `http://127.60.0.${n + 1}:${port}/\n`)
  writeFileSync(seeds, [...(web?.seeds ?? []).map(url => `${url}\n`), ...goodSeeds].join(''))
  const options = ['-s', seeds, '-o', folder, '--delay', `${delay}ms`, '--dns', names.address]
  const child = spawn('node', [escalona, 'crawl', ...options, '--allow-network', '127.0.0.0/8', '-q'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  children.add(child)
  await wait(warmUp * 1000)
  const asked = web?.asked ?? (() => undefined)
  for (const longestMs = performance.now() + LONGEST_WARM_UP_MS; asked() < MAZE_PAGES; await wait(100))
    if (performance.now() > longestMs) break
  const mazeFrom = asked()
  const [from, cpuFrom, startMs] = [await requestsAt(goodWeb), cpuSeconds(child.pid), performance.now()]
  await wait(seconds * 1000)
  const tookSeconds = (performance.now() - startMs) / 1000
  const good = (await requestsAt(goodWeb)) - from
  const rate = good / tookSeconds
  const share = mazeFrom === undefined ? undefined : (asked() - mazeFrom) / (good + asked() - mazeFrom)
  const cores = (cpuSeconds(child.pid) - cpuFrom) / tookSeconds
  if (child.exitCode !== null) throw new Error(`beside ${name} the crawl ended early, with ${child.exitCode}`)
  for (const one of [child, goodWeb]) {
    one.kill('SIGKILL')
    await once(one, 'exit')
    children.delete(one)
  }
  web?.close()
  names.close()
  rmSync(folder, { recursive: true, force: true })
  const maze =
    mazeFrom === undefined ? '' : `, ${mazeFrom} pages of the maze before and ${asked() - mazeFrom} in the window`
  console.error(`${name}: ${rate.toFixed(0)} requests/s, ${cores.toFixed(2)} cores${maze}`)
  return { rate, cores, share }
}

async function requestsAt(good) {
  good.send('count')
  const [{ count }] = await once(good, 'message')
  return count
}

/** Time that a process has had on all cores; see proc(5). */
function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
