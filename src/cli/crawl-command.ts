import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { unixClock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { printable } from '../base/printable.ts'
import { shownBytes, shownCount, shownDuration } from '../base/quantity.ts'
import { reasonOf } from '../base/system-error.ts'
import { version } from '../base/version.ts'
import { type Eta, RecentRate } from '../crawl/eta.ts'
import type { CrawlEvent } from '../crawl/events.ts'
import { type CrawlEnd, Session } from '../crawl/session.ts'
import { settingsWith } from '../crawl/settings.ts'
import type { Tally } from '../crawl/tally.ts'
import { type ReportedCrawl, reportFiles } from '../report/report-files.ts'
import { CRAWL_HELP } from './crawl-help.ts'
import { type CrawlOptions, readCrawlOptions } from './crawl-options.ts'
import { CrawlProgress, standardScreen } from './crawl-progress.ts'
import { readSeeds } from './seeds.ts'
import { StopSignals } from './stop-signals.ts'
import { answer, tell } from './tell.ts'

const PROGRESS_EVERY_MS = 100
/** To know how long it will take, every host is looked at: not at every glance. */
const ETA_EVERY_MS = 2000

/** `escalona crawl`: collects pages into a folder. Returns the exit code. */
export async function crawlCommand(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    answer(CRAWL_HELP)
    return 0
  }
  const options = readCrawlOptions(args, version())
  const settings = settingsWith(options.settings, availableParallelism(), version())
  const seeds = await readSeeds(options.seedsPath, tell)
  const progress = new CrawlProgress(standardScreen(options.isQuiet), unixClock())
  const session: Session = await Session.open({
    folder: options.folder,
    seeds,
    settings,
    version: version(),
    clock: unixClock,
    ...(options.isDebug && {
      onEvent: event => {
        // Whoever closes the pipe has seen enough.
        if (event.kind === 'page' && !answer(debugLine(event))) session.stop()
      },
    }),
    onRepair: message => {
      if (!options.isQuiet) tell(`escalona: ${message}\n`)
    },
  })
  const signals = new StopSignals(() => {
    progress.hide()
    if (!options.isQuiet) tell('escalona: finishing the open requests; Ctrl-C again stops at once\n')
    session.stop()
  })
  const showing = setInterval(showProgress(session, progress, settings.limit), PROGRESS_EVERY_MS)
  try {
    const end = await session.run()
    clearInterval(showing)
    progress.hide()
    const reported = { tally: session.tally, settings: options.given, limit: settings.limit, end, version: version() }
    writeReport(options.folder, { ...reported, seeds: seeds.map(({ href }) => href), endedAtMs: unixClock() })
    if (!options.isQuiet) tell(farewell(session.tally, end, options))
    return end.because === 'stopped' ? (signals.exitCode ?? 0) : 0
  } finally {
    clearInterval(showing)
    progress.hide()
    signals.close()
  }
}

function writeReport(folder: string, crawl: ReportedCrawl): void {
  const { json, html } = reportFiles(crawl)
  try {
    writeFileSync(join(folder, 'report.json'), json)
    writeFileSync(join(folder, 'report.html'), html)
  } catch (error) {
    const message = `cannot write the report in ${printable(folder)}: ${reasonOf(error)}`
    throw new EscalonaError('FILE_UNWRITABLE', message, { cause: error })
  }
}

/** The course's debug output: exactly these four keys. */
function debugLine({ page, opening }: CrawlEvent & { kind: 'page' }): string {
  const { url, title, dateMs } = page
  return `${JSON.stringify({ URL: url, Title: title, Text: opening, Timestamp: Math.floor(dateMs / 1000) })}\n`
}

function showProgress(session: Session, progress: CrawlProgress, limit: number): () => void {
  const pages = new RecentRate()
  const bytes = new RecentRate()
  let eta: Eta | undefined
  let etaAtMs = 0
  return () => {
    const nowMs = unixClock()
    const now = session.progress()
    const pagesPerSecond = pages.at(nowMs, now.pages)
    const wireBytesPerSecond = bytes.at(nowMs, now.wireBytes)
    if (!progress.isDue(nowMs)) return
    if (nowMs - etaAtMs >= ETA_EVERY_MS) {
      eta = session.eta(pagesPerSecond)
      etaAtMs = nowMs
    }
    const { hosts, waiting } = now.frontier
    const facts = {
      pages: now.pages,
      pagesPerSecond,
      wireBytesPerSecond,
      hosts,
      waiting,
      lent: now.openRequests,
      errors: now.failures,
      eta,
    }
    progress.show(limit === Infinity ? facts : { ...facts, limit }, nowMs)
  }
}

const ENDINGS: Readonly<Record<CrawlEnd['because'], string>> = {
  limit: 'the limit is reached',
  'nothing left': 'nothing is left to do',
  stopped: 'stopped; the same command goes on',
}

function farewell(tally: Tally, { because, frontier }: CrawlEnd, { folder }: CrawlOptions): string {
  const { pages, wireBytes, pagesByHost, workMs } = tally
  const parts = [
    `${shownCount(pages)} pages of ${shownCount(pagesByHost.size)} hosts`,
    shownBytes(wireBytes),
    `${shownCount(frontier.waiting)} queued`,
    shownDuration(workMs),
  ]
  return `escalona: ${ENDINGS[because]}: ${parts.join(', ')}\nescalona: the report: ${printable(join(folder, 'report.html'))}\n`
}
