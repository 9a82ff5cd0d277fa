import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SpareTime } from '../../src/crawl/desk/spare-time.ts'

/** Somebody asks again and again, 5 ms an answer, for a minute. Returns how much of the time went into answers. */
function shareSpent(busy: number): number {
  let nowMs = 0
  let spentMs = 0
  const spare = new SpareTime(
    () => nowMs,
    () => busy,
  )
  while (nowMs < 60_000) {
    const waitMs = spare.waitMs()
    if (waitMs > 0) {
      nowMs += waitMs
      continue
    }
    nowMs += 5
    spentMs += 5
    spare.spend(5)
  }
  return spentMs / nowMs
}

test('ours: who looks without end takes less than 2 % of a busy crawl’s time', () => {
  assert.ok(shareSpent(1) < 0.02, `${shareSpent(1)}`)
  assert.ok(shareSpent(1) > 0.01, `${shareSpent(1)}`)
})

test('ours: what a crawl leaves idle may be used', () => {
  assert.ok(shareSpent(0.2) > 0.1, `${shareSpent(0.2)}`)
})

test('ours: the first answers come at once', () => {
  const spare = new SpareTime(
    () => 0,
    () => 1,
  )
  for (let n = 0; n < 10; n++) {
    assert.equal(spare.waitMs(), 0)
    spare.spend(5)
  }
})
