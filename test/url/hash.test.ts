import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClassicKernel } from '../../src/url/classic-kernel.ts'

/** URLs that differ only in the top bits of 32-bit halves, in pairs of eight bytes: what cancels in a plain product. */
function cancelling(count: number): Buffer[] {
  return Array.from({ length: count }, (_, n) => {
    const path = Buffer.from('bcdefghijklmnopq'.repeat(16))
    for (let pair = 0; pair < 16; pair++) {
      if ((n >> pair) % 2 === 1) for (const at of [7, 11, 15]) path[16 * pair + at]! ^= 0x80
    }
    return Buffer.concat([Buffer.from('http://host.com/'), path])
  })
}

test('ours: URLs made to cancel out in the hash do not collide, with any seed', () => {
  for (const seed of [
    [0, 0],
    [1, 2],
    [-1, 0x7fffffff],
  ] as const) {
    const kernel = new ClassicKernel(seed)
    const hashes = new Set<number>()
    for (const url of cancelling(4096)) {
      assert.equal(kernel.scan(kernel.start, kernel.put(url) + 1, 1), 1)
      hashes.add(kernel.urlHash[0]!)
    }
    assert.ok(hashes.size > 4090, `${hashes.size} different hashes of 4096`)
  }
})

test('ours: another seed gives other hashes, the same seed the same', () => {
  const hashOf = (seed: readonly [number, number]) => {
    const kernel = new ClassicKernel(seed)
    kernel.scan(kernel.start, kernel.put('http://a.com/b/c') + 1, 1)
    return [kernel.hostHash[0], kernel.urlHash[0]]
  }
  assert.deepEqual(hashOf([1, 2]), hashOf([1, 2]))
  assert.notDeepEqual(hashOf([1, 2]), hashOf([1, 3]))
  assert.notDeepEqual(hashOf([1, 2]), hashOf([2, 2]))
})
