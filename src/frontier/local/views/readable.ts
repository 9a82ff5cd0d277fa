import type { Clock } from '../../../base/clock.ts'
import { checkTime } from '../../checks.ts'
import type {
  BacklogClass,
  Cursor,
  Explanation,
  Frontier,
  FrontierCounts,
  FrontierViews,
  HostNotes,
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

/** What a frontier shows without being changed. */
export interface FrontierView extends FrontierViews, Pick<Frontier, 'counts' | 'close'>, Pick<HostNotes, 'noted'> {}

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

  async explain(urls: readonly string[]): Promise<readonly Explanation[]> {
    this.check()
    return this.views.explain(urls, this.clock())
  }

  async hosts(page: Cursor): Promise<Page<HostView>> {
    this.check()
    return this.views.hosts(page, this.clock())
  }

  async host(host: string): Promise<HostView | undefined> {
    this.check()
    return this.views.host(host, this.clock())
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

  async outlook(): Promise<Outlook> {
    this.check()
    const nowMs = this.clock()
    checkTime(nowMs)
    return this.views.outlook(nowMs)
  }

  async noted(host: string, key: string): Promise<Uint8Array | undefined> {
    this.check()
    return this.state.notes.get(host, key, this.clock())
  }
}
