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

  retain(isKept: (key: number) => boolean): void {
    this.index.retain(id => isKept(this.keys[id - 1]!))
    for (const key of [...this.model.keys()]) if (!isKept(key)) this.model.delete(key)
  }

  clear(): void {
    this.index.clear()
    this.model.clear()
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
        else if (what < 988) checked.index.reserve(random.below(300))
        else if (what < 996) {
          const [n, rest] = [1 + random.below(5), random.below(5)]
          checked.retain(key => key % n !== rest)
          checked.check(keys, `ESCALONA_SEED=${seed}, after retain`)
        } else {
          checked.clear()
          checked.check(keys, `ESCALONA_SEED=${seed}, after clear`)
        }
      }
      checked.check(keys, `ESCALONA_SEED=${seed}, at the end`)
    }
  })
}

test('ours: a hash index of any size can be reserved, filled, thinned out, cleared and filled again', () => {
  for (const size of [0, 1, 2, 40, 43, 44, 45, 63, 64, 65, 89, 90, 128, 1000, 5000]) {
    for (const expected of [0, 1, size, 10 * size]) {
      const where = `size ${size}, expected ${expected}`
      const keys = numbers(size + 3)
      const checked = new Checked(scrambled, expected)
      checked.index.reserve(size)
      for (const key of numbers(size)) checked.add(key)
      checked.check(keys, where)
      checked.retain(key => key % 3 === 0)
      checked.check(keys, `${where}, a third retained`)
      for (const key of numbers(size)) checked.add(key)
      checked.retain(() => false)
      checked.check(keys, `${where}, none retained`)
      for (const key of numbers(size)) checked.add(key)
      checked.clear()
      checked.check(keys, `${where}, cleared`)
      checked.clear()
      for (const key of numbers(size)) checked.add(key)
      checked.check(keys, `${where}, filled again`)
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

test('ours: a guess is right or 0, for any count', t => {
  for (const seed of seeds(t, 20, 10)) {
    const random = new RandomSource(seed)
    const index = new HashIndex()
    const idsOf = new Map<number, Set<number>>()
    const pool = Array.from({ length: 400 }, (_, n) => (n === 0 ? 0 : random.below(2 ** 32) | 0))
    for (let id = 1; id <= random.below(600); id++) {
      const hash = random.pick(pool)
      index.reserve(1)
      let place = index.search(hash)
      while (place >= 0) place = index.searchOn(place, hash)
      index.fill(place, hash, id)
      idsOf.set(hash, (idsOf.get(hash) ?? new Set()).add(id))
    }
    for (let count = 0; count <= 128; count++) {
      const hashes = Int32Array.from({ length: 128 }, () => random.pick(pool))
      const guesses = new Int32Array(128).fill(-1)
      index.guess(hashes, count, guesses)
      for (let i = 0; i < count; i++) {
        const isRight = guesses[i] === 0 || idsOf.get(hashes[i]!)?.has(guesses[i]!)
        assert.ok(isRight, `ESCALONA_SEED=${seed}, hash ${hashes[i]}, guess ${guesses[i]}`)
      }
    }
  }
})

test('ours: most guesses are not 0 when the hashes are spread', () => {
  const index = new HashIndex()
  const hashes = Int32Array.from({ length: 1000 }, (_, key) => scrambled(key))
  index.reserve(hashes.length)
  for (const [i, hash] of hashes.entries()) index.fill(index.search(hash), hash, i + 1)
  const guesses = new Int32Array(1000)
  index.guess(hashes, 1000, guesses)
  const right = guesses.filter((id, i) => id === i + 1).length
  assert.ok(right > 500, `${right} of 1000`)
})

test('ours: an index of which ids come and go is as large as those that stay need', () => {
  const index = new HashIndex()
  let id = 0
  for (let round = 0; round < 200; round++) {
    index.reserve(1000)
    for (let n = 0; n < 1000; n++) index.fill(index.search(scrambled(++id)), scrambled(id), id)
    index.retain(one => one > id - 10)
    assert.equal(index.filled, 10)
  }
  assert.ok(index.pairs.length <= 256, `${index.pairs.length / 2} places for 10 ids`)
})

test('ours: clearing an index costs what was put in since, however large it once was', () => {
  const index = new HashIndex()
  index.reserve(1_000_000)
  for (let id = 1; id <= 1_000_000; id++) index.fill(index.search(scrambled(id)), scrambled(id), id)
  const start = performance.now()
  for (let round = 0; round < 50_000; round++) {
    index.clear()
    index.reserve(1)
    index.fill(index.search(round), round, 1)
  }
  assert.ok(performance.now() - start < 20_000)
})
