import { printable } from '../base/words/printable.ts'
import { shownBytes, shownCount, shownDuration } from '../base/words/quantity.ts'
import type { Eta } from '../crawl/stats/eta.ts'
import { tell } from './tell.ts'

export interface CrawlFacts {
  readonly pages: number
  readonly limit?: number
  /** Of the last seconds. */
  readonly pagesPerSecond: number
  readonly wireBytesPerSecond: number
  readonly hosts: number
  readonly waiting: number
  /** Open requests. */
  readonly open: number
  readonly errors: number
  /** Undefined while nobody can know. */
  readonly eta: Eta | undefined
}

/** Where progress is shown. */
export interface Screen {
  /** `line` is rewritten in place, on a terminal; `log` grows by a line now and then; `none` shows nothing. */
  readonly kind: 'line' | 'log' | 'none'
  readonly hasColour: boolean
  /** Asked each time, as windows change their width. */
  columns(): number
  write(text: string): void
}

/** Standard error, as this terminal and environment want it. */
export function standardScreen(isQuiet: boolean): Screen {
  const isTerminal = process.stderr.isTTY === true && process.env.TERM !== 'dumb'
  return {
    kind: isQuiet ? 'none' : isTerminal ? 'line' : 'log',
    hasColour: isTerminal && (process.env.NO_COLOR ?? '') === '',
    columns: () => process.stderr.columns || 80,
    write: tell,
  }
}

const BETWEEN_MS = { line: 200, log: 5000, none: Number.POSITIVE_INFINITY }

/** How far a crawl is. Whoever writes something else to the screen calls `hide` before. */
export class CrawlProgress {
  private readonly screen: Screen
  private shownAtMs: number
  private isShown = false

  constructor(screen: Screen, nowMs: number) {
    this.screen = screen
    this.shownAtMs = nowMs
  }

  /** False as long as `show` would do nothing: gathering the facts costs something too. */
  isDue(nowMs: number): boolean {
    return nowMs - this.shownAtMs >= BETWEEN_MS[this.screen.kind]
  }

  show(facts: CrawlFacts, nowMs: number): void {
    if (!this.isDue(nowMs)) return
    this.shownAtMs = nowMs
    if (this.screen.kind === 'log') {
      this.screen.write(`${logLine(facts)}\n`)
      return
    }
    // The last column stays free: some terminals go to the next line when it is filled.
    this.screen.write(`\r\x1b[K${progressLine(facts, this.screen.columns() - 1, this.screen.hasColour)}`)
    this.isShown = true
  }

  hide(): void {
    if (this.isShown) this.screen.write('\r\x1b[K')
    this.isShown = false
  }
}

interface Part {
  /** Parts are left out from the highest number on when the line is too narrow. */
  readonly rank: number
  readonly text: string
  /** What it becomes before anything up to `LAST_WANTED` is left out. */
  readonly short?: string
  readonly colour?: number
}

const CYAN = 36
const YELLOW = 33
const GAP = '  '
const BAR_COLUMNS = 20
const LAST_WANTED = 6

/** The progress on a terminal: one line, at most so many columns wide. */
export function progressLine(facts: CrawlFacts, columns: number, hasColour: boolean): string {
  const parts = partsOf(facts)
  const wanted = parts.filter(({ rank }) => rank <= LAST_WANTED)
  if (fitting(wanted, columns).length === wanted.length) return painted(fitting(parts, columns), hasColour)
  const shorter = parts.map(part => ({ ...part, text: part.short ?? part.text }))
  return painted(fitting(shorter, columns), hasColour)
}

/** The parts that there is room for, in their order. */
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

/** In the order in which they are shown. */
function partsOf(facts: CrawlFacts): Part[] {
  const { pages, limit, hosts, waiting, errors, eta } = facts
  const parts: Part[] = [
    { rank: 0, text: `${pagesOf(facts)} pages`, short: `${shortCount(pages)} pages` },
    { rank: 2, text: `${rate(facts.pagesPerSecond)} pages/s`, short: `${rate(facts.pagesPerSecond)}/s` },
    { rank: 4, text: `${shownBytes(facts.wireBytesPerSecond)}/s` },
    { rank: 6, text: `${shownCount(hosts)} hosts`, short: `${shortCount(hosts)} hosts` },
    { rank: 3, text: `${shownCount(waiting)} queued`, short: `${shortCount(waiting)} queued` },
    { rank: 9, text: `${shownCount(facts.open)} open` },
    { rank: 5, text: errorsOf(facts), ...(errors > 0 && { colour: YELLOW }) },
    { rank: 1, text: `ETA ${etaOf(eta)}` },
  ]
  if (limit !== undefined) {
    const share = limit > 0 ? Math.min(pages / limit, 1) : 1
    parts.unshift(
      { rank: 8, text: '█'.repeat(Math.floor(share * BAR_COLUMNS)).padEnd(BAR_COLUMNS, '░'), colour: CYAN },
      { rank: 7, text: `${Math.floor(share * 100)} %` },
    )
  }
  for (const [place, { host, ms }] of (eta?.slowest ?? []).entries()) {
    parts.push({ rank: 10 + place, text: `${place === 0 ? 'slowest: ' : ''}${shownHost(host)} ${shownDuration(ms)}` })
  }
  return parts
}

/** `120k`, `1.2M`. */
function shortCount(count: number): string {
  if (count < 10_000) return shownCount(count)
  if (count < 999_500) return `${Math.round(count / 1000)}k`
  return count < 9.95e6 ? `${(count / 1e6).toFixed(1)}M` : `${shownCount(count / 1e6)}M`
}

/** The progress where there is no terminal. */
export function logLine(facts: CrawlFacts): string {
  const { eta } = facts
  const slowest = (eta?.slowest ?? []).map(
    ({ host, waiting, ms }) => `${shownHost(host)} ${shownCount(waiting)} in ${shownDuration(ms)}`,
  )
  return [
    `escalona: ${pagesOf(facts)} pages`,
    `${rate(facts.pagesPerSecond)} pages/s`,
    `${shownBytes(facts.wireBytesPerSecond)}/s`,
    `${shownCount(facts.hosts)} hosts`,
    `${shownCount(facts.waiting)} queued`,
    `${shownCount(facts.open)} open`,
    errorsOf(facts),
    `ETA ${etaOf(eta)}${slowest.length === 0 ? '' : ` (slowest: ${slowest.join(', ')})`}`,
  ].join(', ')
}

function pagesOf({ pages, limit }: CrawlFacts): string {
  return limit === undefined ? shownCount(pages) : `${shownCount(pages)} of ${shownCount(limit)}`
}

function errorsOf({ errors }: CrawlFacts): string {
  return `${shownCount(errors)} error${errors === 1 ? '' : 's'}`
}

function etaOf(eta: Eta | undefined): string {
  if (eta === undefined) return 'unknown'
  return `${eta.isAtLeast ? '> ' : ''}${shownDuration(eta.ms)}`
}

function rate(perSecond: number): string {
  return perSecond < 9.95 ? perSecond.toFixed(1) : shownCount(perSecond)
}

const MOST_HOST_COLUMNS = 30

/** Safe on a terminal, a column a character; of a long name the end, which says whose it is. */
function shownHost(host: string): string {
  const text = printable(host.slice(-1000)).replace(/[^ -~]/gu, '?')
  return text.length <= MOST_HOST_COLUMNS ? text : `…${text.slice(1 - MOST_HOST_COLUMNS)}`
}
