// One crawl for many machines: three crawler processes, one web that remembers every request, one Redis.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { SOAK } from '../model/random-source.ts'
import { testOnEngines } from '../redis/engines.ts'
import { until } from '../redis/servers.ts'
import { expected, type Request, urlOf } from '../web/synthetic-web.ts'
import { pagesSoFar, reportOf } from './collected.ts'
import { differences, type Ending, requests, twice, urlsOf } from './crawl.ts'
import { type Machines, machines, shares, union } from './machines.ts'
import { crawlDelaysOf, politeness } from './politeness.ts'

const DELAY_MS = 60
/** Only a machine that hangs, or is overloaded, takes so long. */
const LONGEST_MS = 30_000
const SETTINGS = ['--delay', `${DELAY_MS}ms`, '--log', 'text']
const WEB = { hosts: 44, pagesAHost: SOAK > 1 ? 9 : 5, waitMs: 20, oddities: false }
const LIMIT = SOAK > 1 ? 300 : 150

/** One that ended in another way may be why the others did: what all of them said is shown. */
function assertEnded(endings: readonly Ending[], code: number): void {
  const said = endings.map(({ stderr }, at) => `machine ${at + 1}:\n${stderr}`).join('\n')
  for (const ending of endings) assert.equal(ending.code, code, said)
}

testOnEngines(
  'machines: the union of three archives is the reachable set, each page once, and every host is left its delay',
  async (t, program) => {
    const trip = await machines(t, { seed: 71, ...WEB }, { program })
    const first = trip.start(1, SETTINGS)
    // The others begin before the first one has offered the seeds, and wait for it.
    const others = [trip.start(2), trip.start(3)]
    await requests(trip, 60)
    const stranger = await trip.start(4, ['--delay', '5ms', '--concurrency', '7']).ending
    assert.equal(stranger.code, 2)
    assert.match(stranger.stderr, /--delay 60ms, not 5ms/)
    const endings = await Promise.all([first, ...others].map(one => one.ending))
    assertEnded(endings, 0)

    const wanted = urlsOf(expected(trip.web).archived, trip)
    const archived = await union(trip, 3)
    assert.deepEqual(twice(archived), [], 'archived twice')
    assert.deepEqual(differences(archived, wanted), { missing: [], extra: [] })
    const each = shares(trip, 3)
    assert.ok(
      each.every(pages => pages > 0),
      `shares ${each}`,
    )
    const { log } = trip.server
    const { complaints, pairs, shortestMs, mostAtServer } = politeness(log, {
      delayMs: DELAY_MS,
      crawlDelaysMs: crawlDelaysOf(trip.web),
    })
    assert.deepEqual(complaints, [])
    assert.deepEqual(twice(log.filter(({ path }) => path !== '/robots.txt').map(({ host, path }) => host + path)), [])
    t.diagnostic(`shares ${each}; ${pairs} pairs, the closest ${shortestMs.toFixed(1)} ms; ${mostAtServer} at a server`)
    for (const n of [1, 2, 3]) {
      const { pages } = reportOf(trip.folderOf(n))
      assert.equal(pages, wanted.length)
      const { share } = JSON.parse(readFileSync(join(trip.folderOf(n), 'report.json'), 'utf8'))
      assert.equal(share.pages, each[n - 1])
      assert.match(endings[n - 1]!.stderr, /machines?\b/)
    }
  },
)

test('shared crawl: a machine that is killed comes back as the same one: at most its open pages twice', async t => {
  const trip = await machines(t, { seed: 72, ...WEB })
  const all = [trip.start(1, SETTINGS), trip.start(2), trip.start(3)]
  await until('pages of each machine', LONGEST_MS, () => shares(trip, 3).every(pages => pages >= 5))
  all[1]!.kill('SIGKILL')
  await all[1]!.ending
  const killedMs = performance.timeOrigin + performance.now()
  await wait(300)
  all[1] = trip.start(2)
  assertEnded(await Promise.all(all.map(one => one.ending)), 0)

  const archived = await union(trip, 3)
  const { log } = trip.server
  const again = repeats(log)
  assertOpen(trip, again, twice(archived), killedMs)
  assert.deepEqual(differences(archived, urlsOf(expected(trip.web).archived, trip)), { missing: [], extra: [] })
  const { complaints } = politeness(log, {
    delayMs: DELAY_MS,
    crawlDelaysMs: crawlDelaysOf(trip.web),
    killsMs: [killedMs],
  })
  assert.deepEqual(complaints, [])
  t.diagnostic(`shares ${shares(trip, 3)}; asked for again ${again.length}, archived twice ${twice(archived).length}`)
})

