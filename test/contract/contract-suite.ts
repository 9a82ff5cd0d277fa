// What every frontier must pass, under every strategy: the contract sentence by sentence, then random operations step by
// step against the naive oracle. ESCALONA_SEED=<seed> repeats a failure.
import { test } from 'node:test'
import { FRONTIER_STRATEGIES, type FrontierStrategy } from '../model/frontier-oracle.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { agreesWithOracle } from './against-oracle.ts'
import type { Maker } from './maker.ts'
import { largeWorld, randomOperations, randomOptions, smallWorld, type World } from './operations.ts'
import { HOSTS_AND_VIEWS } from './sentences/hosts-and-views.ts'
import { LASTING } from './sentences/lasting.ts'
import { LENDING } from './sentences/lending.ts'
import { OFFERING } from './sentences/offering.ts'
import { LEASE_MS, type Sentence } from './sentences/sentence.ts'
import { SETTLING } from './sentences/settling.ts'
import { STRATEGY_SENTENCES } from './sentences/strategies.ts'

const SENTENCES = [...OFFERING, ...LENDING, ...SETTLING, ...HOSTS_AND_VIEWS, ...LASTING]

export function runContract(name: string, maker: Maker): void {
  for (const strategy of FRONTIER_STRATEGIES) {
    for (const sentence of [...SENTENCES, ...STRATEGY_SENTENCES[strategy]]) holds(name, maker, strategy, sentence)
    const reopens = maker.whyNoReopening === undefined
    isPlayed(`${name}, ${strategy}: many short lives`, maker, strategy, smallWorld(reopens), 30, 10, 60)
    isPlayed(`${name}, ${strategy}: long lives`, maker, strategy, smallWorld(reopens), 2, 1, 1200)
    isPlayed(`${name}, ${strategy}: lives with many links`, maker, strategy, largeWorld(reopens), 2, 1, 400)
  }
}

function holds(name: string, maker: Maker, strategy: FrontierStrategy, sentence: Sentence): void {
  const skip = sentence.needsReopening && maker.whyNoReopening ? maker.whyNoReopening : false
  test(`${name}, ${strategy}: ${sentence.says}`, { skip }, async () => {
    const subject = await maker.make({ strategy, seed: 1, leaseMs: LEASE_MS, delayMs: 0, ...sentence.options })
    try {
      await sentence.check(subject)
    } finally {
      await subject.end().catch(() => {})
    }
  })
}

function isPlayed(
  title: string,
  maker: Maker,
  strategy: FrontierStrategy,
  world: World,
  lives: number,
  freshLives: number,
  operations: number,
): void {
  test(`${title} agree with the naive oracle`, async t => {
    let count = 0
    for (const seed of seeds(t, lives, freshLives)) {
      const random = new RandomSource(seed)
      const options = randomOptions(random, strategy)
      const played = randomOperations(random, world, operations)
      await agreesWithOracle(maker, options, played, seed)
      count += played.length
    }
    t.diagnostic(`${count} operations`)
  })
}
