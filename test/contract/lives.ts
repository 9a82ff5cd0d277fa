// Long random lives of a frontier for the laws: what happens is told deed by deed, and nobody compares with an oracle.
import { test } from 'node:test'
import { FRONTIER_STRATEGIES, type FrontierOptions } from '../model/frontier-oracle.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { MAKERS, type Maker, type Subject } from './maker.ts'
import { randomOperations, randomOptions, smallWorld, type World } from './operations.ts'
import { type Deed, Player } from './player.ts'

export interface Life {
  readonly subject: Subject
  readonly options: FrontierOptions
  readonly random: RandomSource
  readonly world: World
  /** Plays so many random operations. */
  play(operations: number): Promise<void>
  readonly player: Player
  readonly maker: Maker
}

/** A law sees every deed of a life, and complains. */
export interface Law {
  saw(deed: Deed): void
  /** At the end, when the frontier can still be asked. */
  ended?(life: Life): Promise<void>
}

/** Tests that a law holds in long lives on every maker, under every strategy in turn. */
export function lawHolds(name: string, law: (options: FrontierOptions) => Law, how: Partial<Manner> = {}): void {
  livesTest(name, { lives: 6, freshLives: 2, ...how }, async (life, watch) => {
    const witness = law(life.options)
    watch(deed => witness.saw(deed))
    await life.play(700)
    await witness.ended?.(life)
  })
}

/** How many lives are lived, and what is special about them. */
export interface Manner {
  readonly lives: number
  readonly freshLives: number
  readonly makers?: readonly Maker[]
  readonly options?: Partial<FrontierOptions>
  readonly world?: Partial<World>
}

export function livesTest(
  name: string,
  { lives, freshLives, makers = MAKERS, options: specialOptions, world: specialWorld }: Manner,
  live: (life: Life, watch: (saw: (deed: Deed) => void) => void) => Promise<void>,
): void {
  for (const maker of makers) {
    test(`${maker.name}: ${name}`, async t => {
      let deeds = 0
      for (const seed of seeds(t, lives, freshLives)) {
        const random = new RandomSource(seed)
        const strategy = FRONTIER_STRATEGIES[seed % FRONTIER_STRATEGIES.length]!
        const options = { ...randomOptions(random, strategy), ...specialOptions }
        const subject = await maker.make(options)
        let saw: (deed: Deed) => void = () => {}
        const tell = (deed: Deed) => {
          deeds++
          saw(deed)
        }
        const player = new Player(subject, options.leaseMs, tell)
        const world = { ...smallWorld(maker.whyNoReopening === undefined), ...specialWorld }
        const play = async (operations: number) => {
          for (const operation of randomOperations(random, world, operations)) await player.play(operation)
        }
        try {
          await live({ subject, options, random, play, player, maker, world }, listener => {
            saw = listener
          })
        } catch (error) {
          throw new Error(`ESCALONA_SEED=${seed}, ${maker.name}, ${JSON.stringify(options)}`, { cause: error })
        } finally {
          await subject.end()
        }
      }
      t.diagnostic(`${deeds} deeds`)
    })
  }
}

/** Which hosts share a server, by the ties that were made. */
export class Servers {
  private readonly leaders = new Map<string, string>()

  of(host: string): string {
    let leader = host
    for (let next = this.leaders.get(leader); next !== undefined; next = this.leaders.get(leader)) leader = next
    return leader
  }

  /** Tells the server that they share from now on, and those that it was made of. */
  tie(hosts: readonly string[]): { server: string; from: string[] } | undefined {
    const from = [...new Set(hosts.map(host => this.of(host)))]
    const [server] = from
    if (server === undefined) return undefined
    for (const other of from.slice(1)) this.leaders.set(other, server)
    return { server, from }
  }

  clear(): void {
    this.leaders.clear()
  }
}
