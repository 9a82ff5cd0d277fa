import type { Bilingual } from '../../base/words/language.ts'
import type { CrawlRun } from '../../folder/crawl-file.ts'
import type { DiskUse } from '../../folder/stats/disk-use.ts'
import type { HostSurvey } from '../../folder/stats/host-survey.ts'
import type { Stats } from '../../folder/stats/stats.ts'
import type { Dump } from '../../frontier/dump.ts'
import type { CrawlPart, DumpSource } from '../../frontier/dump-files.ts'
import type { CrawlerView } from '../../frontier/redis/crawl-book.ts'
import type { RestoreOptions } from '../../frontier/restore-dump.ts'
import type { RunStatus } from '../../run/run-status.ts'
import type { EndedBecause } from '../../settings/events.ts'
import type { UrlHistory } from '../questions/explained-shapes.ts'
import type { HostFilter, ListedHost } from '../questions/host-shapes.ts'

/** Where a frontier is kept, for `escalona frontier`: a folder, or a name in Redis. */
export interface FrontierStore {
  /** For messages: without a password. */
  readonly shown: string
  status(): Promise<StoreStatus>
  hosts(filter: HostFilter): AsyncGenerator<ListedHost>
  explain(url: string): Promise<UrlHistory>
  dump(): Promise<StoreDump>
  /** Imports a dump; the place must be new or empty. */
  restore(dump: DumpSource, options: Omit<RestoreOptions, 'dump'>): Promise<void>
  /**
   * Forgets everything, or what waits at one host. Refused while a machine works on it; where that can be overridden, `isForced`
   * does. Clears up after an import that did not end, too. Returns false when the host is not known.
   */
  clear(host: string | undefined, isForced: boolean): Promise<boolean>
  report(): Promise<StoreReport>
  close(): Promise<void>
}

export interface StoreStatus extends RunStatus<Bilingual> {
  /** Who works, or has worked, on a crawl that several machines share. */
  readonly crawlers?: readonly CrawlerView[]
  readonly shards?: number
}

export interface StoreDump extends Dump {
  /** Undefined: a frontier without a crawl. */
  readonly crawl: CrawlPart | undefined
}

/** The facts of a report; see `ReportedCrawl`. */
export interface StoreReport {
  readonly stats: Stats
  readonly file: { readonly runs: readonly CrawlRun[]; readonly forgottenRuns: number }
  readonly limit: number
  readonly frontier: RunStatus<Bilingual>['frontier']
  readonly hosts: HostSurvey
  readonly disk: DiskUse | undefined
  readonly because: EndedBecause | undefined
}
