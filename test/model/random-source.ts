// Chance that can be repeated: the same seed gives the same choices on every machine.
import { randomInt } from 'node:crypto'
import type { TestContext } from 'node:test'

export class RandomSource {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** A whole number from 0 up to, not including, `limit`. The steps are those of mulberry32. */
  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }

  chance(probability: number): boolean {
    return this.below(1_000_000) < probability * 1_000_000
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!
  }
}

/** How many times as much as in `npm test` random tests do. */
export const SOAK = Number(process.env.ESCALONA_SOAK || 1)
/** The options of a test that takes too long for `npm test`. */
export const ONLY_IN_SOAK = SOAK > 1 ? {} : { skip: 'too long: npm run test:soak runs it' }

/** Whether random tests also play seeds that differ from run to run: `npm test` does the same every time. */
const IS_FRESH = SOAK > 1 || (process.env.ESCALONA_FRESH ?? '') !== ''

/**
 * The seeds of a random test. They are always the same, so that `npm test` is no lottery: 1 to `count`, or 1 alone where `count` is 0,
 * and those in `always`, each of which once found a defect. In the soak, and with `ESCALONA_FRESH=1`, `fresh` more follow that differ from
 * run to run; with `ESCALONA_SOAK`, so many times as many of both. `ESCALONA_SEED` alone if it is set. Prints them.
 */
export function seeds(t: TestContext, count: number, fresh: number, always: readonly number[] = []): number[] {
  const wanted = process.env.ESCALONA_SEED
  if (wanted !== undefined && wanted !== '') return [Number(wanted)]
  const [known, others] = IS_FRESH ? [count * SOAK, fresh * SOAK] : [Math.max(count, 1), 0]
  const start = randomInt(1_000_000, 2 ** 31)
  const all = [...range(1, known), ...always, ...range(start, others)]
  t.diagnostic(
    `seeds 1 to ${known}${others > 0 ? ` and ${start} to ${start + others - 1}` : ''}${always.map(seed => `, ${seed}`).join('')}`,
  )
  return all
}

function range(start: number, count: number): number[] {
  return Array.from({ length: count }, (_, place) => start + place)
}
