import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ranking, sumsOf } from '../../../src/base/structures/ranking.ts'
import { RandomSource, seeds } from '../../model/random-source.ts'

test('ours: the largest come first, and among equals the name decides', () => {
  assert.deepEqual(ranking(Object.entries({ b: 1, c: 5, a: 1, '10': 1 }), 3), {
    top: [
      { name: 'c', count: 5 },
      { name: '10', count: 1 },
      { name: 'a', count: 1 },
    ],
    others: { names: 1, count: 1 },
  })
  assert.deepEqual(ranking([]), { top: [], others: { names: 0, count: 0 } })
})

test('ours: a ranking is the start of the sorted list, and the rest adds up', t => {
  for (const seed of seeds(t, 50, 20)) {
    const random = new RandomSource(seed)
    const entries = Array.from({ length: random.below(300) }, (_, place) => [`n${place}`, random.below(20)] as const)
    const sorted = entries
      .map(([name, count]) => ({ name, count }))
      .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
    const most = 1 + random.below(100)
    const found = ranking(entries, most)
    assert.deepEqual(found.top, sorted.slice(0, most), `ESCALONA_SEED=${seed}`)
    const sums = { names: entries.length, count: entries.reduce((sum, [, count]) => sum + count, 0) }
    assert.deepEqual(sumsOf(found), sums, `ESCALONA_SEED=${seed}`)
    assert.equal(found.others.names, Math.max(0, entries.length - most), `ESCALONA_SEED=${seed}`)
  }
})

test('ours: names of the language are names like others', () => {
  const counts = JSON.parse('{"__proto__": 7, "constructor": 3}')
  assert.deepEqual(ranking(Object.entries<number>(counts)).top, [
    { name: '__proto__', count: 7 },
    { name: 'constructor', count: 3 },
  ])
})
