import assert from 'node:assert/strict'
import { test } from 'node:test'
import { growthOf } from '../../../src/analysis/experiment/run-experiment.ts'

test('experiment: a power law is found again, exactly', () => {
  for (const [exponent, factor] of [
    [2, 3e-9],
    [1, 1e-7],
    [0.5, 1e-6],
  ] as const) {
    const growth = growthOf([100, 1000, 5000, 1e6].map(n => [n, factor * n ** exponent]))!
    assert.ok(Math.abs(growth.exponent - exponent) < 1e-9)
    assert.ok(Math.abs(growth.factor / factor - 1) < 1e-9)
    assert.ok(growth.r2 > 0.999999)
  }
})

test('ours: what does not grow has the exponent 0, noise lowers R², and one point has no growth', () => {
  const flat = growthOf([
    [10, 5],
    [100, 5],
    [1000, 5],
  ])!
  assert.ok(Math.abs(flat.exponent) < 1e-9 && flat.r2 === 1)
  const noisy = growthOf([
    [10, 1],
    [100, 9],
    [1000, 2],
    [10_000, 12],
  ])!
  assert.ok(noisy.r2 < 0.8)
  assert.equal(growthOf([[10, 1]]), undefined)
  assert.equal(growthOf([]), undefined)
})
