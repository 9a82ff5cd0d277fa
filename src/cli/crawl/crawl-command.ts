import { unixClock } from '../../base/clock.ts'
import type { EscalonaError } from '../../base/errors.ts'
import { version } from '../../base/version.ts'
import { printable, shellWord } from '../../base/words/printable.ts'
import { shownCount } from '../../base/words/quantity.ts'
import { isCrawlFolder } from '../../folder/crawl-file.ts'
import type { RebuildProgress } from '../../run/opening/rebuild-frontier.ts'
import { type CrawlEnd, CrawlSession } from '../../run/session.ts'
import type { Ui } from '../../server/start-ui.ts'
import type { CrawlHappening } from '../../settings/events.ts'
import { serveRun } from '../../view/process/serve-run.ts'
import type { Command } from '../commands.ts'
import { say, sayAnyway, setLogForm } from '../terminal/say.ts'
import { StopSignals } from '../terminal/signals.ts'
import { wrongUse } from '../terminal/use-words.ts'
import { WorkBar } from '../terminal/work-bar.ts'
import { sayLivePage } from '../ui/ui-options.ts'
import { crawlHelp, resumeHelp } from './crawl-help.ts'
import { actionLine, farewell, noPage, openingLines } from './crawl-lines.ts'
import { CRAWL_OPTIONS, RESUME_OPTIONS } from './crawl-option-rows.ts'
import { type CrawlArguments, readCrawlOptions, readResumeOptions } from './crawl-options.ts'
import { CrawlProgress, showProgress, standardScreen } from './crawl-progress.ts'
import { crawlWords } from './crawl-words.ts'
import { DebugOutput } from './debug-output.ts'
import { startOver } from './fresh-folder.ts'
import { ReportWriter } from './report-writer.ts'
import { runningWords } from './running-words.ts'
import { readSeeds } from './seeds.ts'

/** The longest that a reader who hangs can delay the end of an interrupted crawl. */
const LONGEST_FLUSH_MS = 1000

/** Between two lines about a frontier that is being made again. */
const BETWEEN_LINES_MS = 10_000

/** `escalona crawl`: collects pages into a folder. */
export const CRAWL: Command = { run: crawlCommand, help: crawlHelp, options: CRAWL_OPTIONS }

/** `escalona resume`: continues a crawl with the seeds and settings kept in its folder. */
export const RESUME: Command = {
  run: resumeCommand,
  help: resumeHelp,
  options: RESUME_OPTIONS,
  names: 'folder',
}

async function crawlCommand(args: readonly string[]): Promise<number> {
  expectJson(args)
  const options = readCrawlOptions(args, process.env)
  const { folder, seeds, frontier } = options
  // One more machine for a crawl that another one has begun needs no seeds.
  if (seeds.urls.length === 0 && seeds.lists.length === 0 && frontier === undefined) {
    const canGoOn = isCrawlFolder(folder) && !options.isFresh
    throw wrongUse(crawlWords().noSeeds(canGoOn ? shellWord(folder) : ''))
  }
  return collect(options)
}

/** Makes even errors about the arguments come as JSON when `--log json` is among them. */
function expectJson(args: readonly string[]): void {
  if (args.includes('--log=json') || args[args.indexOf('--log') + 1] === 'json') setLogForm('json')
}

async function resumeCommand(args: readonly string[]): Promise<number> {
  expectJson(args)
  const options = readResumeOptions(args, process.env)
  if (!isCrawlFolder(options.folder)) throw wrongUse(crawlWords().noCrawl(shellWord(options.folder)))
  const pid = changesNothing(options) ? await resumeRunning(options.folder) : undefined
  if (pid === undefined) return collect(options, true)
  say('info', crawlWords().resumed(shellWord(options.folder), pid))
  return 0
}

/** Resumes a crawl that another process runs, if it is paused. Returns that process's id; undefined: nothing was resumed. */
async function resumeRunning(folder: string): Promise<number | undefined> {
  // Loaded on demand: each file that a crawl loads takes a file descriptor at the start.
  const { ProcessSource } = await import('../../view/process/process-source.ts')
  const source = await ProcessSource.of(folder)
  if (source === undefined) return undefined
  try {
    const { running } = await source.ask('status', {})
    if (running?.state !== 'paused') return undefined
    await source.ask('act', { action: { kind: 'resume' } })
    return running.pid
  } finally {
    source.close()
  }
}

/** Whether the crawl is only to go on, with what its folder knows. */
function changesNothing({ given: { proxy: _, ...given }, retry, isAdding, isRebuilding, ui }: CrawlArguments): boolean {
  const isPlain = retry.length === 0 && !isAdding && !isRebuilding && ui === undefined
  return isPlain && Object.values(given).every(value => value === undefined)
}

/** `isResuming`: also a crawl that was paused goes on. */
async function collect(options: CrawlArguments, isResuming = false): Promise<number> {
  setLogForm(options.log === 'text' ? (process.stderr.isTTY ? 'plain' : 'timed') : options.log)
  if (options.ui === undefined) return collectShown(options, isResuming, undefined)
  // Loaded only for those who ask for it. A port that is taken is an error before anything is opened or removed.
  const { startUi } = await import('../../server/start-ui.ts')
  const ui = await startUi(options.ui, message => say('warn', message))
  try {
    return await collectShown(options, isResuming, ui)
  } finally {
    await ui.close()
  }
}

