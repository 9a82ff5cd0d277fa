import type { Clock } from '../base/clock.ts'
import type { Commit } from '../decide/decision.ts'
import type { HintBook } from '../decide/hint-book.ts'
import type { Policy } from '../decide/policy.ts'
import type { Resolver } from '../fetch/dns.ts'
import type { Proxies } from '../fetch/proxies.ts'
import type { Frontier, HostControl, Link, Ticket } from '../frontier/frontier.ts'
import type { CrawlHappening } from '../settings/events.ts'
import type { HostBook } from '../settings/host-settings.ts'
import type { Visitor } from '../visit/visitor.ts'
import type { CommitResult } from './committer.ts'
import type { NetworkWatch } from './network-watch.ts'
import type { Slots } from './slots.ts'

/** Everything that the life of a ticket needs. The web behind `names` and `visitor` may be the real one or one in memory. */
export interface TicketContext {
  readonly frontier: Pick<Frontier, 'place'> & Pick<HostControl, 'hold'>
  readonly policy: Pick<Policy, 'before' | 'after' | 'part'>
  /** Resolves host names. */
  readonly names: Pick<Resolver, 'resolve' | 'demote'>
  /** Decides which hosts are reached through a proxy and need no address. */
  readonly proxies: Proxies
  readonly slots: Slots
  readonly network: NetworkWatch
  readonly visitor: Pick<Visitor, 'visit'>
  readonly committer: {
    keep(entry: Commit): Promise<CommitResult>
    offer(batches: Iterable<readonly Link[]>): Promise<void>
  }
  /** Hears what sitemaps say about changes. */
  readonly hints: Pick<HintBook, 'offer' | 'learn'>
  readonly hosts: Pick<HostBook, 'delayMs'>
  /** Unix time. */
  readonly clock: Clock
  /** Whether it is too late to start a request for this ticket: its lease might end before the request times out. */
  isTooLate(ticket: Ticket): boolean
  /** To be called when links were offered outside of the end of a life. */
  goOn(): void
  emit(events: CrawlHappening): void
}
