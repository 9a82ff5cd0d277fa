import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Queues } from '../../src/scheduler/queues.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { arrayBytes } from './scan-urls.ts'

test('ours: random operations on queues give what arrays give', t => {
  for (const seed of seeds(t, 40, 20)) {
    const random = new RandomSource(seed)
    const count = random.pick([1, 2, 7, 40])
    const queues = new Queues()
    const ends = new Int32Array(2 * count)
    const model: number[][] = Array.from({ length: count }, () => [])
    const taken = new Int32Array(300)
    let slot = 0
    for (let step = 0; step < 2000; step++) {
      const where = `ESCALONA_SEED=${seed}, step ${step}`
      const n = random.below(count)
      const what = random.below(1000)
      if (what < 550) {
        for (let pushes = random.pick([1, 1, 1, 8, 20]); pushes > 0; pushes--) {
          queues.push(ends, 2 * n, ++slot)
          model[n]!.push(slot)
        }
      } else if (what < 900) {
        const [from, room] = [random.below(5), random.pick([0, 1, 1, 6, 7, 8, 9, 250])]
        const expected = model[n]!.splice(0, room)
        assert.equal(queues.shift(ends, 2 * n, taken, from, from + room), from + expected.length, where)
        assert.deepEqual([...taken.subarray(from, from + expected.length)], expected, where)
      } else if (what < 995) {
        assert.deepEqual([...queues.slotsOf(ends, 2 * n)], model[n], where)
      } else if (random.chance(0.2)) {
        queues.clear()
        ends.fill(0)
        for (const list of model) list.length = 0
      }
      if (model[n]!.length === 0) assert.deepEqual([...ends.subarray(2 * n, 2 * n + 2)], [0, 0], where)
    }
    for (const [n, list] of model.entries()) {
      assert.deepEqual([...queues.slotsOf(ends, 2 * n)], list, `ESCALONA_SEED=${seed}, at the end`)
    }
  }
})

test('ours: slots that come and go need no more memory than those that wait at a time', () => {
  const queues = new Queues()
  const ends = new Int32Array(20)
  const taken = new Int32Array(100)
  const round = (n: number) => {
    for (let slot = 1; slot <= 100; slot++) queues.push(ends, (n * 2) % 20, slot)
    queues.shift(ends, ((n + 5) * 2) % 20, taken, 0, 100)
  }
  for (let n = 0; n < 100; n++) round(n)
  const before = arrayBytes()
  for (let n = 0; n < 50_000; n++) round(n)
  const growth = arrayBytes() - before
  assert.ok(growth < 2 ** 20, `5 million slots came and went, and ${growth} bytes were added`)
})

test('ours: a queue of a million is filled and emptied in a straight line', () => {
  const queues = new Queues()
  const ends = new Int32Array(2)
  const taken = new Int32Array(1)
  const start = performance.now()
  for (let slot = 1; slot <= 1_000_000; slot++) queues.push(ends, 0, slot)
  for (let slot = 1; slot <= 1_000_000; slot++) {
    queues.shift(ends, 0, taken, 0, 1)
    assert.equal(taken[0], slot)
  }
  assert.ok(performance.now() - start < 20_000)
})
