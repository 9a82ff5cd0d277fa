import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LruStack } from '../../src/analysis/stack-distances.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { NaiveStack } from './naive-stack.ts'

test('rule 4.4: the distance is the place in the stack, from 1; a first touch is 0', () => {
  const stack = new LruStack()
  const distances = [1, 1, 2, 1, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5].map(word => stack.touch(word))
  assert.deepEqual(distances, [0, 1, 0, 2, 0, 0, 3, 4, 0, 3, 3, 5, 5, 5])
})

test('stack distances: random touches give what a naive stack gives', t => {
  for (const seed of seeds(t, 40, 10)) {
    const random = new RandomSource(seed)
    const words = 1 + random.below(400)
    const scale = [1, 2 ** 20, 2 ** 33, 2 ** 45][seed % 4]!
    const [stack, naive] = [new LruStack(), new NaiveStack()]
    for (let i = 0; i < 4000; i++) {
      const word = (random.chance(0.3) ? random.below(5) : random.below(words)) * scale
      assert.equal(stack.touch(word), naive.touch(word), `ESCALONA_SEED=${seed}, touch ${i}`)
    }
  }
})

test('ours: going round and round in many words costs memory for the words, not for the touches', () => {
  const stack = new LruStack()
  const words = 50_000
  for (let i = 0; i < words * 20; i++) {
    const distance = stack.touch(i % words)
    if (distance !== (i < words ? 0 : words)) assert.fail(`touch ${i}: ${distance}`)
  }
  const { tree } = stack as unknown as { tree: Int32Array }
  assert.ok(tree.length < 4 * words, `${tree.length} moments for ${words} words`)
})
