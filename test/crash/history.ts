// A frontier's whole life on disk: what it was after every call, and how long its journal was then.

import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { FrontierOptions } from '../../src/frontier/frontier.ts'
import { HandClock } from '../contract/hand-clock.ts'
import { copyFrontier, filesOf, removeFrontier, temporaryFrontier } from '../contract/maker.ts'
import { type Operation, randomOperations } from '../contract/operations.ts'
import { Player } from '../contract/player.ts'
import { openTimed, type TimedFrontier } from '../contract/timed.ts'
import { smallWorld, urlsOf } from '../contract/worlds.ts'
import { FrontierOracle } from '../model/frontier-oracle.ts'
import { RandomSource } from '../model/random-source.ts'
import { openOptions, seen } from './candidates.ts'

export interface History {
  readonly options: FrontierOptions
  /** The files as a crash at the end leaves them, by name. */
  readonly files: ReadonlyMap<string, Buffer>
  /** The name of the journal's last file. */
  readonly journal: string
  /** From the empty frontier on, one after each call that has written something; reopened. */
  readonly moments: readonly Moment[]
  readonly urls: readonly string[]
  /** The time at its end. */
  readonly nowMs: number
}

export interface Moment {
  /** The name of the journal's last file, and how long it was. */
  readonly journal: string
  readonly journalBytes: number
  /** What is seen of the frontier when it is opened again. */
  readonly seen: unknown
}

/** Random calls, and then these. */
export async function recordHistory(
  seed: number,
  calls: number,
  then: readonly Operation[] = [],
  snapshotBytes = 1e9,
): Promise<History> {
  const random = new RandomSource(seed)
  const options = openOptions(random, seed)
  const world = { ...smallWorld(false), hostility: 0, pages: 30, revisits: true }
  const isCall = ({ do: what }: Operation) => !['look', 'note', 'at once', 'clear'].includes(what)
  const operations = [...randomOperations(random, world, calls).filter(isCall), ...then]
  const folder = temporaryFrontier()
  try {
    const [clock, modelClock] = [new HandClock(), new HandClock()]
    const frontier = await openTimed({ ...options, folder, snapshotBytes }, clock)
    const oracle = new FrontierOracle(options, modelClock.read)
    const never = () => Promise.reject(new Error('not here'))
    const real = new Player({ frontier, reopen: never }, clock, options.leaseMs)
    const model = new Player({ frontier: oracle, reopen: never }, modelClock, options.leaseMs)
    const moments: (Omit<Moment, 'seen'> & { oracle: FrontierOracle })[] = []
    const record = () => {
      const journal = journalOf(folder)
      const journalBytes = statSync(join(folder, journal)).size
      const before = moments.at(-1)
      if (journal === before?.journal && journalBytes === before.journalBytes) return
      moments.push({ journal, journalBytes, oracle: oracle.copy() })
    }
    record()
    for (const operation of operations) {
      const gave = await real.play(operation)
      assert.deepEqual(gave, await model.play(operation))
      record()
    }
    await untilQuiet(folder)
    const left = temporaryFrontier()
    copyFrontier(folder, left)
    await frontier.close()
    const files = new Map(filesOf(left).map(name => [name, readFileSync(join(left, name))]))
    removeFrontier(left)
    const more = then.flatMap(operation => ('links' in operation ? operation.links.map(({ url }) => url) : []))
    const urls = [...new Set([...urlsOf(world), ...more])]
    const { nowMs } = model
    const looked: Moment[] = []
    for (const { oracle: copy, ...rest } of moments) {
      // Opened at the end of the history, whatever was cut off.
      copy.reopen()
      looked.push({ ...rest, seen: await seen(copy, urls, nowMs) })
    }
    return { options, files, journal: looked.at(-1)!.journal, moments: looked, urls, nowMs }
  } finally {
    removeFrontier(folder)
  }
}

/** Waits for the end of a snapshot that is being written, if there is one. */
export async function untilQuiet(folder: string): Promise<void> {
  // Each segment but the first begins with a snapshot, which takes the place of those before.
  const number = Number(/\d+/.exec(journalOf(folder)))
  const wanted = number === 1 ? [] : [`snapshot-${String(number).padStart(8, '0')}.bin`]
  const snapshots = () => filesOf(folder).filter(name => name.startsWith('snapshot'))
  while (!isDeepStrictEqual(snapshots(), wanted)) await sleep(1)
}

function journalOf(folder: string): string {
  return filesOf(folder)
    .filter(name => name.startsWith('journal'))
    .at(-1)!
}

/** What came of opening a folder. */
export type Opening =
  /** `moments`: those that look like it; more than one when a call changed nothing that can be seen. */
  | {
      readonly kind: 'opened'
      readonly moments: readonly number[]
      readonly repairs: readonly string[]
      /** The names of the files after it. */
      readonly files: readonly string[]
    }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }

/** Opens a folder with these files, and finds out which moment of the history it is. */
export async function openedWith(
  history: History,
  files: ReadonlyMap<string, Buffer>,
  write: (path: string, bytes: Buffer) => void,
  folder: string,
): Promise<Opening> {
  for (const [name, bytes] of files) write(join(folder, name), bytes)
  const repairs: string[] = []
  let frontier: TimedFrontier
  try {
    const clock = new HandClock(history.nowMs)
    frontier = await openTimed({ ...history.options, folder, onRepair: message => repairs.push(message) }, clock)
  } catch (error) {
    const { code = 'none', message } = error as NodeJS.ErrnoException
    return { kind: 'refused', code, message }
  }
  try {
    return { kind: 'opened', moments: await momentsLike(frontier, history), repairs, files: filesOf(folder) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code?.startsWith('FRONTIER_')) return { kind: 'refused', code, message }
    throw error
  } finally {
    await frontier.close()
  }
}

async function momentsLike(frontier: TimedFrontier, { moments, urls, nowMs }: History): Promise<number[]> {
  const actual = await seen(frontier, urls, nowMs)
  const like = moments.flatMap((moment, n) => (isDeepStrictEqual(actual, moment.seen) ? [n] : []))
  if (like.length === 0) assert.deepEqual(actual, moments.at(-1)!.seen, 'it was never like this')
  return like
}
