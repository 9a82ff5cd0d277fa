import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EscalonaError } from '../base/errors.ts'
import { printable } from '../base/printable.ts'
import { reasonOf } from '../base/system-error.ts'
import type { CrawlEnd } from '../crawl/session.ts'
import type { Tally } from '../crawl/tally.ts'
import { reportPage } from './page.ts'
import { makeReport } from './report.ts'

export interface WrittenReportFacts {
  readonly seeds: readonly string[]
  readonly settings: Readonly<Record<string, string>>
  readonly limit: number
  readonly end: CrawlEnd
  /** Unix time. */
  readonly endedAtMs: number
  readonly version: string
}

/** Writes `report.json` and `report.html` into a crawl's folder. */
export function writeReport(folder: string, tally: Tally, facts: WrittenReportFacts): void {
  const { seeds, settings, limit, end, endedAtMs, version } = facts
  const report = makeReport(tally.toJSON(), {
    seeds,
    settings,
    limit,
    version,
    startedAt: new Date(tally.startedAtMs).toISOString(),
    endedAt: new Date(endedAtMs).toISOString(),
    endedBecause: end.because,
    frontier: end.frontier,
  })
  try {
    writeFileSync(join(folder, 'report.json'), `${JSON.stringify(report, undefined, 2)}\n`)
    writeFileSync(join(folder, 'report.html'), reportPage(report))
  } catch (error) {
    const message = `cannot write the report in ${printable(folder)}: ${reasonOf(error)}`
    throw new EscalonaError('REPORT_UNWRITABLE', message, { cause: error })
  }
}
