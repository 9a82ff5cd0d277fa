import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOST_WORDS, Hosts } from '../../src/scheduler/hosts.ts'
import type { ClassicKernel } from '../../src/url/classic-kernel.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { newKernel, scanUrls } from './scan-urls.ts'

function nameOf(hosts: Hosts, id: number): string {
  const view = hosts.nameView(id)
  return Buffer.from(view.buffer, view.byteOffset + hosts.nameAt(id), hosts.nameLength(id)).toString('latin1')
}

function find(hosts: Hosts, kernel: ClassicKernel, name: string): number {
  const end = kernel.put(Buffer.from(name, 'latin1'))
  const host = kernel.readHost(kernel.start, end)
  return hosts.find(host.hash, kernel.view, host.start, host.end - host.start)
}

/** Makes the hosts of these URLs known; tells their ids. */
function know(hosts: Hosts, kernel: ClassicKernel, urls: readonly string[], spoil = (_: Int32Array) => {}): number[] {
  const ids: number[] = []
  scanUrls(kernel, urls, rows => {
    spoil(kernel.hostHash)
    ids.push(...hosts.know(kernel, rows).subarray(0, rows))
  })
  return ids
}

/** Lengths on both sides of 40 bytes, where a name leaves its host's record, and far beyond. */
const LENGTHS = [1, 2, 3, 4, 5, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 100, 1000, 300_000]

test('ours: names of every length are kept and found', () => {
  const [hosts, kernel] = [new Hosts(0), newKernel()]
  const names = LENGTHS.flatMap(length => ['a', 'b'].map(letter => 'x'.repeat(length - 1) + letter))
  const expected = names.map((_, n) => n + 1)
  assert.deepEqual(know(hosts, kernel, names), expected)
  assert.deepEqual(
    know(
      hosts,
      kernel,
      [...names].reverse().map(name => `${name}/path`),
    ),
    [...expected].reverse(),
  )
  assert.equal(hosts.known, names.length)
  for (const [n, name] of names.entries()) {
    assert.equal(nameOf(hosts, n + 1), name)
    assert.equal(find(hosts, kernel, name), n + 1)
    assert.equal(find(hosts, kernel, `www.${name.toUpperCase()}/x`), n + 1)
    assert.equal(find(hosts, kernel, `${name}c`), 0)
  }
})

test('ours: random names become known in order, with true and with equal hashes', t => {
  for (const seed of seeds(t, 20, 10)) {
    const random = new RandomSource(seed)
    const [hosts, kernel] = [new Hosts(random.pick([0, 0.5, 300])), newKernel()]
    let model: string[] = []
    const isEqual = random.chance(0.5)
    const pool = Array.from({ length: random.pick([3, 50, 600]) }, (_, n) => {
      const length = random.pick([...LENGTHS.slice(0, -1), random.below(60)])
      return `${n}${random.pick(['x', 'y', '\xe9'])}`.padEnd(length, '.z')
    })
    for (let step = 0; step < 40; step++) {
      const names = Array.from({ length: random.below(150) }, () => random.pick(pool))
      for (const name of names) if (!model.includes(name)) model.push(name)
      const ids = know(hosts, kernel, names, isEqual ? hashes => hashes.fill(-5) : undefined)
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
    for (const [n, name] of model.entries()) assert.equal(nameOf(hosts, n + 1), name, `ESCALONA_SEED=${seed}`)
    if (isEqual) continue
    for (const name of pool) assert.equal(find(hosts, kernel, name), model.indexOf(name) + 1, `ESCALONA_SEED=${seed}`)
  }
})

test('ours: names with equal hashes are told apart by direct calls, long and short', () => {
  const [hosts, kernel] = [new Hosts(0), newKernel()]
  const names = ['a.com', 'b.com', 'a.co', `${'x'.repeat(50)}1`, `${'x'.repeat(50)}2`, `${'x'.repeat(49)}1`]
  know(hosts, kernel, names, hashes => hashes.fill(99))
  for (const [n, name] of [...names, 'c.com', `${'x'.repeat(50)}3`].entries()) {
    const end = kernel.put(name)
    const id = n < names.length ? n + 1 : 0
    assert.equal(hosts.find(99, kernel.view, kernel.start, end - kernel.start), id)
    assert.equal(hosts.find(98, kernel.view, kernel.start, end - kernel.start), 0)
  }
})

test('ours: what a list keeps in a record stays when more hosts become known, and is gone after a clear', () => {
  const [hosts, kernel] = [new Hosts(0), newKernel()]
  const [first, last] = [HOST_WORDS, 2 * HOST_WORDS - 1]
  know(hosts, kernel, ['a.com'])
  hosts.words[first] = 77
  hosts.words[last] = 78
  know(
    hosts,
    kernel,
    Array.from({ length: 1000 }, (_, n) => `h${n}.com`),
  )
  assert.deepEqual([hosts.words[first], hosts.words[last]], [77, 78])
  assert.equal(nameOf(hosts, 1), 'a.com')
  hosts.clear()
  assert.equal(hosts.known, 0)
  assert.equal(find(hosts, kernel, 'a.com'), 0)
  know(hosts, kernel, ['b.com'])
  assert.deepEqual([hosts.words[first], hosts.words[last], nameOf(hosts, 1)], [0, 0, 'b.com'])
})

test('ours: long names that are forgotten give their memory back', () => {
  const [hosts, kernel] = [new Hosts(0), newKernel()]
  const before = process.memoryUsage().arrayBuffers
  for (let round = 0; round < 100; round++) {
    const name = `${round}-${'x'.repeat(2_000_000)}`
    know(hosts, kernel, [name, 'short.com'])
    assert.equal(hosts.nameLength(1), name.length)
    hosts.clear()
  }
  const growth = process.memoryUsage().arrayBuffers - before
  assert.ok(growth < 100_000_000, `100 names of 2 MB came and went; ${growth} bytes were added`)
})
