import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryAfterMs } from '../../src/fetch/answer-head.ts'

const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5)
const DAY_MS = 86_400_000

test('RFC 9110 10.2.3: seconds', () => {
  assert.equal(retryAfterMs('120', NOW_MS), 120_000)
  assert.equal(retryAfterMs(' 0 ', NOW_MS), 0)
})

test('RFC 9110 5.6.7: the three forms of a date', () => {
  assert.equal(retryAfterMs('Fri, 02 Jan 2026 03:05:05 GMT', NOW_MS), 60_000)
  assert.equal(retryAfterMs('Friday, 02-Jan-26 03:05:05 GMT', NOW_MS), 60_000)
  assert.equal(retryAfterMs('Fri Jan  2 03:05:05 2026', NOW_MS), 60_000)
})

test('ours: a date that has passed means now, and nothing is believed beyond a day', () => {
  assert.equal(retryAfterMs('Thu, 01 Jan 1970 00:00:00 GMT', NOW_MS), 0)
  assert.equal(retryAfterMs('Fri, 02 Jan 2099 03:04:05 GMT', NOW_MS), DAY_MS)
  assert.equal(retryAfterMs('999999999999999999999999999999', NOW_MS), DAY_MS)
  assert.equal(retryAfterMs('9'.repeat(10_000), NOW_MS), DAY_MS)
})

test('ours: garbage says nothing', () => {
  for (const text of [
    '',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    'soon',

    '1 2',
    'Fri, 99 Foo 2026 03:05:05 GMT',
    'Mon, '.repeat(9999),
  ]) {
    assert.equal(retryAfterMs(text, NOW_MS), undefined, text.slice(0, 40))
  }
})
