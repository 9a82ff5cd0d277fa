// Random operations as data, so that a failing list of them can be printed, shortened and played again.
import type {
  FormerVisit,
  FrontierChange,
  FrontierOptions,
  Hint,
  Hold,
  Link,
  Outcome,
  PlannedVisit,
  Shown,
} from '../../src/frontier/frontier.ts'
import { FRONTIER_STRATEGIES, type FrontierStrategy } from '../model/frontier-oracle.ts'
import type { RandomSource } from '../model/random-source.ts'
import { maybeAgain, randomFormerVisit, randomHint, randomPlan } from './revisits.ts'
import { randomHost, randomLinks, randomUrl, type World } from './worlds.ts'

/**
 * Which ticket: from 0 up, one of the open tickets (modulo their number, never the same twice in a call). The others
 * are not open: never leased, closed, named before in the call, or no number of a ticket at all.
 */
export type Pick = number | 'unknown' | 'closed' | 'repeated' | 'odd'

/** Time passes before the call. `byClock`: the time of the call is not handed in. */
interface Timed {
  readonly passMs: number
  readonly byClock?: boolean
}

export type Operation =
  | { readonly do: 'offer'; readonly links: readonly Link[] }
  | ({ readonly do: 'take'; readonly max: number } & Timed)
  | ({ readonly do: 'place'; readonly pick: Pick; readonly server: string } & Timed)
  | ({ readonly do: 'settle'; readonly settlements: readonly PickedSettlement[] } & Timed)
  | ({ readonly do: 'settleFormer'; readonly visits: readonly FormerVisit[] } & Timed)
  | ({ readonly do: 'plan' | 'replan'; readonly visits: readonly PlannedVisit[] } & Timed)
  | ({ readonly do: 'hint'; readonly hints: readonly Hint[] } & Timed)
  | { readonly do: 'giveBack'; readonly picks: readonly Pick[] }
  | ({ readonly do: 'renew'; readonly picks: readonly Pick[] } & Timed)
  | { readonly do: 'setDelay'; readonly host: string; readonly delayMs: number }
  | ({ readonly do: 'hold'; readonly host: string } & Hold & Timed)
  | ({ readonly do: 'note'; readonly host: string; readonly text: string; readonly forMs: number } & Timed)
  | { readonly do: 'requeue'; readonly links: readonly Link[] }
  | { readonly do: 'clear'; readonly host?: string }
  | { readonly do: 'change'; readonly options: FrontierChange }
  | ({ readonly do: 'look'; readonly urls: readonly string[] } & Timed)
  /** The clock goes back by `backMs` while it is closed. */
  | { readonly do: 'reopen'; readonly passMs: number; readonly backMs: number }
  /** Nobody waits for one call before the next one is made. */
  | { readonly do: 'at once'; readonly operations: readonly Operation[] }

export interface PickedSettlement {
  readonly pick: Pick
  readonly outcome: Outcome
  readonly links: readonly Link[]
  readonly shown: Shown | undefined
  readonly delayMs: number
}

/** Options with which nothing ends a life early or turns links away. */
export const UNBOUNDED = {
  limit: Number.POSITIVE_INFINITY,
  maxHosts: Number.POSITIVE_INFINITY,
  maxHostsPerDomain: Number.POSITIVE_INFINITY,
  maxNewHosts: Number.POSITIVE_INFINITY,
}

export function randomOptions(random: RandomSource, strategy: FrontierStrategy, revisits = false): FrontierOptions {
  const maybe = <Value>(probability: number, name: keyof FrontierOptions, values: readonly Value[]) =>
    random.chance(probability) ? { [name]: random.pick(values) } : {}
  return {
    strategy,
    seed: random.below(1000),
    leaseMs: random.pick([40, 1000, 60_000]),
    delayMs: random.pick([0, 0, 30, 700]),
    ...maybe(0.5, 'exploreChance', [0, 0.2, 0.5, 1]),
    ...maybe(0.5, 'serverGapMs', [10, 300]),
    ...maybe(0.6, 'perServer', [1, 2, 3]),
    ...maybe(0.6, 'retries', [0, 1, 2]),
    ...maybe(0.15, 'limit', [1, 5, 40]),
    ...maybe(0.4, 'unproven', [1, 2, 5]),
    ...maybe(0.4, 'auxiliaries', [0, 1, 2]),
    ...maybe(0.1, 'maxHosts', [3, 8, 40]),
    ...maybe(0.1, 'maxHostsPerDomain', [1, 2]),
    ...maybe(0.1, 'maxNewHosts', [1, 3]),
    ...(revisits && { recrawl: random.chance(0.8) }),
  }
}

