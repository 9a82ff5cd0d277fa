import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Block, Blocks } from '../../../src/base/structures/blocks.ts'
import { RandomSource, seeds } from '../../model/random-source.ts'

interface Held {
  readonly block: Block
  readonly bits: number
  readonly mark: number
}

test('ours: blocks come zeroed, never overlap, and keep what is written into them', t => {
  for (const seed of seeds(t, 30, 15)) {
    const random = new RandomSource(seed)
    const blocks = new Blocks()
    let held: Held[] = []
    for (let step = 0; step < 600; step++) {
      const where = `ESCALONA_SEED=${seed}, step ${step}`
      if (random.chance(0.55)) {
        const bits = 3 + random.below(random.pick([1, 4, 9]))
        const block = blocks.allot(bits)
        assert.ok(block > 0 && block + 2 ** bits <= blocks.words.length, where)
        const words = blocks.words.subarray(block, block + 2 ** bits)
        assert.ok(
          words.every(word => word === 0),
          `${where}: the block is not zeroed`,
        )
        const mark = -1 - step
        words.fill(mark)
        held.push({ block, bits, mark })
      } else if (held.length > 0) {
        const [one] = held.splice(random.below(held.length), 1)
        assert.ok(isIntact(blocks, one!), where)
        blocks.release(one!.block, one!.bits)
      }
      if (random.chance(0.01)) {
        blocks.clear()
        held = []
      }
      assert.ok(
        held.every(one => isIntact(blocks, one)),
        where,
      )
    }
  }
})

function isIntact(blocks: Blocks, { block, bits, mark }: Held): boolean {
  return blocks.words.subarray(block, block + 2 ** bits).every(word => word === mark)
}

test('ours: a released block is the next of its size', () => {
  const blocks = new Blocks()
  const [small, large] = [blocks.allot(3), blocks.allot(10)]
  blocks.release(small, 3)
  blocks.release(large, 10)
  assert.equal(blocks.allot(10), large)
  assert.equal(blocks.allot(3), small)
})

test('ours: blocks that come and go need no more memory than those that are held at a time', () => {
  const blocks = new Blocks()
  let rounds = 0
  for (; rounds < 10_000; rounds++) {
    const held = [3, 5, 8, 8, 12].map(bits => ({ bits, block: blocks.allot(bits) }))
    for (const { bits, block } of held) blocks.release(block, bits)
  }
  assert.ok(blocks.words.length < 20_000, `${blocks.words.length} words after ${rounds} rounds`)
})

test('ours: after a clear a large array is given up once little of it is used', () => {
  const blocks = new Blocks()
  blocks.allot(20)
  blocks.clear()
  blocks.allot(3)
  blocks.clear()
  assert.ok(blocks.words.length < 2 ** 20)
  assert.ok(blocks.words.every(word => word === 0))
})
