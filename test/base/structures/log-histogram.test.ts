import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LogHistogram } from '../../../src/base/structures/log-histogram.ts'
import { RandomSource, seeds } from '../../model/random-source.ts'

function of(values: readonly number[]): LogHistogram {
  const histogram = new LogHistogram()
  for (const value of values) histogram.add(value)
  return histogram
}

test('ours: a power of two begins a bucket, four buckets an octave', () => {
  for (let octave = 0; octave <= 53; octave++) {
    assert.equal(of([2 ** octave]).counts.indexOf(1), 4 * octave)
    if (octave > 0) assert.equal(of([2 ** octave * (1 - 1e-12)]).counts.indexOf(1), 4 * octave - 1)
  }
})

test('ours: odd values have a bucket too, and memory stays bounded', () => {
  for (const value of [0, -5, 0.3, 1, Number.NaN, Number.NEGATIVE_INFINITY]) assert.deepEqual(of([value]).counts, [1])
  for (const value of [2 ** 53, 1e300, Number.POSITIVE_INFINITY]) assert.equal(of([value]).counts.length, 4 * 53 + 1)
})

test('ours: every value is counted once, in the bucket around it', t => {
  for (const seed of seeds(t, 50, 20)) {
    const random = new RandomSource(seed)
    const values = Array.from({ length: random.below(500) }, () => 1 + random.below(2 ** random.below(40)))
    const histogram = of(values)
    assert.equal(histogram.total, values.length, `ESCALONA_SEED=${seed}`)
    for (const [bucket, count] of histogram.counts.entries()) {
      const inside = values.filter(value => value >= 2 ** (bucket / 4) && value < 2 ** ((bucket + 1) / 4))
      assert.equal(count, inside.length, `bucket ${bucket}, ESCALONA_SEED=${seed}`)
    }
  }
})

test('ours: what a quantile says lies below it does, and it is at most a bucket too high', t => {
  for (const seed of seeds(t, 50, 20)) {
    const random = new RandomSource(seed)
    const values = Array.from({ length: 1 + random.below(500) }, () => 1 + random.below(2 ** random.below(40)))
    const sorted = values.toSorted((a, b) => a - b)
    for (const share of [0.01, 0.25, 0.5, 0.9, 0.99, 1]) {
      const exact = sorted[Math.ceil(share * values.length) - 1]!
      const ratio = of(values).quantile(share) / exact
      assert.ok(ratio > 1 && ratio < 2 ** 0.251, `${share}: ${ratio}, ESCALONA_SEED=${seed}`)
    }
  }
})

test('ours: nothing has no quantiles', () => {
  assert.equal(new LogHistogram().quantile(0.5), 0)
  assert.equal(new LogHistogram().total, 0)
})

test('ours: a histogram goes on from its counts, and leaves them as they are', () => {
  const counts = of([1, 5, 5]).counts
  const next = new LogHistogram(counts)
  next.add(5)
  assert.deepEqual(next.counts, of([1, 5, 5, 5]).counts)
  assert.deepEqual(counts, of([1, 5, 5]).counts)
})
