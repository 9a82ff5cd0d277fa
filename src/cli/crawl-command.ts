import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { unixClock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { replaceFile } from '../base/files/whole-file.ts'
import { reasonOf } from '../base/system-error.ts'
import { version } from '../base/version.ts'
import { printable } from '../base/words/printable.ts'
import type { CrawlEvent } from '../crawl/events.ts'
import { Session } from '../crawl/session.ts'
import { settingsWith } from '../crawl/settings.ts'
import { diskUse } from '../crawl/stats/disk-use.ts'
import { type Eta, RecentRate } from '../crawl/stats/eta.ts'
import { type ReportedCrawl, reportFiles } from '../report/report-files.ts'
import { farewell } from './crawl-farewell.ts'
import { CRAWL_HELP } from './crawl-help.ts'
import { readCrawlOptions } from './crawl-options.ts'
import { CrawlProgress, standardScreen } from './crawl-progress.ts'
import { DebugOutput } from './debug-output.ts'
import { readSeeds } from './seeds.ts'
import { StopSignals } from './stop-signals.ts'
import { answer, tell } from './tell.ts'

const PROGRESS_EVERY_MS = 100
const ETA_EVERY_MS = 2000
/** A reader who hangs holds up an interrupted crawl for so long at most. */
const LONGEST_FLUSH_MS = 1000

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
  const say = (message: string) => {
    progress.hide()
    if (!options.isQuiet) tell(`escalona: ${message}\n`)
  }
  let unwritable: EscalonaError | undefined
  const debug = new DebugOutput(
    () => session.goOn(),
    error => {
      unwritable = error
      session.stop()
    },
  )
  const session: Session = await Session.open({
    folder: options.folder,
    seeds,
    settings,
    version: version(),
    clock: unixClock,
    isHeldUp: () => debug.isFull,
    onEvent: event => {
      if (event.kind === 'trouble') say(event.message)
      if (!options.isDebug || event.kind !== 'page') return
      progress.hide()
      debug.add(debugLine(event))
    },
    onRepair: say,
  })
  const signals = new StopSignals(() => {
    say('finishing the open requests; Ctrl-C again stops at once')
    session.stop()
  })
  const showing = setInterval(showProgress(session, progress, settings.limit), PROGRESS_EVERY_MS)
  try {
    const end = await session.run()
    clearInterval(showing)
    progress.hide()
    writeReport(options.folder, {
      stats: session.stats,
      file: { runs: [], forgottenRuns: 0 },
      limit: settings.limit,
      ...end,
      disk: await diskUse(options.folder),
      atMs: unixClock(),
      version: version(),
    })
    await debug.flush(signals.exitCode === undefined ? Infinity : LONGEST_FLUSH_MS)
    if (unwritable !== undefined) throw unwritable
    for (const line of farewell(session.stats, end, options.folder)) say(line)
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
    replaceFile(join(folder, 'report.json'), write => write(Buffer.from(json)))
    replaceFile(join(folder, 'report.html'), write => write(Buffer.from(html)))
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
  let isLooking = false
  const look = async () => {
    const nowMs = unixClock()
    const now = await session.progress()
    const pagesPerSecond = pages.at(nowMs, now.pages)
    const wireBytesPerSecond = bytes.at(nowMs, now.wireBytes)
    if (!progress.isDue(nowMs)) return
    if (nowMs - etaAtMs >= ETA_EVERY_MS) {
      eta = await session.eta(pagesPerSecond)
      etaAtMs = nowMs
    }
    const { hosts, waiting } = now.frontier
    const facts = {
      pages: now.pages,
      pagesPerSecond,
      wireBytesPerSecond,
      hosts,
      waiting,
      open: now.openRequests,
      errors: now.failures,
      eta,
    }
    progress.show(limit === Infinity ? facts : { ...facts, limit }, nowMs)
  }
  return () => {
    if (isLooking) return
    isLooking = true
    look()
      // The frontier may be closed meanwhile, or have stopped: the crawl itself says so.
      .catch(() => {})
      .finally(() => (isLooking = false))
  }
}
