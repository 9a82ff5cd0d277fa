import type { EndedBecause } from '../folder/crawl-file.ts'
import type { DiskUse } from '../folder/stats/disk-use.ts'
import type { HostSurvey } from '../folder/stats/host-survey.ts'
import type { Stats } from '../folder/stats/stats.ts'
import type { FrontierCounts } from '../frontier/frontier.ts'
import type { CrawlShare } from '../run/run-figures.ts'
import { reportPage } from './page.ts'
import { makeReport } from './report.ts'
import type { RunFacts } from './runs.ts'

/** A crawl as a report sees it: over all its runs, finished or not. */
export interface ReportedCrawl {
  readonly stats: Stats
  /** `crawl.json`: its runs, the oldest first. */
  readonly file: { readonly runs: readonly RunFacts[]; readonly forgottenRuns: number }
  /** The limit of pages; Infinity when there is none. */
  readonly limit: number
  readonly frontier: FrontierCounts
  readonly hosts: HostSurvey
  /** When machines share the crawl: the share of the one that this report is about. */
  readonly share?: CrawlShare | undefined
  /** Undefined when it was not measured. */
  readonly disk: DiskUse | undefined
  /** Why it ended; undefined while it is running. */
  readonly because: EndedBecause | undefined
  /** Unix time of the report. */
  readonly atMs: number
  /** The version of Escalona. */
  readonly version: string
}

/** The contents of `report.json` and, in the current language, of `report.html`. */
export function reportFiles(crawl: ReportedCrawl): { readonly json: string; readonly html: string } {
  const { stats, file, limit, frontier, hosts, share, disk, because, atMs, version } = crawl
  const report = makeReport(stats.toJSON(), {
    runs: file.runs,
    forgottenRuns: file.forgottenRuns,
    limit,
    version,
    startedAt: new Date(stats.startedAtMs).toISOString(),
    asOf: new Date(atMs).toISOString(),
    endedBecause: because,
    frontier,
    hosts,
    share,
    disk,
  })
  return { json: `${JSON.stringify(report, undefined, 2)}\n`, html: reportPage(report) }
}
