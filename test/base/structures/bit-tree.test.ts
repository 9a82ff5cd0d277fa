import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BitTree } from '../../../src/base/structures/bit-tree.ts'
import { RandomSource, seeds } from '../../model/random-source.ts'

/** On both sides of where a word of some level ends. */
const EDGES = [0, 1, 30, 31, 32, 33, 63, 64, 1023, 1024, 1025, 32_767, 32_768, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1]

function firstFromNaively(members: ReadonlySet<number>, from: number): number {
  const later = [...members].filter(n => n >= from)
  return later.length === 0 ? -1 : Math.min(...later)
}

test('ours: random operations on a bit tree give what a Set gives', t => {
  for (const seed of seeds(t, 30, 20)) {
    const random = new RandomSource(seed)
    const tree = new BitTree()
    const model = new Set<number>()
    const limit = random.pick([10, 100, 3000, 200_000, 2 ** 21])
    const near = () => (random.chance(0.3) ? random.pick(EDGES) : random.below(limit))
    for (let step = 0; step < 1000; step++) {
      const n = model.size > 0 && random.chance(0.4) ? random.pick([...model]) : near()
      const where = `ESCALONA_SEED=${seed}, step ${step}, ${n}`
      const what = random.below(100)
      if (what < 35) {
        tree.add(n)
        model.add(n)
      } else if (what < 65) {
        tree.delete(n)
        model.delete(n)
      } else if (what < 99) {
        assert.equal(tree.has(n), model.has(n), where)
        for (const from of [n, n + 1]) assert.equal(tree.firstFrom(from), firstFromNaively(model, from), where)
      } else if (random.chance(0.3)) {
        tree.clear()
        model.clear()
      }
    }
    const members: number[] = []
    for (let n = tree.firstFrom(0); n >= 0; n = tree.firstFrom(n + 1)) members.push(n)
    assert.deepEqual(
      members,
      [...model].sort((a, b) => a - b),
      `ESCALONA_SEED=${seed}`,
    )
  }
})

test('ours: every single number is found from every edge below it, and from nowhere above', () => {
  for (const n of EDGES) {
    const tree = new BitTree()
    tree.add(n)
    tree.add(n)
    for (const from of EDGES) assert.equal(tree.firstFrom(from), from <= n ? n : -1, `${n} from ${from}`)
    tree.delete(n)
    for (const from of EDGES) assert.equal(tree.firstFrom(from), -1, `${n} is gone, from ${from}`)
  }
})

test('ours: deleting what was never there changes nothing, not even far behind the end', () => {
  const tree = new BitTree()
  tree.add(5)
  for (const n of [0, 4, 6, 31, 32, 2 ** 20, 2 ** 29]) tree.delete(n)
  assert.equal(tree.firstFrom(0), 5)
  assert.equal(tree.has(2 ** 29), false)
  assert.equal(tree.firstFrom(2 ** 29), -1)
})

test('ours: a large gap is crossed in a fixed number of steps', () => {
  const tree = new BitTree()
  tree.add(1)
  tree.add(2 ** 24)
  const start = performance.now()
  for (let n = 0; n < 1_000_000; n++) assert.equal(tree.firstFrom(2 + (n & 0xffff)), 2 ** 24)
  assert.ok(performance.now() - start < 20_000)
})
