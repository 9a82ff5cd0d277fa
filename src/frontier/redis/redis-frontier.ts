import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { hostOf } from '../../url/host-of.ts'
import {
  badCursor,
  checkDuration,
  checkFilter,
  checkHints,
  checkLimit,
  checkLinks,
  checkMost,
  checkName,
  checkPlans,
  checkSettlements,
  checkVisits,
  closed,
} from '../checks.ts'
import type {
  BacklogClass,
  CrawlerBounds,
  Cursor,
  Explanation,
  FormerVisit,
  FrontierCounts,
  FrontierSupport,
  Hint,
  Hold,
  HostView,
  Link,
  LinkFilter,
  LinkView,
  Outlook,
  Page,
  PlannedVisit,
  Settled,
  Settlement,
  Taken,
  TicketId,
} from '../frontier.ts'
import { changedSettings, type FrontierSettings } from '../options.ts'
import { CrawlBook } from './crawl-book.ts'
import { backlogOf, countsOf, explainAll, hostsOf, outlookOf, pageThrough, shownHost } from './looking.ts'
import { Offer } from './offering.ts'
import type { RedisFrontier } from './open.ts'
import { giveBack, place, renew, settle, settleFormer } from './open-tickets.ts'
import { hint, plan } from './planning.ts'
import { changed } from './servers.ts'
import {
  type CallTime,
  callTime,
  type EngineSession,
  grouped,
  inShards,
  shardFor,
  type TrackedShard,
} from './session.ts'
import { FENCED } from './shard/replies.ts'
import type { Work } from './work.ts'

/** How long closing waits for an engine that does not answer. */
const CLOSING_MS = 1000

/** Links of a host that is cleared are read in pages. */
const CLEARED_AT_ONCE = 1000

/**
 * The frontier that all crawlers of a crawl share. It keeps nothing of its own but what makes asking cheap: every promise is
 * kept by the scripts in the engine.
 */
export class SharedFrontier implements RedisFrontier {
  readonly supports: FrontierSupport = { exactOrder: false, reopen: true }
  readonly book: CrawlBook
  private work: Work
  /** Opens the frontier anew for a crawler that was fenced. */
  private readonly openAnew: (settings: FrontierSettings) => Promise<Work>
  private reopening: Promise<void> | undefined
  private readonly clock: Clock | undefined
  private closing: Promise<void> | undefined
  private readonly underWay = new Set<Promise<unknown>>()
  private lastTake: Promise<unknown> = Promise.resolve()

  constructor(
    work: Work,
    name: string,
    clock: Clock | undefined,
    openAnew: (settings: FrontierSettings) => Promise<Work>,
  ) {
    this.work = this.watched(work)
    this.book = new CrawlBook(work.session.engine, name)
    this.clock = clock
    this.openAnew = openAnew
  }

  get isInTrouble(): boolean {
    return this.work.session.engine.isInTrouble
  }

  get missedLossMs(): number | undefined {
    return this.work.arrival.missedLossMs
  }

  partOf(host: string): number {
    return this.work.session.hosts.of(host).shard
  }

  crawlersAlive(): number {
    return this.work.session.crawlers.alive.length
  }

  async offer(links: readonly Link[]): Promise<number> {
    const nowMs = this.begin()
    checkLinks(links)
    return this.steady(async ({ session }) => {
      const offer = await Offer.begin({ session, nowMs }, [links])
      await offer.send(() => true)
      await offer.end()
      return offer.fresh[0] ?? 0
    })
  }

  async take(max: number): Promise<Taken> {
    const nowMs = this.begin()
    checkMost(max)
    if (this.work.arrival.isObserver) throw new EscalonaError('FRONTIER_UNSUPPORTED/observer')
    const takeNow = () => this.steady(work => work.take(max, nowMs))
    const taken = this.lastTake.then(takeNow, takeNow)
    this.lastTake = taken
    return taken
  }

  async place(ticketId: TicketId, server: string): Promise<boolean> {
    const nowMs = this.begin()
    checkName(server)
    return this.steady(({ session }) => place({ session, nowMs }, ticketId, server))
  }

