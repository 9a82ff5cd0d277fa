// Frontiers on real processes of Redis: one alone with a single shard, and a cluster with several.
import type { Clock } from '../../src/base/clock.ts'
import { uniqueName } from '../../src/base/random.ts'
import type { FrontierOptions } from '../../src/frontier/frontier.ts'
import { slotOf } from '../../src/frontier/redis/engine/slot.ts'
import { parseWhere } from '../../src/frontier/redis/engine/where.ts'
import { openRedis, type RedisFrontier } from '../../src/frontier/redis/open.ts'
import { crawlTag, shardTags } from '../../src/frontier/redis/shard/host-shards.ts'
import type { Cluster } from '../redis/cluster.ts'
import type { Server } from '../redis/servers.ts'
import type { HandClock } from './hand-clock.ts'
import type { Maker, Need, Subject } from './maker.ts'
import { type TimedFrontier, timed } from './timed.ts'

const LACKS: readonly Need[] = ['ownClock', 'knownOrder', 'callOrder']

/** All hosts are in one shard. */
export function redisMaker(server: Server): Maker {
  const engine: TestEngine = {
    shards: 1,
    url: name => server.url(name, '?shards=1'),
    at: async () => server,
  }
  return makerOn('Redis', engine, LACKS)
}

/** So many shards that each primary has several, and not equally many. */
export function clusterMaker(cluster: Cluster, shards = 7): Maker {
  const engine: TestEngine = {
    shards,
    url: name => cluster.url(name, `?shards=${shards}`),
    at: key => cluster.primaryOf(slotOf(key)),
  }
  return makerOn('Redis Cluster', engine, [...LACKS, 'onePart'])
}

/** What the frontiers under test lie on. */
interface TestEngine {
  readonly shards: number
  url(name: string): string
  /** The primary that has a key. */
  at(key: string): Promise<Server>
}

function makerOn(name: string, engine: TestEngine, lacks: readonly Need[]): Maker {
  return {
    name,
    parts: engine.shards,
    pace: 0.4,
    lacks,
    make: (options, clock) => RedisSubject.open(engine, uniqueName(), options, clock),
  }
}

/** Opens one more client of a crawl. */
export function openClient(
  url: string,
  crawler: string,
  options: FrontierOptions,
  clock: Clock | undefined,
): Promise<RedisFrontier> {
  return openRedis({ ...options, where: parseWhere(url), crawler, ...(clock ? { clock } : {}) })
}

class RedisSubject implements Subject {
  readonly repairs: readonly string[] = []
  private opened: (RedisFrontier & TimedFrontier) | undefined
  private readonly engine: TestEngine
  private readonly name: string
  private readonly clock: HandClock
  private options: FrontierOptions

  private constructor(engine: TestEngine, name: string, options: FrontierOptions, clock: HandClock) {
    this.engine = engine
    this.name = name
    this.options = options
    this.clock = clock
  }

  static async open(
    engine: TestEngine,
    name: string,
    options: FrontierOptions,
    clock: HandClock,
  ): Promise<RedisSubject> {
    const subject = new RedisSubject(engine, name, options, clock)
    await subject.openIt()
    return subject
  }

  get frontier(): RedisFrontier & TimedFrontier {
    return this.opened!
  }

  async reopen(options = this.options): Promise<void> {
    this.options = options
    await this.frontier.close()
    await this.openIt()
  }

  /** What a crawler leaves that dies now: a copy of all keys under another name, opened by the same crawler. */
  async afterCrash(): Promise<Subject> {
    const copy = uniqueName()
    const { shards } = this.engine
    const tags = [this.name, copy].map(name => [crawlTag(name), ...shardTags(name, shards)])
    await Promise.all(tags[0]!.map((tag, n) => copyKeys(this.engine, tag, tags[1]![n]!)))
    return RedisSubject.open(this.engine, copy, this.options, this.clock)
  }

  async end(): Promise<void> {
    await this.opened?.close().catch(() => {})
  }

  private async openIt(): Promise<void> {
    const { engine, name, options, clock } = this
    this.opened = timed(await openClient(engine.url(name), 'tester', options, clock.read), clock)
  }
}

/** Copies all keys with one tag to the same keys with another. */
async function copyKeys(engine: TestEngine, from: string, to: string): Promise<void> {
  const [source, target] = [await engine.at(from), await engine.at(to)]
  let cursor = '0'
  do {
    const found = await source.raw('SCAN', cursor, 'MATCH', `${from}*`, 'COUNT', '1000')
    const [next, keys] = found as unknown as [Buffer, Buffer[]]
    const copied = keys.map(async key => {
      const [value, ttlMs] = await Promise.all([source.raw('DUMP', key), source.ask('PTTL', key)])
      const copy = Buffer.concat([Buffer.from(to), key.subarray(from.length)])
      const restore = ['RESTORE', copy, String(Math.max(0, Number(ttlMs))), value as unknown as Buffer, 'REPLACE']
      if (value) await target.ask(...restore)
    })
    await Promise.all(copied)
    cursor = String(next)
  } while (cursor !== '0')
}