test(`shared crawl: -n ${LIMIT} over three machines gives exactly ${LIMIT}, also when one is stopped with Ctrl-C and the others finish`, async t => {
  const trip = await machines(t, { seed: 73, ...WEB })
  const all = [trip.start(1, [...SETTINGS, '-n', String(LIMIT)]), trip.start(2), trip.start(3)]
  await until('pages of the third', LONGEST_MS, () => pagesSoFar(trip.folderOf(3)) >= 1)
  all[2]!.kill('SIGINT')
  const [one, two, three] = await Promise.all(all.map(({ ending }) => ending))
  // On a busy machine the others may reach the limit while the third finishes its open requests.
  const isOvertaken = three!.stderr.includes('the limit is reached')
  assert.equal(three!.code, isOvertaken ? 0 : 130, three!.stderr)
  assertEnded([one!, two!], 0)
  const archived = await union(trip, 3)
  assert.equal(archived.length, LIMIT)
  assert.deepEqual(twice(archived), [])
  assert.match(one!.stderr, new RegExp(`the limit is reached: ${LIMIT} pages`))
  t.diagnostic(`shares ${shares(trip, 3)}`)
})

test('shared crawl: Redis is killed and comes back: the crawl waits, says so, and loses nothing; Ctrl-C works meanwhile', async t => {
  // With a sync every second, a Redis whose disk is slow may forget up to two seconds of what it has acknowledged.
  const trip = await machines(t, { seed: 74, ...WEB }, { flags: ['--appendfsync', 'always'] })
  const all = [trip.start(1, SETTINGS), trip.start(2), trip.start(3)]
  await until('pages of each machine', LONGEST_MS, () => shares(trip, 3).every(pages => pages >= 5))
  await trip.redis.kill()
  await wait(500)
  const startMs = performance.now()
  all[2]!.kill('SIGINT')
  const stopped = await all[2]!.ending
  assert.equal(stopped.code, 130, stopped.stderr)
  const tookMs = performance.now() - startMs
  assert.ok(tookMs < 15_000, `${tookMs} ms`)
  const backMs = performance.timeOrigin + performance.now()
  await trip.redis.start()
  all[2] = trip.start(3)
  const endings = await Promise.all(all.map(({ ending }) => ending))
  assertEnded(endings, 0)
  for (const { stderr } of endings.slice(0, 2)) {
    assert.equal(stderr.match(/escalona: the frontier's engine .*does not answer/g)?.length, 1, stderr)
    assert.equal(stderr.match(/works again after/g)?.length, 1, stderr)
  }
  const archived = await union(trip, 3)
  // What the stopped machine had open.
  assertOpen(trip, repeats(trip.server.log), twice(archived), backMs)
  assert.deepEqual(differences(archived, urlsOf(expected(trip.web).archived, trip)), { missing: [], extra: [] })
  const { complaints } = politeness(trip.server.log, { delayMs: DELAY_MS, crawlDelaysMs: crawlDelaysOf(trip.web) })
  assert.deepEqual(complaints, [])
  t.diagnostic(`stopped after ${tookMs.toFixed(0)} ms; shares ${shares(trip, 3)}`)
})

interface Repeat {
  readonly first: Request
  readonly second: Request
}

/** What was asked for more than once, but robots.txt. */
function repeats(log: readonly Request[]): Repeat[] {
  const last = new Map<string, Request>()
  return log.flatMap(second => {
    if (second.path === '/robots.txt') return []
    const first = last.get(second.host + second.path)
    last.set(second.host + second.path, second)
    return first === undefined ? [] : [{ first, second }]
  })
}

/** What was asked for again, or archived twice, must have been open when a machine was killed. */
function assertOpen(
  trip: Machines,
  again: readonly Repeat[],
  archivedTwice: readonly string[],
  killedMs: number,
): void {
  const { log, port } = trip.server
  const unexcused = again.filter(repeat => !wasOpen(repeat, log, killedMs))
  assert.deepEqual(unexcused, [], 'pages that were not open were asked for again')
  const excused = new Set(again.map(({ first }) => urlOf(first.host + first.path, port)))
  assert.deepEqual(
    archivedTwice.filter(url => !excused.has(url)),
    [],
    'archived twice',
  )
}

/** Whether the first request was open at the kill, or its answer not kept yet: nothing more was asked of its host before. */
function wasOpen({ first, second }: Repeat, log: readonly Request[], killedMs: number): boolean {
  if (first.startMs > killedMs || second.startMs < killedMs) return false
  return !log.some(({ host, startMs }) => host === first.host && startMs > first.startMs && startMs < killedMs)
}
