import type { CrawlEnd } from '../crawl/session.ts'
import type { Stats } from '../crawl/stats/stats.ts'
import { reportPage } from './page.ts'
import { makeReport } from './report.ts'

export interface ReportedCrawl {
  readonly stats: Stats
  readonly seeds: readonly string[]
  /** As a person would write them. */
  readonly settings: Readonly<Record<string, string>>
  /** Infinity when there is none. */
  readonly limit: number
  readonly end: CrawlEnd
  /** Unix time. */
  readonly endedAtMs: number
  /** Of Escalona. */
  readonly version: string
}

/** The texts of `report.json` and `report.html`. */
export function reportFiles(crawl: ReportedCrawl): { readonly json: string; readonly html: string } {
  const { stats, seeds, settings, limit, end, endedAtMs, version } = crawl
  const report = makeReport(stats.toJSON(), {
    seeds,
    settings,
    limit,
    version,
    startedAt: new Date(stats.startedAtMs).toISOString(),
    endedAt: new Date(endedAtMs).toISOString(),
    endedBecause: end.because,
    frontier: end.frontier,
    hosts: end.hosts,
  })
  return { json: `${JSON.stringify(report, undefined, 2)}\n`, html: reportPage(report) }
}