async function collectShown(options: CrawlArguments, isResuming: boolean, ui: Ui | undefined): Promise<number> {
  const { folder, frontier, frontierPassword, given } = options
  const seeds = await readSeeds(
    options.seeds,
    message => say('warn', message),
    async seed => (await import('./typed-scheme.ts')).withScheme(seed, options, message => say('info', message)),
  )
  if (options.isFresh && !(await startOver(folder, options.isSure))) return 0
  const progress = new CrawlProgress(standardScreen(options.log), unixClock())
  const rebuilding = new RebuildBar(options.log !== 'text')
  const inform = (message: string) => {
    rebuilding.hide()
    progress.hide()
    say('info', message)
  }
  const continuing = `escalona resume ${shellWord(folder)}`
  let unwritable: EscalonaError | undefined
  const debug = new DebugOutput(
    () => session.goOn(),
    error => {
      unwritable = error
      session.stop()
    },
  )
  const session: CrawlSession = await CrawlSession.open({
    folder,
    frontier,
    frontierPassword,
    seeds,
    add: options.isAdding,
    retry: options.retry,
    rebuild: options.isRebuilding,
    onRebuild: progress => rebuilding.show(progress),
    given,
    version: version(),
    clock: unixClock,
    isHeldUp: () => debug.isFull,
    onHappening: (event, atMs) => {
      if (event.kind === 'action') {
        const { action, result } = event
        progress.hide()
        say('info', actionLine(action, result, continuing, atMs), { event: 'action', action, result })
      }
      if (event.kind === 'trouble' || (event.kind === 'failed' && options.log === 'json')) {
        progress.hide()
        sayEvent(event)
      }
      if (!options.isDebug || event.kind !== 'page') return
      progress.hide()
      debug.add(debugLine(event))
    },
    onRepair: inform,
    serve: serveRun,
  })
  if (isResuming && session.state === 'paused') await session.act({ kind: 'resume' })
  const isNew = options.isFresh || session.opening.isNew
  const pagesBefore = session.stats.pages
  for (const line of openingLines(session, isNew, folder, unixClock(), options.retry)) inform(line)
  if (ui !== undefined) {
    ui.show(folder, frontierPassword)
    sayLivePage(ui.url, options.ui!)
  }
  const signals = new StopSignals(() => {
    inform(runningWords().progress.stopping)
    session.stop()
  })
  const reports = new ReportWriter(session, folder, message => say('warn', message))
  const hideProgress = showProgress(session, progress)
  try {
    const end = await session.run()
    hideProgress()
    await reports.finish(end)
    ui?.ended(end.frontier)
    await debug.flush(signals.exitCode === undefined ? Infinity : LONGEST_FLUSH_MS)
    if (unwritable !== undefined) throw unwritable
    sayFarewell(session, end, options, session.stats.pages === pagesBefore)
    if (end.because === 'stopped') return signals.exitCode ?? 0
    return end.frontier.pages === 0 ? 1 : 0
  } finally {
    hideProgress()
    await reports.close()
    signals.close()
  }
}

/** Shows how far the frontier is that is being made again: on a terminal as a bar, elsewhere now and then as a line. */
class RebuildBar {
  private readonly bar: WorkBar
  private saidMs = unixClock()

  constructor(isQuiet: boolean) {
    this.bar = new WorkBar(isQuiet, this.saidMs)
  }

  show({ pages, ofPages }: RebuildProgress): void {
    const nowMs = unixClock()
    const shown = crawlWords().rebuilding(shownCount(pages), shownCount(ofPages))
    this.bar.show(nowMs, pages / ofPages, shown)
    if (process.stderr.isTTY || nowMs - this.saidMs < BETWEEN_LINES_MS) return
    this.saidMs = nowMs
    say('info', shown)
  }

  hide(): void {
    this.bar.hide()
  }
}

function sayEvent(event: CrawlHappening & { readonly kind: 'trouble' | 'failed' }): void {
  const { kind, ...fields } = event
  if (event.kind === 'trouble') say('warn', event.message, { event: kind })
  else say('warn', `${printable(event.url)}: ${event.why}`, { event: kind, ...fields })
}

function sayFarewell({ stats }: CrawlSession, end: CrawlEnd, { folder, log }: CrawlArguments, isIdle: boolean): void {
  const [first = '', ...more] = farewell(stats, end, folder, isIdle)
  const { because, frontier } = end
  // The only line of -q, for whoever looks into a job that failed.
  if (log === 'none' && frontier.pages === 0 && because !== 'stopped') sayAnyway(noPage(stats, end), {})
  say('info', first, { event: 'end', because, pages: stats.pages, waiting: frontier.waiting })
  for (const line of more) say('info', line)
}

/** The debug output that the course specifies: exactly these four keys. */
function debugLine({ page, opening }: CrawlHappening & { kind: 'page' }): string {
  const { url, title, dateMs } = page
  return `${JSON.stringify({ URL: url, Title: title, Text: opening, Timestamp: Math.floor(dateMs / 1000) })}\n`
}