/** Some of the options that can be changed, with new values or the same. */
function randomChange(random: RandomSource, world: World): FrontierChange {
  const maybe = <Value>(name: keyof FrontierChange, values: readonly Value[]) =>
    random.chance(0.3) ? { [name]: random.pick(values) } : {}
  const change = {
    ...maybe('strategy', FRONTIER_STRATEGIES),
    ...maybe('exploreChance', [0, 0.3, 1]),
    ...maybe('delayMs', [0, 30, 700]),
    ...maybe('serverGapMs', [0, 10, 300]),
    ...maybe('perServer', [1, 2, 4]),
    ...maybe('limit', [5, 40, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]),
    ...maybe('unproven', [1, 4, Number.POSITIVE_INFINITY]),
    ...maybe('auxiliaries', [0, 2, Number.POSITIVE_INFINITY]),
  }
  return random.chance(world.hostility) ? { ...change, ...random.pick(WRONG_CHANGES) } : change
}

const WRONG_CHANGES = [
  { perServer: 0 },
  { delayMs: Number.NaN },
  { serverGapMs: Number.POSITIVE_INFINITY },
  { exploreChance: 1.1 },
  { unproven: -1 },
]

export function randomOperations(random: RandomSource, world: World, count: number): Operation[] {
  return Array.from({ length: count }, () => randomOperation(random, world))
}

export function randomOperation(random: RandomSource, world: World): Operation {
  const dice = random.below(1000)
  if (world.reopens && random.chance(0.02)) {
    const backMs = random.pick([0, 0, 0, 1, 900, 7_000_000])
    return { do: 'reopen', passMs: randomPass(random), backMs: world.goesBack === false ? 0 : backMs }
  }
  if (world.changes && random.chance(0.03)) return { do: 'change', options: randomChange(random, world) }
  if (dice < 60 && world.atOnce !== false) {
    return { do: 'at once', operations: Array.from({ length: 2 + random.below(5) }, () => randomCall(random, world)) }
  }
  if (dice < 130) {
    const urls = Array.from({ length: 8 }, () => randomUrl(random, world))
    return { do: 'look', urls, ...randomTime(random) }
  }
  return randomCall(random, world)
}

/** A call that changes something. */
function randomCall(random: RandomSource, world: World): Operation {
  const dice = random.below(1000)
  const time = randomTime(random)
  if (world.revisits && random.chance(0.08)) return randomRevisit(random, world, time)
  if (dice < 180) return { do: 'offer', links: randomLinks(random, world) }
  if (dice < 460) return { do: 'take', max: randomMax(random, world), ...time }
  if (dice < 590 && world.places !== false) {
    return { do: 'place', pick: randomPicks(random, world, [1])[0]!, server: random.pick(world.servers), ...time }
  }
  if (dice < 790) return randomSettle(random, world)
  if (dice < 803) return { do: 'hold', host: randomHost(random, world), forMs: 0, isAnew: true, ...time }
  if (dice < 815) {
    const host = randomHost(random, world)
    return { do: 'hold', host, forMs: randomDuration(random, world, [0, 5, 100, 3000]), isAnew: true, ...time }
  }
  if (dice < 840) return { do: 'renew', picks: randomPicks(random, world), ...time }
  if (dice < 870) {
    return {
      do: 'setDelay',
      host: randomHost(random, world),
      delayMs: randomDuration(random, world, [0, 5, 100, 3000]),
    }
  }
  if (dice < 900) {
    return {
      do: 'hold',
      host: randomHost(random, world),
      forMs: randomDuration(random, world, [0, 6, 110, 4100]),
      ...time,
    }
  }
  if (dice < 920) {
    const forMs = randomDuration(random, world, [0, 60, 10_000])
    return { do: 'note', host: randomHost(random, world), text: random.pick(['', 'x', 'größer']), forMs, ...time }
  }
  if (world.oneVisitEach) return { do: 'offer', links: randomLinks(random, world) }
  if (dice < 940) return randomFormer(random, world)
  if (dice < 960) return { do: 'requeue', links: randomLinks(random, world) }
  if (dice < 985) return { do: 'giveBack', picks: randomPicks(random, world) }
  if (dice < 997) return { do: 'clear', host: randomHost(random, world) }
  return { do: 'clear' }
}

