// A child works on a frontier and is killed at a random moment, again and again, on the same folder. After each time the
// folder must hold all that was acknowledged to the child, and of what was not the whole or nothing.
//   ESCALONA_KILLS=5000 for a longer soak; ESCALONA_SEED repeats the operations, though not the moments.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Frontier } from '../../src/frontier/frontier.ts'
import { openLocal } from '../../src/frontier/local/open.ts'
import { START_MS } from '../contract/hand-clock.ts'
import { copyFrontier, filesOf, removeFrontier, temporaryFrontier } from '../contract/maker.ts'
import { randomOptions } from '../contract/operations.ts'
import { tortureWorld, urlsOf } from '../contract/worlds.ts'
import { FRONTIER_STRATEGIES } from '../model/frontier-oracle.ts'
import { RandomSource, seeds } from '../model/random-source.ts'
import {
  acknowledgedBy,
  type Candidate,
  candidatesAfter,
  emptyCandidate,
  type Job,
  openingMs,
  thoseLike,
  Worker,
} from './job.ts'

const KILLS = Number(process.env.ESCALONA_KILLS || 200)
const KILLS_A_FOLDER = 25

interface Tally {
  kills: number
  operations: number
  /** Kills that came while an operation was under way that was there afterwards, or was not, as far as can be seen. */
  whole: number
  nothing: number
  /** Kills that left a folder with a snapshot. */
  snapshots: number
}

test(`ours: killed ${KILLS} times at any moment, it loses nothing that was acknowledged`, async t => {
  const tally: Tally = { kills: 0, operations: 0, whole: 0, nothing: 0, snapshots: 0 }
  const [seed = 1] = seeds(t, 0, 1)
  const random = new RandomSource(seed)
  for (let round = 0; tally.kills < KILLS; round++) {
    await torture(random, round, Math.min(KILLS - tally.kills, KILLS_A_FOLDER), tally, seed)
  }
  t.diagnostic(shown(tally))
  assert.ok(tally.operations > KILLS, 'the children did not get to work')
})

function shown({ kills, operations, whole, nothing, snapshots }: Tally): string {
  return `${kills} kills, ${operations} operations acknowledged, ${whole + nothing} cut off: ${whole} there, ${nothing} not; ${snapshots} times after a snapshot`
}

async function torture(random: RandomSource, round: number, kills: number, tally: Tally, seed: number) {
  const folder = temporaryFrontier()
  mkdirSync(folder)
  const snapshotBytes = random.pick([1, 3000, 30_000, 1e9])
  const options = randomOptions(random, FRONTIER_STRATEGIES[round % FRONTIER_STRATEGIES.length]!)
  const urls = urlsOf(tortureWorld(true))
  let now: Candidate[] = [emptyCandidate(options, START_MS)]
  try {
    for (let kill = 0; kill < kills; kill++) {
      const job: Job = {
        folder,
        seed: random.below(2 ** 31),
        options,
        nowMs: now[0]!.nowMs,
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
  before: readonly Candidate[],
  job: Job,
  urls: string[],
  tally: Tally,
): Promise<Candidate[]> {
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
  if (filesOf(job.folder).some(name => name.startsWith('snapshot'))) tally.snapshots++
  const looksAtCopy = random.chance(0.5) // then the next child opens what the killed one left
  const nowMs = openingMs(candidates)
  const after = await reopened(job, looksAtCopy, nowMs, frontier => thoseLike(frontier, candidates, urls))
  const isOnly = (one: Candidate | undefined) => after.length === 1 && after[0]!.oracle === one?.oracle
  if (candidates.length > 1 && isOnly(candidates[0])) tally.nothing++
  if (candidates.length > 1 && isOnly(candidates.at(-1))) tally.whole++
  return after
}

async function reopened(
  { folder, options, snapshotBytes }: Job,
  looksAtCopy: boolean,
  nowMs: number,
  look: (frontier: Frontier) => Promise<Candidate[]>,
): Promise<Candidate[]> {
  const place = looksAtCopy ? temporaryFrontier() : folder
  try {
    if (looksAtCopy) copyFrontier(folder, place)
    const frontier = await openLocal({ ...options, folder: place, snapshotBytes, clock: () => nowMs })
    try {
      return await look(frontier)
    } finally {
      await frontier.close()
    }
  } finally {
    if (looksAtCopy) removeFrontier(place)
  }
}
