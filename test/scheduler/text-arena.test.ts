import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SPARE_BYTES } from '../../src/base/structures/bytes.ts'
import { lengthOf, MOST_TEXT_BYTES, regionAndLength, type Stretch, TextArena } from '../../src/scheduler/text-arena.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { arrayBytes } from './scan-urls.ts'

const PIECE = 2 ** 18
const MB = 2 ** 20

function overlap(a: Stretch, b: Stretch): boolean {
  return a.region === b.region && a.start < b.end + SPARE_BYTES && b.start < a.end + SPARE_BYTES
}

function hold(arena: TextArena, stretch: Stretch, bytes = stretch.end - stretch.start): void {
  arena.hold(stretch.region, stretch.start, bytes, bytes)
}

test('ours: a region and a length come apart as they were put together', () => {
  for (const region of [0, 1, 127, 128, 255]) {
    for (const length of [1, 40, 65_536, MOST_TEXT_BYTES]) {
      const where = regionAndLength(region, length)
      assert.equal(where | 0, where)
      assert.deepEqual([where >>> 24, lengthOf(where)], [region, length])
    }
  }
})

test('ours: random stretches never overlap while they are held, and have the room that was asked for', t => {
  for (const seed of seeds(t, 20, 10)) {
    const random = new RandomSource(seed)
    const arena = new TextArena(random.pick([0, 100, 5 * MB]))
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
        const stretch = arena.open(room)
        assert.ok(stretch.end - stretch.start >= room, `${where}: too small`)
        assert.ok(stretch.end + SPARE_BYTES <= arena.chunk(stretch).bytes.length, `${where}: no spare bytes`)
        for (const other of held) assert.ok(!overlap(stretch, other.stretch), where)
        const mark = step % 251
        arena.chunk(stretch).bytes.fill(mark, stretch.start, stretch.end + SPARE_BYTES)
        hold(arena, stretch)
        held.push({ stretch, mark })
      } else {
        const isKept = () => random.chance(0.5)
        held = held.filter(isKept)
        arena.unholdAll()
        for (const { stretch } of held) hold(arena, stretch)
        arena.releaseAllUnheld()
      }
      const heldBytes = held.reduce((sum, { stretch }) => sum + stretch.end - stretch.start, 0)
      assert.equal(arena.heldBytes, heldBytes, where)
      const pieces = held.reduce((sum, { stretch }) => sum + (stretch.end + SPARE_BYTES - stretch.start) / PIECE, 0)
      assert.equal(arena.openBytes, pieces * PIECE, where)
    }
    for (const { stretch, mark } of held) {
      const bytes = arena.chunk(stretch).bytes.subarray(stretch.start, stretch.end)
      assert.ok(
        bytes.every(byte => byte === mark),
        `ESCALONA_SEED=${seed}`,
      )
    }
  }
})

test('ours: a long text gets a run of pieces, which lie in one region', () => {
  const arena = new TextArena()
  arena.open()
  const long = arena.open(MOST_TEXT_BYTES)
  assert.ok(long.end - long.start >= MOST_TEXT_BYTES)
  assert.ok(long.end + SPARE_BYTES <= arena.chunk(long).bytes.length)
  assert.equal(arena.regionOf(regionAndLength(long.region, 5)), arena.chunk(long))
})

test('ours: released pieces come again, and those next to each other make a run', () => {
  const arena = new TextArena(4 * PIECE)
  const stretches = [arena.open(), arena.open(), arena.open(), arena.open()]
  hold(arena, stretches[0]!)
  hold(arena, stretches[3]!)
  arena.releaseAllUnheld()
  const run = arena.open(PIECE + 1)
  assert.deepEqual([run.region, run.start], [stretches[1]!.region, stretches[1]!.start])
  assert.equal(run.end, stretches[2]!.end)
})

test('ours: releasing leaves what is held, and what is being filled', () => {
  const arena = new TextArena(4 * PIECE)
  const [a, b, c] = [arena.open(), arena.open(), arena.open()]
  hold(arena, a, 10)
  arena.releaseAllUnheld(b)
  assert.equal(arena.openBytes, 2 * PIECE)
  assert.deepEqual(arena.open(), c)
  arena.releaseUnheld(a)
  assert.equal(arena.openBytes, 3 * PIECE)
  arena.releaseUnheld(b)
  assert.equal(arena.openBytes, 2 * PIECE)
  assert.deepEqual(arena.open(), b)
})

test('ours: a piece is sparse while less than half of it is held', () => {
  const arena = new TextArena()
  const stretch = arena.open()
  assert.ok(arena.isSparse(stretch.region, stretch.start))
  hold(arena, stretch, PIECE / 2 - 1)
  assert.ok(arena.isSparse(stretch.region, stretch.start + 5))
  arena.hold(stretch.region, stretch.start + PIECE / 2, 1, 1)
  assert.ok(!arena.isSparse(stretch.region, stretch.start + 5))
})

test('ours: regions stay as they are when texts of 20 MB come and go', () => {
  const arena = new TextArena()
  const before = arrayBytes()
  for (let round = 0; round < 200; round++) {
    const stretch = arena.open(20 * MB)
    hold(arena, stretch)
    arena.unholdAll()
    arena.releaseAllUnheld()
  }
  assert.equal(arena.openBytes, 0)
  assert.ok(arrayBytes() - before < 100 * MB, `${(arrayBytes() - before) / MB} MB after 200 texts`)
})

test('ours: a read ahead of any texts leaves them as they are', () => {
  const arena = new TextArena(PIECE)
  const [a, b] = [arena.open(), arena.open(10 * MB)]
  const at = Int32Array.of(a.start, a.start + 10, b.start, a.start)
  const where = [a, a, b, a].map(stretch => regionAndLength(stretch.region, 10))
  for (let count = 1; count <= 4; count++) {
    assert.equal(typeof arena.readAhead(at, Int32Array.from(where), count), 'number')
  }
})
