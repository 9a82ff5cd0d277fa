import { EscalonaError } from '../../base/errors.ts'
import { unpredictableSeed } from '../../base/random.ts'
import { unfinished } from '../dump-errors.ts'
import type { CrawlFrontier, FrontierOptions } from '../frontier.ts'
import { type FrontierSettings, settingsOf } from '../options.ts'
import type { CrawlBook } from './crawl-book.ts'
import { DEFAULT_SHARDS, FORMAT } from './crawl-structure.ts'
import { BEAT_MS, BEATS_TO_GONE, Crawlers } from './crawlers.ts'
import { Engine } from './engine/engine.ts'
import { CRAWL_SCRIPTS } from './engine/scripts.ts'
import { shownWhere, type Where } from './engine/where.ts'
import { HostBounds } from './offering.ts'
import { OwnTickets } from './own-tickets.ts'
import { RecentVisits } from './recent-visits.ts'
import type { Loss } from './recovering.ts'
import { SharedFrontier } from './redis-frontier.ts'
import { callTime, TrackedShard } from './session.ts'
import { crawlTag, HostShards, shardTags } from './shard/host-shards.ts'
import { listOf, numberOf } from './shard/replies.ts'
import { Work } from './work.ts'

/** How to open a frontier on Redis or Valkey. */
export interface RedisOptions extends FrontierOptions {
  readonly where: Where
  /** The id of this crawler among those that work on the crawl; kept in its folder, so that it is the same next time. */
  readonly crawler: string
  /** It has worked on this crawl before; default false. If the engine does not know it, the engine has forgotten all it did. */
  readonly hasWorked?: boolean
  /** Looks, offers and clears, but takes nothing and is not counted as a crawler; default false. */
  readonly isObserver?: boolean
  /** How often a crawler lets the others know that it is alive; after four times as long it counts as gone. Default 5 s. */
  readonly beatMs?: number
  /** Called with a message when the engine is away, full or in motion, and once more when that is over. */
  readonly onTrouble?: (message: string) => void
  /** Called with a message about each setting of the engine that puts the crawl at risk, and when changes count without their replicas. */
  readonly onAdvice?: (message: string) => void
  /**
   * Called when the engine has forgotten what it had acknowledged to this crawler. Nothing is taken until this resolves: offer again
   * what may be gone, and settle with `settleFormer` what was done.
   */
  readonly onLost?: (loss: Loss) => Promise<void>
  /** Called when hosts were set aside, because what the engine has of them can't be read. */
  readonly onDamaged?: (hosts: number) => void
}

/** A frontier on Redis or Valkey, shared by all crawlers that open it under the same name. */
export interface RedisFrontier extends CrawlFrontier {
  readonly book: CrawlBook
  /** The engine is away, full or in motion: calls wait. */
  readonly isInTrouble: boolean
  /** The number of the shard that a host belongs to. */
  partOf(host: string): number
  /** How many crawlers work on this crawl, this one included, as of the last heartbeat. */
  crawlersAlive(): number
  /** While this crawler was away, calls were lost that were made since this time (ms since 1970); undefined: none. */
  readonly missedLossMs: number | undefined
}

/** Opens a frontier on Redis or Valkey; the first one to open a name makes it. */
export async function openRedis(options: RedisOptions): Promise<RedisFrontier> {
  const first = settingsOf(options)
  const { where, crawler, clock, onTrouble, onAdvice = () => {}, isObserver = false } = options
  if (!isObserver && !/^[A-Za-z0-9._-]{1,100}$/.test(crawler)) {
    throw new EscalonaError('FRONTIER_BAD_OPTION/crawler')
  }
  const engine = await Engine.open({ where, onTrouble, ...(!isObserver && { onAdvice }) })
  const begin = async (settings: FrontierSettings) => {
    const work = await arrive(engine, options, settings)
    const { recovering, session } = work
    if (recovering && options.onLost) recovering.onLost = options.onLost
    for (const shard of session.shards) shard.onDamaged = hosts => options.onDamaged?.(hosts)
    await work.begin()
    return work
  }
  try {
    return new SharedFrontier(await begin(first), where.name, clock, begin)
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** Registers at the crawl, and makes it if there is none. */
async function arrive(engine: Engine, options: RedisOptions, settings: FrontierSettings): Promise<Work> {
  const { where, crawler, clock, isObserver = false, beatMs = BEAT_MS } = options
  const tag = crawlTag(where.name)
  const id = isObserver ? '' : crawler
  const given = [FORMAT, where.shards ?? 0, DEFAULT_SHARDS, ...unpredictableSeed()].map(String)
  const answer = listOf(await engine.run(CRAWL_SCRIPTS.open, tag, [...given, id, String(beatMs * BEATS_TO_GONE)]))
  const numbers = answer.map(numberOf)
  const [format = 0, shards = 0, seed0 = 0, seed1 = 0, opening = 0, revivals = 0] = numbers
  const [isFirst, formerOpening = 0, clearings = 0, losses = 0, formerLosses = 0, lostMs = 0] = numbers.slice(6)
  if (format === 0) throw new EscalonaError('FRONTIER_NOT_OURS', { name: where.name })
  if (format !== FORMAT) {
    throw new EscalonaError('FRONTIER_OTHER_VERSION', { name: where.name, theirs: format, ours: FORMAT })
  }
  if (opening < 0) throw unfinished(shownWhere(where))
  if (opening === 0) {
    throw new EscalonaError('FRONTIER_OTHER_SHARDS', { name: where.name, theirs: shards, ours: where.shards ?? 0 })
  }
  const owner = isObserver ? `observer:${opening}` : crawler
  const fingerprintSeed = [seed0, seed1] as const
  const isForgotten = options.hasWorked === true && formerOpening === 0
  const tickets = new OwnTickets()
  const { limit, leaseMs, delayMs } = settings
  const session = {
    ...{ engine, tag, settings, tickets, owner, opening, fingerprintSeed, hosts: new HostShards(shards) },
    crawlers: new Crawlers({
      ...{ engine, tag, opening, clearings, losses, limit, tickets, beatMs, leaseMs },
      selfId: id,
    }),
    shards: shardTags(where.name, shards).map((shardTag, number) => {
      const rules = { ...settings, fingerprintSeed }
      return new TrackedShard(engine, shardTag, number, { id: owner, opening, revivals }, rules)
    }),
    bounds: new HostBounds(engine, tag, owner, opening, settings),
    recent: new RecentVisits(delayMs),
  }
  return new Work(session, {
    ...{ formerOpening, isFirst: isFirst === 1, isObserver, beatMs, now: () => callTime(clock) },
    missedLossMs: isForgotten ? 0 : formerLosses < losses ? lostMs : undefined,
  })
}
