import { unixClock } from '../../base/clock.ts'
import { printable } from '../../base/words/printable.ts'
import { shownBytes, shownCount, shownDecimal, shownDuration } from '../../base/words/quantity.ts'
import { type Eta, RecentRate } from '../../folder/stats/eta.ts'
import type { CrawlSession } from '../../run/session.ts'
import { shownWait } from '../../view/process/waiting-for.ts'
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
  /** One sentence about what the crawl is waiting for; empty while requests are the limit. */
  readonly waitingFor: string
}

/** Where progress is shown. */
export interface Screen {
  /** `line`: one line, rewritten in place on a terminal. `log`: a new line now and then. `none`: nothing. */
  readonly kind: 'line' | 'log' | 'none'
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
    kind: log === 'none' ? 'none' : isTerminal && log === 'text' ? 'line' : 'log',
    hasColour: isTerminal && (process.env.NO_COLOR ?? '') === '',
    columns: () => process.stderr.columns || 80,
    write: tell,
    log: (message, facts) => say('info', message, { event: 'progress', ...facts }),
  }
}

const BETWEEN_MS = { line: 200, log: 5000, none: Number.POSITIVE_INFINITY }

/** Shows how far a crawl is. Call `hide` before writing anything else to the screen. */
export class CrawlProgress {
  private readonly screen: Screen
  private shownAtMs: number
  private isShown = false

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
    this.screen.write(`\r\x1b[K${progressLine(facts, this.screen.columns() - 1, this.screen.hasColour)}`)
    this.isShown = true
  }

  hide(): void {
    if (this.isShown) this.screen.write('\r\x1b[K')
    this.isShown = false
  }
}

interface Part {
  /** When the line is too narrow, parts with the highest rank are left out first. */
  readonly rank: number
  readonly text: string
  /** A shorter form, used before any part up to `LAST_WANTED` is left out. */
  readonly short?: string
  readonly colour?: number
  /** Cut short with `…` instead of being left out. */
  readonly canBeCut?: boolean
}

const CYAN = 36
const YELLOW = 33
const GAP = '  '
const BAR_COLUMNS = 20
const LAST_WANTED = 6
/** A sentence cut shorter than this says nothing. */
const LEAST_CUT = 20

/** The progress line for a terminal, at most `columns` wide. */
export function progressLine(facts: CrawlFacts, columns: number, hasColour: boolean): string {
  const parts = partsOf(facts)
  const wanted = parts.filter(({ rank }) => rank <= LAST_WANTED)
  if (fitting(wanted, columns).length === wanted.length) return painted(fitting(parts, columns), hasColour)
  const shorter = parts.map(part => ({ ...part, text: part.short ?? part.text }))
  return painted(fitting(shorter, columns), hasColour)
}

/** The parts that fit, in order. */
function fitting(parts: readonly Part[], columns: number): Part[] {
  const kept = new Set<Part>()
  let room = columns + GAP.length
  let cut = ''
  for (const part of parts.toSorted((a, b) => a.rank - b.rank)) {
    room -= part.text.length + GAP.length
    if (part.canBeCut && room < 0 && part.text.length + room >= LEAST_CUT) {
      cut = `${part.text.slice(0, room - 1)}…`
      kept.add(part)
    }
    if (room < 0) break
    kept.add(part)
  }
  return parts.flatMap(part => (kept.has(part) ? [part.canBeCut && cut !== '' ? { ...part, text: cut } : part] : []))
}

function painted(parts: readonly Part[], hasColour: boolean): string {
  return parts
    .map(({ text, colour }) => (hasColour && colour !== undefined ? `\x1b[${colour}m${text}\x1b[0m` : text))
    .join(GAP)
}

/** In display order. While the crawl waits, the sentence replaces rates and estimate, which would mean nothing. */
function partsOf(facts: CrawlFacts): Part[] {
  const { pages, hosts, waiting, errors, eta, waitingFor } = facts
  const words = runningWords()
  const { progress } = words
  const sentence = printable(waitingFor)
  const parts: Part[] = [
    { rank: 0, text: pagesOf(facts), short: words.pages(pages, shortCount(pages)) },
    { rank: 2, text: progress.pagesPerSecond(rate(facts.pagesPerSecond)), short: `${rate(facts.pagesPerSecond)}/s` },
    { rank: 4, text: `${shownBytes(facts.wireBytesPerSecond)}/s` },
    { rank: 6, text: words.hosts(hosts), short: words.hosts(hosts, shortCount(hosts)) },
    { rank: 3, text: words.queued(shownCount(waiting)), short: words.queued(shortCount(waiting)) },
    { rank: 9, text: progress.open(shownCount(facts.open)) },
    { rank: 5, text: errorsOf(facts), ...(errors > 0 && { colour: YELLOW }) },
    { rank: 1, text: progress.eta(etaOf(eta)) },
  ]
  const machines = machinesOf(facts).map(text => ({ rank: 2, text }))
  if (sentence !== '')
    return [parts[0]!, ...machines, { ...parts[4]!, rank: 1 }, { rank: 3, text: sentence, canBeCut: true }]
  parts.splice(1, 0, ...machines)
  parts.unshift(...barOf(facts))
  for (const [place, { host, ms }] of (eta?.slowest ?? []).entries()) {
    const named = `${shownHost(host)} ${shownDuration(ms)}`
    parts.push({ rank: 10 + place, text: place === 0 ? progress.slowest(named) : named })
  }
  return parts
}

function barOf({ pages, limit }: CrawlFacts): Part[] {
  if (limit === undefined) return []
  const share = limit > 0 ? Math.min(pages / limit, 1) : 1
  const bar = '█'.repeat(Math.floor(share * BAR_COLUMNS)).padEnd(BAR_COLUMNS, '░')
  return [
    { rank: 8, text: bar, colour: CYAN },
    { rank: 7, text: `${Math.floor(share * 100)} %` },
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
  const { eta, waitingFor } = facts
  const words = runningWords()
  const { progress } = words
  const slowest = (eta?.slowest ?? []).map(({ host, waiting, ms }) =>
    progress.hostIn(shownHost(host), shownCount(waiting), shownDuration(ms)),
  )
  const parts = [
    pagesOf(facts),
    ...machinesOf(facts),
    progress.pagesPerSecond(rate(facts.pagesPerSecond)),
    `${shownBytes(facts.wireBytesPerSecond)}/s`,
    words.hosts(facts.hosts),
    words.queued(shownCount(facts.waiting)),
    progress.open(shownCount(facts.open)),
    errorsOf(facts),
    `${progress.eta(etaOf(eta))}${slowest.length === 0 ? '' : ` (${progress.slowest(slowest.join(', '))})`}`,
  ]
  return `${parts.join(', ')}${waitingFor === '' ? '' : `; ${printable(waitingFor)}`}`
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

function rate(perSecond: number): string {
  return perSecond < 9.95 ? shownDecimal(perSecond, 1) : shownCount(perSecond)
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
      ...(now.machines !== undefined && { machines: now.machines }),
      pagesPerSecond,
      wireBytesPerSecond,
      hosts,
      waiting,
      open: now.openRequests,
      errors: now.failures,
      eta,
      waitingFor: shownWait(await session.doing()),
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
