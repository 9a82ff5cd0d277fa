import { unixClock } from '../../base/clock.ts'
import { printable } from '../../base/words/printable.ts'
import { shownBytes, shownCount, shownDuration, shownSpeed } from '../../base/words/quantity.ts'
import { type Eta, RecentRate } from '../../folder/stats/eta.ts'
import type { CrawlSession } from '../../run/session.ts'
import { RunWatch } from '../../view/process/pace.ts'
import { shownPace, shownTrouble } from '../../view/process/waiting-for.ts'
import { wrapped } from '../terminal/option-table.ts'
import { say, tell } from '../terminal/say.ts'
import type { LogChoice } from './crawl-options.ts'
import { runningWords } from './running-words.ts'

export interface CrawlFacts {
  /** Of all machines, when several share the crawl. */
  readonly pages: number
  readonly limit?: number
  /** How many machines are at work; missing: the crawl is not shared. */
  readonly machines?: number
  /** Over the last few seconds. */
  readonly pagesPerSecond: number
  readonly wireBytesPerSecond: number
  readonly hosts: number
  readonly waiting: number
  /** Open requests. */
  readonly open: number
  readonly errors: number
  /** Undefined while there is nothing to estimate from. */
  readonly eta: Eta | undefined
  /** What limits the speed, in a few words; empty when that is not known. */
  readonly pace: string
  /** Why no page is archived; empty while pages come. */
  readonly trouble: string
}

/** Where progress is shown. */
export interface Screen {
  /** `lines`: a few lines, rewritten in place on a terminal. `log`: a new line now and then. `none`: nothing. */
  readonly kind: 'lines' | 'log' | 'none'
  readonly hasColour: boolean
  /** Called for each line, since windows are resized. */
  columns(): number
  write(text: string): void
  log(message: string, facts: CrawlFacts): void
}

/** Standard error, adapted to this terminal and environment. */
export function standardScreen(log: LogChoice): Screen {
  const isTerminal = process.stderr.isTTY === true && process.env.TERM !== 'dumb'
  return {
    kind: log === 'none' ? 'none' : isTerminal && log === 'text' ? 'lines' : 'log',
    hasColour: isTerminal && (process.env.NO_COLOR ?? '') === '',
    columns: () => process.stderr.columns || 80,
    write: tell,
    log: (message, facts) => say('info', message, { event: 'progress', ...facts }),
  }
}

const BETWEEN_MS = { lines: 200, log: 5000, none: Number.POSITIVE_INFINITY }

/** Shows how far a crawl is. Call `hide` before writing anything else to the screen. */
export class CrawlProgress {
  private readonly screen: Screen
  private shownAtMs: number
  private linesShown = 0

  constructor(screen: Screen, nowMs: number) {
    this.screen = screen
    this.shownAtMs = nowMs
  }

  /** False while `show` would do nothing. Check it first, since gathering the facts has a cost. */
  isDue(nowMs: number): boolean {
    return nowMs - this.shownAtMs >= BETWEEN_MS[this.screen.kind]
  }

  show(facts: CrawlFacts, nowMs: number): void {
    if (!this.isDue(nowMs)) return
    this.shownAtMs = nowMs
    if (this.screen.kind === 'log') {
      this.screen.log(logLine(facts), facts)
      return
    }
    // The last column stays free: some terminals wrap as soon as it is filled.
    const lines = progressLines(facts, this.screen.columns() - 1, this.screen.hasColour)
    this.screen.write(this.erase() + lines.join('\n'))
    this.linesShown = lines.length
  }

  hide(): void {
    if (this.linesShown > 0) this.screen.write(this.erase())
    this.linesShown = 0
  }

