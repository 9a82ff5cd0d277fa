import { EscalonaError } from '../../base/errors.ts'
import { crawlKeys } from './crawl-keys.ts'
import type { Engine } from './engine/engine.ts'
import { listOf, numberOf, textIn } from './shard/replies.ts'
import { crawlTag } from './shard/tags.ts'

/** What a crawl in the engine is like as a whole. */
export interface CrawlStructure {
  readonly shards: number
  readonly fingerprintSeed: readonly [number, number]
  /** How often it was opened, by anybody, and by a first crawler. */
  readonly openings: number
  readonly revivals: number
  /** An import has not finished. */
  readonly isUnfinished: boolean
}

/** Of what is kept in the engine. */
export const FORMAT = 1
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
