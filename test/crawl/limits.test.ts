import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RateLimit, RunLimits } from '../../src/decide/limits.ts'
import { VirtualClock } from '../../src/simulate/virtual-clock.ts'
import { MemoryCrawl, PAGE_BYTES } from './memory-crawl.ts'
import { type MemoryHost, MemoryWeb } from './memory-web.ts'

/** How many requests a rate lets through in this time, looked at each millisecond; and the most in any one second. */
function through(perSecond: number, ms: number): { readonly count: number; readonly most: number } {
  const time = new VirtualClock()
  const rate = new RateLimit(perSecond, time.clock)
  const times: number[] = []
  for (let n = 0; n < ms; n++, time.nowMs++) while (rate.take()) times.push(time.nowMs)
  const most = Math.max(...times.map((fromMs, i) => times.slice(i).filter(atMs => atMs < fromMs + 1000).length))
  return { count: times.length, most }
}

test('limits: --max-rate is kept exactly over time, and in every second within 2 %', () => {
  assert.deepEqual(through(2, 10_000), { count: 20, most: 2 })
  assert.deepEqual(through(0.5, 10_000), { count: 5, most: 1 })
  for (const perSecond of [30, 200, 700]) {
    const { count, most } = through(perSecond, 10_000)
    assert.ok(Math.abs(count - perSecond * 10) <= perSecond / 50 + 1, `${perSecond}/s: ${count} in 10 s`)
    assert.ok(most <= perSecond * 1.02 + 1, `${perSecond}/s: ${most} in a second`)
  }
})

test('ours: time in which nobody asks is not saved up', () => {
  const time = new VirtualClock()
  const rate = new RateLimit(10, time.clock)
  assert.equal(rate.take(), true)
  time.nowMs += 3_600_000
  assert.deepEqual([rate.take(), rate.take()], [true, false])
  assert.equal(rate.waitMs, 100)
})

test('ours: without a limit nobody waits', () => {
  const rate = new RateLimit(Infinity, () => 0)
  for (let n = 0; n < 1000; n++) assert.equal(rate.take(), true)
  assert.equal(rate.waitMs, 0)
})

test('limits: a run ends when its time is over, or when the archive is as large as allowed', () => {
  const time = new VirtualClock()
  let bytes = 0
  const limits = new RunLimits({ maxTimeMs: 1000, maxArchiveBytes: 50 }, time.clock, () => bytes)
  assert.deepEqual([limits.reached, limits.leftMs], [undefined, 1000])
  bytes = 50
  assert.equal(limits.reached, 'bytes')
  time.nowMs += 1000
  assert.deepEqual([limits.reached, limits.leftMs], ['time', 0])
})

function site(name: string, count: number): MemoryHost {
  const links = Array.from({ length: count }, (_, n) => `http://${name}/${n}`)
  const pages = new Map(links.map(url => [url.slice(`http://${name}`.length), [] as readonly string[]]))
  return { name, ips: [`10.0.0.${name.charCodeAt(0)}`], pages: new Map([['/', links], ...pages]) }
}

test('limits: a crawl stops for time or bytes, keeps what it has, and goes on in the next run', async () => {
  const time = new VirtualClock()
  const sites = ['a.com', 'b.com'].map(name => site(name, 50))
  const seeds = ['http://a.com/', 'http://b.com/']
  const web = new MemoryWeb(sites, time)
  const first = await (await MemoryCrawl.open(web, time, { maxTimeMs: 2000 })).run(seeds)
  assert.equal(first.because, 'time')
  assert.ok(first.tookMs >= 2000 && first.tookMs < 2100, `${first.tookMs} ms`)
  const { frontier } = first
  const open = (more: object) => MemoryCrawl.open(web, time, { frontier, hasAnswered: true, ...more })
  const second = await (await open({ maxArchiveBytes: 20 * PAGE_BYTES })).run(seeds)
  assert.equal(second.because, 'bytes')
  // Requests that were open are finished.
  assert.ok(second.pages.length >= 20 && second.pages.length <= 22, `${second.pages.length} pages`)
  const third = await (await open({})).run(seeds)
  assert.equal(third.because, 'nothing left')
  assert.equal(first.pages.length + second.pages.length + third.pages.length, 102)
})

test('limits: --max-rate holds over all hosts of a crawl', async () => {
  const time = new VirtualClock()
  const sites = ['a.com', 'b.com', 'c.com', 'd.com'].map(name => site(name, 5))
  const web = new MemoryWeb(sites, time)
  const crawl = await MemoryCrawl.open(web, time, { maxRequestsPerSecond: 4, delayMs: 0 })
  await crawl.run(sites.map(({ name }) => `http://${name}/`))
  const gaps = web.log.slice(1).map(({ startMs }, i) => startMs - web.log[i]!.startMs)
  assert.equal(web.log.length, 4 * 7)
  assert.ok(Math.min(...gaps) >= 250, `${Math.min(...gaps)} ms`)
})
