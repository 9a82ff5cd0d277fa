import type { FrontierCounts, HostView, LinkKind, Outlook } from '../../frontier/frontier.ts'
import type { DeskStory, HostFilter, RunningNow } from '../desk/desk.ts'
import type { ArchivedPage } from './archived-page.ts'
import type { FailureLine } from './failure-line.ts'

/** Reads a crawl's folder, also while the crawl runs. Made by {@link openCrawl}. Changes nothing in the folder. */
export interface CrawlReader {
  readonly folder: string
  /** Where the crawl stands: whether it runs, its counts, its runs. */
  status(): Promise<CrawlStatus>
  /** The archived pages, in the order in which they were archived, read from the files as they are asked for. */
  pages(): AsyncIterable<ArchivedPage>
  /** The newest archived page of a URL; undefined when there is none. */
  page(url: string): Promise<ArchivedPage | undefined>
  /** Every link that ended without a page, in the order in which they ended. */
  failures(): AsyncIterable<FailureLine>
  /** The known hosts, in the order in which they became known. */
  hosts(filter?: HostFilter): AsyncIterable<HostView>
  /** Links by what became of them. */
  list(which?: ListFilter): AsyncIterable<ListedLink>
  /** All that is known about one URL. */
  explain(url: string): Promise<Story>
  close(): Promise<void>
}
