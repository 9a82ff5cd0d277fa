import type { Clock } from '../../base/clock.ts'
import type { Frontier, FrontierOptions } from '../frontier.ts'
import type { CrawlBook } from './crawl-book.ts'
import type { Where } from './where.ts'

/** How to open a frontier on Redis or Valkey. */
export interface RedisOptions extends FrontierOptions {
  readonly where: Where
  /** The id of this crawler among those that work on the crawl; kept in its folder, so that it is the same next time. */
  readonly crawler: string
  /** Looks, offers and clears, but takes nothing and is not counted as a crawler; default false. */
  readonly isObserver?: boolean
  /** Now, in milliseconds since 1970, for tests; default: the engine's clock. */
  readonly clock?: Clock
  /** Called with a message when the engine is away, full or in motion, and once more when that is over. */
  readonly onTrouble?: (message: string) => void
}

/** A frontier on Redis or Valkey, shared by all crawlers that open it under the same name. */
export interface RedisFrontier extends Frontier {
  readonly book: CrawlBook
  /** The engine is away, full or in motion: calls wait. */
  readonly isInTrouble: boolean
  /** The number of the shard that a host belongs to. */
  partOf(host: string): number
  /** How many crawlers work on this crawl, this one included, as of the last heartbeat. */
  crawlersAlive(): number
}

/** Opens a frontier on Redis or Valkey; the first one to open a name makes it. */
export async function openRedis(_options: RedisOptions): Promise<RedisFrontier> {
  throw new Error('not built yet')
}
