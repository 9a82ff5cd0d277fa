// How fast do the live page's indexes answer about a million hosts and a million pages? Searches and sorts of hosts, searches of
// pages, reading both from nothing, the longest time that the thread was not free meanwhile, and memory. Times are wall times; cpuMs is
// the processor time of the median answer, for a machine that has other things to do.
//   node --expose-gc bench/ui/index.mjs [--hosts 1000000] [--pages 1000000] [--rounds 5]
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { sources } from '../measured.mjs'
import { finish, median, option } from '../tools.mjs'

const HOSTS = Number(option('hosts', 1e6))
const PAGES = Number(option('pages', 1e6))
const ROUNDS = Number(option('rounds', 5))
const LINES_AT_ONCE = 1000
const QUERIES = {
  known: {},
  name: { sort: 'name' },
  waiting: { sort: 'waiting' },
  next: { sort: 'next' },
  'last page of pages': { sort: 'pages', reverse: true, offset: HOSTS - 200 },
  'a, waiting': { q: 'a', sort: 'waiting' },
  'shop, failed': { q: 'shop', sort: 'failed' },
  '*.example.org, name': { q: '*.example.org', sort: 'name' },
  'nothing, next': { q: 'no such host', sort: 'next' },
}

const folder = mkdtempSync(join(tmpdir(), 'escalona-bench-index-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const { HostIndex, LineIndex, pagesFound, systemClock } = await sources([
  ...['host-index', 'line-index', 'page-search'].map(name => `view/indexes/${name}`),
  'base/clock',
])
finish({ bench: 'ui-index', hosts: await ofHosts(), pages: await ofPages() })

async function ofHosts() {
  const emptyMb = await usedMb()
  let round = 0
  const rows = async ({ after = '0', limit }) => rowsFrom(Number(after), limit, round)
  const index = new HostIndex(rows, name => name.length % 3)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const startMs = performance.now()
  let firstMs
  for (let isComplete = false; !isComplete; ) {
    const askedMs = performance.now()
    ;({ isComplete } = await index.find({ offset: 0, limit: 50 }))
    firstMs ??= performance.now() - askedMs
    await sleep(20)
  }
  const readMs = performance.now() - startMs
  delay.disable()
  const filledMb = (await usedMb()) - emptyMb
  const answerMs = Object.fromEntries(Object.keys(QUERIES).map(name => [name, []]))
  const cpuMs = Object.fromEntries(Object.keys(QUERIES).map(name => [name, []]))
  for (round = 1; round <= ROUNDS; round++) {
    // Another round of reading changes the columns, so that every order is made anew.
    for (const before = performance.now(); ; await sleep(50)) {
      const { ageMs } = await index.find({ offset: 0, limit: 1 })
      if (ageMs < performance.now() - before) break
    }
    for (const [name, query] of Object.entries(QUERIES)) {
      const [askedMs, usedMs] = [performance.now(), processorMs()]
      const found = await index.find({ offset: 0, limit: 200, ...query })
      answerMs[name].push(performance.now() - askedMs)
      cpuMs[name].push(processorMs() - usedMs)
      if (name !== 'nothing, next' && found.names.length !== 200) throw new Error(`${name}: ${found.names.length}`)
    }
  }
  const grownMb = (await usedMb()) - emptyMb - filledMb
  await index.close()
  const most = Object.fromEntries(Object.entries(answerMs).map(([name, list]) => [name, Math.max(...list)]))
  const figures = {
    readMs,
    firstMs,
    longestBusyMs: delay.max / 1e6,
    bytesPerHost: (filledMb * 2 ** 20) / HOSTS,
    grownMb,
  }
  return { ...figures, medianMs: mediansOf(answerMs), cpuMs: mediansOf(cpuMs), mostMs: most }
}

