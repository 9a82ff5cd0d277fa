import { statSync } from 'node:fs'
import { join } from 'node:path'
import { PAGES_FILE } from '../../archive/names.ts'
import { parsePageLine } from '../../archive/pages-file.ts'
import { unixClock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { linesFrom } from '../../base/files/line-file.ts'
import { catalogue } from '../../base/words/language.ts'
import { printable } from '../../base/words/printable.ts'
import type { HostView } from '../../frontier/frontier.ts'
import { isCrawlFolder } from '../crawl-file.ts'
import type { HostFilter } from '../desk/desk.ts'
import { FAILURES_FILE, type FailureLine } from '../failures-file.ts'
import { ArchivedPage } from './archived-page.ts'
import { pageLineOf, parseFailureLine } from './lines-of.ts'
import { type ListedLink, type ListFilter, listed } from './listed-links.ts'
import { ReadingDesk } from './reading-desk.ts'
import { type CrawlStatus, statusOf } from './status.ts'
import { type Story, storyOf } from './story.ts'

/**
 * Reads a crawl's folder: pages, headers, text, links, counts, hosts, and what became of each URL. It works while the crawl
 * runs, after it ended and after it was killed, and changes nothing in the folder. Made by {@link openCrawl}.
 */
export interface CrawlReader {
  readonly folder: string
  /** Where the crawl stands: whether it runs, what became of its links, its runs and settings. */
  status(): Promise<CrawlStatus>
  /** The archived pages, in the order in which they were archived; read as they are asked for. */
  pages(): AsyncIterable<ArchivedPage>
  /** The newest archived page of a URL; undefined when there is none. */
  page(url: string): Promise<ArchivedPage | undefined>
  /** Every link that ended without a page, in the order in which they ended; one that was tried again may come twice. */
  failures(): AsyncIterable<FailureLine>
  /** The known hosts, in the order in which they became known. */
  hosts(filter?: HostFilter): AsyncIterable<HostView>
  /** Links by what became of them: done, failed, refused, held or waiting. */
  list(which?: ListFilter): AsyncIterable<ListedLink>
  /** All that is known about one URL: its state and why, its place in the queue, what robots.txt and the settings say. */
  explain(url: string): Promise<Story>
  /** Lets go of the files and of the running crawl. */
  close(): Promise<void>
}

const HOSTS_AT_ONCE = 500

const words = catalogue({
  en: {
    noFolder: (path: string) => `there is no folder ${path}; name the folder of a crawl, as given with -o`,
    noCrawl: (path: string) => `${path} is no folder of a crawl; name the one that was given with -o`,
  },
  pt: {
    noFolder: (path: string) => `não existe a pasta ${path}; indique a pasta de um crawl, como dada com -o`,
    noCrawl: (path: string) => `${path} não é a pasta de um crawl; indique a que foi dada com -o`,
  },
})

/**
 * Opens the folder of a crawl for reading, also while the crawl runs: `for await (const page of (await openCrawl('crawl')).pages())`.
 * Throws `CRAWL_NOT_FOUND` when the folder holds no crawl.
 */
export async function openCrawl(folder: string): Promise<CrawlReader> {
  const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
  if (!isThere) throw new EscalonaError('CRAWL_NOT_FOUND', words().noFolder(printable(folder)))
  if (!isCrawlFolder(folder)) throw new EscalonaError('CRAWL_NOT_FOUND', words().noCrawl(printable(folder)))
  return new FolderReader(folder)
}

class FolderReader implements CrawlReader {
  readonly folder: string
  private readonly desk: ReadingDesk

  constructor(folder: string) {
    this.folder = folder
    this.desk = new ReadingDesk(folder, unixClock)
  }

  status(): Promise<CrawlStatus> {
    return statusOf(this.folder, this.desk)
  }

  async *pages(): AsyncGenerator<ArchivedPage> {
    for (const { text } of linesFrom(join(this.folder, PAGES_FILE))) {
      const line = parsePageLine(text)
      if (line !== undefined) yield new ArchivedPage(line, this.folder)
    }
  }

  async page(url: string): Promise<ArchivedPage | undefined> {
    const line = pageLineOf(this.folder, url)
    return line && new ArchivedPage(line, this.folder)
  }

  async *failures(): AsyncGenerator<FailureLine> {
    for (const { text } of linesFrom(join(this.folder, FAILURES_FILE))) {
      const line = parseFailureLine(text)
      if (line !== undefined) yield line
    }
  }

  async *hosts(filter: HostFilter = {}): AsyncGenerator<HostView> {
    for (let after: string | undefined; ; ) {
      const page = await this.desk.hosts({ ...(after !== undefined && { after }), limit: HOSTS_AT_ONCE }, filter)
      yield* page.items
      after = page.next
      if (after === undefined) return
    }
  }

  list(which: ListFilter = {}): AsyncIterable<ListedLink> {
    return listed(which, this.desk, () => this.pages())
  }

  explain(url: string): Promise<Story> {
    return storyOf(url, this.folder, this.desk)
  }

  async close(): Promise<void> {
    await this.desk.close()
  }
}
