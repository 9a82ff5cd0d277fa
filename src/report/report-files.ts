import type { Stats } from '../folder/stats/stats.ts'
import { reportPage } from './page.ts'
import { makeReport, type ReportFacts } from './report.ts'

type SharedFacts = Pick<ReportFacts, 'limit' | 'frontier' | 'hosts' | 'share' | 'disk' | 'version'>

/** A crawl as a report sees it: over all its runs, finished or not. */
export interface ReportedCrawl extends SharedFacts {
  readonly stats: Stats
  /** `crawl.json`: its runs, the oldest first. */
  readonly file: Pick<ReportFacts, 'runs' | 'forgottenRuns'>
  readonly because: ReportFacts['endedBecause']
  /** Unix time of the report. */
  readonly atMs: number
}

/** The contents of `report.json` and, in the current language, of `report.html`. */
export function reportFiles(crawl: ReportedCrawl): { readonly json: string; readonly html: string } {
  const { stats, file, because, atMs, ...facts } = crawl
  const report = makeReport(stats.toJSON(), {
    ...facts,
    runs: file.runs,
    forgottenRuns: file.forgottenRuns,
    startedAt: new Date(stats.startedAtMs).toISOString(),
    asOf: new Date(atMs).toISOString(),
    endedBecause: because,
  })
  return { json: `${JSON.stringify(report, undefined, 2)}\n`, html: reportPage(report) }
}