function randomSettle(random: RandomSource, world: World): Operation {
  const settlements = randomPicks(random, world).map(pick => {
    const shown = world.shown ? random.pick(world.shown) : randomShown(random)
    const settlement = {
      pick,
      outcome: shown === 'gone' ? randomRefusal(random) : randomOutcome(random, world),
      links: random.chance(0.5) ? randomLinks(random, world) : [],
      shown,
      delayMs: random.pick([0, 0, 3, 50, 1000, 20_000]),
    }
    return random.chance(world.hostility / 2) ? spoiledSettlement(random, settlement) : settlement
  })
  return { do: 'settle', settlements, ...randomTime(random) }
}

function randomRevisit(random: RandomSource, world: World, time: Timed): Operation {
  const some = <Item>(one: (random: RandomSource, world: World) => Item) =>
    Array.from({ length: random.below(random.pick([3, 60])) }, () => one(random, world))
  if (random.chance(0.4)) return { do: 'plan', visits: some(randomPlan), ...time }
  if (random.chance(0.5)) return { do: 'replan', visits: some(randomPlan), ...time }
  return { do: 'hint', hints: some(randomHint), ...time }
}

/** One thing is wrong. */
export function spoiledSettlement<One extends Omit<PickedSettlement, 'pick'>>(random: RandomSource, one: One): One {
  const wrong = random.pick<unknown>([
    { outcome: { kind: 'lost' } },
    { outcome: { kind: 'refused', reason: 'é'.repeat(101) }, shown: 'answer' },
    { outcome: { kind: 'refused' }, shown: 'answer' },
    { outcome: { kind: 'done', isPage: true }, shown: 'gone' },
    { outcome: { kind: 'again' }, shown: 'gone' },
    { shown: 'laughter' },
    { delayMs: -1 },
    { delayMs: Number.NaN },
    { delayMs: Number.POSITIVE_INFINITY },
  ])
  return { ...one, ...(wrong as object) }
}

function randomFormer(random: RandomSource, world: World): Operation {
  const visits = Array.from({ length: random.below(4) }, () => ({
    ...{ url: randomUrl(random, world), isPage: random.chance(0.7) },
    links: random.chance(0.3) ? randomLinks(random, world) : [],
    ...(world.revisits && randomFormerVisit(random, world)),
  }))
  return { do: 'settleFormer', visits, ...randomTime(random) }
}

function randomShown(random: RandomSource): Shown | undefined {
  const dice = random.below(100)
  if (dice < 55) return 'answer'
  if (dice < 70) return 'silence'
  if (dice < 80) return 'trouble'
  return dice < 84 ? 'gone' : undefined
}

function randomOutcome(random: RandomSource, world: World): Outcome {
  if (!world.oneVisitEach && random.chance(0.3)) return { kind: 'again' }
  if (random.chance(0.3)) return randomRefusal(random)
  return { kind: 'done', isPage: random.chance(0.7), ...(world.revisits && maybeAgain(random, world)) }
}

function randomRefusal(random: RandomSource): Outcome {
  return { kind: 'refused', reason: random.pick(['robots', 'scope', '', 'ünïcode']) }
}

function randomPicks(random: RandomSource, world: World, lengths: readonly number[] = [0, 1, 1, 2, 4, 9]): Pick[] {
  const picks: Pick[] = Array.from({ length: random.pick(lengths) }, () => random.below(1000))
  if (random.chance(world.hostility)) {
    picks.splice(random.below(picks.length + 1), 0, random.pick(['unknown', 'closed', 'repeated', 'odd'] as const))
  }
  return picks
}

function randomMax(random: RandomSource, world: World): number {
  if (random.chance(world.hostility / 5)) return Number.NaN
  return random.pick([-1, 0, 1, 1, 2, 3, 5, 20, 60])
}

function randomDuration(random: RandomSource, world: World, durationsMs: readonly number[]): number {
  if (random.chance(world.hostility / 2)) return random.pick([-1, Number.NaN, Number.POSITIVE_INFINITY])
  return random.pick(durationsMs)
}

function randomTime(random: RandomSource): Timed {
  const passMs = randomPass(random)
  return random.chance(0.3) ? { passMs, byClock: true } : { passMs }
}

function randomPass(random: RandomSource): number {
  return random.pick([0, 0, 0, 0, 1, 7, 10, 39, 40, 41, 300, 1000, 5000, random.chance(0.05) ? 4_000_000 : 20_000])
}
