import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Backlog } from '../../src/frontier/local/memory/waiting-counts.ts'

test('ours: a host whose list passes a power of two leaves its class, and is its example no more', () => {
  const backlog = new Backlog()
  const classes = () => backlog.classes(host => `h${host}`).map(({ hosts, example }) => [hosts, example])
  backlog.move(1, 0, 1, 100, 100)
  backlog.move(2, 0, 1, 100, 100)
  assert.deepEqual(classes(), [[2, 'h2']])
  backlog.move(2, 1, 2, 100, 100)
  assert.deepEqual(classes(), [
    [1, undefined],
    [1, 'h2'],
  ])
  backlog.move(2, 2, 0, 100, 100)
  backlog.move(1, 1, 0, 100, 100)
  assert.deepEqual(classes(), [])
})

test('ours: the delay of a class is that of its hosts on the average, also after some have left', () => {
  const backlog = new Backlog()
  const delays = () => backlog.classes(String).map(({ delayMs }) => delayMs)
  backlog.move(1, 0, 5, 100, 100)
  backlog.move(2, 0, 5, 120, 120)
  assert.deepEqual(delays(), [110])
  backlog.move(2, 5, 5, 120, 80)
  assert.deepEqual(delays(), [90])
  backlog.move(1, 5, 5, 100, 4000)
  assert.deepEqual(delays(), [80, 4000])
})
