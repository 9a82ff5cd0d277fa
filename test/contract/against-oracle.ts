// The same operations on a frontier and on the oracle, step by step. A difference is shortened and printed.
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { FrontierOptions } from '../../src/frontier/frontier.ts'
import { FrontierOracle } from '../model/frontier-oracle.ts'
import { HandClock } from './hand-clock.ts'
import type { Maker } from './maker.ts'
import type { Operation } from './operations.ts'
import { type Board, Player } from './player.ts'

interface Difference {
  /** The place of the operation after which they differed. */
  readonly at: number
  readonly actual: unknown
  readonly expected: unknown
}

/** Shortening ends after so many tries. */
const MOST_TRIES = 1000

export async function agreesWithOracle(
  maker: Maker,
  options: FrontierOptions,
  operations: readonly Operation[],
  seed: number,
): Promise<void> {
  const found = await firstDifference(maker, options, operations)
  if (!found) return
  const few = await shortened(operations.slice(0, found.at + 1), list => firstDifference(maker, options, list))
  const difference = (await firstDifference(maker, options, few)) ?? found
  const where = `ESCALONA_SEED=${seed}, ${maker.name}, ${JSON.stringify(options)}, shortened to\n${shown(few)}`
  assert.deepEqual(difference.actual, difference.expected, where)
  assert.fail(`${where}\ndiffered at the first time only: ${JSON.stringify(found)}`)
}

async function firstDifference(
  maker: Maker,
  options: FrontierOptions,
  operations: readonly Operation[],
): Promise<Difference | undefined> {
  const clocks = [new HandClock(), new HandClock()] as const
  const subject = await maker.make(options, clocks[0])
  const oracle = new FrontierOracle(options, clocks[1].read)
  const board: Board = {
    get frontier() {
      return subject.frontier
    },
    reopen: changed => subject.reopen({ ...options, ...changed }),
  }
  const actual = new Player(board, clocks[0], options.leaseMs)
  const expected = new Player({ frontier: oracle, reopen: async () => oracle.reopen() }, clocks[1], options.leaseMs)
  try {
    for (const [at, operation] of operations.entries()) {
      const pair = [await outcomeOf(actual, operation), await outcomeOf(expected, operation)]
      if (!isDeepStrictEqual(pair[0], pair[1])) return { at, actual: pair[0], expected: pair[1] }
    }
    return undefined
  } finally {
    await subject.end()
  }
}

/** What an operation gave, and a glance at the whole after it. */
async function outcomeOf(player: Player, operation: Operation): Promise<unknown> {
  try {
    return { gave: await player.play(operation), seen: await player.glance() }
  } catch (error) {
    return { threw: String(error) }
  }
}

/** Leaves out what is not needed for a difference: operations, then parts of operations. */
export async function shortened(
  operations: readonly Operation[],
  differs: (fewer: readonly Operation[]) => Promise<unknown>,
): Promise<readonly Operation[]> {
  let tries = 0
  const fails = async (fewer: readonly Operation[]) => ++tries <= MOST_TRIES && Boolean(await differs(fewer))
  let list = await fewest(operations, fails)
  for (let at = list.length - 1; at >= 0; at--) {
    list = list.with(at, await smaller(list[at]!, operation => fails(list.with(at, operation))))
  }
  return list
}

/** The fewest of these, in their order, that still fail. */
async function fewest<T>(all: readonly T[], fails: (fewer: readonly T[]) => Promise<boolean>): Promise<readonly T[]> {
  let list = all
  for (let step = Math.ceil(list.length / 2); step >= 1; step = Math.floor(step / 2)) {
    for (let at = 0; at < list.length; ) {
      const fewer = list.toSpliced(at, step)
      if (await fails(fewer)) list = fewer
      else at += step
    }
  }
  return list
}

/** An operation, or a part of one, with fewer parts. */
async function smaller<T extends object>(whole: T, fails: (smaller: T) => Promise<boolean>): Promise<T> {
  let smallest = whole
  for (const key of ['operations', 'settlements', 'visits', 'hints', 'links', 'picks', 'urls']) {
    const parts = (whole as Record<string, unknown>)[key]
    if (!Array.isArray(parts)) continue
    const base = smallest
    const having = (some: readonly unknown[]) => ({ ...base, [key]: some })
    let few = await fewest(parts, some => fails(having(some)))
    for (const [n, part] of few.entries()) {
      if (typeof part !== 'object') break
      few = few.with(n, await smaller(part, one => fails(having(few.with(n, one)))))
    }
    smallest = having(few)
  }
  return smallest
}

export function shown(operations: readonly Operation[]): string {
  return operations.map(operation => JSON.stringify(operation, (_, value) => brief(value))).join('\n')
}

function brief(value: unknown): unknown {
  return typeof value === 'string' && value.length > 100 ? `${value.slice(0, 40)}… (${value.length})` : value
}
