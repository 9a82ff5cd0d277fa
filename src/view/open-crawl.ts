import type { FailureLine } from '../folder/failures-file.ts'
import { CrawlView } from './crawl-view.ts'
import type { ArchivedPage } from './files/archived-page.ts'
import type { ListedLink, ListFilter } from './listed-links.ts'
import type { HostFilter, ListedHost } from './questions/host-shapes.ts'
import type { CrawlStatus } from './status.ts'
import type { UrlHistory } from './url-history.ts'

/**
 * Reads a crawl's folder: pages, headers, text, links, counts, hosts, and what became of each URL. Works while the crawl runs,
 * after it has ended and after it was killed, and changes nothing in the folder. Created by {@link openCrawl}.
 */
export interface CrawlReader {
  readonly folder: string
  /** Where the crawl stands: whether it is running, what became of its links, its runs and settings. */
  status(): Promise<CrawlStatus>
  /** The archived pages, in the order in which they were archived, read on demand. */
  pages(): AsyncIterable<ArchivedPage>
  /** The newest archived page of a URL; undefined when there is none. */
  page(url: string): Promise<ArchivedPage | undefined>
  /** Every link that ended without a page, in the order in which they ended; not those that were put back in the queue since. */
  failures(): AsyncIterable<FailureLine>
  /** The known hosts, in order of discovery. */
  hosts(filter?: HostFilter): AsyncIterable<ListedHost>
  /** Links by what became of them: done, failed, refused, held or waiting. */
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
