import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newStrategy, STRATEGY_NAMES, type StrategyName } from '../../src/scheduler/strategy.ts'
import { RandomSource, seeds } from '../model/random-source.ts'

/** The host that docs/rules.md, 3, names, or 0; at a host's id in `counts`, how many URLs it has; `served` was picked last. */
const NAIVE: Readonly<Record<StrategyName, (counts: readonly number[], served: number) => number>> = {
  depth: counts => Math.max(counts.findIndex(isFilled), 0),
  breadth: (counts, served) => {
    const filled = counts.flatMap((count, host) => (count > 0 ? [host] : []))
    return filled.find(host => host > served) ?? filled[0] ?? 0
  },
  best: counts => Math.max(counts.indexOf(Math.max(1, ...counts)), 0),
}

function isFilled(count: number): boolean {
  return count > 0
}

for (const name of STRATEGY_NAMES) {
  test(`rules 3.2 to 3.4: ${name}-first picks the host that a look at all of them gives`, t => {
    for (const seed of seeds(t, 60, 30)) {
      const random = new RandomSource(seed)
      const strategy = newStrategy(name)
      const most = random.pick([1, 3, 40, 1500])
      let counts = [0]
      let served = 0
      for (let step = 0; step < 1500; step++) {
        const where = `ESCALONA_SEED=${seed}, step ${step}`
        const what = random.below(1000)
        // A host becomes known with its first URL, so ids come without gaps.
        const host = 1 + random.below(Math.min(counts.length, most))
        if (what < 450) {
          counts[host] = (counts[host] ?? 0) + 1
          if (counts[host] === 1 || strategy.wantsAllGrowth) strategy.grew(host, counts[host]!)
        } else if (what < 550) {
          if (!counts[host]) continue
          counts[host]! -= random.chance(0.3) ? counts[host]! : 1 + random.below(counts[host]!)
          strategy.shrank(host, counts[host]!)
        } else if (what < 999) {
          const picked = strategy.pick()
          assert.equal(picked, NAIVE[name](counts, served), where)
          assert.equal(strategy.pick(), picked, `${where}: looking twice`)
          if (picked === 0 || random.chance(0.1)) continue
          strategy.served(picked)
          served = picked
          counts[picked]! -= Math.min(counts[picked]!, strategy.run, 1 + random.below(3))
          strategy.shrank(picked, counts[picked]!)
        } else {
          strategy.clear()
          counts = [0]
          served = 0
        }
      }
    }
  })

  test(`ours: ${name}-first picks no host when none has URLs`, () => {
    const strategy = newStrategy(name)
    assert.equal(strategy.pick(), 0)
    strategy.grew(1, 1)
    strategy.shrank(1, 0)
    assert.equal(strategy.pick(), 0)
    strategy.grew(5000, 1)
    assert.equal(strategy.pick(), 5000)
    strategy.clear()
    assert.equal(strategy.pick(), 0)
  })
}

test('rule 3.2: only depth-first may take more than one URL from a host it picked', () => {
  assert.ok(newStrategy('depth').run > 1_000_000)
  assert.equal(newStrategy('breadth').run, 1)
  assert.equal(newStrategy('best').run, 1)
})
