import type { EndedBecause } from '../crawl/conductor/collector.ts'
import type { DiskUse } from '../crawl/stats/disk-use.ts'
import type { HostSurvey } from '../crawl/stats/host-survey.ts'
import type { Stats } from '../crawl/stats/stats.ts'
import type { FrontierCounts } from '../frontier/frontier.ts'
import { reportPage } from './page.ts'
import { makeReport } from './report.ts'
import type { RunFacts } from './runs.ts'

/** A crawl as a report sees it: over all its runs, at its end or in the middle. */
export interface ReportedCrawl {
  readonly stats: Stats
  /** `crawl.json`: its runs, the oldest first. */
  readonly file: { readonly runs: readonly RunFacts[]; readonly forgottenRuns: number }
  /** Pages wanted; Infinity when there is no limit. */
  readonly limit: number
  readonly frontier: FrontierCounts
  readonly hosts: HostSurvey
  /** Undefined when nobody has looked. */
  readonly disk: DiskUse | undefined
  /** Why it ended; undefined while it is running. */
  readonly because: EndedBecause | undefined
  /** Unix time of the report. */
  readonly atMs: number
  /** Of Escalona. */
  readonly version: string
}

/** The texts of `report.json` and, in the current language, `report.html`. */
export function reportFiles(crawl: ReportedCrawl): { readonly json: string; readonly html: string } {
  const { stats, file, limit, frontier, hosts, disk, because, atMs, version } = crawl
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
    disk,
  })
  return { json: `${JSON.stringify(report, undefined, 2)}\n`, html: reportPage(report) }
}
