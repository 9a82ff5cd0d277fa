import { EscalonaError } from '../../base/errors.ts'
import { unfinished } from '../dump-errors.ts'
import type { Engine } from './engine/engine.ts'
import { shownWhere, type Where } from './engine/where.ts'
import { crawlTag } from './shard/host-shards.ts'
import { listOf, numberOf, textIn } from './shard/replies.ts'

/** What a crawl in the engine is like as a whole. */
export interface CrawlStructure {
  readonly shards: number
  readonly fingerprintSeed: readonly [number, number]
  /** How often it was opened, by any client, and by a first crawler. */
  readonly openings: number
  readonly revivals: number
  /** An import has not finished. */
  readonly isUnfinished: boolean
}

/** Of what is kept in the engine. */
export const FORMAT = 2
export const DEFAULT_SHARDS = 64

/** Reads the structure of a crawl; undefined when there is none of this name. Something that is not ours is an error. */
export async function readStructure(engine: Engine, name: string): Promise<CrawlStructure | undefined> {
  const tag = crawlTag(name)
  const fields = ['format', 'shards', 'seed0', 'seed1', 'openings', 'revivals', 'importing']
  const read = async () => listOf(await engine.ask(tag, ['HMGET', tag + crawlKeys.counters, ...fields])).map(textIn)
  let values = await read()
  if (values[0] === undefined) {
    if (numberOf(await engine.ask(tag, ['EXISTS', tag + crawlKeys.counters])) === 0) return undefined
    // Another machine may have made the crawl in between.
    values = await read()
    if (values[0] === undefined) throw new EscalonaError('FRONTIER_NOT_OURS', { name })
  }
  const [format, shards, seed0, seed1, openings, revivals, importing] = values
  if (Number(format) !== FORMAT)
    throw new EscalonaError('FRONTIER_OTHER_VERSION', { name, theirs: Number(format), ours: FORMAT })
  return {
    shards: Number(shards),
    fingerprintSeed: [Number(seed0), Number(seed1)],
    openings: Number(openings ?? 0),
    revivals: Number(revivals ?? 0),
    isUnfinished: importing !== undefined,
  }
}

/** Checks that a crawl can be used as its URL says. */
export function checkUsable({ shards, isUnfinished }: CrawlStructure, where: Where): void {
  if (isUnfinished) throw unfinished(shownWhere(where))
  if (where.shards === undefined || where.shards === shards) return
  throw new EscalonaError('FRONTIER_OTHER_SHARDS', { name: where.name, theirs: shards, ours: where.shards })
}

/**
 * Every key of what concerns a crawl as a whole, after its tag; those of a shard are in `lua/parts/call.lua`. The scripts in `lua/crawl/`
 * spell the same names.
 *
 * - `m`: the crawl's structure (`format`, `shards`, `seed0`, `seed1`) and counters (`openings`, `revivals`, `clearings`,
 *   `hosts`, `losses`), `lost` (since when calls are gone, in ms since 1970), `seeded` when all seeds of the beginning were
 *   offered, and `importing` (when it began, in ms) while an import, or a removal, has not finished
 * - `w`: crawlers, by their ids; see `permit.lua`
 * - `k`: the last reservation of each client; see `reserve.lua`
 * - `settings`, `seeds`, `tallies`: see `crawl-book.ts`
 */
export const crawlKeys = {
  counters: 'm',
  crawlers: 'w',
  calls: 'k',
  settings: 'settings',
  seeds: 'seeds',
  tallies: 'tallies',
} as const
