import { join } from 'node:path'
import { unixClock } from '../../base/clock.ts'
import { EscalonaError } from '../../base/errors.ts'
import { makeFolder } from '../../base/files/make-folder.ts'
import { replaceFile } from '../../base/files/whole-file.ts'
import { isSystemError, reasonOf } from '../../base/system-error.ts'
import { version } from '../../base/version.ts'
import { printable } from '../../base/words/printable.ts'
import { diskUse } from '../../folder/stats/disk-use.ts'
import { type ReportedCrawl, reportFiles } from '../../report/report-files.ts'
import type { CrawlEnd, CrawlSession } from '../../run/session.ts'
import { runningWords } from './running-words.ts'

/** How often the report of a running crawl is written; the first one follows the first page within `FIRST_MS`. */
const EVERY_MS = 5 * 60_000
const FIRST_MS = 5000

/** Writes `report.html` and `report.json` soon after the first page, then every few minutes while the crawl runs, and at the end. */
export class ReportWriter {
  private readonly session: CrawlSession
  private readonly folder: string
  private timer: NodeJS.Timeout
  private writing: Promise<void> = Promise.resolve()
  private isClosed = false

  /** `onTrouble`: an intermediate report could not be written. The crawl continues. */
  constructor(session: CrawlSession, folder: string, onTrouble: (message: string) => void, firstMs = FIRST_MS) {
    this.session = session
    this.folder = folder
    let hasComplained = false
    const writeNow = async () => {
      try {
        const survey = await session.survey()
        if (!this.isClosed) await this.write(survey, undefined)
      } catch (error) {
        // The crawl ended meanwhile; its last report follows.
        if (this.isClosed || (error instanceof EscalonaError && error.code === 'FRONTIER_CLOSED')) return
        // Reported once only, since the next attempt follows in a few minutes.
        if (!hasComplained) onTrouble(reasonOf(error))
        hasComplained = true
      }
    }
    const tick = () => {
      const hasPages = session.stats.pages > 0
      if (hasPages) this.writing = writeNow()
      this.timer = setTimeout(tick, hasPages ? EVERY_MS : firstMs)
    }
    this.timer = setTimeout(tick, firstMs)
  }

  /** Writes the last report, after the crawl has ended. */
  async finish(end: CrawlEnd): Promise<void> {
    await this.close()
    await this.write(end, end.because)
  }

  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.timer)
    await this.writing
  }

  private async write({ frontier, hosts, share }: Omit<CrawlEnd, 'because'>, because: CrawlEnd['because'] | undefined) {
    const { stats, settings, file } = this.session
    const disk = await diskUse(this.folder)
    writeReport(this.folder, { stats, file, limit: settings.limit, frontier, hosts, share, disk, because })
  }
}

/** Writes `report.json` and `report.html`; `isNew`: the folder may be missing, and is made. */
export function writeReport(folder: string, crawl: Omit<ReportedCrawl, 'atMs' | 'version'>, isNew = false): void {
  const { json, html } = reportFiles({ ...crawl, atMs: unixClock(), version: version() })
  try {
    if (isNew) makeFolder(folder)
    replaceFile(join(folder, 'report.json'), write => write(Buffer.from(json)))
    replaceFile(join(folder, 'report.html'), write => write(Buffer.from(html)))
  } catch (error) {
    if (!isSystemError(error)) throw error
    const message = runningWords().reportUnwritable(printable(folder), reasonOf(error))
    throw new EscalonaError('FILE_UNWRITABLE', message, { cause: error })
  }
}
