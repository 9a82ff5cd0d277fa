// What every frontier must pass, under every strategy: the contract sentence by sentence, then random operations step by
// step against the naive oracle. ESCALONA_SEED=<seed> repeats a failure.
import { test } from 'node:test'
import type { FrontierOptions } from '../../src/frontier/frontier.ts'
import { FRONTIER_STRATEGIES, type FrontierStrategy } from '../model/frontier-oracle.ts'
import { RandomSource, SOAK, seeds } from '../model/random-source.ts'
import { agreesWithOracle } from './against-oracle.ts'
import { HandClock } from './hand-clock.ts'
import { abilitiesOf, type Maker, missingOf, WHY_SKIPPED } from './maker.ts'
import { randomOperations, randomOptions, UNBOUNDED } from './operations.ts'
import { AUXILIARIES } from './sentences/auxiliaries.ts'
import { FAILING } from './sentences/failing.ts'
import { HOSTS } from './sentences/hosts.ts'
import { LASTING } from './sentences/lasting.ts'
import { LEASING } from './sentences/leasing.ts'
import { LIMITS } from './sentences/limits.ts'
import { OFFERING } from './sentences/offering.ts'
import { REFUSING } from './sentences/refusing.ts'
import { REVISITING } from './sentences/revisiting.ts'
import { LEASE_MS, type Sentence } from './sentences/sentence.ts'
import { SERVERS } from './sentences/servers.ts'
import { SETTLING } from './sentences/settling.ts'
import { STEERING } from './sentences/steering.ts'
import { strategySentences } from './sentences/strategies.ts'
import { TICKETS } from './sentences/tickets.ts'
import { VIEWS } from './sentences/views.ts'
import { largeWorld, smallWorld, type World, wideWorld } from './worlds.ts'

const SENTENCES = [
  ...[...OFFERING, ...LEASING, ...TICKETS, ...SERVERS, ...AUXILIARIES, ...SETTLING, ...FAILING, ...LIMITS],
  ...[...HOSTS, ...VIEWS, ...REFUSING, ...STEERING, ...LASTING, ...REVISITING],
]

/** Nothing holds thousands of hosts back, and their tickets last long enough to be settled. */
const WIDE: FrontierOptions = { ...UNBOUNDED, leaseMs: 1e6, unproven: 1e6, perServer: 3, retries: 1 }

/** The longest ones under some strategies only, outside a soak: another maker of the same frontier plays the others. */
export function runLives(maker: Maker, longest: readonly FrontierStrategy[]): void {
  for (const strategy of FRONTIER_STRATEGIES) {
    isPlayed('many short lives', maker, strategy, smallWorld, 8, 4, 60)
    isPlayed('long lives', maker, strategy, smallWorld, 0, 1, SOAK > 1 ? 1000 : 700)
    isPlayed('lives with many links', maker, strategy, largeWorld, 0, 1, SOAK > 1 ? 300 : 120)
    if (SOAK === 1 && !longest.includes(strategy)) continue
    isPlayed('lives with thousands of hosts', maker, strategy, wideWorld, 0, 1, SOAK > 1 ? 200 : 80, WIDE)
  }
}

/**
 * Each sentence under one strategy, in turn; under all of them in a soak. Makers that begin with other strategies see a sentence
 * under others. `oneOf`: of so many sentences one is played, outside a soak.
 */
export function runSentences(maker: Maker, first: number, oneOf = 1): void {
  for (const [n, sentence] of SENTENCES.entries()) {
    const turn = FRONTIER_STRATEGIES[(first + n) % FRONTIER_STRATEGIES.length]!
    if (SOAK > 1) for (const strategy of FRONTIER_STRATEGIES) holds(maker, strategy, sentence)
    else if (n % oneOf === 0) holds(maker, turn, sentence)
  }
  for (const [n, strategy] of FRONTIER_STRATEGIES.entries()) {
    if (SOAK > 1 || n % oneOf === 0)
      for (const sentence of strategySentences(strategy)) holds(maker, strategy, sentence)
  }
}

function holds(maker: Maker, strategy: FrontierStrategy, sentence: Sentence): void {
  test(`${maker.name}, ${strategy}: ${sentence.says}`, async t => {
    const clock = new HandClock()
    const options = { strategy, seed: 1, leaseMs: LEASE_MS, ...sentence.options }
    const subject = await maker.make(options, clock)
    try {
      const missing = missingOf(maker, subject.frontier, sentence.needs ?? [])
      if (missing) t.skip(missing)
      else await sentence.check(subject, clock)
    } finally {
      await subject.end().catch(() => {})
    }
  })
}

function isPlayed(
  title: string,
  maker: Maker,
  strategy: FrontierStrategy,
  worldOf: (reopens: boolean) => World,
  lives: number,
  freshLives: number,
  operations: number,
  special: FrontierOptions = {},
): void {
  test(`${maker.name}, ${strategy}: ${title} agree with the naive oracle`, async t => {
    const probe = await maker.make({ strategy }, new HandClock())
    const abilities = abilitiesOf(probe.frontier)
    await probe.end()
    if (!abilities.exactOrder) return t.skip(WHY_SKIPPED.exactOrder)
    let count = 0
    for (const seed of seeds(t, lives, freshLives)) {
      const random = new RandomSource(seed)
      const revisits = random.chance(0.6)
      const options = { ...randomOptions(random, strategy, revisits), ...special }
      const world = { ...worldOf(abilities.reopen), changes: abilities.change, revisits }
      const played = randomOperations(random, world, operations)
      await agreesWithOracle(maker, options, played, seed)
      count += played.length
    }
    t.diagnostic(`${count} operations`)
  })
}
