import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimate, RecentRate, type Remaining } from '../../src/folder/stats/eta.ts'
import { RandomSource, seeds } from '../model/random-source.ts'

type Host = { host: string; waiting: number; delayMs: number }

/** So fast that only the hosts decide. */
const FAST = 1e9
const QUICK: Host = { host: 'quick.example', waiting: 100, delayMs: 100 }
const MIDDLE: Host = { host: 'middle.example', waiting: 50, delayMs: 1000 }
const SLOW: Host = { host: 'slow.example', waiting: 20, delayMs: 10_000 }

function of(wanted: number | undefined, hosts: readonly Host[], more: Partial<Remaining> = {}) {
  const backlog = hosts.map(({ host, ...rest }) => ({ hosts: 1, example: host, ...rest }))
  return estimate({ wanted, pagesPerSecond: FAST, pageShare: 1, backlog, ...more })
}

function assertNear(actual: number | undefined, expected: number, tolerance: number, message?: string): void {
  assert.ok(
    actual !== undefined && Math.abs(actual - expected) <= expected * tolerance,
    `${actual}, not ${expected}; ${message}`,
  )
}

test('rule 5.18: an honest ETA: one host gives a page each gap', () => {
  assertNear(of(40, [QUICK])?.ms, 4000, 1e-9)
  assert.equal(of(40, [QUICK])?.isAtLeast, false)
  assertNear(of(100, [QUICK])?.ms, 10_000, 1e-9)
})

test('rule 5.18: an honest ETA: hosts give at the same time, until their lists are empty', () => {
  // After 10 s: 100 + 10 + 1 links. The next 33 come from two hosts, 1.1 a second.
  assertNear(of(111, [SLOW, QUICK, MIDDLE])?.ms, 10_000, 1e-9)
  assertNear(of(144, [SLOW, QUICK, MIDDLE])?.ms, 40_000, 1e-9)
  // After 50 s: 100 + 50 + 5; the last 15 come from the slow host alone.
  assertNear(of(170, [SLOW, QUICK, MIDDLE])?.ms, 200_000, 1e-9)
  assert.equal(of(170, [SLOW, QUICK, MIDDLE])?.isAtLeast, false)
})

test('rule 5.18: an honest ETA: links that are no pages have to be taken too', () => {
  assertNear(of(50, [QUICK], { pageShare: 0.5 })?.ms, 10_000, 1e-9)
  assert.equal(of(51, [QUICK], { pageShare: 0.5 })?.isAtLeast, true)
})

test('rule 5.18: an honest ETA: when the known links do not suffice, the slowest host decides, at least', () => {
  assert.deepEqual(of(1000, [QUICK, SLOW, MIDDLE]), {
    ms: 200_000,
    isAtLeast: true,
    slowest: [{ host: 'slow.example', waiting: 20, ms: 200_000 }],
  })
  assert.deepEqual(of(undefined, [QUICK, SLOW, MIDDLE]), of(1000, [QUICK, SLOW, MIDDLE]))
})

test('rule 5.18: an honest ETA: never faster than pages came lately', () => {
  assertNear(of(40, [QUICK], { pagesPerSecond: 2 })?.ms, 20_000, 1e-9)
  assertNear(of(undefined, [QUICK], { pagesPerSecond: 2, pageShare: 0.5 })?.ms, 25_000, 1e-9)
})

test('ours: an ETA names only hosts that decide, the slowest first, at most three', () => {
  assert.deepEqual(of(40, [QUICK], { pagesPerSecond: 0.1 })?.slowest, [])
  const many = [3, 9, 1, 7, 8].map(waiting => ({ host: `h${waiting}`, waiting, delayMs: 1000 }))
  assert.deepEqual(
    of(undefined, many)?.slowest.map(({ host }) => host),
    ['h9', 'h8', 'h7'],
  )
  const two = [...many, { host: 'h15', waiting: 15, delayMs: 1000 }]
  assert.deepEqual(
    of(undefined, two)?.slowest.map(({ host }) => host),
    ['h15', 'h9', 'h8'],
  )
  assert.deepEqual(
    of(undefined, [...many, { host: 'h17', waiting: 17, delayMs: 1000 }])?.slowest.map(({ host }) => host),
    ['h17', 'h9'],
  )
})

test('ours: a class of hosts counts as often as it has hosts, and is named only when one of them is known', () => {
  const many = { hosts: 50, waiting: 100, delayMs: 1000, example: undefined }
  const eta = estimate({ wanted: 500, pagesPerSecond: FAST, pageShare: 1, backlog: [many] })
  assertNear(eta?.ms, 10_000, 1e-9)
  assert.deepEqual(eta?.slowest, [])
})

