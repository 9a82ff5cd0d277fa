import { type Clock, unixClock } from '../../base/clock.ts'
import { checkTime } from '../checks.ts'
import type { FrontierSettings } from '../options.ts'
import type { Crawlers } from './crawlers.ts'
import type { Engine } from './engine/engine.ts'
import type { HostBounds } from './offering.ts'
import type { OwnTickets } from './own-tickets.ts'
import type { RecentVisits } from './recent-visits.ts'
import type { HostShards } from './shard/host-shards.ts'
import type { Quotas, ShardLeft, ShardTaken } from './shard/moves.ts'
import { Shard } from './shard/shard.ts'

/** What a client of a shared crawl works with. */
export interface EngineSession {
  readonly engine: Engine
  /** Of what concerns the whole crawl. */
  readonly tag: string
  settings: FrontierSettings
  readonly hosts: HostShards
  readonly tickets: OwnTickets
  readonly crawlers: Crawlers
  /** By their numbers. */
  readonly shards: readonly TrackedShard[]
  readonly bounds: HostBounds
  readonly fingerprintSeed: readonly [number, number]
  readonly recent: RecentVisits
  /** The id under which this client writes. */
  readonly owner: string
  /** The number of its opening: what it counts begins at a multiple of it. */
  readonly opening: number
}

/** How long what a shard said is believed, while other crawlers change it. */
const BELIEVED_MS = 250

/** A shard, and what this client believes of it: a shard with nothing to lease is not asked in vain. */
export class TrackedShard extends Shard {
  /** This client has changed something there since it was last asked. */
  isChanged = true
  /** When something may happen there by itself. */
  nextMs = Number.POSITIVE_INFINITY
  remaining: ShardLeft = {
    ...{ known: 0, waiting: 0, down: 0, leased: 0, auxiliaries: 0 },
    ...{ planned: 0, due: 0, downDue: 0, revisiting: 0, hasCome: false },
  }
  /** Pages that this client has settled there, over all of its runs. */
  pages = 0
  /** When it was last asked: its hosts, and at how many of them links that wait did not count as waiting. */
  private hostCount = 0
  private fullCount = 0
  private askedMs = Number.NEGATIVE_INFINITY
  private joined = { auxiliaries: 0, proven: 0, unproven: 0 }

  /** Whether anything could have come up since it was last asked. */
  isDue(localMs: number, isAlone: boolean, ownPages: number): boolean {
    if (this.isChanged || this.nextMs <= localMs) return true
    // A clock that went back asks again, too.
    if (localMs < this.askedMs) return true
    return (!isAlone || this.hasOthers(ownPages)) && localMs - this.askedMs >= BELIEVED_MS
  }

  /**
   * Whether another crawler may have had tickets there when it was last asked: one that this client does not know yet, or
   * that has left since. `ownPages`: page tickets that this client has open there.
   */
  hasOthers(ownPages: number): boolean {
    return this.remaining.leased + this.remaining.revisiting > ownPages
  }

  /** Whether links that wait do not count as waiting at all of its hosts, or count at all of them. Without hosts, both. */
  isWeighed(isFull: boolean): boolean {
    return this.fullCount === (isFull ? this.hostCount : 0)
  }

  /** Whether a host is known to have joined there that these quotas allow. */
  hasFor({ pages, unproven, auxiliaries }: Quotas): boolean {
    const { joined } = this
    if (joined.auxiliaries > 0 && auxiliaries > 0) return true
    return pages > 0 && (joined.proven > 0 || (joined.unproven > 0 && unproven > 0))
  }

  /** Remembers what it said. `hasMore`: it gave as many tickets as were asked for. */
  heard({ waitMs, left, joined, full, hosts }: ShardTaken, localMs: number, hasMore: boolean): void {
    this.isChanged = hasMore
    this.fullCount = full
    this.hostCount = hosts
    this.nextMs = waitMs === undefined ? Number.POSITIVE_INFINITY : localMs + waitMs
    this.remaining = left
    this.joined = joined
    this.askedMs = localMs
  }

  /** How many links and tickets keep the crawl open. `isFull`: links that wait are not wanted. */
  stillOpen({ isFull, recrawl }: { readonly isFull: boolean; readonly recrawl: boolean }): number {
    const { waiting, down, leased, auxiliaries, due, downDue, revisiting, hasCome } = this.remaining
    const fresh = isFull ? 0 : waiting - down
    const again = recrawl ? due - downDue + Number(hasCome) : 0
    return fresh + again + leased + auxiliaries + revisiting
  }
}

export function shardFor({ hosts, shards }: EngineSession, host: string): TrackedShard {
  return shards[hosts.of(host).shard]!
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

/** Does this in all shards that have a group, at the same time. */
export function inShards<Kind extends Shard, Item, Result>(
  { shards }: { readonly shards: readonly Kind[] },
  groups: ReadonlyMap<number, Item[]>,
  act: (shard: Kind, some: Item[]) => Promise<Result>,
): Promise<Result[]> {
  return Promise.all([...groups].map(([number, some]) => act(shards[number]!, some)))
}

/** One call of a client, at its time. */
export interface Call {
  readonly session: EngineSession
  readonly nowMs: CallTime
}

/** The time of a call: that of a test, or undefined: the engine's clock counts. */
export type CallTime = number | undefined

export function callTime(clock: Clock | undefined): CallTime {
  const nowMs = clock?.()
  if (nowMs !== undefined) checkTime(nowMs)
  return nowMs
}

/** By the clock of this client, or that of a test: only ever used for durations. */
export function localTime(nowMs: CallTime): number {
  return nowMs ?? unixClock()
}
