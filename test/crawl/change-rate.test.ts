// How often pages change, by their visits, and how many visits a crawl makes. ESCALONA_SEED=<seed> repeats one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterVisit, type ChangeRate, LEAST_MEAN_MS, MOST_MEAN_MS } from '../../src/decide/change-rate.ts'
import { type BudgetSettings, plannedInterval, RevisitBudget } from '../../src/decide/revisit-budget.ts'
import { changesAt, gainAt, intervalFor, worthOf } from '../../src/decide/revisit-worth.ts'
import { RandomSource, seeds } from '../model/random-source.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SETTINGS: BudgetSettings = {
  recrawlFor: 'freshness',
  recrawlFirstMs: DAY_MS,
  recrawlMinMs: HOUR_MS,
  recrawlMaxMs: 90 * DAY_MS,
  maxRequestsPerSecond: Infinity,
}

function chanceOf(random: RandomSource): number {
  return random.below(1_000_000) / 1_000_000
}

/** Visits at these times of a page that changes by a Poisson law. */
function estimated(random: RandomSource, meanMs: number, times: readonly number[]): ChangeRate {
  let rate: ChangeRate = { meanMs: 10 * HOUR_MS, evidence: 0 }
  for (const sinceMs of times) rate = afterVisit(rate, sinceMs, chanceOf(random) < -Math.expm1(-sinceMs / meanMs))
  return rate
}

test('Cho and Garcia-Molina 2003: at equal intervals the rate is -ln((n - X + ½) / (n + ½)) ÷ the interval, when nothing is guessed', () => {
  for (const found of ['1001', '111', '10010', '1010101']) {
    // Their formula begins with a page that never changes.
    let rate: ChangeRate = { meanMs: MOST_MEAN_MS, evidence: 1e-14 }
    for (const one of found) rate = afterVisit(rate, HOUR_MS, one === '1')
    const [n, changed] = [found.length, [...found].filter(one => one === '1').length]
    const wanted = HOUR_MS / -Math.log((n - changed + 0.5) / (n + 0.5))
    assert.ok(Math.abs(rate.meanMs / wanted - 1) < 1e-6, `${found}: ${rate.meanMs}, not ${wanted}`)
  }
})

test('recrawl: the rate of a page is estimated within a fifth on average, also at irregular intervals, and followed when it changes', t => {
  for (const seed of seeds(t, 5, 5)) {
    const random = new RandomSource(seed)
    for (const meanMs of [2 * HOUR_MS, 30 * HOUR_MS, 20 * DAY_MS])
      for (const spread of [1, 10]) {
        const logs = Array.from({ length: 200 }, () => {
          const times = Array.from({ length: 60 }, () => meanMs * 0.8 * spread ** (chanceOf(random) - 0.5))
          return Math.log(estimated(random, meanMs, times).meanMs / meanMs)
        })
        const bias = logs.reduce((sum, one) => sum + one, 0) / logs.length
        assert.ok(Math.abs(bias) < 0.2, `seed ${seed}: ${meanMs} is ${Math.exp(bias)} times that, spread ${spread}`)
      }
    // Ten times as often from now on: what was seen before is forgotten.
    const calm = estimated(random, 10 * DAY_MS, new Array(100).fill(5 * DAY_MS))
    let lively = calm
    for (let n = 0; n < 60; n++) lively = afterVisit(lively, DAY_MS, chanceOf(random) < -Math.expm1(-1))
    assert.ok(lively.meanMs < 3 * DAY_MS && lively.meanMs > DAY_MS / 3, `seed ${seed}: ${lively.meanMs / DAY_MS} days`)
  }
})

test('ours: a change that was to be expected says nothing, and none in a long time says much', () => {
  const known: ChangeRate = { meanMs: HOUR_MS, evidence: 10 }
  assert.ok(afterVisit(known, 100 * HOUR_MS, true).meanMs / HOUR_MS > 0.99)
  assert.ok(afterVisit(known, 100 * HOUR_MS, false).meanMs > 5 * HOUR_MS)
  assert.equal(
    afterVisit({ ...known, evidence: 0 }, HOUR_MS, true, 1e9).meanMs > HOUR_MS,
    true,
    'the guess of its host',
  )
})

