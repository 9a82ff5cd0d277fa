// The statistics of several machines in one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Stats } from '../../src/folder/stats/stats.ts'
import { mergeStats, type Tally } from '../../src/folder/stats/tally.ts'
import type { CrawlEvent } from '../../src/settings/events.ts'
import { RandomSource, seeds } from '../model/random-source.ts'

const START_MS = 1_767_225_600_000
const WORK_MS = 60_000

function tallyOf(machine: string, stats: Stats, runs: readonly (readonly [number, number | undefined])[]): Tally {
  const iso = (ms: number) => new Date(START_MS + ms).toISOString()
  return {
    ...{ format: 1, crawler: machine, machine, startedAt: iso(runs[0]?.[0] ?? 0), forgottenRuns: 0 },
    runs: runs.map(([from, to]) => ({
      ...{ startedAt: iso(from), ...(to !== undefined && { endedAt: iso(to) }), version: '1', seeds: [], seedCount: 0 },
      ...{ settings: {}, hostSettings: {}, secrets: [], knownSeeds: 0, failuresBytes: 0 },
    })),
    stats: stats.toJSON(),
  }
}

function randomEvent(random: RandomSource): CrawlEvent {
  const url = `http://h${random.below(8)}.d${random.below(6)}.example/${random.below(1000)}`
  const atMs = random.below(WORK_MS)
  switch (random.below(6)) {
    case 0:
      return {
        kind: 'answered',
        atMs,
        url,
        status: random.pick([200, 404, 503]),
        wireBytes: 100,
        tookMs: random.below(900),
      }
    case 1:
      return { kind: 'failed', atMs, url, why: random.pick(['timeout', 'dns']) }
    case 2:
      return { kind: 'again', atMs, url, why: 'reset' }
    case 3:
      return { kind: 'refused', atMs, url, reason: 'status-404' }
    case 4:
      return { kind: 'links refused', atMs, url, counts: { scope: 1 + random.below(5) } }
    default: {
      const page = {
        url,
        bytes: random.below(9000),
        tokens: random.below(500),
        hops: random.below(5),
        language: 'pt-br',
      }
      return { kind: 'page', atMs, opening: 'x', page } as CrawlEvent
    }
  }
}

test('shared crawl: what three machines counted together is what one would have counted', t => {
  for (const seed of seeds(t, 5, 3)) {
    const random = new RandomSource(seed)
    const events = Array.from({ length: 600 }, () => randomEvent(random))
    const one = new Stats(START_MS)
    const machines = [new Stats(START_MS), new Stats(START_MS), new Stats(START_MS)]
    for (const event of events) {
      one.record(event, event.atMs)
      random.pick(machines).record(event, event.atMs)
    }
    for (const stats of [one, ...machines]) stats.workMs = WORK_MS
    const tallies = machines.map((stats, n) => tallyOf(`m${n}`, stats, [[0, WORK_MS]]))
    const merged = mergeStats(tallies, START_MS + WORK_MS, one.domains.size).toJSON()
    const sums = ({ details, timeline, ...rest }: typeof merged) => ({
      ...rest,
      languages: details.languages,
      samples: details.samples,
      failing: Object.fromEntries(details.failingHosts.entries.map(([host, { links }]) => [host, links])),
      slow: Object.fromEntries(
        details.slowHosts.entries.map(([host, { answers, totalMs }]) => [host, { answers, totalMs }]),
      ),
      widthMs: timeline.widthMs,
      ...{ pages: timeline.pages, wireBytes: timeline.wireBytes, failures: timeline.failures },
    })
    assert.deepEqual(sums(merged), sums(one.toJSON()), `ESCALONA_SEED=${seed}`)
    const domains = merged.timeline.newDomains.reduce((sum, count) => sum + count, 0)
    assert.equal(domains, one.domains.size, `ESCALONA_SEED=${seed}`)
  }
})

test('shared crawl: the working time of machines that work at the same time counts once, that of others adds up', () => {
  const stats = (workMs: number) => Object.assign(new Stats(START_MS), { workMs })
  const total = (...tallies: Tally[]) => mergeStats(tallies, START_MS, 0).workMs
  const a = tallyOf('a', stats(100_000), [[0, 100_000]])
  assert.equal(total(a), 100_000)
  assert.equal(total(a, tallyOf('b', stats(100_000), [[50_000, 150_000]])), 150_000)
  const later = [
    [0, 10_000],
    [500_000, 520_000],
  ] as const
  assert.equal(total(a, tallyOf('b', stats(30_000), later)), 120_000)
  // A run that was killed has no end: it lasted as long as the others leave.
  assert.equal(
    total(
      tallyOf('c', stats(40_000), [
        [0, undefined],
        [100_000, 130_000],
      ]),
    ),
    40_000,
  )
  assert.equal(total(), 0)
})

test('shared crawl: pages stand in the chart where their machine archived them, pauses left out', () => {
  const [first, second] = [new Stats(START_MS), new Stats(START_MS)]
  const event = (url: string): CrawlEvent =>
    ({ kind: 'page', atMs: 0, opening: '', page: { url, bytes: 1, tokens: 1, hops: 0 } }) as CrawlEvent
  first.record(event('http://a.example/'), 0)
  second.record(event('http://b.example/'), 0)
  first.workMs = second.workMs = 1000
  const tallies = [tallyOf('a', first, [[0, 1000]]), tallyOf('b', second, [[3_600_000, 3_601_000]])]
  const { timeline } = mergeStats(tallies, START_MS, 2).toJSON()
  assert.deepEqual(timeline.pages, [1, 0, 0, 0, 1])
})
