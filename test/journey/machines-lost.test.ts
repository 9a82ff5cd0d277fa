// An engine that forgets what it had acknowledged, while three machines crawl: nothing is missing in the end, and every crawl ends.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { SOAK } from '../model/random-source.ts'
import { expected, urlOf } from '../web/synthetic-web.ts'
import { differences, requests, twice, urlsOf } from './crawl.ts'
import { type Machines, machines, union } from './machines.ts'
import { crawlDelaysOf, politeness } from './politeness.ts'

const ROUNDS = SOAK > 1 ? 20 : 2
const DELAY_MS = 150
const SETTINGS = ['--delay', `${DELAY_MS}ms`, '--log', 'text']
const WEB = { hosts: 40, pagesAHost: 16, waitMs: 20, oddities: false }
const LONGEST_MS = 150_000
const OPEN_MS = 5_000

/** Three machines crawl; something happens to their engine; what they have in the end. */
async function survive(trip: Machines, happens: () => Promise<number>) {
  const around = { longestMs: LONGEST_MS }
  const all = [trip.start(1, SETTINGS, around), trip.start(2, [], around), trip.start(3, [], around)]
  await requests(trip, 100)
  const lostSinceMs = await happens()
  const endings = await Promise.all(all.map(({ ending }) => ending))
  for (const ending of endings) assert.equal(ending.code, 0, ending.stderr)
  const archived = await union(trip, 3)
  const { missing, extra } = differences(archived, urlsOf(expected(trip.web).archived, trip))
  const { log } = trip.server
  // From beginning to beginning: this process is busy, and may hear late that a request is over.
  const instants = log.map(request => ({ ...request, answeredMs: request.startMs, endMs: request.startMs }))
  const { complaints } = politeness(instants, { delayMs: DELAY_MS, crawlDelaysMs: crawlDelaysOf(trip.web) })
  const again = twice(archived)
  // What was settled before is not lost; it may have been open for a moment.
  const firstMs = new Map(
    log.toReversed().map(({ host, path, startMs }) => [urlOf(host + path, trip.server.port), startMs]),
  )
  const before = again.filter(url => firstMs.get(url)! < lostSinceMs - OPEN_MS)
  return { endings, missing, extra, again, before, complaints, pages: archived.length }
}

for (let round = 1; round <= ROUNDS; round++) {
  const seconds = 1 + (round % 5)
  test(`shared frontier: a primary is rolled back by ${seconds} s: nothing is missing, every host keeps its delay, and every crawl ends`, async t => {
    const trip = await machines(t, { seed: 900 + round, ...WEB })
    const outcome = await survive(trip, async () => {
      await trip.redis.copyFiles()
      const sinceMs = performance.timeOrigin + performance.now()
      await wait(seconds * 1000)
      await trip.redis.rollBack()
      return sinceMs
    })
    const { endings, missing, extra, again, before, complaints, pages } = outcome
    t.diagnostic(
      `${pages} pages, ${again.length} of them twice; ${missing.length} missing; ${complaints.length} complaints; ${endings.map(({ tookMs }) => Math.round(tookMs / 100) / 10)} s`,
    )
    assert.deepEqual({ missing, extra, before, complaints }, { missing: [], extra: [], before: [], complaints: [] })
    assert.ok(endings.some(({ stderr }) => /LOST: the frontier's engine has forgotten/.test(stderr)))
  })
}

test('shared frontier: everything is forgotten in the middle of a crawl (FLUSHALL): nothing is missing, and every crawl ends', async t => {
  const trip = await machines(t, { seed: 950, ...WEB })
  const { endings, missing, extra, again } = await survive(trip, async () => {
    await trip.redis.ask('FLUSHALL')
    return 0
  })
  t.diagnostic(`${again.length} pages twice`)
  assert.deepEqual({ missing, extra }, { missing: [], extra: [] })
  for (const { stderr } of endings) assert.match(stderr, /LOST: the frontier's engine has forgotten this crawl/)
  for (const n of [1, 2, 3]) {
    const { totals } = JSON.parse(readFileSync(join(trip.folderOf(n), 'report.json'), 'utf8'))
    assert.ok(totals.losses >= 1)
    assert.match(
      readFileSync(join(trip.folderOf(n), 'report.html'), 'utf8'),
      /forgot (once|\d+ times) what it had acknowledged/,
    )
  }
})
