// PageRank, Kendall's τ and freshness, against naive computations. ESCALONA_SEED=<seed> repeats one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bestFreshness, ChangingPages, freshnessOf, uniformFreshness } from '../../src/simulate/changes.ts'
import { graphOfLinks } from '../../src/simulate/graph.ts'
import { kendallTau } from '../../src/simulate/kendall-tau.ts'
import { pageRank, pageRankAmong } from '../../src/simulate/page-rank.ts'
import { RandomSource, seeds } from '../model/random-source.ts'

function randomLinks(random: RandomSource, pages: number, links: number) {
  const from = Uint32Array.from({ length: links }, () => random.below(pages))
  const to = Uint32Array.from({ length: links }, () => random.below(pages))
  return { from, to }
}

test('simulate: a graph of links has each link once, in order, without loops', t => {
  for (const seed of seeds(t, 20, 5)) {
    const random = new RandomSource(seed)
    const pages = 1 + random.below(30)
    const { from, to } = randomLinks(random, pages, random.below(100))
    const { offsets, targets } = graphOfLinks(pages, from, to).graph()
    for (let page = 0; page < pages; page++) {
      const wanted = [...new Set([...to].filter((target, n) => from[n] === page && target !== page))]
      assert.deepEqual([...targets.subarray(offsets[page], offsets[page + 1])], wanted, `seed ${seed}`)
    }
  }
})

test('simulate: PageRank solves its equation, also among some of the pages', t => {
  for (const seed of seeds(t, 20, 5)) {
    const random = new RandomSource(seed)
    const pages = 2 + random.below(30)
    const { from, to } = randomLinks(random, pages, random.below(80))
    const graph = graphOfLinks(pages, from, to).graph()
    const some = Uint32Array.from(Array.from({ length: pages }, (_, n) => n).filter(n => n === 0 || random.chance(0.7)))
    const inside = [...some]
    for (const [ranks, all] of [
      [pageRank(graph), Array.from({ length: pages }, (_, n) => n)],
      [pageRankAmong(graph, some), inside],
    ] as const) {
      const linksOf = (page: number) =>
        [...graph.targets.subarray(graph.offsets[page], graph.offsets[page + 1])].filter(one => all.includes(one))
      assert.ok(Math.abs(ranks.reduce((sum, rank) => sum + rank, 0) - 1) < 1e-6)
      for (const [n, page] of all.entries()) {
        let given = 0
        for (const [m, other] of all.entries()) {
          const links = linksOf(other)
          if (links.length === 0) given += ranks[m]! / all.length
          else if (links.includes(page)) given += ranks[m]! / links.length
        }
        assert.ok(Math.abs(ranks[n]! - (0.15 / all.length + 0.85 * given)) < 1e-6, `seed ${seed}`)
      }
    }
  }
})

test('simulate: Kendall’s τ-b is what counting all pairs gives, with ties', t => {
  for (const seed of seeds(t, 50, 10)) {
    const random = new RandomSource(seed)
    const length = 2 + random.below(40)
    const kinds = 1 + random.below(20)
    const a = Float64Array.from({ length }, () => random.below(kinds))
    const b = Float64Array.from({ length }, () => random.below(kinds))
    let agree = 0
    let [inA, inB] = [0, 0]
    for (let x = 0; x < length; x++)
      for (let y = 0; y < x; y++) {
        const [da, db] = [Math.sign(a[x]! - a[y]!), Math.sign(b[x]! - b[y]!)]
        agree += da * db
        inA += Math.abs(da)
        inB += Math.abs(db)
      }
    const wanted = inA * inB === 0 ? 0 : agree / Math.sqrt(inA * inB)
    assert.ok(Math.abs(kendallTau(a, b) - wanted) < 1e-12, `seed ${seed}: ${kendallTau(a, b)}, not ${wanted}`)
  }
})

test('simulate: no other division of the visits is fresher than the optimum, and none of the worlds is below uniform', t => {
  for (const seed of seeds(t, 10, 5)) {
    const random = new RandomSource(seed)
    const means = Array.from({ length: 5 }, () => 10 ** (random.below(40) / 10))
    const perMs = 10 ** (random.below(40) / 10 - 3)
    const best = bestFreshness(means, perMs)
    assert.ok(best >= uniformFreshness(means, perMs) - 1e-9)
    for (let tries = 0; tries < 200; tries++) {
      const weights = means.map(() => random.below(1000))
      const sum = weights.reduce((all, one) => all + one, 0)
      if (sum === 0) continue
      const fresh = means.map((meanMs, n) => (weights[n] === 0 ? 0 : freshnessOf(meanMs, sum / weights[n]! / perMs)))
      assert.ok(fresh.reduce((all, one) => all + one, 0) / means.length <= best + 1e-6, `seed ${seed}`)
    }
  }
})

test('simulate: pages visited at even intervals are as fresh as the law says', () => {
  const changing = new ChangingPages(200, { fromMs: 1000, toMs: 100_000, never: 0.2, seed: 5 })
  for (let nowMs = 1; nowMs < 20_000_000; nowMs += 20_000)
    for (let page = 0; page < 200; page++) changing.visit(page, nowMs)
  const { freshness, uniform, optimum, captured, changes } = changing.measured(1, 20_000_001)
  assert.ok(Math.abs(freshness - uniform) < 0.005, `${freshness}, not ${uniform}`)
  assert.ok(optimum > uniform + 0.02)
  assert.ok(captured > 0 && captured < changes)
})
