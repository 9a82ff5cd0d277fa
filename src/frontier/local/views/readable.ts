import type { Clock } from '../../../base/clock.ts'
import { checkTime } from '../../checks.ts'
import type {
  BacklogClass,
  Cursor,
  Explanation,
  Frontier,
  FrontierCounts,
  HostView,
  Link,
  LinkFilter,
  LinkView,
  Outlook,
  Page,
} from '../../frontier.ts'
import type { LinkTexts } from '../journal/link-texts.ts'
import type { FrontierState } from '../state/state.ts'
import { Listing } from './listing.ts'
import { Views } from './views.ts'

/** The part of a frontier that changes nothing: what can be seen of it. */
export type FrontierView = Pick<
  Frontier,
  'counts' | 'backlog' | 'explain' | 'host' | 'hosts' | 'link' | 'links' | 'waiting' | 'outlook' | 'noted' | 'close'
>

/** Implements the part of a frontier that changes nothing. */
export abstract class ReadableFrontier implements FrontierView {
  protected readonly state: FrontierState
  private readonly clock: Clock
  protected readonly views: Views
  private readonly listing: Listing

  constructor(state: FrontierState, texts: LinkTexts, clock: Clock) {
    this.state = state
    this.clock = clock
    this.views = new Views(state, texts)
    this.listing = new Listing(state, texts.inOrder())
  }

  /** Throws when the frontier can no longer be used. */
  protected abstract check(): void

  abstract close(): Promise<void>

  async counts(): Promise<FrontierCounts> {
    this.check()
    return this.views.counts()
  }

  async backlog(): Promise<readonly BacklogClass[]> {
    this.check()
    return this.state.backlog.classes(host => this.state.hosts.text(host))
  }

  async explain(urls: readonly string[], nowMs = this.clock()): Promise<readonly Explanation[]> {
    this.check()
    return this.views.explain(urls, nowMs)
  }

  async hosts(page: Cursor, nowMs = this.clock()): Promise<Page<HostView>> {
    this.check()
    return this.views.hosts(page, nowMs)
  }

  async host(host: string, nowMs = this.clock()): Promise<HostView | undefined> {
    this.check()
    return this.views.host(host, nowMs)
  }

  async link(url: string): Promise<LinkView | undefined> {
    this.check()
    return this.listing.one(url)
  }

  async waiting(host: string, page: Cursor): Promise<Page<Link>> {
    this.check()
    return this.views.waiting(host, page)
  }

  async links(which: LinkFilter, page: Cursor): Promise<Page<LinkView>> {
    this.check()
    return this.listing.page(which, page)
  }

  async outlook(nowMs = this.clock()): Promise<Outlook> {
    this.check()
    checkTime(nowMs)
    return this.views.outlook(nowMs)
  }

  async noted(host: string, key: string, nowMs = this.clock()): Promise<Uint8Array | undefined> {
    this.check()
    return this.state.notes.get(host, key, nowMs)
  }
}
