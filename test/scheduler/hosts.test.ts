import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BATCH_COLUMNS, BatchRoom } from '../../src/scheduler/batch.ts'
import { HOST_WORDS, Hosts } from '../../src/scheduler/hosts.ts'
import type { Pieces } from '../../src/scheduler/pieces.ts'
import type { ClassicKernel } from '../../src/url/classic-kernel.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { newKernel, newPieces, scanUrls } from './scan-urls.ts'

class Known extends Hosts {
  private readonly kernel: ClassicKernel = newKernel()
  private readonly own: Pieces
  private readonly room: BatchRoom

  constructor(expectedHosts = 0, pieces = newPieces()) {
    super(pieces, expectedHosts)
    this.own = pieces
    this.room = new BatchRoom(pieces)
  }

  nameOf(id: number): string {
    return this.nameBytes(id).toString('latin1')
  }

  named(name: string): number {
    const end = this.kernel.put(Buffer.from(name, 'latin1'))
    const { hash, start, end: nameEnd } = this.kernel.readHost(this.kernel.start, end)
    return this.hashed(hash, this.kernel.bytes.subarray(start, nameEnd))
  }

  hashed(hash: number, name: Uint8Array): number {
    return this.find(hash, this.room.put(name), name.length)
  }

  /** Makes the hosts of these URLs known; returns their ids. */
  knowAll(urls: readonly string[], spoil = (_: Int32Array) => {}): number[] {
    const ids: number[] = []
    scanUrls(this.kernel, urls, rows => {
      spoil(this.kernel.hostHash)
      const batch = this.room.take(this.kernel, rows)
      this.know(batch)
      ids.push(...this.own.memory.words(batch.at + BATCH_COLUMNS.host, rows))
    })
    return ids
  }
}

/** Lengths on both sides of 40 bytes, where a name leaves its host's record, and far beyond. */
const LENGTHS = [1, 2, 3, 4, 5, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 100, 1000, 300_000]

test('ours: names of every length are kept and found', () => {
  const hosts = new Known()
  const names = LENGTHS.flatMap(length => ['a', 'b'].map(letter => 'x'.repeat(length - 1) + letter))
  const expected = names.map((_, n) => n + 1)
  assert.deepEqual(hosts.knowAll(names), expected)
  assert.deepEqual(hosts.knowAll([...names].reverse().map(name => `${name}/path`)), [...expected].reverse())
  assert.equal(hosts.known, names.length)
  for (const [n, name] of names.entries()) {
    assert.equal(hosts.nameOf(n + 1), name)
    assert.equal(hosts.named(name), n + 1)
    assert.equal(hosts.named(`www.${name.toUpperCase()}/x`), n + 1)
    assert.equal(hosts.named(`${name}c`), 0)
  }
})

test('ours: random names become known in order, with true and with equal hashes', t => {
  for (const seed of seeds(t, 20, 10)) {
    const random = new RandomSource(seed)
    const hosts = new Known(random.pick([0, 0.5, 300]))
    let model: string[] = []
    const isEqual = random.chance(0.5)
    const pool = Array.from({ length: random.pick([3, 50, 600]) }, (_, n) => {
      const length = random.pick([...LENGTHS.slice(0, -1), random.below(60)])
      return `${n}${random.pick(['x', 'y', '\xe9'])}`.padEnd(length, '.z')
    })
    for (let step = 0; step < 40; step++) {
      const names = Array.from({ length: random.below(150) }, () => random.pick(pool))
      for (const name of names) if (!model.includes(name)) model.push(name)
      const ids = hosts.knowAll(names, isEqual ? hashes => hashes.fill(-5) : undefined)
      assert.deepEqual(
        ids,
        names.map(name => model.indexOf(name) + 1),
        `ESCALONA_SEED=${seed}, step ${step}`,
      )
      assert.equal(hosts.known, model.length)
      if (!random.chance(0.05)) continue
      hosts.clear()
      model = []
    }
    for (const [n, name] of model.entries()) assert.equal(hosts.nameOf(n + 1), name, `ESCALONA_SEED=${seed}`)
    if (isEqual) continue
    for (const name of pool) assert.equal(hosts.named(name), model.indexOf(name) + 1, `ESCALONA_SEED=${seed}`)
  }
})

test('ours: names with equal hashes are told apart by direct calls, long and short', () => {
  const hosts = new Known()
  const names = ['a.com', 'b.com', 'a.co', `${'x'.repeat(50)}1`, `${'x'.repeat(50)}2`, `${'x'.repeat(49)}1`]
  hosts.knowAll(names, hashes => hashes.fill(99))
  for (const [n, name] of [...names, 'c.com', `${'x'.repeat(50)}3`].entries()) {
    const id = n < names.length ? n + 1 : 0
    assert.equal(hosts.hashed(99, Buffer.from(name)), id)
    assert.equal(hosts.hashed(98, Buffer.from(name)), 0)
  }
})

test('ours: what a list keeps in a record stays when more hosts become known, and is gone after a clear', () => {
  const hosts = new Known()
  const [first, last] = [HOST_WORDS, 2 * HOST_WORDS - 1]
  hosts.knowAll(['a.com'])
  hosts.words[first] = 77
  hosts.words[last] = 78
  hosts.knowAll(Array.from({ length: 1000 }, (_, n) => `h${n}.com`))
  assert.deepEqual([hosts.words[first], hosts.words[last]], [77, 78])
  assert.equal(hosts.nameOf(1), 'a.com')
  hosts.clear()
  assert.equal(hosts.known, 0)
  assert.equal(hosts.named('a.com'), 0)
  hosts.knowAll(['b.com'])
  assert.deepEqual([hosts.words[first], hosts.words[last], hosts.nameOf(1)], [0, 0, 'b.com'])
})

test('ours: long names that are forgotten give their memory back', () => {
  const pieces = newPieces()
  const hosts = new Known(0, pieces)
  const before = pieces.memory.bytes.length
  for (let round = 0; round < 100; round++) {
    const name = `${round}-${'x'.repeat(2_000_000)}`
    hosts.knowAll([name, 'short.com'])
    assert.equal(hosts.nameBytes(1).length, name.length)
    hosts.clear()
  }
  const growth = pieces.memory.bytes.length - before
  assert.ok(growth < 100_000_000, `100 names of 2 MB came and went; ${growth} bytes were added`)
})
