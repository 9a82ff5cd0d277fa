import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NearGroups } from '../../src/export/near-duplicates.ts'
import { distanceOf } from '../../src/extract/simhash.ts'
import { RandomSource, seeds } from '../model/random-source.ts'

function groupsOf(hashes: readonly string[], most = 3): number[][] {
  const groups = new NearGroups(most)
  for (const hash of hashes) groups.add(hash)
  const work = groups.groups()
  for (;;) {
    const { done, value } = work.next()
    if (done) return value.map(members => [...members])
  }
}

/** Compares all pairs. */
function naive(hashes: readonly string[], most: number): number[][] {
  const group = hashes.map((_, n) => n)
  for (const [a, one] of hashes.entries())
    for (const [b, other] of hashes.slice(0, a).entries())
      if (distanceOf(one, other) <= most) {
        const [from, to] = [group[a]!, group[b]!]
        for (const [n, own] of group.entries()) if (own === from) group[n] = to
      }
  const all = [...new Set(group)].map(own => group.flatMap((one, n) => (one === own ? [n] : [])))
  return all.filter(({ length }) => length > 1).sort((a, b) => b.length - a.length || a[0]! - b[0]!)
}

const hex = (bits: bigint) => bits.toString(16).padStart(16, '0')

test('near-duplicates: the groups are those that comparing all pairs finds', t => {
  for (const seed of seeds(t, 12, 12)) {
    const random = new RandomSource(seed)
    const most = seed % 4
    // Few bits differ at all, many share a part, or anything.
    const free = random.pick([7, 12, 20, 40, 64])
    const places = Array.from({ length: 64 }, (_, bit) => bit)
      .sort(() => random.below(3) - 1)
      .slice(0, free)
    const some = () => places.reduce((bits, place) => (random.chance(0.5) ? bits | (1n << BigInt(place)) : bits), 0n)
    const all: bigint[] = []
    for (let n = 0; n < 400; n++) {
      let bits = all.length > 0 && random.chance(0.5) ? random.pick(all) : some()
      for (let flips = random.below(6); flips > 0; flips--) bits ^= 1n << BigInt(random.below(64))
      all.push(bits)
    }
    const hashes = all.map(hex)
    assert.deepEqual(groupsOf(hashes, most), naive(hashes, most), `seed ${seed}`)
  }
})

test('near-duplicates: very many that are alike, or share a part, take no time in proportion to their pairs', () => {
  const same = Array.from({ length: 200_000 }, () => hex(5n))
  assert.deepEqual(
    groupsOf(same).map(({ length }) => length),
    [200_000],
  )
  const close = Array.from({ length: 1 << 16 }, (_, n) => hex(BigInt(n)))
  assert.deepEqual(
    groupsOf(close).map(({ length }) => length),
    [1 << 16],
    'a chain of numbers that differ in one bit',
  )
  const random = new RandomSource(3)
  const part = Array.from({ length: 100_000 }, () =>
    hex((BigInt(random.below(2 ** 31)) << 33n) | (BigInt(random.below(2 ** 17)) << 16n) | 7n),
  )
  assert.ok(groupsOf(part).length < 100, 'one part of all is the same')
})
