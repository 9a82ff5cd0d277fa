// A child works on a frontier and is killed at a random moment, again and again, on the same folder. After each time the
// folder must hold all that was acknowledged, and of what was not, the whole or nothing.
//   ESCALONA_KILLS=5000 for a longer soak; ESCALONA_SEED repeats the operations, though not the moments.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { HandClock } from '../contract/hand-clock.ts'
import { copyFrontier, filesOf, removeFrontier, temporaryFrontier } from '../contract/maker.ts'
import { randomOptions } from '../contract/operations.ts'
import { openTimed, type TimedFrontier } from '../contract/timed.ts'
import { tortureWorld, urlsOf } from '../contract/worlds.ts'
import { FRONTIER_STRATEGIES, type FrontierOracle } from '../model/frontier-oracle.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import { acknowledgedBy, type Candidates, candidatesAfter, newcomer, thoseLike, Worker } from './candidates.ts'
import type { Job } from './job.ts'

const KILLS = Number(process.env.ESCALONA_KILLS || 24)
/** With few kills, every strategy still has a folder. */
const KILLS_A_FOLDER = Math.min(25, Math.ceil(KILLS / FRONTIER_STRATEGIES.length))
/** How much the journal grows before a snapshot: each strategy gets to each in turn. */
const SNAPSHOT_BYTES = [1, 3000, 30_000, 1e9]
/** Folders at a time: most of the time goes into starting processes. */
const AT_ONCE = 2

interface Tally {
  kills: number
  operations: number
  /** Kills that came while an operation was under way that was there afterwards, or was not, as far as can be seen. */
  whole: number
  nothing: number
  /** Kills that left a folder with a snapshot. */
  snapshots: number
  /** Kills that came while a snapshot was being written. */
  halfSnapshots: number
}

test(`ours: killed ${KILLS} times at any moment, it loses nothing that was acknowledged`, async t => {
  const tally: Tally = { kills: 0, operations: 0, whole: 0, nothing: 0, snapshots: 0, halfSnapshots: 0 }
  const [seed = 1] = seeds(t, 0, 1)
  const folders = Math.ceil(KILLS / KILLS_A_FOLDER)
  const workOn = async (first: number) => {
    for (let folder = first; folder < folders; folder += AT_ONCE) {
      const kills = Math.min(KILLS - folder * KILLS_A_FOLDER, KILLS_A_FOLDER)
      await torture(new RandomSource(seed + folder), folder, kills, tally, seed)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, (_, first) => workOn(first)))
  t.diagnostic(shown(tally))
  assert.ok(tally.operations > KILLS, 'the children did not get to work')
})

function shown({ kills, operations, whole, nothing, snapshots, halfSnapshots }: Tally): string {
  return `${kills} kills, ${operations} operations acknowledged, ${whole + nothing} cut off: ${whole} there, ${nothing} not; ${snapshots} times after a snapshot, ${halfSnapshots} times in the middle of one`
}

async function torture(random: RandomSource, round: number, kills: number, tally: Tally, seed: number) {
  const folder = temporaryFrontier()
  mkdirSync(folder)
  const snapshotBytes = SNAPSHOT_BYTES[(round + (round >> 2)) % SNAPSHOT_BYTES.length]!
  const options = randomOptions(random, FRONTIER_STRATEGIES[round % FRONTIER_STRATEGIES.length]!, true)
  const urls = urlsOf(tortureWorld(true))
  let now = newcomer(options)
  try {
    for (let kill = 0; kill < kills; kill++) {
      const job: Job = {
        folder,
        seed: random.below(2 ** 31),
        options,
        nowMs: now.clock.nowMs,
        operations: 1e6,
        snapshotBytes,
        reopens: true,
      }
      try {
        now = await killOnce(random, now, job, urls, tally)
      } catch (error) {
        throw new Error(`ESCALONA_SEED=${seed}, folder ${round}, kill ${kill}: ${JSON.stringify(job)}`, {
          cause: error,
        })
      }
    }
  } finally {
    removeFrontier(folder)
  }
}

async function killOnce(
  random: RandomSource,
  before: Candidates,
  job: Job,
  urls: string[],
  tally: Tally,
): Promise<Candidates> {
  const worker = new Worker(job)
  try {
    if (random.chance(0.9)) await worker.ready() // otherwise it may also be killed while it opens
    await wait(2 + random.below(59))
  } finally {
    worker.kill()
  }
  const testimony = await worker.testimony()
  assert.equal(testimony.threw, undefined)
  const candidates = await candidatesAfter(before, job, testimony)
  tally.kills++
  tally.operations += acknowledgedBy(testimony)
  const names = filesOf(job.folder)
  if (names.some(name => /^snapshot.*bin$/.test(name))) tally.snapshots++
  if (names.some(name => /^snapshot.*tmp$/.test(name))) tally.halfSnapshots++
  const looksAtCopy = random.chance(0.5) // then the next child opens what the killed one left
  const after = await reopened(job, candidates.clock, looksAtCopy, frontier => thoseLike(frontier, candidates, urls))
  const isOnly = (one: FrontierOracle | undefined) => after.oracles.length === 1 && after.oracles[0] === one
  if (candidates.oracles.length > 1 && isOnly(candidates.oracles[0])) tally.nothing++
  if (candidates.oracles.length > 1 && isOnly(candidates.oracles.at(-1))) tally.whole++
  return after
}

async function reopened(
  { folder, options, snapshotBytes }: Job,
  clock: HandClock,
  looksAtCopy: boolean,
  look: (frontier: TimedFrontier) => Promise<Candidates>,
): Promise<Candidates> {
  const place = looksAtCopy ? temporaryFrontier() : folder
  try {
    if (looksAtCopy) copyFrontier(folder, place)
    const frontier = await openTimed({ ...options, folder: place, snapshotBytes }, clock)
    try {
      return await look(frontier)
    } finally {
      await frontier.close()
    }
  } finally {
    if (looksAtCopy) removeFrontier(place)
  }
}
