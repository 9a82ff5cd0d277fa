import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Tournament } from '../../../src/base/structures/tournament.ts'
import { RandomSource, seeds } from '../../model/random-source.ts'

function winnerNaively(counts: readonly number[]): number {
  const most = Math.max(0, ...counts)
  return most === 0 ? -1 : counts.indexOf(most)
}

test('ours: random counts have the winner that looking at all of them gives', t => {
  for (const seed of seeds(t, 40, 20)) {
    const random = new RandomSource(seed)
    const tournament = new Tournament()
    let counts: number[] = []
    const [players, most] = [random.pick([1, 2, 3, 17, 64, 65, 500]), random.pick([1, 3, 2 ** 31 - 1])]
    for (let step = 0; step < 800; step++) {
      const n = random.below(players)
      const count = random.chance(0.3) ? 0 : random.below(most) + 1
      tournament.set(n, count)
      while (counts.length < n) counts.push(0)
      counts[n] = count
      assert.equal(tournament.winner(), winnerNaively(counts), `ESCALONA_SEED=${seed}, step ${step}`)
      if (!random.chance(0.005)) continue
      tournament.clear()
      counts = []
      assert.equal(tournament.winner(), -1)
    }
  }
})

test('ours: nobody wins when there is nobody, or when every count is 0', () => {
  const tournament = new Tournament()
  assert.equal(tournament.winner(), -1)
  for (const n of [0, 1, 7, 100]) tournament.set(n, 0)
  assert.equal(tournament.winner(), -1)
})

test('ours: of equal counts the smallest number wins, whoever was first to have it', () => {
  const tournament = new Tournament()
  for (const n of [9, 4, 200, 3, 8]) tournament.set(n, 5)
  const order: number[] = []
  for (let n = tournament.winner(); n >= 0; n = tournament.winner()) {
    order.push(n)
    tournament.set(n, 0)
  }
  assert.deepEqual(order, [3, 4, 8, 9, 200])
})

test('ours: growing by one number at a time does not copy everything each time', () => {
  const tournament = new Tournament()
  const start = performance.now()
  for (let n = 0; n < 300_000; n++) tournament.set(n, n + 1)
  assert.equal(tournament.winner(), 299_999)
  assert.ok(performance.now() - start < 20_000)
})