  async settle(settlements: readonly Settlement[]): Promise<Settled> {
    const nowMs = this.begin()
    checkSettlements(settlements)
    return this.steady(({ session }) => settle({ session, nowMs }, settlements))
  }

  async settleFormer(visits: readonly FormerVisit[]): Promise<Settled> {
    const nowMs = this.begin()
    checkVisits(visits)
    return this.steady(({ session }) => settleFormer({ session, nowMs }, visits))
  }

  plan(visits: readonly PlannedVisit[]): Promise<number> {
    return this.planAll(visits, false)
  }

  replan(visits: readonly PlannedVisit[]): Promise<number> {
    return this.planAll(visits, true)
  }

  async hint(hints: readonly Hint[], most = Number.POSITIVE_INFINITY): Promise<number> {
    const nowMs = this.begin()
    checkHints(hints)
    return this.steady(({ session }) => hint({ session, nowMs }, hints, most))
  }

  async giveBack(ticketIds: readonly TicketId[]): Promise<void> {
    const nowMs = this.begin()
    await this.steady(({ session }) => giveBack({ session, nowMs }, ticketIds))
  }

  async renew(ticketIds: readonly TicketId[]): Promise<readonly TicketId[]> {
    const nowMs = this.begin()
    return this.steady(({ session }) => renew({ session, nowMs }, ticketIds))
  }

  async hold(host: string, { forMs, isAnew = false }: Hold): Promise<void> {
    const nowMs = this.begin()
    checkName(host)
    checkDuration(forMs)
    await this.at(host, nowMs, async (shard, { bounds, hosts }) => {
      if (await shard.block(hosts.of(host), forMs, isAnew, nowMs)) await bounds.countOne()
    })
  }

  async setDelay(host: string, delayMs: number): Promise<void> {
    const nowMs = this.begin()
    checkName(host)
    checkDuration(delayMs)
    await this.at(host, nowMs, async (shard, { bounds, recent, hosts }) => {
      recent.setDelay(host, delayMs)
      if (await shard.setDelay(hosts.of(host), delayMs, nowMs)) await bounds.countOne()
    })
  }

  async note(host: string, key: string, bytes: Uint8Array, forMs: number): Promise<void> {
    const nowMs = this.begin()
    checkName(host)
    checkDuration(forMs)
    await this.steady(({ session }) => shardFor(session, host).note(host, key, bytes, forMs, nowMs))
  }

  async noted(host: string, key: string): Promise<Uint8Array | undefined> {
    const nowMs = this.begin()
    return this.shardFor(host).noted(host, key, nowMs)
  }

  async counts(): Promise<FrontierCounts> {
    this.begin()
    return countsOf(this.shards)
  }

  async backlog(): Promise<readonly BacklogClass[]> {
    this.begin()
    return backlogOf(this.shards)
  }

  async explain(urls: readonly string[]): Promise<readonly Explanation[]> {
    const nowMs = this.begin()
    return explainAll({ session: this.work.session, nowMs }, urls)
  }

  async hosts(page: Cursor): Promise<Page<HostView>> {
    const nowMs = this.begin()
    return pageThrough(this.shards, page, (shard, some) => hostsOf(shard, some, nowMs))
  }

  async host(host: string): Promise<HostView | undefined> {
    const nowMs = this.begin()
    const view = await this.shardFor(host).host(host, nowMs)
    return view && shownHost(view)
  }

  async link(url: string): Promise<LinkView | undefined> {
    this.begin()
    return this.shardFor(hostOf(url)).link(url)
  }

  async waiting(host: string, page: Cursor): Promise<Page<Link>> {
    this.begin()
    checkLimit(page.limit)
    if (page.after !== undefined && !/^\d{1,10}$/.test(page.after)) throw badCursor()
    return this.shardFor(host).waiting(host, page)
  }

  async links(which: LinkFilter, page: Cursor): Promise<Page<LinkView>> {
    this.begin()
    checkFilter(which)
    const { host } = which
    const shards = host === undefined ? this.shards : [this.shardFor(host)]
    return pageThrough(shards, page, (shard, some) => shard.links(which, some))
  }

