import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HashIndex } from '../../../src/base/structures/hash-index.ts'
import { RandomSource, seeds } from '../../model/random-source.ts'

/** A HashIndex used as the comment over it says, for keys that know their hash, beside the Map that it stands for. */
class Checked {
  readonly model = new Map<number, number>()
  readonly index: HashIndex
  private readonly keys: number[] = []
  private readonly hashOf: (key: number) => number

  constructor(hashOf: (key: number) => number, expected?: number) {
    this.index = new HashIndex(expected)
    this.hashOf = hashOf
  }

  find(key: number): number {
    const place = this.placeOf(key)
    return place >= 0 ? this.index.id(place) : 0
  }

  add(key: number): void {
    this.index.reserve(1)
    const place = this.placeOf(key)
    assert.equal(place >= 0, this.model.has(key), `key ${key}`)
    if (place >= 0) return
    this.keys.push(key)
    this.index.fill(place, this.hashOf(key), this.keys.length)
    this.model.set(key, this.keys.length)
  }

  check(keys: Iterable<number>, where: string): void {
    for (const key of keys) assert.equal(this.find(key), this.model.get(key) ?? 0, `${where}, key ${key}`)
  }

  private placeOf(key: number): number {
    const hash = this.hashOf(key)
    let place = this.index.search(hash)
    while (place >= 0 && this.keys[this.index.id(place) - 1] !== key) place = this.index.searchOn(place, hash)
    return place
  }
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n)
}

function scrambled(key: number): number {
  return Math.imul(key + 1, 0x9e3779b1) | 0
}

const HASHES: Readonly<Record<string, (key: number) => number>> = {
  'all different': scrambled,
  'every hash shared by many': key => scrambled(key % 5),
  'one hash for all': () => -1,
  'the hash 0 for all': () => 0,
  'equal in all bits that choose the place': key => key << 20,
  'one behind the other': key => key,
  'close to the end of the table': key => -1 - (key % 3),
}

for (const [name, hashOf] of Object.entries(HASHES)) {
  test(`ours: random operations on a hash index give what a Map gives: ${name}`, t => {
    for (const seed of seeds(t, 8, 4)) {
      const random = new RandomSource(seed)
      const checked = new Checked(hashOf, random.pick([0, 0, 1, 300]))
      const keys = numbers(random.pick([20, 100, 700]))
      for (let step = 0; step < 1500; step++) {
        const what = random.below(1000)
        if (what < 700) checked.add(random.pick(keys))
        else if (what < 980) checked.check([random.pick(keys)], `ESCALONA_SEED=${seed}`)
        else checked.index.reserve(random.below(300))
      }
      checked.check(keys, `ESCALONA_SEED=${seed}, at the end`)
    }
  })
}

test('ours: a hash index of any size can be reserved and filled', () => {
  for (const size of [0, 1, 2, 40, 43, 44, 45, 63, 64, 65, 89, 90, 128, 1000, 5000]) {
    for (const expected of [0, 1, size, 10 * size]) {
      const where = `size ${size}, expected ${expected}`
      const keys = numbers(size + 3)
      const checked = new Checked(scrambled, expected)
      checked.index.reserve(size)
      for (const key of numbers(size)) checked.add(key)
      checked.check(keys, where)
    }
  }
})

test('ours: reserved room holds so many ids without another reserve', () => {
  for (const more of [1, 44, 45, 128, 1000, 10_000]) {
    const index = new HashIndex()
    index.reserve(more)
    for (let id = 1; id <= more; id++) index.fill(index.search(scrambled(id)), scrambled(id), id)
    for (let id = 1; id <= more; id++) assert.equal(index.id(index.search(scrambled(id))), id)
    assert.ok(index.search(scrambled(more + 1)) < 0)
  }
})
