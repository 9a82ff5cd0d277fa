// Whole crawls of a web whose pages change by a Poisson law, in virtual time, beside what as many visits could do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CrawlSettings } from '../../src/settings/settings.ts'
import type { Freshness } from '../../src/simulate/changes.ts'
import { graphOfLinks } from '../../src/simulate/graph.ts'
import { WorldUrls } from '../../src/simulate/graph-web.ts'
import { simulateCrawl } from '../../src/simulate/run-simulation.ts'
import { worldOfUrls } from '../../src/simulate/world.ts'
import { SOAK } from '../model/random-source.ts'

const HOUR_MS = 3_600_000
const [PAGES, HOSTS, DAYS] = SOAK > 1 ? [400, 20, 730] : [80, 4, 60]

/** Hosts with as many pages each; 20 % of the pages never change. */
async function fresh(settings: Partial<CrawlSettings>): Promise<Freshness> {
  const urls = Array.from({ length: PAGES }, (_, page) => `http://h${page % HOSTS}.test/${page}`)
  const none = new Uint32Array(0)
  const world = new WorldUrls(worldOfUrls(graphOfLinks(PAGES, none, none).graph(), urls))
  const run = {
    settings: {
      ...{ recrawl: 'yes' as const, maxTimeMs: DAYS * 24 * HOUR_MS, serverDelayMs: 0, seed: 3 },
      ...{ recrawlFirstMs: 10 * HOUR_MS, recrawlMinMs: HOUR_MS, recrawlMaxMs: 20_000 * HOUR_MS },
      ...settings,
    },
    starts: urls.map((_, page) => page),
  } as const
  const servers = { latencyMs: 200, errors: 0, crawlDelays: 0, seed: 3 }
  const changes = { fromMs: 4 * HOUR_MS, toMs: 600 * HOUR_MS, never: 0.2, seed: 4 }
  const { freshness } = await simulateCrawl(world, run, { servers, changes }, new Float64Array(PAGES))
  return freshness!
}

const forFreshness = new Map<number, Freshness>()

test('recrawl: an archive is fresher than if all pages were visited equally often, and nearly as fresh as it can be', async () => {
  for (const delayMs of [1000, 2 * HOUR_MS]) {
    const measured = await fresh({ delayMs })
    forFreshness.set(delayMs, measured)
    const { freshness, uniform, optimum, visits } = measured
    const figures = `delay ${delayMs}: ${freshness}, uniform ${uniform}, optimum ${optimum}, ${visits} visits`
    assert.ok(freshness > uniform + 0.02 && freshness > 0.95 * optimum, figures)
  }
})

test('recrawl: for changes, more versions are captured per visit than for freshness', async () => {
  for (const delayMs of [1000, 2 * HOUR_MS]) {
    const [most, other] = [await fresh({ delayMs, recrawlFor: 'changes' }), forFreshness.get(delayMs)!]
    const figures = JSON.stringify({ most, other })
    assert.ok(most.captured / most.visits > 1.1 * (other.captured / other.visits), figures)
    assert.ok(most.captured / most.visits > 0.5, figures)
  }
})
