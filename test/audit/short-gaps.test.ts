import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortGaps } from '../../src/audit/host-audit.ts'
import { RandomSource, seeds } from '../model/random-source.ts'

/** What is certain: some requests in a row took together less time than their delays, by the error of a time. */
function isCertain(times: readonly number[], delay: number, error: number): boolean {
  return times.some((from, i) => times.some((to, j) => j > i && (j - i) * delay - (to - from) >= error))
}

test('short-gaps: says so exactly when it is certain, and never of a crawl that kept its delay', t => {
  for (const seed of seeds(t, 300, 300)) {
    const random = new RandomSource(seed)
    const delay = random.pick([100, 700, 1000, 2500])
    const error = random.pick([1, 1000])
    const named = (ms: number) => Math.floor(ms / error) * error
    let now = 1e12
    const times = Array.from({ length: random.below(40) }, () => named((now += random.below(3 * delay))))
    const { count, example } = shortGaps(Float64Array.from(times), delay, error)
    assert.equal(count > 0, isCertain(times, delay, error), `seed ${seed}`)
    assert.equal(example !== undefined, count > 0)
    const polite = Array.from({ length: 40 }, () => named((now += delay + random.below(delay) / 7)))
    assert.equal(shortGaps(Float64Array.from(polite), delay, error).count, 0, `seed ${seed}: polite`)
  }
})

test('short-gaps: of times to the millisecond, each short gap is counted', () => {
  const { count, example } = shortGaps(Float64Array.from([0, 100, 150, 160, 260, 300]), 100, 1)
  assert.deepEqual([count, example], [3, { fromMs: 100, toMs: 150 }])
})
