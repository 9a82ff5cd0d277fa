import type { PageLine } from '../archive/pages-file.ts'
import { unixClock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { type Language, language } from '../base/words/language.ts'
import type { FailureLine } from '../folder/failures-file.ts'
import type { FrontierCounts } from '../frontier/frontier.ts'
import { CurrentSource } from './current-source.ts'
import type { ArchivedPage } from './files/archived-page.ts'
import { checkCrawlFolder } from './files/check-crawl-folder.ts'
import type { ListedLink, ListFilter } from './listed.ts'
import type { UrlHistory } from './questions/explained-shapes.ts'
import type { HostFilter, ListedHost } from './questions/host-shapes.ts'
import {
  type Answered,
  type AskedName,
  type Asks,
  QUESTIONS,
  type Says,
  type ShownName,
  type SourceName,
  type View,
} from './questions/questions.ts'
import type { ShownAnswers } from './shown-answers.ts'
import type { CrawlStatus } from './status.ts'

export interface ViewOptions {
  /** The password of a frontier that machines share; a folder never keeps it. */
  readonly frontierPassword?: string | undefined
  /**
   * For those who ask again and again: what they search is indexed, and they wait for the process of a running crawl when it
   * does not answer yet, or no longer, with the error `CRAWL_CLOSING` meanwhile.
   */
  readonly isLive?: boolean
}

/**
 * Everything that can be seen of a crawl, and done to it. A running crawl is asked through its process, any other through its files.
 * Every answer is bounded in size and time, whatever the size of the crawl. Code is loaded when a question needs it: half of the time to
 * the first row of a command would otherwise go into loading modules.
 */
export class CrawlView implements View, CrawlReader {
  readonly folder: string
  private readonly source: CurrentSource
  private readonly isLive: boolean
  private shown: Promise<ShownAnswers> | undefined
  private isClosed = false

  /** Throws `CRAWL_NOT_FOUND` when the folder holds no crawl. */
  constructor(folder: string, { frontierPassword, isLive = false }: ViewOptions = {}) {
    checkCrawlFolder(folder)
    this.folder = folder
    this.isLive = isLive
    this.source = new CurrentSource(folder, unixClock, { frontierPassword, isPatient: isLive })
    if (isLive) this.shownAnswers().catch(() => {})
  }

  async ask<Name extends AskedName>(
    name: Name,
    question: Asks<Name>,
    inLanguage: Language = language(),
  ): Promise<Answered<Name>> {
    this.checkOpen()
    if ('shows' in QUESTIONS[name]) {
      const shown = await this.shownAnswers()
      return shown.ask(name as ShownName, question as never, inLanguage) as Promise<Answered<Name>>
    }
    const answer: Says<SourceName> = await this.source.ask(name as SourceName, question as never)
    if (name === 'act') (await this.shown)?.forgetNow()
    return answer as Answered<Name>
  }

  async status(): Promise<CrawlStatus> {
    this.checkOpen()
    const { statusOf } = await import('./status.ts')
    return statusOf(this.folder, this.source)
  }

  /** The crawl has ended: what its frontier counted then. From now on its state is made from this, without reading its frontier again. */
  end(frontier: FrontierCounts): void {
    this.shown?.then(
      shown => shown.end(frontier),
      () => {},
    )
  }

  async *pages(): AsyncGenerator<ArchivedPage> {
    const { ArchivedPage } = await import('./files/archived-page.ts')
    for await (const line of this.pageLines()) yield new ArchivedPage(line, this.folder)
  }

  async page(url: string): Promise<ArchivedPage | undefined> {
    this.checkOpen()
    const [{ ArchivedPage }, { canonicalForms }, { pageLineOf }] = await Promise.all([
      import('./files/archived-page.ts'),
      import('./files/canonical-forms.ts'),
      import('../folder/lines-of.ts'),
    ])
    for (const form of canonicalForms(url)) {
      const line = pageLineOf(this.folder, form)
      if (line !== undefined) return new ArchivedPage(line, this.folder)
    }
    return undefined
  }

  async *failures(): AsyncGenerator<FailureLine> {
    const { failureLines } = await import('../folder/lines-of.ts')
    for (const line of failureLines(this.folder)) {
      this.checkOpen()
      yield line
    }
  }

  async *hosts(filter: HostFilter = {}): AsyncGenerator<ListedHost> {
    this.checkOpen()
    const { hostsOf } = await import('./listed.ts')
    yield* hostsOf(this.source, filter, () => this.checkOpen())
  }

  async *list(which: ListFilter = {}): AsyncGenerator<ListedLink> {
    this.checkOpen()
    const { listed } = await import('./listed.ts')
    yield* listed(which, this.source, () => this.pageLines())
  }

  async explain(url: string): Promise<UrlHistory> {
    return (await this.ask('explain', { url })).history
  }

  async close(): Promise<void> {
    this.isClosed = true
    // At the same time: an index may be waiting for an answer of the source.
    await Promise.all([
      this.shown?.then(
        shown => shown.close(),
        () => {},
      ),
      this.source.close(),
    ])
  }

  private checkOpen(): void {
    if (this.isClosed) throw new EscalonaError('CRAWL_READER_CLOSED')
  }

  private shownAnswers(): Promise<ShownAnswers> {
    this.shown ??= import('./shown-answers.ts').then(
      ({ ShownAnswers }) => new ShownAnswers(this.folder, this.source, unixClock, this.isLive),
    )
    return this.shown
  }

  private async *pageLines(): AsyncGenerator<PageLine> {
    const { pageLines } = await import('../folder/lines-of.ts')
    for (const line of pageLines(this.folder)) {
      this.checkOpen()
      yield line
    }
  }
}

/**
 * Reads a crawl's folder: pages, headers, text, links, counts, hosts, and what became of each URL. Works while the crawl runs,
 * after it has ended and after it was killed, and changes nothing in the folder. Created by {@link openCrawl}.
 */
export interface CrawlReader {
  readonly folder: string
  /** The state of the crawl: whether it is running, what became of its links, its runs and settings. */
  status(): Promise<CrawlStatus>
  /** The archived pages, in the order in which they were archived, read on demand. */
  pages(): AsyncIterable<ArchivedPage>
  /** The newest archived page of a URL; undefined when there is none. */
  page(url: string): Promise<ArchivedPage | undefined>
  /** Every link that ended without a page, in the order in which they ended; not those that were put back in the queue since. */
  failures(): AsyncIterable<FailureLine>
  /** The known hosts, in order of discovery. */
  hosts(filter?: HostFilter): AsyncIterable<ListedHost>
  /** Links by what became of them: done, failed, refused, held, being fetched or waiting. */
  list(which?: ListFilter): AsyncIterable<ListedLink>
  /** Everything known about one URL: its state and why, its place in the queue, what robots.txt and the settings say. */
  explain(url: string): Promise<UrlHistory>
  /** Closes the files and the connection to the running crawl. Afterwards every question is an error (`CRAWL_READER_CLOSED`). */
  close(): Promise<void>
}

/**
 * Opens the folder of a crawl for reading, even while the crawl runs: `for await (const page of (await openCrawl('crawl')).pages())`.
 * Throws `CRAWL_NOT_FOUND` when the folder holds no crawl.
 */
export async function openCrawl(folder: string, options: ReaderOptions = {}): Promise<CrawlReader> {
  return new CrawlView(folder, options)
}

/** How to read a crawl's folder. */
export interface ReaderOptions {
  /** The password of a frontier that machines share; a folder never keeps it. */
  readonly frontierPassword?: string
}