test('ours: no ETA is better than an invented one', () => {
  assert.equal(of(10, [QUICK], { pagesPerSecond: 0 }), undefined)
  assert.equal(of(10, [QUICK], { pagesPerSecond: Number.NaN }), undefined)
  assert.equal(of(10, [QUICK], { pageShare: 0 }), undefined)
  assert.equal(of(10, [QUICK], { pageShare: Number.NaN }), undefined)
})

test('ours: what is done takes no time, and empty lists take none', () => {
  assert.deepEqual(of(0, [QUICK]), { ms: 0, isAtLeast: false, slowest: [] })
  assert.deepEqual(of(undefined, []), { ms: 0, isAtLeast: true, slowest: [] })
  assert.deepEqual(of(undefined, [{ ...SLOW, waiting: 0 }]), { ms: 0, isAtLeast: true, slowest: [] })
  assertNear(of(100, [{ ...QUICK, delayMs: 0 }])?.ms, 10, 1e-9)
})

test('ours: the ETA is that of counting host by host, to 5 %', t => {
  for (const seed of seeds(t, 150, 50)) {
    const random = new RandomSource(seed)
    const hosts = Array.from({ length: 1 + random.below(300) }, (_, place) => ({
      host: `h${place}`,
      waiting: random.below(2 ** random.below(16)),
      delayMs: random.below(2 ** random.below(18)),
    }))
    const pageShare = (1 + random.below(100)) / 100
    const wanted = 1 + random.below(2 ** random.below(18))
    const eta = of(wanted, hosts, { pageShare })
    const expected = countedMs(hosts, wanted / pageShare)
    assertNear(eta?.ms, expected ?? longestMs(hosts), 0.05, `ESCALONA_SEED=${seed}`)
    assert.equal(eta?.isAtLeast, expected === undefined, `ESCALONA_SEED=${seed}`)
  }
})

const msOf = ({ waiting, delayMs }: Host) => waiting * Math.max(delayMs, 0.1)
const longestMs = (hosts: readonly Host[]) => Math.max(...hosts.map(msOf))

function countedMs(hosts: readonly Host[], links: number): number | undefined {
  const takenBy = (ms: number) =>
    hosts.reduce((sum, host) => sum + Math.min(host.waiting, ms / Math.max(host.delayMs, 0.1)), 0)
  let [early, late] = [0, longestMs(hosts)]
  if (hosts.reduce((sum, { waiting }) => sum + waiting, 0) < links) return undefined
  for (let step = 0; step < 200; step++) {
    const middle = (early + late) / 2
    if (takenBy(middle) < links) early = middle
    else late = middle
  }
  return late
}

test('ours: a million hosts are gone through once, and none is kept', t => {
  function* hosts() {
    for (let place = 0; place < 1_000_000; place++)
      yield { hosts: 1, example: 'many.example', waiting: 1 + (place % 100), delayMs: 100 }
    yield { hosts: 1, example: 'slow.example', waiting: 1000, delayMs: 60_000 }
  }
  const start = process.hrtime.bigint()
  const eta = estimate({ wanted: undefined, pagesPerSecond: FAST, pageShare: 1, backlog: hosts() })
  t.diagnostic(`${Number(process.hrtime.bigint() - start) / 1e6} ms`)
  assert.equal(eta?.ms, 60_000_000)
  assert.deepEqual(eta?.slowest, [{ host: 'slow.example', waiting: 1000, ms: 60_000_000 }])
})

test('ours: a recent rate looks back ten seconds', () => {
  const rate = new RecentRate()
  assert.equal(rate.at(5000, 700), 0)
  assert.equal(rate.at(5000, 700), 0)
  assert.equal(rate.at(6000, 800), 100)
  for (let second = 7; second <= 30; second++) rate.at(second * 1000, 800 + (second - 6) * 50)
  assert.equal(rate.at(30_000, 2000), 50)
})

test('ours: a recent rate falls to zero when nothing comes, and never below', () => {
  const rate = new RecentRate(1000)
  for (let ms = 0; ms <= 1000; ms += 10) rate.at(ms, ms)
  assertNear(rate.at(1000, 1000), 1000, 1e-9)
  for (let ms = 1010; ms <= 2500; ms += 10) rate.at(ms, 1000)
  assert.equal(rate.at(2500, 1000), 0)
  assert.equal(rate.at(2600, 0), 0)
})

test('ours: a rate is the same however often it is asked for', () => {
  for (const everyMs of [1, 7, 100, 900, 5000]) {
    const rate = new RecentRate()
    let last = 0
    for (let ms = 0; ms <= 60_000; ms += everyMs) last = rate.at(ms, ms * 0.3)
    assertNear(last, 300, 1e-9, `${everyMs}`)
  }
})
