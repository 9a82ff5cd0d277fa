// What a worker is told to do, and what its parent makes of what it said.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { Frontier, FrontierOptions } from '../../src/frontier/frontier.ts'
import { HandClock } from '../contract/hand-clock.ts'
import { type Operation, randomOperation } from '../contract/operations.ts'
import { Player, TIME_KEEPER } from '../contract/player.ts'
import { tortureWorld, type World } from '../contract/worlds.ts'
import { FrontierOracle } from '../model/frontier-oracle.ts'
import { RandomSource } from '../model/random-source.ts'

export interface Job {
  readonly folder: string
  readonly seed: number
  readonly options: FrontierOptions
  readonly nowMs: number
  /** How many operations at most. */
  readonly operations: number
  /** How much the journal grows before a snapshot. */
  readonly snapshotBytes: number
  /** Whether it closes the frontier and opens it again now and then. */
  readonly reopens: boolean
}

export function worldOf(job: Job): World {
  return tortureWorld(job.reopens)
}

export function* operationsOf(job: Job): Generator<Operation> {
  const random = new RandomSource(job.seed)
  for (let n = 0; n < job.operations; ) {
    const operation = withoutNotes(randomOperation(random, worldOf(job)))
    if (operation === undefined) continue
    yield operation
    n++
  }
}

/** Notes are in memory: a crash takes them all. */
function withoutNotes(operation: Operation): Operation | undefined {
  if (operation.do === 'note') return undefined
  if (operation.do !== 'at once') return operation
  return { ...operation, operations: operation.operations.filter(one => one.do !== 'note') }
}

/** What an operation gave, as it goes through a pipe: a digest when it is long. */
export function inBrief(gave: unknown): unknown {
  const text = JSON.stringify(gave, (_, value) => inOrder(value))
  if (text === undefined) return null
  return text.length < 10_000 ? JSON.parse(text) : createHash('sha1').update(text).digest('hex')
}

/** The same whatever the order of the properties is. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const WORKER = fileURLToPath(new URL('worker.js', import.meta.url))

/** What a worker said before it ended. */
export interface Testimony {
  readonly isReady: boolean
  /** How many operations were acknowledged, and what they gave. */
  readonly gave: readonly unknown[]
  /** Whether one more was begun. */
  readonly hasBegunMore: boolean
  readonly threw: { readonly code: string; readonly message: string } | undefined
  readonly hasClosed: boolean
}

/** A worker that runs; `command` wraps it, for example in a shell with a limit. */
export class Worker {
  readonly child: ChildProcess
  private said = ''
  private readonly ended: Promise<unknown>
  private complaints = ''

  constructor(job: Job, command: (worker: readonly string[]) => readonly string[] = worker => worker, env = {}) {
    const [file = '', ...args] = command([process.execPath, WORKER, JSON.stringify(job)])
    this.child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
    this.child.stdout!.setEncoding('utf8').on('data', text => {
      this.said += text
    })
    this.child.stderr!.setEncoding('utf8').on('data', text => {
      this.complaints += text
    })
    this.ended = once(this.child, 'close')
  }

  /** Resolves when it has opened its frontier, or has ended. */
  async ready(): Promise<void> {
    const isSaid = () => this.said.includes('\n')
    const heard = async () => {
      while (!isSaid()) await once(this.child.stdout!, 'data')
    }
    await Promise.race([heard(), this.ended])
  }

  kill(): void {
    this.child.kill('SIGKILL')
  }

  async testimony(): Promise<Testimony> {
    await this.ended
    const lines = this.said.slice(0, this.said.lastIndexOf('\n') + 1).split('\n')
    const told = lines.slice(0, -1).map(line => JSON.parse(line) as Record<string, unknown>)
    assert.equal(this.complaints, '', 'the worker complained')
    const threw = told.find(one => 'threw' in one)
    return {
      isReady: told.some(one => 'ready' in one),
      gave: told.filter(one => 'done' in one).map(one => one.gave),
      hasBegunMore: told.filter(one => 'began' in one).length > told.filter(one => 'done' in one).length,
      threw: threw && { code: String(threw.threw), message: String(threw.message) },
      hasClosed: told.some(one => 'closed' in one),
    }
  }
}

/** An oracle that may be what a folder holds, and the time there. All oracles have the same clock. */
export interface Candidate {
  readonly oracle: FrontierOracle
  readonly nowMs: number
}

/** The clock of all oracles: it is wound before one is used. */
const clock = new HandClock()

export function emptyCandidate(options: FrontierOptions, nowMs: number): Candidate {
  return { oracle: new FrontierOracle(options, clock.read), nowMs }
}

