import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, unixClock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { message } from '../base/messages/message.ts'
import { version } from '../base/version.ts'
import type { FilterLink } from '../decide/filtered-links.ts'
import { type Attachment, checkedAttachment } from '../decide/link-note.ts'
import type { RankLink } from '../decide/link-rank.ts'
import type { Stats } from '../folder/stats/stats.ts'
import type { PageScore } from '../run/live.ts'
import type { Opening } from '../run/opening/opening.ts'
import type { RebuildProgress } from '../run/opening/rebuild-frontier.ts'
import type { SessionState } from '../run/run-status.ts'
import { type CrawlEnd, CrawlSession } from '../run/session.ts'
import type { Action, ActionResult, HostChange, SettingsChange } from '../settings/actions.ts'
import { checkedOptions } from '../settings/check-options.ts'
import type { CrawlEvent } from '../settings/events.ts'
import type { CrawlSettings } from '../settings/settings.ts'
import { prepareBase, webUrl } from '../url/web.ts'
import type { ArchivedPage } from '../view/files/archived-page.ts'
import { serveRun } from '../view/process/serve-run.ts'
import type { UrlHistory } from '../view/questions/explained-shapes.ts'
import { feedBeginning, PageFeed } from './page-feed.ts'
import { PageScores } from './page-scores.ts'

/** The options of {@link crawl}: seeds, a folder, hooks, and any of the settings. Everything has a default. */
export interface CrawlOptions extends Partial<CrawlSettings> {
  /** Where the crawl begins; a URL without a scheme is https, and `sitemap:URL` names a sitemap. Not needed to continue a crawl. */
  readonly seeds?: readonly string[]
  /** Where everything is kept; `crawl` by default. If the folder holds a crawl, it continues with its settings. */
  readonly folder?: string
  /** Whether to use a new folder among the temporary files, which is removed when the crawl ends; then `folder` is left out. */
  readonly temporary?: boolean
  /**
   * Shares the crawl with other machines: `redis://[USER:PASSWORD@]HOST:PORT[,HOST:PORT…]/NAME`, or `rediss://`. The first one
   * brings the seeds and the settings of the crawl; the others join without. Each has its own folder, where the password is
   * never kept: give it each time.
   */
  readonly frontier?: string
  /** Whether to add seeds that the crawl in the folder does not have; otherwise they are an error. */
  readonly add?: boolean
  /** Which links that ended without a page to put back in the queue: `failed`, `refused`, `held`, or reasons such as `timeout`. */
  readonly retry?: readonly string[]
  /**
   * Whether to make the frontier in the folder again, from the archive and everything else that is there: for a frontier that is
   * damaged or missing. Nothing is requested for it, and what was there is set aside.
   */
  readonly rebuild?: boolean
  /** Called while `rebuild` works: how many archived pages were read again, and of how many. */
  onRebuild?(progress: RebuildProgress): void
  /**
   * Called with each page before the loop gets it; the crawl waits for it. If it throws, the page is handed out again at the next start. It may return
   * `{ score }`, from 0 to 1: the links of the page inherit it, those of pages with score 1 come first in their hosts.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing is right, too
  onPage?(page: ArchivedPage, tools: PageTools): void | PageScore | Promise<void | PageScore>
  /**
   * Decides whether to follow a link that scope and limits allow: a boolean, or `{ label, data }` to follow it and have them with its page.
   * `hops`: the number of links from a seed; `page`: the page with the link, its URL, label and data.
   */
  readonly filterLink?: FilterLink
  /**
   * Ranks a link among those of its host: from 1, which comes first, to 0. Undefined leaves it to the score of its page, or else to `rank`.
   * `text`: of the link on its page; `score`: what `onPage` returned for that page.
   */
  readonly rankLink?: RankLink
  /** Called with everything that happens; the crawl does not wait for it. */
  onEvent?(event: CrawlEvent): void
  /** Called with a sentence about each repair of what a crash left behind. */
  onRepair?(message: string): void
  /** Aborting it ends the crawl in good order. */
  readonly signal?: AbortSignal
}

/** What `onPage` can do with the page that it gets. A {@link Crawl} has the same, for the loop over the pages. */
export interface PageTools {
  /**
   * Puts a link in the queue, by an absolute URL or one relative to the page. `label` and `data` come back with its page, also after a kill; a
   * link that is known already keeps those it has. Resolves when the link is safe: to the reason if it is refused, such as `scope`.
   * Without `await`, the page counts as done only when the link is safe.
   */
  enqueue(url: string, attached?: Attachment): Promise<string | undefined>
  readonly items: Items
}

/** What a program extracted, in `items.jsonl` of the folder: one line per item. */
export interface Items {
  /**
   * Appends items: objects that JSON can hold, of at most 1 MiB each (`CRAWL_BAD_ITEM`). They are on disk before their page counts as done.
   * Those of a page that did not are dropped at the next start, and the page is handed out again.
   */
  push(...items: readonly object[]): void
}