  async requeue(links: readonly Link[]): Promise<number> {
    const nowMs = this.begin()
    checkLinks(links)
    const pages = links.filter(({ kind = 'page' }) => kind === 'page')
    return this.steady(async ({ session }) => {
      const asked = pages.map(({ url }) => ({ url, host: session.hosts.of(hostOf(url)) }))
      const groups = grouped(asked, ({ host }) => host.shard)
      const counts = await inShards(session, groups, async (shard, some) => {
        const count = await shard.requeue(some, nowMs)
        shard.isChanged = true
        return count
      })
      return counts.reduce((total, count) => total + count, 0)
    })
  }

  async outlook(): Promise<Outlook> {
    return outlookOf(this.shards, this.begin())
  }

  async clear(host?: string, onCleared?: (links: readonly Link[]) => void): Promise<void> {
    const nowMs = this.begin()
    for (let after: string | undefined = '0'; host !== undefined && onCleared && after !== undefined; ) {
      const page: Page<Link> = await this.waiting(host, { after, limit: CLEARED_AT_ONCE })
      onCleared(page.items)
      after = page.next
    }
    if (host === undefined) await this.steady(work => work.clear())
    else await this.at(host, nowMs, shard => shard.clearHost(host))
  }

  async change(bounds: CrawlerBounds): Promise<void> {
    this.begin()
    const { session } = this.work
    const { unproven, auxiliaries } = changedSettings(session.settings, bounds)
    session.settings = { ...session.settings, unproven, auxiliaries }
  }

  close(): Promise<void> {
    this.closing ??= this.finish()
    return this.closing
  }

  private async planAll(visits: readonly PlannedVisit[], isAnew: boolean): Promise<number> {
    const nowMs = this.begin()
    checkPlans(visits)
    return this.steady(({ session }) => plan({ session, nowMs }, visits, isAnew))
  }

  private get shards(): readonly TrackedShard[] {
    return this.work.session.shards
  }

  private shardFor(host: string): TrackedShard {
    return shardFor(this.work.session, host)
  }

  /** Changes something about one host. */
  private at(
    host: string,
    nowMs: CallTime,
    change: (shard: TrackedShard, session: EngineSession) => Promise<void>,
  ): Promise<void> {
    return this.steady(async ({ session }) => {
      const shard = shardFor(session, host)
      await change(shard, session)
      await changed({ session, nowMs }, shard)
    })
  }

  /**
   * Does this, and once more if the crawler was fenced meanwhile: it was cut off for longer than its leases last, so its
   * tickets are others' now, and it goes on as if it had been opened again.
   */
  private steady<Result>(doIt: (work: Work) => Promise<Result>): Promise<Result> {
    const call = this.untilNotFenced(doIt)
    this.underWay.add(call)
    const over = () => this.underWay.delete(call)
    call.then(over, over)
    return call
  }

  private async untilNotFenced<Result>(doIt: (work: Work) => Promise<Result>): Promise<Result> {
    for (;;) {
      const { work } = this
      try {
        return await doIt(work)
      } catch (error) {
        if (!(error instanceof EscalonaError) || error.code !== FENCED) throw error
        if (this.work === work) this.reopening ??= this.reopen()
        await this.reopening
      }
    }
  }

  /** Calls under way are finished first, as long as they end one after the other; an engine that is away is not waited for. */
  private async finish(): Promise<void> {
    while (this.underWay.size > 0) {
      const over = new AbortController()
      const late = sleep(CLOSING_MS, 'late', { signal: over.signal }).catch(() => {})
      const ended = Promise.any([...this.underWay].map(call => call.catch(() => {})))
      const first = await Promise.race([ended, late])
      over.abort()
      if (first === 'late') break
    }
    await this.work.close(CLOSING_MS)
  }

  /** A crawler that only its heartbeat finds fenced reopens as well. */
  private watched(work: Work): Work {
    work.onFenced = () => this.steady(({ session }) => session.crawlers.beat())
    return work
  }

  private async reopen(): Promise<void> {
    try {
      const reopened = this.watched(await this.openAnew(this.work.session.settings))
      this.work.stop()
      this.work = reopened
      if (this.closing !== undefined) reopened.stop()
    } finally {
      this.reopening = undefined
    }
  }

  /** At the beginning of every call: its time. */
  private begin(): CallTime {
    if (this.closing !== undefined) throw closed()
    return callTime(this.clock)
  }
}
