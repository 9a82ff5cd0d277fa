import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentlyOffered } from '../../src/visit/recently-offered.ts'

const [A, B, C] = ['https://a.com/', 'https://b.com/', 'https://c.com/'] as const

test('ours: a link counts as offered once its visit is settled', () => {
  const offered = new RecentlyOffered()
  offered.bring(1, [A])
  offered.bring(2, [B])
  assert.deepEqual([offered.isKnown(A), offered.isKnown(B)], [false, false])
  offered.close(1, true)
  offered.close(2, false)
  assert.deepEqual([offered.isKnown(A), offered.isKnown(B)], [true, false])
})

test('shared frontier: after a loss no link counts as offered, but those of visits that are settled afterwards', () => {
  const offered = new RecentlyOffered()
  offered.bring(1, [A, B])
  offered.close(1, true)
  offered.bring(2, [C])
  offered.forget()
  assert.deepEqual(
    [A, B, C].map(url => offered.isKnown(url)),
    [false, false, false],
  )
  offered.close(2, true)
  assert.deepEqual(
    [A, B, C].map(url => offered.isKnown(url)),
    [false, false, true],
  )
})