/** When this many pages are waiting for their reader, the crawl waits too. */
const MOST_WAITING = 500

/**
 * Collects pages into a folder and hands them out as they arrive: `for await (const page of crawl({ seeds, limit: 100 })) …`.
 * Leaving the loop ends the crawl in good order; the same call continues it later. Each page is handed out at least once: a page
 * whose iteration threw, or was left with `break`, is handed out again at the next start.
 * All options are checked at once; any mistakes are reported as one `EscalonaError` with the code `CRAWL_BAD_OPTIONS`.
 */
export function crawl(options: CrawlOptions): Crawl {
  return new Crawl(options)
}

/** A crawl created by {@link crawl}. It begins when its pages are read, or with `run`. */
export class Crawl implements AsyncIterable<ArchivedPage>, PageTools {
  /** Why the crawl ended, and what its frontier counted; undefined until then. */
  end: CrawlEnd | undefined
  private readonly options: CrawlOptions
  private readonly checked: ReturnType<typeof checkedOptions>
  private session: CrawlSession | undefined
  private feed: PageFeed | undefined
  /** Present once the crawl has begun. */
  private opened: Promise<{ readonly session: CrawlSession; readonly feed: PageFeed }> | undefined
  /** Pages archived but not yet handed out, as far as this run knows. */
  private unread = 0
  private readonly scores: PageScores | undefined
  /** The page that is being handed out, and the links that were enqueued for it. */
  private current: { readonly page: ArchivedPage; readonly enqueued: Promise<unknown>[] } | undefined
  private temporaryFolder: string | undefined
  /** Pages of earlier runs are handed out first. */
  private isCatchingUp = true
  private wake = () => {}
  /** Aborted by `stop`: ends the wait for another machine to begin the crawl. */
  private readonly beginning = new AbortController()
  private isStopped = false
  /** Whether the loop over the pages was left: nothing can be enqueued any more. */
  private isLeft = false

  constructor(options: CrawlOptions) {
    this.options = options
    this.checked = checkedOptions(options)
    this.scores = options.onPage && new PageScores()
    if (options.temporary && options.folder !== undefined)
      throw new EscalonaError('CRAWL_BAD_OPTIONS/one', { mistake: message('settings/temporary-folder') })
  }

  readonly enqueue = async (url: string, attached: Attachment = {}): Promise<string | undefined> => {
    const { page, enqueued } = this.atHand()
    const checked = checkedAttachment(attached)
    const parsed = webUrl(String(url), prepareBase(page.url))
    if (typeof parsed === 'string') return parsed
    const offering = this.session!.enqueue(parsed, checked, page)
    enqueued.push(offering)
    offering.catch(() => {})
    return offering
  }

  readonly items: Items = {
    push: (...items) => {
      this.atHand()
      this.feed!.items.append(items)
    },
  }

  /** Statistics over all runs of this crawl; undefined until it has begun. */
  get stats(): Stats | undefined {
    return this.session?.stats
  }

  /** How this run began: whether it is the first, which settings changed, which links went back in the queue; undefined until it has begun. */
  get opening(): Opening | undefined {
    return this.session?.opening
  }

  /** What the crawl is doing; `stopping`: it finishes the open requests. Undefined until it has begun. */
  get state(): SessionState | undefined {
    return this.end === undefined ? this.session?.state : 'ended'
  }

  /** Runs to the end without handing pages to a loop; `onPage` is still called. */
  async run(): Promise<CrawlEnd> {
    for await (const _ of this) {
      // The pages go to onPage, if anywhere.
    }
    return this.end!
  }

  /** Finishes the open requests, then ends the crawl. */
  stop(): void {
    this.isStopped = true
    this.beginning.abort()
    this.session?.stop()
  }

  /**
   * Makes no new requests until `resume`; the open ones end. Also a later start stays paused. A crawl that machines share is
   * paused on this machine only.
   */
  async pause(): Promise<void> {
    await this.act({ kind: 'pause' })
  }

  /** Makes requests again after `pause`, in this run or an earlier one. */
  async resume(): Promise<void> {
    await this.act({ kind: 'resume' })
  }

  /** Adds seeds, and tries those again that were refused or failed. A URL without a scheme is https. */
  addSeeds(urls: readonly string[]): Promise<ActionResult> {
    return this.act({ kind: 'add seeds', urls })
  }

  /**
   * Changes settings, for this run and later ones: limit, delays, concurrency, strategy, scope, include, exclude and what else
   * {@link SettingsChange} names. Links that were held by a setting and are allowed now go back in the queue.
   */
  change(settings: SettingsChange): Promise<ActionResult> {
    return this.act({ kind: 'change settings', settings })
  }

  /** Gives one host a delay, blocks it, lets it be asked at once, or clears its queue. */
  changeHost(host: string, change: HostChange): Promise<ActionResult> {
    return this.act({ kind: 'change host', host, change })
  }

