import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Pieces, SPARE_BYTES, type Stretch } from '../../src/scheduler/pieces.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { newPieces } from './scan-urls.ts'

const PIECE = 2 ** 18
const MB = 2 ** 20
const LONGEST_TEXT_BYTES = 2 ** 24 - 1

function overlap(a: Stretch, b: Stretch): boolean {
  return a.start < b.end + SPARE_BYTES && b.start < a.end + SPARE_BYTES
}

function hold(pieces: Pieces, stretch: Stretch, bytes = stretch.end - stretch.start): void {
  pieces.hold(stretch.start, bytes, bytes)
}

test('ours: random stretches never overlap while they are held, and have the room that was asked for', t => {
  for (const seed of seeds(t, 20, 10)) {
    const random = new RandomSource(seed)
    const pieces = newPieces()
    let held: { stretch: Stretch; mark: number }[] = []
    for (let step = 0; step < 150; step++) {
      const where = `ESCALONA_SEED=${seed}, step ${step}`
      if (random.chance(0.6)) {
        const room = random.pick([
          0,
          1,
          1000,
          PIECE - SPARE_BYTES,
          PIECE - SPARE_BYTES + 1,
          PIECE,
          random.below(2 * MB),
        ])
        const stretch = pieces.open(room)
        assert.ok(stretch.end - stretch.start >= room, `${where}: too small`)
        assert.ok(stretch.end + SPARE_BYTES <= pieces.memory.bytes.length, `${where}: no spare bytes`)
        for (const other of held) assert.ok(!overlap(stretch, other.stretch), where)
        const mark = step % 251
        pieces.memory.bytes.fill(mark, stretch.start, stretch.end + SPARE_BYTES)
        hold(pieces, stretch)
        held.push({ stretch, mark })
      } else {
        const isKept = () => random.chance(0.5)
        held = held.filter(isKept)
        pieces.unholdAll()
        for (const { stretch } of held) hold(pieces, stretch)
        pieces.releaseAllUnheld()
      }
      const open = held.reduce((sum, { stretch }) => sum + (stretch.end + SPARE_BYTES - stretch.start) / PIECE, 0)
      assert.equal(pieces.openBytes, open * PIECE, where)
    }
    for (const { stretch, mark } of held) {
      const bytes = pieces.memory.bytes.subarray(stretch.start, stretch.end)
      assert.ok(
        bytes.every(byte => byte === mark),
        `ESCALONA_SEED=${seed}`,
      )
    }
  }
})

test('ours: a long text gets a run of pieces, which lie together', () => {
  const pieces = newPieces()
  pieces.open()
  const long = pieces.open(LONGEST_TEXT_BYTES)
  assert.ok(long.end - long.start >= LONGEST_TEXT_BYTES)
  assert.ok(long.end + SPARE_BYTES <= pieces.memory.bytes.length)
})

test('ours: released pieces come again, and those next to each other make a run', () => {
  const pieces = newPieces()
  const stretches = [pieces.open(), pieces.open(), pieces.open(), pieces.open()]
  hold(pieces, stretches[0]!)
  hold(pieces, stretches[3]!)
  pieces.releaseAllUnheld()
  const run = pieces.open(PIECE + 1)
  assert.equal(run.start, stretches[1]!.start)
  assert.equal(run.end, stretches[2]!.end)
})

test('ours: releasing leaves what is held, and what is being filled', () => {
  const pieces = newPieces()
  const [a, b, c] = [pieces.open(), pieces.open(), pieces.open()]
  hold(pieces, a, 10)
  pieces.releaseAllUnheld(b)
  assert.equal(pieces.openBytes, 2 * PIECE)
  assert.deepEqual(pieces.open(), c)
  pieces.releaseUnheld(a)
  assert.equal(pieces.openBytes, 3 * PIECE)
  pieces.releaseUnheld(b)
  assert.equal(pieces.openBytes, 2 * PIECE)
  assert.deepEqual(pieces.open(), b)
})

test('ours: a piece is sparse while less than half of it is held', () => {
  const pieces = newPieces()
  const stretch = pieces.open()
  assert.ok(pieces.isSparse(stretch.start))
  hold(pieces, stretch, PIECE / 2 - 1)
  assert.ok(pieces.isSparse(stretch.start + 5))
  pieces.hold(stretch.start + PIECE / 2, 1, 1)
  assert.ok(!pieces.isSparse(stretch.start + 5))
})

test('ours: memory stays as it is when texts of 20 MB come and go', () => {
  const pieces = newPieces()
  const before = pieces.memory.bytes.length
  for (let round = 0; round < 200; round++) {
    const stretch = pieces.open(20 * MB)
    hold(pieces, stretch)
    pieces.unholdAll()
    pieces.releaseAllUnheld()
  }
  assert.equal(pieces.openBytes, 0)
  assert.ok(
    pieces.memory.bytes.length - before < 100 * MB,
    `${(pieces.memory.bytes.length - before) / MB} MB after 200 texts`,
  )
})

test('ours: a table begins as zeros, whatever its memory was before, and knows its use until it is dropped', () => {
  const pieces = newPieces()
  const at = pieces.table(PIECE + 1, 'URL slots')
  pieces.memory.bytes.fill(7, at, at + 2 * PIECE)
  pieces.drop(at, PIECE + 1)
  assert.equal(pieces.useAt(at), undefined)
  const again = pieces.table(2 * PIECE, 'arrivals')
  assert.equal(again, at)
  assert.deepEqual([pieces.useAt(at), pieces.useAt(at + 2 * PIECE - 1)], ['arrivals', 'arrivals'])
  assert.ok(pieces.memory.bytes.subarray(at, at + 2 * PIECE).every(byte => byte === 0))
})

test('scheduler: a store that is full says what to do', () => {
  const pieces = newPieces()
  assert.throws(() => pieces.table(2 ** 32, 'texts'), { code: 'SCHEDULER_FULL', message: /schedule some/ })
  assert.equal(pieces.table(10, 'texts'), PIECE)
})