function rowsFrom(start, limit, round) {
  const count = Math.min(limit, HOSTS - start)
  const names = Array.from({ length: count }, (_, i) => hostOf(start + i))
  const column = make => Uint32Array.from(names, (_, i) => make(start + i))
  return {
    names,
    waiting: column(n => (n * 7919 + round * 13) % 5000),
    pages: column(n => (n * 31 + round) % 300_000),
    delayMs: column(n => (n % 10 === 0 ? 10_000 : 1000)),
    readyAtMs: Float64Array.from(names, (_, i) => 1.9e12 + (((start + i) * 7907 + round) % 1e9)),
    isDown: new Uint8Array(count),
    next: start + count < HOSTS ? String(start + count) : undefined,
  }
}

function hostOf(n) {
  const mixed = (Math.imul(n + 1, 0x9e3779b1) >>> 0).toString(36)
  if (n % 10 === 0) return `shop-${mixed}.example.org`
  return `${n % 3 === 0 ? 'www.' : ''}${mixed}.${['com', 'net', 'com.br', 'org'][n % 4]}`
}

async function ofPages() {
  const path = join(folder, 'pages.jsonl')
  writePages(path)
  const emptyMb = await usedMb()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const startMs = performance.now()
  const index = new LineIndex(path, () => 'outcome')
  const { items } = await pagesFound({ offset: 0, limit: 50 }, index, systemClock)
  const firstMs = performance.now() - startMs
  if (items[0].url !== urlOf(PAGES - 1)) throw new Error(`the newest page is not ${items[0].url}`)
  while (!index.isComplete) await sleep(5)
  const readMs = performance.now() - startMs
  delay.disable()
  const filledMb = (await usedMb()) - emptyMb
  const answerMs = { byUrl: [], 'deep offset': [], 'search, one part': [] }
  for (let i = 0; i < 200; i++) {
    const url = urlOf(Math.floor((i * PAGES) / 200))
    await timed(answerMs.byUrl, () => index.newestOf(url))
    await timed(answerMs['deep offset'], () => pagesFound({ offset: i * 5000, limit: 50 }, index, systemClock))
  }
  let parts = 0
  const searchMs = performance.now()
  for (let offset = 0; offset !== undefined; parts++) {
    const query = { q: 'Needle in page', offset, limit: 50 }
    await timed(answerMs['search, one part'], async () => {
      const found = await pagesFound(query, index, systemClock)
      offset = found.nextOffset
    })
  }
  const wholeSearchMs = performance.now() - searchMs
  index.close()
  const mostMs = Object.fromEntries(Object.entries(answerMs).map(([name, list]) => [name, Math.max(...list)]))
  const bytesPerPage = (filledMb * 2 ** 20) / PAGES
  const figures = { readMs, firstMs, longestBusyMs: delay.max / 1e6, bytesPerPage, parts, wholeSearchMs }
  return { ...figures, medianMs: mediansOf(answerMs), mostMs }
}

function writePages(path) {
  const fd = openSync(path, 'w')
  for (let n = 0; n < PAGES; n += LINES_AT_ONCE)
    writeSync(fd, Array.from({ length: LINES_AT_ONCE }, (_, i) => lineOf(n + i)).join(''))
  closeSync(fd)
}

function urlOf(n) {
  return `https://${hostOf(n >> 4)}/path/to/something-or-other/${n}`
}

function lineOf(n) {
  const title = n % 250_000 === 7 ? 'The NEEDLE in page' : `A page about things, number ${n}`
  const counts = '"bytes":12345,"tokens":700,"hops":3,"linksOut":45,"time":"2026-01-01T00:00:00.000Z"'
  const place = `"file":"escalona-${String(1 + Math.floor(n / 1000)).padStart(5, '0')}.warc.gz","offset":${n * 77},"length":4567`
  return `{"url":"${urlOf(n)}","status":200,"title":"${title}",${counts},"from":"${urlOf(n >> 1)}",${place}}\n`
}

async function timed(list, work) {
  const startMs = performance.now()
  await work()
  list.push(performance.now() - startMs)
}

function processorMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function mediansOf(lists) {
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, median(list)]))
}

/** What is in use after garbage collection. */
async function usedMb() {
  globalThis.gc?.()
  // Freed arrays are given back a moment later.
  await sleep(200)
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 2 ** 20
}
