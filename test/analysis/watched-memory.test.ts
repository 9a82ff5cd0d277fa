import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WatchedMemory } from '../../src/analysis/watched-memory.ts'

type Touch = [kind: 'read' | 'write', at: number, bytes: number]

function watched(): { memory: WatchedMemory; touches: Touch[] } {
  const touches: Touch[] = []
  const memory = new WatchedMemory((_, kind, at, bytes) => void touches.push([kind, at, bytes]))
  return { memory, touches }
}

test('ours: one element, many elements and views of the memory are noticed, with offset and bytes', () => {
  const { memory, touches } = watched()
  const words = memory.watch(new Int32Array(16))
  words[3] = 7
  assert.equal(words[3], 7)
  words[3]! += 1
  words.fill(1, 4, 8)
  words.copyWithin(0, 4, 6)
  const part = words.subarray(8, 12)
  part[1] = 5
  const view = memory.view(words.buffer)
  view.setInt32(2, 9, true)
  assert.equal(view.getUint8(2), 9)
  assert.deepEqual(touches, [
    ['write', 12, 4],
    ['read', 12, 4],
    ['read', 12, 4],
    ['write', 12, 4],
    ['write', 16, 16],
    ['read', 16, 8],
    ['write', 0, 8],
    ['write', 36, 4],
    ['write', 2, 4],
    ['read', 2, 1],
  ])
})

test('ours: copying from one watched array into another is a read and a write', () => {
  const { memory, touches } = watched()
  const from = memory.watch(Int32Array.of(1, 2, 3))
  const to = memory.watch(new Int32Array(8))
  to.set(from, 2)
  assert.equal(to[4], 3)
  assert.deepEqual(touches.slice(0, 2), [
    ['read', 0, 12],
    ['write', 8, 12],
  ])
})

test('ours: reading behind the end touches nothing', () => {
  const { memory, touches } = watched()
  const words = memory.watch(new Int32Array(2))
  assert.equal(words[2], undefined)
  assert.deepEqual(touches, [])
})

test('ours: an operation that nobody understands throws instead of going unnoticed', () => {
  const { memory } = watched()
  const words = memory.watch(new Int32Array(4))
  assert.throws(() => words.slice(), /watched memory has no slice/)
  assert.throws(() => words.sort(), /watched memory has no sort/)
  assert.throws(() => [...words], /watched memory has no/)
})

test('ours: while work runs, new arrays are born watched; before and after they are plain', () => {
  const { memory, touches } = watched()
  const RealInt32Array = Int32Array
  const born = memory.during(() => ({
    words: new Int32Array(4),
    numbers: new Float64Array(2),
    bytes: Buffer.allocUnsafeSlow(8),
    view: (chunk: Buffer) => new DataView(chunk.buffer),
    foreign: new Int32Array(new ArrayBuffer(8)),
  }))
  assert.equal(Int32Array, RealInt32Array)
  born.words[0] = 1
  born.numbers[1] = 1
  born.bytes[3] = 1
  born.foreign[0] = 1
  memory.during(() => born.view(born.bytes).getInt32(4, true))
  assert.deepEqual(touches, [
    ['write', 0, 4],
    ['write', 8, 8],
    ['write', 3, 1],
    ['read', 4, 4],
  ])
  assert.throws(() =>
    memory.during(() => {
      throw new Error('x')
    }),
  )
  assert.equal(Int32Array, RealInt32Array)
})