/**
 * Plays what a worker said was acknowledged on the oracle, and compares what it gave. Then the oracle as it is, and with
 * each part of the operation that was under way: a frontier must be one of these.
 */
export async function candidatesAfter(
  starts: readonly Candidate[],
  job: Job,
  testimony: Testimony,
): Promise<Candidate[]> {
  const candidates: Candidate[] = []
  let failure: unknown
  for (const start of starts) {
    try {
      candidates.push(...(await candidatesFrom(start, job, testimony)))
    } catch (error) {
      failure ??= error
    }
  }
  if (candidates.length === 0) throw failure
  return candidates
}

async function candidatesFrom(start: Candidate, job: Job, testimony: Testimony): Promise<Candidate[]> {
  const acknowledged = acknowledgedBy(testimony)
  const hasBegunMore = acknowledged < testimony.gave.length || testimony.hasBegunMore
  const operations = [...take(operationsOf(job), acknowledged + 1)]
  const candidates: Candidate[] = []
  for (const part of partsOf(operations[acknowledged], hasBegunMore)) {
    // Played from the start for each part, since only a player that has seen everything knows which tickets are meant.
    clock.nowMs = job.nowMs
    const oracle = start.oracle.copy()
    const board = { frontier: oracle, reopen: async () => oracle.reopen() }
    const player = new Player(board, clock, job.options.leaseMs)
    for (const [n, operation] of operations.slice(0, acknowledged).entries()) {
      const gave = inBrief(await player.play(operation))
      assert.deepEqual(testimony.gave[n], gave, `operation ${n}: ${JSON.stringify(operation).slice(0, 5000)}`)
    }
    if (part) await player.play(part)
    candidates.push({ oracle, nowMs: clock.nowMs })
  }
  return candidates
}

/** The time at which a folder is opened that is one of these. */
export function openingMs(candidates: readonly Candidate[]): number {
  return Math.max(...candidates.map(({ nowMs }) => nowMs))
}

/** How many operations were acknowledged before the frontier stopped, if it did. */
export function acknowledgedBy({ gave }: Testimony): number {
  const stop = gave.findIndex(isStop)
  return stop < 0 ? gave.length : stop
}

function* take<T>(all: Iterable<T>, count: number): Generator<T> {
  let left = count
  for (const one of all) {
    if (left-- <= 0) return
    yield one
  }
}

/** Nothing of an operation, the parts of it that can stand alone, and all of it. */
function partsOf(operation: Operation | undefined, hasBegun: boolean): (Operation | undefined)[] {
  if (!operation || !hasBegun) return [undefined]
  // A player lets the frontier see the time before the clock goes back.
  if (operation.do === 'reopen') {
    const { passMs } = operation
    return [undefined, { do: 'block', host: TIME_KEEPER, forMs: 1, passMs }, operation]
  }
  if (operation.do !== 'at once') return [undefined, operation]
  return operation.operations.flatMap((one, n): Operation[] =>
    partsOf(one, true).map(part => ({
      do: 'at once',
      operations: [...operation.operations.slice(0, n), ...(part ? [part] : [])],
    })),
  )
}

/** A stopped frontier says so to every call. In a group of calls, one such answer leaves the whole group open. */
export function isStop(gave: unknown): boolean {
  return /"FRONTIER_STOPPED"/.test(JSON.stringify(gave) ?? '')
}

/**
 * The candidates that look like a frontier that was opened at {@link openingMs}. There may be several: whose turn it is
 * cannot be seen, for example. An error that shows the difference to the likeliest when there is none.
 */
export async function thoseLike(
  frontier: Frontier,
  candidates: readonly Candidate[],
  urls: readonly string[],
): Promise<Candidate[]> {
  const nowMs = openingMs(candidates)
  const actual = await seen(frontier, urls, nowMs)
  const same: FrontierOracle[] = []
  let likeliest: unknown
  for (const { oracle } of candidates) {
    clock.nowMs = nowMs
    oracle.reopen()
    const expected = await seen(oracle, urls, nowMs)
    likeliest ??= expected
    if (isDeepStrictEqual(actual, expected)) same.push(oracle)
  }
  if (same.length === 0) assert.deepEqual(actual, likeliest, `none of ${candidates.length} candidates`)
  const different = same.filter((one, n) => same.findIndex(oracle => isDeepStrictEqual(oracle, one)) === n)
  return different.map(oracle => ({ oracle, nowMs }))
}

/** Everything that can be seen of a frontier; two that hold the same look the same. */
export function seen(frontier: Frontier, urls: readonly string[], nowMs: number): Promise<unknown> {
  const board = { frontier, reopen: () => Promise.reject(new Error('only to look at')) }
  return new Player(board, new HandClock(nowMs), 0).look(urls, nowMs)
}
