import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OrderKeys, orderedPart } from '../../../src/base/structures/ordered-part.ts'
import { RandomSource, seeds } from '../../model/random-source.ts'

/** Numbers of 32 bits, the smallest first. */
class SmallestFirst implements OrderKeys {
  readonly levels = 2
  private readonly values: Uint32Array

  constructor(values: Uint32Array) {
    this.values = values
  }

  read(level: number, things: Uint32Array, digits: Uint16Array): boolean {
    for (let i = 0; i < things.length; i++) digits[i] = this.values[things[i]!]! >>> (level === 0 ? 16 : 0)
    return digits.every(digit => digit === digits[0])
  }

  compare(a: number, b: number): number {
    return this.values[a]! - this.values[b]!
  }
}

test('ours: any part of a list is the same as that of the sorted list, and equal things stay in their order', t => {
  for (const seed of seeds(t, 20, 5)) {
    const random = new RandomSource(seed)
    // More than are sorted at once, and fewer; few different values, and many.
    const count = random.below(random.pick([10, 6000, 30_000]))
    const most = random.pick([1, 3, 100, 70_000, 2 ** 32])
    const values = Uint32Array.from({ length: count }, () => random.below(most))
    const things = Uint32Array.from({ length: count }, (_, i) => i).filter(() => random.chance(0.9))
    const sorted = [...things].sort((a, b) => values[a]! - values[b]! || a - b)
    for (let asked = 0; asked < 5; asked++) {
      const offset = random.below(count + 10)
      const limit = random.pick([1, 200, random.below(count + 10)])
      const part = orderedPart(things, new SmallestFirst(values), offset, limit)
      assert.deepEqual(part, sorted.slice(offset, offset + limit), `seed ${seed}`)
    }
  }
})
