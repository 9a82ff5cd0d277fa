// The command is killed at random moments, again and again, and started again on the same folder. The server lives in this
// process and remembers all requests.
//   ESCALONA_KILLS=100 for a longer soak; ESCALONA_SEED repeats the web and the pauses, though not the moments.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { RandomSource, seeds } from '../model/random-source.ts'
import { expected, type Request } from '../web/synthetic-web.ts'
import { archivedUrls, pagesSoFar } from './collected.ts'
import { crawl, differences, journey, Running, requests, twice, urlsOf } from './crawl.ts'
import { crawlDelaysOf, politeness } from './politeness.ts'

const KILLS = Number(process.env.ESCALONA_KILLS || 3)
const DELAY_MS = 100

test(`rule 5.12: killed ${KILLS} times, then finished: each page once, the delays kept, only open requests made again`, async t => {
  const [seed = 1] = seeds(t, 0, 1)
  const random = new RandomSource(seed)
  const trip = await journey(t, { seed, hosts: 60, pagesAHost: 14, waitMs: 50, oddities: false, patientHosts: 4 })
  const options = ['-n', '100000', '--delay', `${DELAY_MS}ms`]
  const kills: Kill[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const running = new Running([...trip.args, ...options])
    if (random.chance(0.15))
      await wait(random.below(600)) // while it starts
    else await requests(trip, trip.server.log.length + 1 + random.below(70))
    await wait(random.below(60))
    const atMs = performance.timeOrigin + performance.now()
    running.kill('SIGKILL')
    const { signal, stderr } = await running.ending
    assert.equal(signal, 'SIGKILL', `seed ${seed}, kill ${kill}: it ended before it was killed: ${stderr}`)
    const goneMs = performance.timeOrigin + performance.now()
    kills.push({ atMs, goneMs, pages: pagesSoFar(trip.folder) })
  }
  const ending = await crawl(trip, ...options)
  assert.equal(ending.code, 0, `seed ${seed}: ${ending.stderr}`)
  t.diagnostic(`seed ${seed}: pages at each kill: ${kills.map(({ pages }) => pages).join(' ')}`)

  const wanted = urlsOf(expected(trip.web).archived, trip)
  const archived = await archivedUrls(trip.folder)
  assert.deepEqual(twice(archived), [], `seed ${seed}: archived twice`)
  assert.deepEqual(differences(archived, wanted), { missing: [], extra: [] }, `seed ${seed}`)

  const { log } = trip.server
  const { complaints, pairs, longer, shortestMs, aheadMs } = politeness(log, {
    delayMs: DELAY_MS,
    crawlDelaysMs: crawlDelaysOf(trip.web),
    killsMs: kills.map(({ goneMs }) => goneMs),
  })
  const again = repeats(log)
  const cut = log.filter(request => kills.some(({ atMs }) => request.startMs < atMs && request.endMs! >= atMs))
  t.diagnostic(
    `${log.length} requests, ${cut.length} cut by a kill, ${again.length} pages asked for again; of ${pairs} pairs ` +
      `${longer} wanted more than the delay, the closest was ${shortestMs.toFixed(1)} ms apart; servers ${aheadMs.toFixed(1)} ms ahead`,
  )
  assert.deepEqual(complaints, [], `seed ${seed}`)
  const unexcused = again.filter(({ first, second }) => !isExcused(first, second, log, kills))
  assert.deepEqual(unexcused, [], `seed ${seed}: pages that were not in flight were asked for again`)
})

interface Kill {
  readonly atMs: number
  /** When the process was gone: nothing that it sent comes later. */
  readonly goneMs: number
  readonly pages: number
}

/** Pages that were asked for more than once, each time with the time before. */
function repeats(log: readonly Request[]): { first: Request; second: Request }[] {
  const last = new Map<string, Request>()
  return log.flatMap(second => {
    if (second.path === '/robots.txt') return []
    const first = last.get(second.host + second.path)
    last.set(second.host + second.path, second)
    return first === undefined ? [] : [{ first, second }]
  })
}

/** True when a kill came between the two, and before it nothing more was asked of the host: the first one was still open. */
function isExcused(first: Request, second: Request, log: readonly Request[], kills: readonly Kill[]): boolean {
  const kill = kills.find(({ goneMs }) => goneMs > first.startMs)
  if (kill === undefined || kill.goneMs > second.startMs) return false
  return !log.some(({ host, startMs }) => host === first.host && startMs > first.startMs && startMs < kill.goneMs)
}