test('ours: whatever a visit and a note say, a rate, an interval and a worth are finite and within their bounds', t => {
  const odd = [NaN, -1, 0, 1e-300, 1e-9, 1, 1e3, HOUR_MS, 1e14, 3e14, 1e300, Infinity, -Infinity]
  for (const seed of seeds(t, 20, 5)) {
    const random = new RandomSource(seed)
    const any = () => odd[random.below(odd.length)]!
    let rate: ChangeRate = { meanMs: HOUR_MS, evidence: 0 }
    const budget = new RevisitBudget({ ...SETTINGS, recrawlFor: random.below(2) === 0 ? 'freshness' : 'changes' })
    for (let n = 0; n < 500; n++) {
      const sinceMs = any()
      const before = { ...rate, intervalMs: Math.min(Math.max(any() || 1, 1), 3e14) }
      rate = afterVisit(rate, sinceMs, random.below(2) === 0, any() || 1)
      assert.ok(rate.meanMs >= LEAST_MEAN_MS && rate.meanMs <= MOST_MEAN_MS && rate.evidence >= 0, `seed ${seed}`)
      assert.ok(Number.isFinite(rate.evidence))
      const host = `h${random.below(3)}`
      budget.learn({ host, hostPages: random.below(1000), gapMs: any(), sinceMs, before, after: rate })
      for (const worth of [budget.worthAt(host), budget.guessMs(host)])
        assert.ok(worth > 0 && Number.isFinite(worth), `seed ${seed}: ${worth}`)
      const everyMs = plannedInterval(rate.meanMs, budget.worthAt(host), SETTINGS)
      assert.ok(everyMs >= HOUR_MS && everyMs <= 90 * DAY_MS)
    }
  }
})

test('Cho and Garcia-Molina 2000: the interval at which one more visit is worth this much; none for a page that changes too fast', () => {
  for (const gain of [1e-12, 1e-7, 0.001, 0.1, 0.264, 0.5, 0.9, 0.999, 1 - 1e-9])
    assert.ok(Math.abs(gainAt(changesAt(gain)) / gain - 1) < 1e-6, String(gain))
  assert.deepEqual(
    [changesAt(0), changesAt(-1), changesAt(NaN), changesAt(1), changesAt(9)],
    [0, 0, 0, Infinity, Infinity],
  )
  for (const goal of ['freshness', 'changes'] as const) {
    const everyMs = intervalFor(goal, DAY_MS, worthOf(goal, DAY_MS, 3 * HOUR_MS))
    assert.ok(Math.abs(everyMs / HOUR_MS - 3) < 1e-6)
  }
  // Both more and less often than once per twelve hours or so, a page is visited more rarely for freshness.
  const every = [1, 24, 2400].map(hours => intervalFor('freshness', hours * HOUR_MS, 6 * HOUR_MS))
  assert.ok(every[0] === Infinity && every[1]! < every[2]!)
})

/** Lets a crawl visit pages with these means, that are known: how many visits per ms it plans then. */
function visitsOf(means: readonly number[], settings: BudgetSettings, gapMs: number): number {
  const budget = new RevisitBudget(settings)
  const every = means.map(() => settings.recrawlFirstMs)
  const due = means.map((_, n) => settings.recrawlFirstMs + n)
  for (let visit = 0; visit < 4000; visit++) {
    const page = due.indexOf(Math.min(...due))
    const rate = { meanMs: means[page]!, evidence: 10 }
    const before = { ...rate, intervalMs: every[page]! }
    budget.learn({ host: 'a.com', hostPages: means.length, gapMs, sinceMs: every[page]!, before, after: rate })
    every[page] = plannedInterval(rate.meanMs, budget.worthAt('a.com'), settings)
    due[page]! += every[page]!
  }
  return every.reduce((sum, everyMs) => sum + 1 / everyMs, 0)
}

test('recrawl: a crawl makes about as many visits as its pages change, and no more than the delay of a host, or the rate of the crawl, allows', () => {
  const means = Array.from({ length: 40 }, (_, n) => 5 * HOUR_MS * 1.1 ** n)
  const entitled = means.reduce((sum, meanMs) => sum + 1 / (0.9 * meanMs), 0)
  for (const recrawlFor of ['freshness', 'changes'] as const) {
    const settings = { ...SETTINGS, recrawlFor }
    const free = visitsOf(means, settings, 1000)
    assert.ok(free / entitled > 0.7 && free / entitled < 1.3, `${recrawlFor}: ${free / entitled}`)
    const gapMs = 2 / entitled
    const slow = visitsOf(means, settings, gapMs)
    assert.ok(slow * gapMs > 0.6 && slow * gapMs < 1.2, `${recrawlFor}: ${slow * gapMs}`)
    const limited = visitsOf(means, { ...settings, maxRequestsPerSecond: 1000 / gapMs }, 1000)
    assert.ok(limited * gapMs > 0.6 && limited * gapMs < 1.2, `${recrawlFor}: ${limited * gapMs}`)
  }
})

test('ours: after a restart a crawl goes on by what its pages were planned by, before it has learned anything', () => {
  const former = 3 * HOUR_MS
  const budget = new RevisitBudget(SETTINGS)
  const rate = { meanMs: 2 * DAY_MS, evidence: 10 }
  const intervalMs = plannedInterval(rate.meanMs, former, SETTINGS)
  budget.learn({
    host: 'a.com',
    hostPages: 1,
    gapMs: 1,
    sinceMs: intervalMs,
    before: { ...rate, intervalMs },
    after: rate,
  })
  assert.ok(Math.abs(budget.worthAt('a.com') / former - 1) < 0.05, String(budget.worthAt('a.com') / HOUR_MS))
  assert.notEqual(budget.by({ ...SETTINGS, recrawlFor: 'changes' }), budget)
  assert.equal(budget.by({ ...SETTINGS, recrawlMinMs: 1 }), budget)
})
