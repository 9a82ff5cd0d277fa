// What the parent of a worker makes of what it said.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { FrontierOptions, Link } from '../../src/frontier/frontier.ts'
import { hostOf } from '../../src/url/host-of.ts'
import { HandClock, START_MS } from '../contract/hand-clock.ts'
import { type Operation, randomOptions } from '../contract/operations.ts'
import { everyPage, listed, Player, plain, TIME_KEEPER } from '../contract/player.ts'
import { openTimed, type TimedFrontier } from '../contract/timed.ts'
import { urlsOf } from '../contract/worlds.ts'
import { FRONTIER_STRATEGIES, FrontierOracle } from '../model/frontier-oracle.ts'
import type { RandomSource } from '../model/random-source.ts'
import { inBrief, isStop, type Job, operationsOf, worldOf } from './job.ts'

/** Random options, and nothing that turns links away or ends the crawl. */
export function openOptions(random: RandomSource, seed: number): FrontierOptions {
  const strategy = FRONTIER_STRATEGIES[seed % FRONTIER_STRATEGIES.length]!
  const { limit, maxHosts, maxHostsPerDomain, maxNewHosts, ...options } = randomOptions(random, strategy, true)
  return options
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

/** The oracles that may be what a folder holds. They share a clock. */
export interface Candidates {
  readonly clock: HandClock
  readonly oracles: readonly FrontierOracle[]
}

export function newcomer(options: FrontierOptions): Candidates {
  const clock = new HandClock(START_MS)
  return { clock, oracles: [new FrontierOracle(options, clock.read)] }
}

/**
 * Plays what a worker said was acknowledged on the oracles, and compares what it gave. Then each oracle as it is, and with
 * each part of the operation that was under way, all reopened at the same time: a frontier must be one of these.
 */
export async function candidatesAfter(before: Candidates, job: Job, testimony: Testimony): Promise<Candidates> {
  const { clock } = before
  const oracles: FrontierOracle[] = []
  let latestMs = job.nowMs
  let unlike: unknown
  for (const start of before.oracles) {
    try {
      for (const part of partsAfter(job, testimony)) {
        oracles.push(await played(start, clock, job, testimony, part))
        latestMs = Math.max(latestMs, clock.nowMs)
      }
    } catch (error) {
      unlike = error
    }
  }
  if (oracles.length === 0) throw unlike
  clock.nowMs = latestMs
  for (const oracle of oracles) oracle.reopen()
  return { clock, oracles }
}

/** Played from the start for each part, since only a player that has seen everything knows which tickets are meant. */
async function played(
  start: FrontierOracle,
  clock: HandClock,
  job: Job,
  testimony: Testimony,
  part: readonly Operation[],
): Promise<FrontierOracle> {
  clock.nowMs = job.nowMs
  const oracle = start.copy()
  const player = new Player({ frontier: oracle, reopen: async () => oracle.reopen() }, clock, job.options.leaseMs)
  let n = 0
  for (const operation of take(operationsOf(job), acknowledgedBy(testimony))) {
    const gave = inBrief(await player.play(operation))
    assert.deepEqual(testimony.gave[n], gave, `operation ${n}: ${JSON.stringify(operation).slice(0, 5000)}`)
    n++
  }
  for (const operation of part) await player.play(operation)
  return oracle
}

function partsAfter(job: Job, testimony: Testimony): (readonly Operation[])[] {
  const acknowledged = acknowledgedBy(testimony)
  const hasBegunMore = acknowledged < testimony.gave.length || testimony.hasBegunMore
  const operation = [...take(operationsOf(job), acknowledged + 1)][acknowledged]
  return operation && hasBegunMore ? partsOf(operation) : [[]]
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
function partsOf(operation: Operation): (readonly Operation[])[] {
  switch (operation.do) {
    case 'look':
    case 'note':
      return [[]]
    case 'reopen':
      return [[], [shownTimeOf(operation.passMs)], [operation]]
    case 'at once':
      return [...Array(operation.operations.length + 1).keys()].map(n => [
        { do: 'at once', operations: operation.operations.slice(0, n) },
      ])
    default:
      return [[], [operation]]
  }
}

/** What a player does before the clock goes back. */
function shownTimeOf(passMs: number): Operation {
  return { do: 'hold', host: TIME_KEEPER, forMs: 1, passMs }
}

/**
 * The candidates that look like a frontier. There may be several: whose turn it is cannot be seen, for example. An error
 * that shows the difference to the likeliest when there is none.
 */
export async function thoseLike(
  frontier: TimedFrontier,
  { clock, oracles }: Candidates,
  urls: readonly string[],
): Promise<Candidates> {
  const actual = await seen(frontier, urls, clock.nowMs)
  const views = await Promise.all(oracles.map(oracle => seen(oracle, urls, clock.nowMs)))
  const same = oracles.filter((_, n) => isDeepStrictEqual(actual, views[n]))
  if (same.length === 0) assert.deepEqual(actual, views[0], `none of ${oracles.length} candidates`)
  const different = same.filter((one, n) => same.findIndex(oracle => isDeepStrictEqual(oracle, one)) === n)
  return { clock, oracles: different }
}

/** Everything that can be seen of a frontier and survives a crash; two that hold the same look the same. */
export async function seen(frontier: TimedFrontier, urls: readonly string[], nowMs: number): Promise<unknown> {
  const hosts = await everyPage(cursor => frontier.hosts(cursor, nowMs))
  const lists: Record<string, unknown> = {}
  for (const host of new Set(urls.map(hostOf))) {
    const links = await everyPage<Link>(cursor => frontier.waiting(host, cursor))
    lists[host] = links.map(link => ({ ...plain(link), kind: link.kind ?? 'page' }))
  }
  const explained = await frontier.explain(urls, nowMs)
  const links = await listed(frontier, urls.map(hostOf))
  const counts = plain(await frontier.counts())
  return { counts, hosts: hosts.map(plain), lists, links, explained: explained.map(plain) }
}

/** What was acknowledged to a worker in a new folder is there, and the frontier works again. */
export async function isAllThere(job: Job, testimony: Testimony, folder = job.folder): Promise<void> {
  const candidates = await candidatesAfter(newcomer(job.options), job, testimony)
  const frontier = await openTimed({ ...job.options, folder }, candidates.clock)
  try {
    await thoseLike(frontier, candidates, urlsOf(worldOf(job)))
    assert.equal(await frontier.offer([{ url: 'http://after.com/', rank: 0, hops: 0 }]), 1)
  } finally {
    await frontier.close()
  }
}
