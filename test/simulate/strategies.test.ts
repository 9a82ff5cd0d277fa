// What the table of docs/strategies.md shows of a real graph, on a small one that is generated.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CrawlSettings } from '../../src/settings/settings-table.ts'
import { graphOfLinks } from '../../src/simulate/graph.ts'
import { type SimulationRow, simulate } from '../../src/simulate/simulate.ts'
import { dealtWorld, startSets, syntheticGraph } from '../../src/simulate/world.ts'

const PAGES = 1200
const SEED = 1

function worldWith(hosts: number) {
  const { from, to } = syntheticGraph(PAGES, SEED)
  return dealtWorld(graphOfLinks(PAGES, from, to).graph(), hosts, SEED)
}

async function rows(
  hosts: number,
  orders: readonly (readonly [string, string])[],
  own: Partial<CrawlSettings> = {},
): Promise<readonly SimulationRow[]> {
  const world = worldWith(hosts)
  return simulate({
    world,
    variants: orders.map(([strategy, rank]) => ({ strategy, rank, settings: { delayMs: 1000, seed: SEED, ...own } })),
    starts: startSets(world, { starts: 2, startPages: 10, startLinks: 0, seed: SEED }),
    model: { servers: { latencyMs: 200, errors: 0, crawlDelays: 0, seed: SEED } },
    workers: 2,
  })
}

test('simulate: omniscient gathers more PageRank than breadth-first, that more than random, and depth-first least; all are polite', async () => {
  const found = await rows(10, [
    ['breadth', 'pagerank'],
    ['breadth', 'depth'],
    ['random', 'depth'],
    ['depth', 'depth'],
  ])
  const shares = found.map(({ pageRankShare }) => pageRankShare['0.2']!)
  for (const [n, share] of shares.slice(1).entries()) assert.ok(shares[n]! > share + 0.005, `${shares}`)
  for (const { smallestGapMs, pages, starts } of found)
    assert.ok(smallestGapMs! >= 1000 && pages > 0.9 * PAGES && starts === 2)
})

test('simulate: with one slot, hosts that received importance first is better than each in turn, and that than the fullest first', async () => {
  const orders = ['important', 'breadth', 'best'].map(strategy => [strategy, 'depth'] as const)
  const found = await rows(120, orders, { delayMs: 0, concurrency: 1 })
  const shares = found.map(({ pageRankShare }) => pageRankShare['0.2']!)
  for (const [n, share] of shares.slice(1).entries()) assert.ok(shares[n]! > share + 0.005, `${shares}`)
})
