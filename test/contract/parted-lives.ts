// Random lives of frontiers that divide their hosts, compared with one oracle for each part.
import { test } from 'node:test'
import type { FrontierOptions } from '../../src/frontier/frontier.ts'
import { FRONTIER_STRATEGIES, type FrontierStrategy } from '../model/frontier-oracle.ts'
import { RandomSource, SOAK, seeds } from '../model/random-source.ts'
import { agreesByParts } from './against-parts.ts'
import { HandClock } from './hand-clock.ts'
import type { Maker } from './maker.ts'
import { type Operation, randomOperations, randomOptions } from './operations.ts'
import { largeWorld, smallWorld, type World } from './worlds.ts'

/** Calls that are valid, one after the other, and no servers: these are of all parts. */
const IN_PARTS = { atOnce: false, goesBack: false, places: false, hostility: 0 }

/** Where there are several parts, bounds on all hosts are tested by sentences. */
const SEVERAL: FrontierOptions = { maxHosts: Number.POSITIVE_INFINITY, maxNewHosts: Number.POSITIVE_INFINITY }

export function runPartedLives(maker: Maker, strategies = FRONTIER_STRATEGIES): void {
  for (const strategy of strategies) {
    isPlayed('short lives', maker, strategy, smallWorld, 1, 2, 40)
    isPlayed('long lives', maker, strategy, smallWorld, 0, 1, 120)
    isPlayed('lives with many links', maker, strategy, largeWorld, 0, 1, SOAK > 1 ? 200 : 30)
  }
}

function isPlayed(
  title: string,
  maker: Maker,
  strategy: FrontierStrategy,
  worldOf: (reopens: boolean) => World,
  lives: number,
  freshLives: number,
  operations: number,
): void {
  test(`${maker.name}, ${strategy}: ${title} agree with one oracle per part`, async t => {
    const probe = await maker.make({ strategy }, new HandClock())
    const { reopen } = probe.frontier.supports
    await probe.end()
    let count = 0
    for (const seed of seeds(t, lives, freshLives)) {
      const { options, played } = randomPartedLife(maker, seed, strategy, worldOf(reopen), operations)
      await agreesByParts(maker, options, played, seed)
      count += played.length
    }
    t.diagnostic(`${count} operations`)
  })
}

export function randomPartedLife(
  maker: Maker,
  seed: number,
  strategy: FrontierStrategy,
  world: World,
  operations: number,
): { options: FrontierOptions; played: Operation[] } {
  const random = new RandomSource(seed)
  const isOne = maker.parts === 1
  const revisits = random.chance(0.7)
  const options = { ...randomOptions(random, strategy, revisits), ...(isOne ? {} : SEVERAL), ...maker.plays }
  return { options, played: randomOperations(random, { ...world, ...IN_PARTS, revisits }, operations) }
}
