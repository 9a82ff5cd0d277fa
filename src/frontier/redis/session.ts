import type { FrontierSettings } from '../options.ts'
import type { CrawlStructure } from './crawl-structure.ts'
import type { Crawlers } from './crawlers.ts'
import type { Engine } from './engine/engine.ts'
import type { OwnTickets } from './own-tickets.ts'
import type { Part } from './part.ts'
import type { RecentVisits } from './recent-visits.ts'
import type { HostShards } from './shard/host-places.ts'

/** What a client of a shared crawl works with. */
export interface EngineSession {
  readonly engine: Engine
  /** Of what concerns the whole crawl. */
  readonly tag: string
  settings: FrontierSettings
  readonly places: HostShards
  readonly tickets: OwnTickets
  readonly crawlers: Crawlers
  /** The shards, by their numbers. */
  readonly parts: readonly Part[]
  readonly structure: Pick<CrawlStructure, 'fingerprintSeed'>
  readonly recent: RecentVisits
  /** The id under which this client writes. */
  readonly owner: string
  /** The number of its opening: what it counts begins at a multiple of it. */
  readonly opening: number
}

/** The part of a host. */
export function partFor({ places, parts }: EngineSession, host: string): Part {
  return parts[places.of(host).shard]!
}

/** The items by a number of each: its shard, for example. */
export function grouped<Item>(items: readonly Item[], numberOf: (item: Item) => number): Map<number, Item[]> {
  const groups = new Map<number, Item[]>()
  for (const item of items) {
    const number = numberOf(item)
    const group = groups.get(number)
    if (group === undefined) groups.set(number, [item])
    else group.push(item)
  }
  return groups
}
