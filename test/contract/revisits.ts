// What random operations say about visits again.
import type { Again, FormerVisit, Hint, PlannedVisit } from '../../src/frontier/frontier.ts'
import type { RandomSource } from '../model/random-source.ts'
import { START_MS } from './hand-clock.ts'
import { randomUrl, type World } from './worlds.ts'

const GAINS = [0, 0, 1, 1, 0.1, 7.25, 1e30]

/** The next visit of a done link, most of the time. */
export function maybeAgain(random: RandomSource, world: World): { again?: Again } {
  if (random.chance(0.4)) return {}
  if (random.chance(world.hostility / 2)) return { again: badAgain(random) }
  const note = random.chance(0.4) ? { note: random.pick(['', 'visited', 'x'.repeat(700)]) } : {}
  return {
    again: {
      afterMs: random.pick([0, 0, 5, 40, 1000, 20_000, 4_000_000, 4_000_000]),
      gain: random.pick(GAINS),
      ...note,
    },
  }
}

export function randomFormerVisit(random: RandomSource, world: World): Partial<FormerVisit> {
  return { ...maybeAgain(random, world), ...(random.chance(0.7) && { dateMs: randomMoment(random, world) }) }
}

export function randomPlan(random: RandomSource, world: World): PlannedVisit {
  const [visitedAtMs, dueAtMs] = [randomMoment(random, world), randomMoment(random, world)]
  const note = random.chance(0.3) ? { note: random.pick(['', 'planned']) } : {}
  const gain = random.chance(world.hostility / 20) ? -1 : random.pick(GAINS)
  const link = { url: randomUrl(random, world), rank: random.pick([0, 3, 256]), hops: random.below(9) }
  return { ...link, ...note, visitedAtMs, dueAtMs, gain }
}

export function randomHint(random: RandomSource, world: World): Hint {
  const leastMs = random.chance(world.hostility / 20) ? -1 : random.pick([0, 500, 20_000])
  const least = random.chance(0.5) ? { leastMs } : {}
  return { url: randomUrl(random, world), changedAtMs: randomMoment(random, world), ...least }
}

/** Before, during or after the life, or no time at all. */
function randomMoment(random: RandomSource, world: World): number {
  if (random.chance(world.hostility / 20)) return random.pick([Number.NaN, Number.POSITIVE_INFINITY])
  return START_MS + random.pick([-1e9, 0, 300, 5000, 20_000, 100_000, 4_000_000, 1e8, 1e9])
}

function badAgain(random: RandomSource): Again {
  const wrong = random.pick<Partial<Again>>([
    ...[-1, Number.NaN, Number.POSITIVE_INFINITY].flatMap(value => [{ afterMs: value }, { gain: value }]),
    { note: 'é'.repeat(2049) },
  ])
  return { afterMs: 1, gain: 1, ...wrong }
}
