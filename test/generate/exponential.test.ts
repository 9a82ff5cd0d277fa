import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decay, lowerTail } from '../../src/generate/spread-law.ts'

test('ours: e^-x by plain arithmetic is right to twelve digits', () => {
  for (let x = 0; x < 40; x += 0.0371) {
    assert.ok(Math.abs(decay(x) / Math.exp(-x) - 1) < 1e-12, `at ${x}: ${decay(x)}, not ${Math.exp(-x)}`)
  }
  assert.equal(decay(0), 1)
  assert.equal(decay(Number.POSITIVE_INFINITY), 0)
})

test('rule 4.1: the law is that of ±√(−ln U) with a random sign', () => {
  const draws = 200_000
  for (const x of [-2, -0.7, 0, 0.3, 1.5]) {
    let below = 0
    for (let i = 0; i < draws; i++) {
      const value = Math.sqrt(-Math.log((i >> 1) / (draws / 2) + 1 / draws)) * (i % 2 === 0 ? 1 : -1)
      if (value <= x) below++
    }
    assert.ok(Math.abs(below / draws - lowerTail(x)) < 1e-3, `at ${x}: ${below / draws}, not ${lowerTail(x)}`)
  }
})