  /** Everything known about one URL: its state and why, its place in the queue, what robots.txt and the settings say. */
  async explain(url: string): Promise<UrlHistory> {
    await this.begun()
    const { CrawlView } = await import('../view/crawl-view.ts')
    const view = new CrawlView(this.folder!)
    return view.explain(url).finally(() => view.close())
  }

  private async act(action: Action): Promise<ActionResult> {
    const { session } = await this.begun()
    if (this.end !== undefined) throw new EscalonaError('CRAWL_NOT_RUNNING/ended')
    return session.act(action)
  }

  /** Waits while the folder is being opened. */
  private begun(): NonNullable<Crawl['opened']> {
    if (this.opened === undefined) throw new EscalonaError('CRAWL_NOT_BEGUN')
    return this.opened
  }

  /** The crawl's folder; of a temporary one, undefined until it has begun. */
  get folder(): string | undefined {
    return this.options.temporary ? this.temporaryFolder : (this.options.folder ?? 'crawl')
  }

  private atHand(): NonNullable<Crawl['current']> {
    if (this.current === undefined) throw new EscalonaError('CRAWL_NO_PAGE')
    return this.current
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ArchivedPage> {
    if (this.opened !== undefined) throw new EscalonaError('CRAWL_BEGUN')
    const stop = () => this.stop()
    this.options.signal?.addEventListener('abort', stop)
    this.opened = this.open()
    const { session, feed } = await this.opened
    if (this.isStopped || this.options.signal?.aborted) stop()
    const running = this.follow(session)
    try {
      while (!running.hasFailed) {
        const fed = feed.next()
        if (fed === undefined) {
          this.caughtUp(session)
          if (this.end !== undefined) break
          await new Promise<void>(resolve => (this.wake = resolve))
          continue
        }
        this.current = { page: fed.page, enqueued: [] }
        this.scores?.tell(fed.page, await this.options.onPage?.(fed.page, this))
        yield fed.page
        await Promise.all(this.current.enqueued)
        await feed.took(fed)
        this.current = undefined
        this.unread = Math.max(0, this.unread - 1)
        session.goOn()
      }
    } finally {
      this.options.signal?.removeEventListener('abort', stop)
      this.current = undefined
      this.isLeft = true
      this.scores?.end()
      session.stop()
      this.caughtUp(session)
      try {
        await running.ended
      } finally {
        await feed.close()
        this.removeTemporary()
      }
    }
  }

  private caughtUp(session: CrawlSession): void {
    this.isCatchingUp = false
    this.unread = 0
    session.goOn()
  }

  private follow(session: CrawlSession): { hasFailed: boolean; readonly ended: Promise<void> } {
    const running = { hasFailed: false, ended: Promise.resolve() }
    running.ended = session.run().then(
      end => {
        this.end = end
        this.wake()
      },
      error => {
        running.hasFailed = true
        this.wake()
        throw error
      },
    )
    running.ended.catch(() => {})
    return running
  }

  private removeTemporary(): void {
    if (this.temporaryFolder !== undefined)
      rmSync(this.temporaryFolder, { recursive: true, force: true, maxRetries: 3 })
  }

  private async open(): Promise<{ readonly session: CrawlSession; readonly feed: PageFeed }> {
    const {
      frontier,
      add = false,
      retry = [],
      rebuild = false,
      onRebuild,
      onEvent,
      filterLink,
      rankLink,
      onRepair,
    } = this.options
    if (this.options.temporary) this.temporaryFolder = mkdtempSync(join(tmpdir(), 'escalona-crawl-'))
    const folder = this.folder!
    const begin = feedBeginning(folder)
    const session = await CrawlSession.open({
      folder,
      seeds: this.checked.seeds,
      add,
      retry,
      rebuild,
      given: this.checked.given,
      version: version(),
      clock: unixClock,
      ...(filterLink !== undefined && { filterLink }),
      rankLink,
      scores: this.scores,
      ...(onRepair !== undefined && { onRepair }),
      ...(onRebuild !== undefined && { onRebuild }),
      frontier,
      signal: this.beginning.signal,
      serve: serveRun,
      mayGetMore: () => !this.isLeft && (this.isCatchingUp || this.unread > 0 || this.current !== undefined),
      isHeldUp: () => this.isCatchingUp || this.unread >= MOST_WAITING,
      onHappening: (happened, atMs) => {
        if (happened.kind === 'page' || (happened.kind === 'revisit' && happened.page.change !== 'same')) {
          this.unread++
          this.wake()
        }
        onEvent?.({ ...happened, atMs })
      },
    }).catch(error => {
      this.removeTemporary()
      throw error
    })
    this.session = session
    this.feed = new PageFeed(folder, begin, systemClock, onRepair)
    return { session, feed: this.feed }
  }
}
