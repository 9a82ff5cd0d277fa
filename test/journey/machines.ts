// Several crawlers that share a crawl: real processes of the real command, one web, one Redis.
import type { TestContext } from 'node:test'
import { type Server, type ServerOptions, startRedis } from '../redis/servers.ts'
import { archivedUrls, pagesSoFar } from './collected.ts'
import { type Journey, journey, type Running, running, type Surroundings } from './crawl.ts'

/** A journey of several machines. */
export interface Machines extends Journey {
  readonly redis: Server
  /** The frontier that they share. */
  readonly frontier: string
  /** Starts the n-th machine; only the first one has the seeds. */
  start(n: number, options?: readonly string[], around?: Surroundings): Running
  folderOf(n: number): string
}

const SHARDS = 8
/** Less than a lease: what is left open would only come back after it. */
const LONGEST_MS = 45_000

export async function machines(
  t: TestContext,
  web: Parameters<typeof journey>[1],
  around: ServerOptions = {},
): Promise<Machines> {
  const [trip, redis] = await Promise.all([journey(t, web), startRedis(t, around)])
  const frontier = redis.url('web', `?shards=${SHARDS}`)
  const [, seeds, , folder, ...others] = trip.args
  // Those that join have the settings of the first.
  const rest = others.filter((_, at) => others[at] !== '--delay' && others[at - 1] !== '--delay')
  const folderOf = (n: number) => `${folder}-${n}`
  const start = (n: number, options: readonly string[] = [], surroundings: Surroundings = {}) => {
    const own = ['--frontier', frontier, '-o', folderOf(n), ...rest, '--workers', '1', ...options]
    return running(t, n === 1 ? ['-s', seeds!, '--delay', '100ms', ...own] : own, {
      longestMs: LONGEST_MS,
      ...surroundings,
    })
  }
  return { ...trip, redis, frontier, start, folderOf }
}

/** The pages in the archives of all machines, sorted, as often as they are there. */
export async function union(trip: Machines, count: number): Promise<string[]> {
  const all: string[] = []
  for (let n = 1; n <= count; n++) all.push(...(await archivedUrls(trip.folderOf(n))))
  return all.sort()
}

/** How many pages each machine has so far. */
export function shares(trip: Machines, count: number): number[] {
  return Array.from({ length: count }, (_, n) => pagesSoFar(trip.folderOf(n + 1)))
}
