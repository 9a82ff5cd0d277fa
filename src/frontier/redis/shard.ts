import type {
  BacklogClass,
  Cursor,
  Explanation,
  FrontierCounts,
  HostView,
  Link,
  LinkFilter,
  LinkView,
  Outlook,
  Page,
} from '../frontier.ts'
import type { Engine } from './engine.ts'
import type { HostPlace } from './host-places.ts'
import type {
  Admitted,
  Applicant,
  InLine,
  LostLease,
  OfferedLink,
  OpenTicket,
  OpenToken,
  OuterBound,
  Released,
  ReleasedToken,
  ReturnedTicket,
  ShardAsk,
  ShardOffered,
  ShardOwner,
  ShardRules,
  ShardSettled,
  ShardSettlement,
  ShardTaken,
  ShardVisit,
  Woken,
} from './moves.ts'

/** A host as its shard shows it. */
export interface ShardHostView extends HostView {
  /** Its number in the shard, from 1. */
  readonly number: number
  /** When it became known, in ms since 1970. */
  readonly sinceMs: number
}

/**
 * The moves of one shard, each of them atomic. Calls that write take effect in the order in which they were made, and may
 * be repeated by the engine. Without `nowMs` the engine's clock counts.
 */
export class Shard {
  readonly tag: string

  constructor(_engine: Engine, tag: string, _owner: ShardOwner, _rules: ShardRules) {
    this.tag = tag
  }

  /** `bounds`: hosts that may not become known, and why. */
  async offer(
    _links: readonly OfferedLink[],
    _bounds?: ReadonlyMap<string, OuterBound>,
    _nowMs?: number,
  ): Promise<ShardOffered> {
    throw new Error('not yet')
  }

  async unknownHosts(_names: readonly string[]): Promise<string[]> {
    throw new Error('not yet')
  }

  async take(_ask: ShardAsk, _nowMs?: number): Promise<ShardTaken> {
    throw new Error('not yet')
  }

  /** False: the ticket is no longer open. */
  async placeAt(_ticket: OpenTicket, _server: string, _nowMs?: number): Promise<boolean> {
    throw new Error('not yet')
  }

  async settle(
    _list: readonly ShardSettlement[],
    _bounds?: ReadonlyMap<string, OuterBound>,
    _nowMs?: number,
  ): Promise<ShardSettled> {
    throw new Error('not yet')
  }

  async settleFormer(
    _visits: readonly ShardVisit[],
    _bounds?: ReadonlyMap<string, OuterBound>,
    _nowMs?: number,
  ): Promise<ShardOffered & { pages: number }> {
    throw new Error('not yet')
  }

  async giveBack(_list: readonly ReturnedTicket[], _nowMs?: number): Promise<void> {
    throw new Error('not yet')
  }

  /** Hosts that are parked join again; those that are leased will not be parked. */
  async wake(_hosts: readonly Omit<Woken, 'hostShard'>[], _nowMs?: number): Promise<void> {
    throw new Error('not yet')
  }

  /** Returns the indexes of those that are no longer open. */
  async renew(_tickets: readonly OpenTicket[], _nowMs?: number): Promise<number[]> {
    throw new Error('not yet')
  }

  /**
   * Leases of this crawler from before this opening come back, and calls of its runs before are answered with
   * FRONTIER_BURIED from now on. `pages`: how many pages it has ever settled here.
   */
  async former(_crawler: string, _opening: number, _nowMs?: number): Promise<{ released: LostLease[]; pages: number }> {
    throw new Error('not yet')
  }

  /** Nobody has joined, hosts that are down get one more try, and everything parked tries again. */
  async revive(_nowMs?: number): Promise<void> {
    throw new Error('not yet')
  }

  async requeue(
    _links: readonly { readonly url: string; readonly host: HostPlace }[],
    _nowMs?: number,
  ): Promise<number> {
    throw new Error('not yet')
  }

  async block(_host: HostPlace, _forMs: number, _nowMs?: number): Promise<void> {
    throw new Error('not yet')
  }

  async setDelay(_host: HostPlace, _delayMs: number, _nowMs?: number): Promise<void> {
    throw new Error('not yet')
  }

  async note(_host: string, _key: string, _bytes: Uint8Array, _forMs: number, _nowMs?: number): Promise<void> {
    throw new Error('not yet')
  }

  async noted(_host: string, _key: string, _nowMs?: number): Promise<Uint8Array | undefined> {
    throw new Error('not yet')
  }

  async clearHost(_host: string): Promise<void> {
    throw new Error('not yet')
  }

  async clearAll(): Promise<void> {
    throw new Error('not yet')
  }

  /** Forgets the last call of this owner, who makes no more. */
  async leave(): Promise<void> {
    throw new Error('not yet')
  }

  /** Hosts that left the line of their server without having tried it, since the last call of this. */
  takeLeavers(): InLine[] {
    throw new Error('not yet')
  }

  async admit(_list: readonly Applicant[], _nowMs?: number): Promise<Admitted> {
    throw new Error('not yet')
  }

  async release(_list: readonly ReleasedToken[], _nowMs?: number): Promise<Released> {
    throw new Error('not yet')
  }

  async renewTokens(_list: readonly OpenToken[], _nowMs?: number): Promise<void> {
    throw new Error('not yet')
  }

  async leaveLine(_list: readonly InLine[], _nowMs?: number): Promise<{ wake: Woken[] }> {
    throw new Error('not yet')
  }

  /** Also what this shard's crawlers have settled: pages by crawler. */
  async counts(): Promise<FrontierCounts & { readonly pagesBy: ReadonlyMap<string, number> }> {
    throw new Error('not yet')
  }

  async explain(_urls: readonly string[], _nowMs?: number): Promise<Explanation[]> {
    throw new Error('not yet')
  }

  /** Hosts in the order of their numbers, after this one. */
  async hosts(_after: number, _limit: number, _nowMs?: number): Promise<ShardHostView[]> {
    throw new Error('not yet')
  }

  async host(_name: string, _nowMs?: number): Promise<ShardHostView | undefined> {
    throw new Error('not yet')
  }

  async link(_url: string): Promise<LinkView | undefined> {
    throw new Error('not yet')
  }

  async waiting(_host: string, _page: Cursor): Promise<Page<Link>> {
    throw new Error('not yet')
  }

  /** By host, then by depth and place; `after` is the `next` of this shard. */
  async links(_which: LinkFilter, _page: Cursor): Promise<Page<LinkView>> {
    throw new Error('not yet')
  }

  async outlook(_nowMs?: number): Promise<Omit<Outlook, 'next'> & { readonly next: HostView | undefined }> {
    throw new Error('not yet')
  }

  async backlog(): Promise<BacklogClass[]> {
    throw new Error('not yet')
  }
}
