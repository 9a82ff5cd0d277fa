// Long random lives of a frontier for the laws: what happens is told deed by deed, and nobody compares with an oracle.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { FrontierOptions } from '../../src/frontier/frontier.ts'
import { FRONTIER_STRATEGIES } from '../model/frontier-oracle.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { HandClock } from './hand-clock.ts'
import { type Abilities, abilitiesOf, lacks, MAKERS, type Maker, type Subject, WHY_SKIPPED } from './maker.ts'
import { randomOperations, randomOptions } from './operations.ts'
import { type Deed, Player } from './player.ts'
import { smallWorld, type World } from './worlds.ts'

export interface Life {
  readonly subject: Subject
  readonly options: FrontierOptions
  readonly random: RandomSource
  readonly world: World
  readonly clock: HandClock
  readonly player: Player
  /** So many rounds, or fewer where each takes long. */
  rounds(most: number): number
  /** Plays so many random operations. */
  play(operations: number): Promise<void>
}

/** A law sees every deed of a life, and complains. */
export interface Law {
  saw(deed: Deed): void
  /** At the end, when the frontier can still be asked. */
  ended?(life: Life): Promise<void>
}

/** Tests that a law holds in long lives on every maker, under every strategy in turn. */
export function lawHolds(
  name: string,
  law: (options: FrontierOptions, abilities: Abilities) => Law,
  how: Partial<Manner> = {},
): void {
  livesTest(name, { lives: 1, freshLives: 1, ...how }, async (life, watch) => {
    const witness = law(life.options, abilitiesOf(life.subject.frontier))
    watch(deed => witness.saw(deed))
    await life.play(life.rounds(450))
    await witness.ended?.(life)
  })
}

/** How many lives are lived, and what is special about them. */
export interface Manner {
  readonly lives: number
  readonly freshLives: number
  readonly needsReopening?: true
  readonly options?: FrontierOptions
  readonly world?: Partial<World>
}

let makers = MAKERS
let begin: (name: string, body: (t: TestContext) => Promise<void>) => void = test

/** Tests all laws on these frontiers instead: all files beside this one that import it. */
export async function allLawsHoldOn(others: readonly Maker[]): Promise<void> {
  makers = others
  const tests: Parameters<typeof begin>[] = []
  begin = (...one) => tests.push(one)
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const isLaw = (name: string) => /^import \{ (?:livesTest|lawHolds) \}/m.test(readFileSync(join(folder, name), 'utf8'))
  for (const name of readdirSync(folder)
    .filter(name => name.endsWith('.test.js') && isLaw(name))
    .sort()) {
    await import(new URL(name, import.meta.url).href)
  }
  if (tests.length === 0) throw new Error('no law lies beside this file')
  // All at once: what stands ready for them is put away when none is left.
  for (const [name, body] of tests) test(name, body)
}

export function livesTest(
  name: string,
  manner: Manner,
  live: (life: Life, watch: (saw: (deed: Deed) => void) => void) => Promise<void>,
): void {
  for (const maker of makers) {
    begin(`${maker.name}: ${name}`, async t => {
      let deeds = 0
      for (const seed of seeds(t, manner.lives, maker.pace === undefined ? manner.freshLives : 0)) {
        const random = new RandomSource(seed)
        const strategy = FRONTIER_STRATEGIES[seed % FRONTIER_STRATEGIES.length]!
        const options = { ...randomOptions(random, strategy, manner.world?.revisits ?? true), ...manner.options }
        const count = await liveOnce(maker, seed, random, options, manner, live)
        if (count === undefined) return t.skip(WHY_SKIPPED.reopen)
        deeds += count
      }
      t.diagnostic(`${deeds} deeds`)
    })
  }
}

/** Returns how many deeds there were; undefined when this frontier can't live such a life. */
async function liveOnce(
  maker: Maker,
  seed: number,
  random: RandomSource,
  options: FrontierOptions,
  { needsReopening, world: special }: Manner,
  live: Parameters<typeof livesTest>[2],
): Promise<number | undefined> {
  const clock = new HandClock()
  const subject = await maker.make(options, clock)
  let deeds = 0
  let saw: (deed: Deed) => void = () => {}
  const player = new Player(subject, clock, options.leaseMs, deed => {
    deeds++
    saw(deed)
  })
  const abilities = abilitiesOf(subject.frontier)
  const world = { ...smallWorld(abilities.reopen), revisits: true, ...tame(maker), ...special }
  const play = async (operations: number) => {
    for (const operation of randomOperations(random, world, operations)) {
      await player.play(operation)
      // Every part has then taken back what ran out.
      if (operation.do === 'take' && lacks(maker, 'onePart')) await player.play({ do: 'take', max: 0, passMs: 0 })
    }
  }
  try {
    if (needsReopening && !abilities.reopen) return undefined
    const rounds = (most: number) => Math.ceil(most * (maker.pace ?? 1))
    await live({ subject, options, random, world, clock, player, rounds, play }, listener => {
      saw = listener
    })
    return deeds
  } catch (error) {
    throw new Error(`ESCALONA_SEED=${seed}, ${maker.name}, ${JSON.stringify(options)}`, { cause: error })
  } finally {
    await subject.end()
  }
}

/** Without what the frontiers of a maker don't promise to stand. */
function tame(maker: Maker): Partial<World> {
  return { atOnce: !lacks(maker, 'callOrder'), goesBack: !lacks(maker, 'ownClock') }
}
