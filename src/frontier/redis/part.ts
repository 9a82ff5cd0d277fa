import type { ShardLeft, ShardTaken } from './shard/moves.ts'
import type { Shard } from './shard/shard.ts'

/** How long what a shard said is believed, while other crawlers change it. */
const BELIEVED_MS = 250

/** How many more tickets of each kind may be opened; less than 0: so many too many are open. */
export interface Quotas {
  pages: number
  unproven: number
  auxiliaries: number
}

const NOTHING: ShardLeft = { known: 0, waiting: 0, down: 0, leased: 0, auxiliaries: 0 }

/** A shard, and what this client believes of it: so that a shard with nothing to lease is not asked for nothing. */
export class Part {
  readonly number: number
  readonly shard: Shard
  /** This client has done something there since it was last asked. */
  isChanged = true
  /** When something may happen there by itself. */
  nextMs = Number.POSITIVE_INFINITY
  left: ShardLeft = NOTHING
  /** Pages that this client has settled there, over all of its runs. */
  pages = 0
  private askedMs = Number.NEGATIVE_INFINITY
  private joined = { auxiliaries: 0, proven: 0, unproven: 0 }

  constructor(number: number, shard: Shard) {
    this.number = number
    this.shard = shard
  }

  /** Whether anything could have come up since it was last asked. */
  isDue(localMs: number, isAlone: boolean, ownPages: number): boolean {
    if (this.isChanged || this.nextMs <= localMs) return true
    // A clock that went back asks again, too.
    if (localMs < this.askedMs) return true
    return (!isAlone || this.hasOthers(ownPages)) && localMs - this.askedMs >= BELIEVED_MS
  }

  /**
   * Whether another crawler may have had tickets there when it was last asked: one that this client has not heard of yet, or
   * that has left since. `ownPages`: page tickets that this client has open there.
   */
  hasOthers(ownPages: number): boolean {
    return this.left.leased > ownPages
  }

  /** Whether a host is known to have joined there that these quotas allow. */
  hasFor({ pages, unproven, auxiliaries }: Quotas): boolean {
    const { joined } = this
    if (joined.auxiliaries > 0 && auxiliaries > 0) return true
    return pages > 0 && (joined.proven > 0 || (joined.unproven > 0 && unproven > 0))
  }

  /** Remembers what it said. `isFull`: it gave as many tickets as were asked for, so there may be more. */
  heard({ waitMs, left, joined }: ShardTaken, localMs: number, isFull: boolean): void {
    this.isChanged = isFull
    this.nextMs = waitMs === undefined ? Number.POSITIVE_INFINITY : localMs + waitMs
    this.left = left
    this.joined = joined
    this.askedMs = localMs
  }

  /** Something will happen there, this long from now. */
  expect(inMs: number, localMs: number): void {
    this.nextMs = Math.min(this.nextMs, localMs + inMs)
  }

  /** How many links and tickets keep the crawl open. */
  get stillOpen(): number {
    const { waiting, down, leased, auxiliaries } = this.left
    return waiting - down + leased + auxiliaries
  }
}
