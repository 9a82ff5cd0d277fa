// A shard on a real Redis, beside the oracle.
import type { Link } from '../../../src/frontier/frontier.ts'
import { Engine } from '../../../src/frontier/redis/engine/engine.ts'
import { parseWhere } from '../../../src/frontier/redis/engine/where.ts'
import { HostShards } from '../../../src/frontier/redis/shard/host-shards.ts'
import type { OfferedLink, ShardRules } from '../../../src/frontier/redis/shard/moves.ts'
import { Shard } from '../../../src/frontier/redis/shard/shard.ts'
import { hostOf } from '../../../src/url/host-of.ts'
import type { Owner, Server } from '../../redis/servers.ts'

export const places = new HostShards(1)

export const RULES: ShardRules = {
  ...{ strategy: 'breadth', exploreChance: 0.7, seed: 1, leaseMs: 60_000, delayMs: 0, retries: 3 },
  ...{ maxHostsPerDomain: Number.POSITIVE_INFINITY, fingerprintSeed: [1, 2], perServer: 4, serverGapMs: 0 },
  recrawl: false,
}

/** As many as there are. */
export const ALL = {
  ...{ max: 128, pages: Number.POSITIVE_INFINITY, unproven: Number.POSITIVE_INFINITY },
  auxiliaries: Number.POSITIVE_INFINITY,
}

export async function openEngine(t: Owner, server: Server): Promise<Engine> {
  const engine = await Engine.open({ where: parseWhere(server.url('test')) })
  t.after(() => engine.close())
  return engine
}

export interface ShardOptions {
  readonly tag?: string
  readonly owner?: string
  readonly opening?: number
  readonly revivals?: number
  readonly rules?: Partial<ShardRules>
}

export function shardOn(engine: Engine, options: ShardOptions = {}): Shard {
  const { tag = '{test.a}', owner = 'me', opening = 1, revivals = 1, rules = {} } = options
  return new Shard(engine, tag, 0, { id: owner, opening, revivals }, { ...RULES, ...rules })
}

/** Links as a shard gets them, all of one group. */
export function offered(links: readonly Link[], group = 0): OfferedLink[] {
  return links.map(link => ({ link, host: places.of(hostOf(link.url)), group }))
}

export function page(url: string, more: Partial<Link> = {}): Link {
  return { url, rank: url.split('/').length - 3, hops: 1, ...more }
}
