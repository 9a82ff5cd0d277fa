import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ByteChunk, copyBytes, newChunk, SPARE_BYTES, sameBytes } from '../../../src/base/structures/bytes.ts'
import { RandomSource, seeds } from '../../model/random-source.ts'

const LONGEST = 40

function randomChunk(random: RandomSource, bytes: number): ByteChunk {
  const chunk = newChunk(bytes)
  for (let i = 0; i < chunk.bytes.length; i++) chunk.bytes[i] = random.below(256)
  return chunk
}

test('ours: equal bytes are the same at every alignment and length, whatever stands around them', t => {
  for (const seed of seeds(t, 3, 2)) {
    const random = new RandomSource(seed)
    for (let length = 0; length <= LONGEST; length++) {
      for (
        let [aStart, bStart] = [0, 0];
        aStart < 8;
        [aStart, bStart] = bStart < 7 ? [aStart, bStart + 1] : [aStart + 1, 0]
      ) {
        const [a, b] = [randomChunk(random, LONGEST + 8), randomChunk(random, LONGEST + 8)]
        a.bytes.copy(b.bytes, bStart, aStart, aStart + length)
        const where = `ESCALONA_SEED=${seed}, ${length} bytes at ${aStart} and ${bStart}`
        assert.ok(sameBytes(a.view, aStart, b.view, bStart, length), where)
        if (length === 0) continue
        const at = random.below(length)
        b.bytes[bStart + at]! ^= 1 << random.below(8)
        assert.ok(!sameBytes(a.view, aStart, b.view, bStart, length), `${where}: byte ${at} differs`)
      }
    }
  }
})

test('ours: one different byte is noticed wherever it is', () => {
  for (let length = 1; length <= LONGEST; length++) {
    for (let at = 0; at < length; at++) {
      const [a, b] = [newChunk(LONGEST), newChunk(LONGEST)]
      a.bytes.fill(0xff)
      b.bytes.fill(0xff)
      b.bytes[at] = 0x7f
      assert.ok(!sameBytes(a.view, 0, b.view, 0, length), `byte ${at} of ${length}`)
      assert.ok(sameBytes(a.view, 0, b.view, 0, at), `the ${at} bytes before it`)
    }
  }
})

test('ours: texts that end where a chunk may be filled are compared and copied without leaving it', () => {
  for (let length = 0; length <= LONGEST; length++) {
    const [a, b] = [newChunk(length), newChunk(length)]
    a.bytes.fill(1)
    b.bytes.fill(2)
    copyBytes(a.view, 0, length, b.view, 0)
    assert.ok(sameBytes(a.view, 0, b.view, 0, length))
  }
})

test('ours: copying brings every byte, and writes at most 3 too many', t => {
  for (const seed of seeds(t, 3, 2)) {
    const random = new RandomSource(seed)
    for (let length = 0; length <= LONGEST; length++) {
      for (let start = 0; start < 8; start++) {
        const at = random.below(8)
        const [from, to] = [randomChunk(random, LONGEST + 8), randomChunk(random, LONGEST + 8)]
        const before = Buffer.from(to.bytes)
        copyBytes(from.view, start, length, to.view, at)
        const where = `ESCALONA_SEED=${seed}, ${length} bytes from ${start} to ${at}`
        assert.deepEqual(to.bytes.subarray(at, at + length), from.bytes.subarray(start, start + length), where)
        assert.deepEqual(to.bytes.subarray(0, at), before.subarray(0, at), where)
        assert.deepEqual(to.bytes.subarray(at + length + 3), before.subarray(at + length + 3), where)
      }
    }
  }
})

test('ours: a chunk has its spare bytes, and both its views are of the same memory', () => {
  const chunk = newChunk(100)
  assert.equal(chunk.bytes.length, 100 + SPARE_BYTES)
  assert.equal(chunk.view.byteLength, 100 + SPARE_BYTES)
  chunk.bytes[7] = 42
  assert.equal(chunk.view.getUint8(7), 42)
})
