import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { hostOf } from '../../url/host-of.ts'
import {
  badCursor,
  checkDuration,
  checkFilter,
  checkLimit,
  checkLinks,
  checkMost,
  checkName,
  checkSettlements,
  checkVisits,
  closed,
  refuseAgain,
} from '../checks.ts'
import type {
  BacklogClass,
  CrawlerBounds,
  Cursor,
  Explanation,
  FormerVisit,
  FrontierCounts,
  FrontierSupport,
  Hold,
  HostView,
  Link,
  LinkFilter,
  LinkView,
  Outlook,
  Page,
  Settled,
  Settlement,
  Taken,
  TicketId,
} from '../frontier.ts'
import { changedSettings, type FrontierSettings } from '../options.ts'
import { type CrawlBook, EngineBook } from './crawl-book.ts'
import { words } from './engine/crawl-words.ts'
import { backlogOf, countsOf, explainAll, hostsOf, outlookOf, pageThrough, shownHost } from './looking.ts'
import { type Moment, momentOf } from './moment.ts'
import type { RedisFrontier } from './open.ts'
import type { Part } from './part.ts'
import { grouped, partFor } from './session.ts'
import { FENCED } from './shard/shard-words.ts'
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
    this.book = new EngineBook(work.session.engine, name)
    this.clock = clock
    this.openAnew = openAnew
  }

  get isInTrouble(): boolean {
    return this.work.session.engine.isInTrouble
  }

  get missedLossMs(): number | undefined {
    return this.work.missedLossMs
  }

  partOf(host: string): number {
    return this.work.session.places.of(host).shard
  }

  crawlersAlive(): number {
    return this.work.crawlersAlive()
  }

  async offer(links: readonly Link[]): Promise<number> {
    this.check()
    checkLinks(links)
    const now = this.now()
    return this.steady(async ({ offering }) => {
      const offer = await offering.begin([links])
      await offering.send(offer, () => true, now)
      await offering.end(offer)
      return offer.fresh[0] ?? 0
    })
  }

  async take(max: number): Promise<Taken> {
    this.check()
    checkMost(max)
    if (this.work.isObserver) throw new EscalonaError('FRONTIER_UNSUPPORTED', words().observer)
    const now = this.now()
    const takeNow = () => this.steady(work => work.take(max, now))
    const taken = this.lastTake.then(takeNow, takeNow)
    this.lastTake = taken
    return taken
  }

  async place(ticketId: TicketId, server: string): Promise<boolean> {
    this.check()
    checkName(server)
    const now = this.now()
    return this.steady(({ placing }) => placing.place(ticketId, server, now))
  }

  async settle(settlements: readonly Settlement[]): Promise<Settled> {
    this.check()
    checkSettlements(settlements)
    for (const { outcome } of settlements) if (outcome.kind === 'done') refuseAgain(outcome.again)
    const now = this.now()
    return this.steady(({ settling }) => settling.settle(settlements, now))
  }

  async settleFormer(visits: readonly FormerVisit[]): Promise<Settled> {
    this.check()
    checkVisits(visits)
    for (const { again } of visits) refuseAgain(again)
    const now = this.now()
    return this.steady(({ settling }) => settling.settleFormer(visits, now))
  }

  async giveBack(ticketIds: readonly TicketId[]): Promise<void> {
    this.check()
    const now = this.now()
    await this.steady(({ placing }) => placing.giveBack(ticketIds, now))
  }

  async renew(ticketIds: readonly TicketId[]): Promise<readonly TicketId[]> {
    this.check()
    const now = this.now()
    return this.steady(({ placing }) => placing.renew(ticketIds, now))
  }

  async hold(host: string, { forMs, isAnew = false }: Hold): Promise<void> {
    this.check()
    checkName(host)
    checkDuration(forMs)
    const now = this.now()
    await this.at(host, now, async (part, { bounds, session }) => {
      if (await part.shard.block(session.places.of(host), forMs, isAnew, now.engineMs)) await bounds.countOne()
    })
  }

  async setDelay(host: string, delayMs: number): Promise<void> {
    this.check()
    checkName(host)
    checkDuration(delayMs)
    const now = this.now()
    await this.at(host, now, async (part, { bounds, session }) => {
      session.recent.setDelay(host, delayMs)
      if (await part.shard.setDelay(session.places.of(host), delayMs, now.engineMs)) await bounds.countOne()
    })
  }

  async note(host: string, key: string, bytes: Uint8Array, forMs: number): Promise<void> {
    this.check()
    checkName(host)
    checkDuration(forMs)
    const { engineMs } = this.now()
    await this.steady(({ session }) => partFor(session, host).shard.note(host, key, bytes, forMs, engineMs))
  }

  async noted(host: string, key: string): Promise<Uint8Array | undefined> {
    this.check()
    const { engineMs } = this.now()
    return partFor(this.work.session, host).shard.noted(host, key, engineMs)
  }

  async counts(): Promise<FrontierCounts> {
    this.check()
    return countsOf(this.parts)
  }

  async backlog(): Promise<readonly BacklogClass[]> {
    this.check()
    return backlogOf(this.parts)
  }

  async explain(urls: readonly string[]): Promise<readonly Explanation[]> {
    this.check()
    return explainAll(this.work.session, urls, this.now())
  }

  async hosts(page: Cursor): Promise<Page<HostView>> {
    this.check()
    const now = this.now()
    return pageThrough(this.parts, page, (part, some) => hostsOf(part, some, now))
  }

  async host(host: string): Promise<HostView | undefined> {
    this.check()
    const { engineMs } = this.now()
    const view = await partFor(this.work.session, host).shard.host(host, engineMs)
    return view && shownHost(view)
  }

  async link(url: string): Promise<LinkView | undefined> {
    this.check()
    return partFor(this.work.session, hostOf(url)).shard.link(url)
  }

  async waiting(host: string, page: Cursor): Promise<Page<Link>> {
    this.check()
    checkLimit(page.limit)
    if (page.after !== undefined && !/^\d{1,10}$/.test(page.after)) throw badCursor()
    return partFor(this.work.session, host).shard.waiting(host, page)
  }

  async links(which: LinkFilter, page: Cursor): Promise<Page<LinkView>> {
    this.check()
    checkFilter(which)
    const { host } = which
    const parts = host === undefined ? this.parts : [partFor(this.work.session, host)]
    return pageThrough(parts, page, ({ shard }, some) => shard.links(which, some))
  }

  async requeue(links: readonly Link[]): Promise<number> {
    this.check()
    checkLinks(links)
    const now = this.now()
    return this.steady(async ({ session }) => {
      const pages = links.filter(({ kind = 'page' }) => kind === 'page')
      const asked = pages.map(({ url }) => ({ url, host: session.places.of(hostOf(url)) }))
      const groups = grouped(asked, ({ host }) => host.shard)
      const counts = await Promise.all(
        [...groups].map(async ([number, some]) => {
          const part = session.parts[number]!
          const count = await part.shard.requeue(some, now.engineMs)
          part.isChanged = true
          return count
        }),
      )
      return counts.reduce((total, count) => total + count, 0)
    })
  }

  async outlook(): Promise<Outlook> {
    this.check()
    return outlookOf(this.parts, this.now())
  }

  async clear(host?: string, onCleared?: (links: readonly Link[]) => void): Promise<void> {
    this.check()
    const now = this.now()
    for (let after: string | undefined = '0'; host !== undefined && onCleared && after !== undefined; ) {
      const page: Page<Link> = await this.waiting(host, { after, limit: CLEARED_AT_ONCE })
      onCleared(page.items)
      after = page.next
    }
    if (host === undefined) await this.steady(work => work.clear())
    else await this.at(host, now, part => part.shard.clearHost(host))
  }

  async change(bounds: CrawlerBounds): Promise<void> {
    this.check()
    const { session } = this.work
    const { unproven, auxiliaries } = changedSettings(session.settings, bounds)
    session.settings = { ...session.settings, unproven, auxiliaries }
  }

  close(): Promise<void> {
    this.closing ??= this.finish()
    return this.closing
  }

  private get parts(): readonly Part[] {
    return this.work.session.parts
  }

  /** Changes something about one host. */
  private at(host: string, now: Moment, change: (part: Part, work: Work) => Promise<void>): Promise<void> {
    return this.steady(async work => {
      const part = partFor(work.session, host)
      await change(part, work)
      part.isChanged = true
      await work.servers.passOn(part, now)
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

  /** A crawler that only its heartbeat finds fenced, while nobody calls, reopens as well. */
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

  private now(): Moment {
    return momentOf(this.clock)
  }

  private check(): void {
    if (this.closing !== undefined) throw closed()
  }
}