  /** Goes back to where the shown lines begin, and clears them. */
  private erase(): string {
    return `${this.linesShown > 1 ? `\x1b[${this.linesShown - 1}A` : ''}\r\x1b[J`
  }
}

interface Part {
  /** When the line is too narrow, parts with the highest rank are left out first. */
  readonly rank: number
  readonly text: string
  /** A shorter form, used before any part up to `LAST_WANTED` is left out. */
  readonly short?: string
  readonly colour?: number
}

const CYAN = 36
const YELLOW = 33
const GAP = '  '
const BAR_COLUMNS = 20
const LAST_WANTED = 6

/** The progress for a terminal, in lines at most `columns` wide: the figures, the bar with what limits the speed, and trouble if there is any. */
export function progressLines(facts: CrawlFacts, columns: number, hasColour: boolean): string[] {
  const parts = partsOf(facts)
  const wanted = parts.filter(({ rank }) => rank <= LAST_WANTED)
  const isWide = fitting(wanted, columns).length === wanted.length
  const figures = isWide ? parts : parts.map(part => ({ ...part, text: part.short ?? part.text }))
  const second = [...barOf(facts), ...(facts.pace === '' ? [] : [{ rank: 0, text: facts.pace }])]
  const sentences = facts.trouble === '' ? [] : wrapped(printable(facts.trouble), columns)
  const trouble = sentences.map(text => [{ rank: 0, text, colour: YELLOW }])
  return [fitting(figures, columns), fitting(second, columns), ...trouble]
    .filter(line => line.length > 0)
    .map(line => painted(line, hasColour))
}

/** The parts that fit, in order. */
function fitting(parts: readonly Part[], columns: number): Part[] {
  const kept = new Set<Part>()
  let room = columns + GAP.length
  for (const part of parts.toSorted((a, b) => a.rank - b.rank)) {
    room -= part.text.length + GAP.length
    if (room < 0) break
    kept.add(part)
  }
  return parts.filter(part => kept.has(part))
}

function painted(parts: readonly Part[], hasColour: boolean): string {
  return parts
    .map(({ text, colour }) => (hasColour && colour !== undefined ? `\x1b[${colour}m${text}\x1b[0m` : text))
    .join(GAP)
}

/** The figures, in display order. */
function partsOf(facts: CrawlFacts): Part[] {
  const { pages, hosts, waiting, errors, eta } = facts
  const words = runningWords()
  const { progress } = words
  const speed = shownSpeed(facts.pagesPerSecond)
  const parts: Part[] = [
    { rank: 0, text: pagesOf(facts), short: words.pages(pages, shortCount(pages)) },
    ...machinesOf(facts).map(text => ({ rank: 2, text })),
    { rank: 2, text: progress.pagesPerSecond(speed), short: `${speed}/s` },
    { rank: 4, text: `${shownBytes(facts.wireBytesPerSecond)}/s` },
    { rank: 6, text: words.hosts(hosts), short: words.hosts(hosts, shortCount(hosts)) },
    { rank: 3, text: words.queued(shownCount(waiting)), short: words.queued(shortCount(waiting)) },
    { rank: 9, text: progress.open(shownCount(facts.open)) },
    { rank: 5, text: errorsOf(facts), ...(errors > 0 && { colour: YELLOW }) },
    { rank: 1, text: progress.eta(etaOf(eta)) },
  ]
  for (const [at, { host, ms }] of (eta?.slowest ?? []).entries()) {
    const named = `${shownHost(host)} ${shownDuration(ms)}`
    parts.push({ rank: 10 + at, text: at === 0 ? progress.slowest(named) : named })
  }
  return parts
}

function barOf({ pages, limit }: CrawlFacts): Part[] {
  if (limit === undefined) return []
  const share = limit > 0 ? Math.min(pages / limit, 1) : 1
  const bar = '█'.repeat(Math.floor(share * BAR_COLUMNS)).padEnd(BAR_COLUMNS, '░')
  return [
    { rank: 2, text: bar, colour: CYAN },
    { rank: 1, text: `${Math.floor(share * 100)} %` },
  ]
}

/** `120k`, `1.2M`. */
function shortCount(count: number): string {
  if (count < 10_000) return shownCount(count)
  if (count < 999_500) return `${Math.round(count / 1000)}k`
  return count < 9.95e6 ? `${(count / 1e6).toFixed(1)}M` : `${shownCount(count / 1e6)}M`
}

/** The progress line where there is no terminal. */
export function logLine(facts: CrawlFacts): string {
  const { eta, pace, trouble } = facts
  const words = runningWords()
  const { progress } = words
  const slowest = (eta?.slowest ?? []).map(({ host, waiting, ms }) =>
    progress.hostIn(shownHost(host), shownCount(waiting), shownDuration(ms)),
  )
  const parts = [
    pagesOf(facts),
    ...machinesOf(facts),
    progress.pagesPerSecond(shownSpeed(facts.pagesPerSecond)),
    `${shownBytes(facts.wireBytesPerSecond)}/s`,
    words.hosts(facts.hosts),
    words.queued(shownCount(facts.waiting)),
    progress.open(shownCount(facts.open)),
    errorsOf(facts),
    `${progress.eta(etaOf(eta))}${slowest.length === 0 ? '' : ` (${progress.slowest(slowest.join(', '))})`}`,
  ]
  const why = trouble === '' ? pace : printable(trouble)
  return `${parts.join(', ')}${why === '' ? '' : `; ${why}`}`
}

function pagesOf({ pages, limit }: CrawlFacts): string {
  const words = runningWords()
  return limit === undefined ? words.pages(pages) : words.pagesOf(shownCount(pages), shownCount(limit))
}

/** Also when one works alone: others may join. */
function machinesOf({ machines }: CrawlFacts): string[] {
  return machines === undefined ? [] : [runningWords().machines(machines)]
}

function errorsOf({ errors }: CrawlFacts): string {
  return runningWords().progress.errors(errors)
}

function etaOf(eta: Eta | undefined): string {
  if (eta === undefined) return runningWords().progress.unknown
  return `${eta.isAtLeast ? '> ' : ''}${shownDuration(eta.ms)}`
}

const MOST_HOST_COLUMNS = 30

/** Safe on a terminal, one column per character. Long names keep their end, which says whose host it is. */
function shownHost(host: string): string {
  const text = printable(host.slice(-1000)).replace(/[^ -~]/gu, '?')
  return text.length <= MOST_HOST_COLUMNS ? text : `…${text.slice(1 - MOST_HOST_COLUMNS)}`
}

const PROGRESS_EVERY_MS = 100
const ETA_EVERY_MS = 2000

/** Shows the progress of a crawl until the returned function is called. */
export function showProgress(session: CrawlSession, progress: CrawlProgress): () => void {
  const pages = new RecentRate()
  const bytes = new RecentRate()
  const watch = new RunWatch()
  let eta: Eta | undefined
  let etaAtMs = 0
  let isLooking = false
  const look = async () => {
    const nowMs = unixClock()
    const now = await session.progress()
    const pagesPerSecond = pages.at(nowMs, now.pages)
    const wireBytesPerSecond = bytes.at(nowMs, now.wireBytes)
    watch.see(nowMs, now.pages)
    if (!progress.isDue(nowMs)) return
    if (nowMs - etaAtMs >= ETA_EVERY_MS) {
      eta = await session.eta(pagesPerSecond)
      etaAtMs = nowMs
    }
    const { hosts, waiting } = now.frontier
    const doing = await session.doing()
    const facts = {
      pages: now.pages,
      ...(now.machines !== undefined && { machines: now.machines }),
      pagesPerSecond,
      wireBytesPerSecond,
      hosts,
      waiting,
      open: now.openRequests,
      errors: now.failures,
      eta,
      pace: shownPace(watch.pace(doing)),
      trouble: shownTrouble(doing, watch.isStalled),
    }
    const { limit } = session.settings
    progress.show(limit === Infinity ? facts : { ...facts, limit }, nowMs)
  }
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    look()
      // The frontier may have been closed or have failed meanwhile; the crawl itself reports that.
      .catch(() => {})
      .finally(() => (isLooking = false))
  }, PROGRESS_EVERY_MS)
  return () => {
    clearInterval(timer)
    progress.hide()
  }
}
