import type { RequestTable } from './request-table.ts'
import type { Judgement } from './robots-files.ts'

/** Two moments between which there should have been more time. */
export interface GapExample {
  readonly fromMs: number
  readonly toMs: number
}

export interface ForbiddenExample {
  readonly url: string
  readonly timeMs: number
  /** Of the robots.txt, from 1; undefined: it could not be had, so everything was forbidden. */
  readonly line: number | undefined
  readonly robotsMs: number
}

/** What an archive says about one host. */
export interface HostAudit {
  readonly host: string
  readonly requests: number
  readonly firstMs: number
  readonly lastMs: number
  /** Between the sending of two requests in a row; undefined with fewer than two. */
  readonly smallestGapMs: number | undefined
  readonly medianGapMs: number | undefined
  /** How far a gap may be from the truth, since times are named to the second or to the millisecond. */
  readonly gapErrorMs: number
  /** Whether there was never more than one request open; undefined when the archive doesn't say when they ended. */
  readonly isOneAtATime: boolean | undefined
  /** Requests that were sent while another one was open. */
  readonly overlaps: number
  /** Gaps that were certainly smaller than `--delay`; undefined without it. */
  readonly tooSoon: number | undefined
  readonly tooSoonExample: GapExample | undefined
  readonly robots: 'archived' | 'missing'
  readonly forbidden: number
  readonly forbiddenExample: ForbiddenExample | undefined
  /** Requests that were sent before robots.txt was asked for. */
  readonly beforeRobots: number
  readonly crawlDelayMs: number | undefined
  readonly withinCrawlDelay: number
  readonly crawlDelayExample: GapExample | undefined
  /** Answers with `Retry-After`, 429 or 503. */
  readonly retryAfters: number
  readonly withinRetryAfter: number
  readonly retryAfterExample: GapExample | undefined
  /** Requests for a URL that had been asked for before; of these, after a failure (no answer, 429, 5xx). */
  readonly repeats: number
  readonly retries: number
  readonly repeatExampleMs: number | undefined
}

/** Longer lists are of no use: each of these waits is looked at once per request. */
const MOST_WAITS = 1000
const SECOND_MS = 1000
/** RFC 9309 2.4: after a day, robots.txt has to be asked for again. */
const ROBOTS_KEPT_MS = 24 * 60 * 60 * 1000

/** What is counted for a host while the archive is read. */
export class HostTally {
  readonly host: string
  private hasRobots = false
  private forbidden = 0
  private forbiddenExample: ForbiddenExample | undefined
  private beforeRobots = 0
  /** Undefined: at some time, robots.txt asked for none. */
  private crawlDelayMs: number | undefined = Infinity
  private crawlDelayFromMs = Infinity
  private retryAfters = 0
  private readonly waits: { readonly fromMs: number; readonly untilMs: number }[] = []

  constructor(host: string) {
    this.host = host
  }

  judged(href: string, timeMs: number, judgement: Judgement | undefined): void {
    if (judgement === undefined) return
    const { verdict, robotsMs, isLater, crawlDelayMs } = judgement
    this.hasRobots = true
    if (isLater) this.beforeRobots++
    else if (crawlDelayMs === undefined || this.crawlDelayMs === undefined) this.crawlDelayMs = undefined
    else {
      this.crawlDelayMs = Math.min(this.crawlDelayMs, crawlDelayMs)
      this.crawlDelayFromMs = Math.min(this.crawlDelayFromMs, robotsMs)
    }
    if (verdict.allowed || verdict.tooComplex) return
    this.forbidden++
    this.forbiddenExample ??= { url: href, timeMs, line: verdict.line, robotsMs }
  }

  askedToWait(timeMs: number, waitMs: number): void {
    this.retryAfters++
    if (this.waits.length < MOST_WAITS) this.waits.push({ fromMs: timeMs, untilMs: timeMs + waitMs })
  }

  /** `own`: the host's requests, in order of time. */
  audit(table: RequestTable, own: Uint32Array, delayMs: number | undefined): HostAudit {
    const times = Float64Array.from(own, at => table.timeMs(at))
    const gaps = times.subarray(1).map((time, at) => time - times[at]!)
    const gapErrorMs = own.some(at => table.isCoarse(at)) ? SECOND_MS : 1
    const tooSoon = delayMs === undefined ? undefined : shortGaps(times, delayMs, gapErrorMs)
    const crawlDelayMs = Number.isFinite(this.crawlDelayMs) ? this.crawlDelayMs : undefined
    const known = times.subarray(times.findIndex(time => time >= this.crawlDelayFromMs))
    const slow = crawlDelayMs === undefined ? undefined : shortGaps(known, crawlDelayMs, gapErrorMs)
    const sorted = gaps.toSorted()
    return {
      host: this.host,
      requests: own.length,
      firstMs: times[0]!,
      lastMs: times.at(-1)!,
      smallestGapMs: sorted[0],
      medianGapMs:
        sorted.length === 0 ? undefined : (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2,
      gapErrorMs,
      ...overlapsOf(table, own, gapErrorMs),
      tooSoon: tooSoon?.count,
      tooSoonExample: tooSoon?.example,
      robots: this.hasRobots ? 'archived' : 'missing',
      forbidden: this.forbidden,
      forbiddenExample: this.forbiddenExample,
      beforeRobots: this.beforeRobots,
      crawlDelayMs,
      withinCrawlDelay: slow?.count ?? 0,
      crawlDelayExample: slow?.example,
      retryAfters: this.retryAfters,
      ...this.withinWaits(times, gapErrorMs),
      ...repeatsOf(table, own),
    }
  }

  /** A wait begins when the answer arrives, which is after its request was sent: so what is found is certain. */
  private withinWaits(times: Float64Array, errorMs: number) {
    let withinRetryAfter = 0
    let retryAfterExample: GapExample | undefined
    const waits = this.waits.toSorted((a, b) => a.fromMs - b.fromMs)
    let next = 0
    let longest = { fromMs: -Infinity, untilMs: -Infinity }
    for (const time of times) {
      for (; next < waits.length && waits[next]!.fromMs < time; next++)
        if (waits[next]!.untilMs > longest.untilMs) longest = waits[next]!
      if (time + errorMs > longest.untilMs) continue
      withinRetryAfter++
      retryAfterExample ??= { fromMs: longest.fromMs, toMs: time }
    }
    return { withinRetryAfter, retryAfterExample }
  }
}

/**
 * How many gaps were certainly too short, though each time may be too early by up to `errorMs`: n gaps in a row that took together less than n delays,
 * by at least that error, have one among them. So 15 requests named to the same second break a delay of 100 ms. Each request counts for one gap only.
 */
export function shortGaps(
  times: Float64Array,
  delayMs: number,
  errorMs: number,
): { count: number; example?: GapExample } {
  let count = 0
  let example: GapExample | undefined
  /** Of the requests since the last gap that was counted: the one after which there was least time for those that followed. */
  let start = 0
  for (let at = 1; at < times.length; at++) {
    const lack = (at - start) * delayMs - (times[at]! - times[start]!)
    if (lack >= errorMs) {
      count++
      example ??= { fromMs: times[start]!, toMs: times[at]! }
      start = at
    } else if (lack <= 0) start = at
  }
  return { count, ...(example === undefined ? {} : { example }) }
}

function overlapsOf(table: RequestTable, own: Uint32Array, errorMs: number) {
  let overlaps = 0
  let known = 0
  let endMs = -Infinity
  for (const at of own) {
    const time = table.timeMs(at)
    if (time + errorMs <= endMs) overlaps++
    const duration = table.durationMs(at)
    if (duration === undefined) continue
    known++
    endMs = Math.max(endMs, time + duration)
  }
  return { overlaps, isOneAtATime: overlaps > 0 ? false : known === own.length ? true : undefined }
}

function repeatsOf(table: RequestTable, own: Uint32Array) {
  let repeats = 0
  let retries = 0
  let repeatExampleMs: number | undefined
  const byUrl = own.toSorted((a, b) => table.compareUrls(a, b) || table.timeMs(a) - table.timeMs(b) || a - b)
  for (let at = 1; at < byUrl.length; at++) {
    const [before, now] = [byUrl[at - 1]!, byUrl[at]!]
    if (table.compareUrls(before, now) !== 0) continue
    if (table.isRobots(now) && table.timeMs(now) - table.timeMs(before) >= ROBOTS_KEPT_MS) continue
    repeats++
    const status = table.status(before)
    if (status === 0 || status === 429 || status >= 500) retries++
    else repeatExampleMs ??= table.timeMs(now)
  }
  return { repeats, retries, repeatExampleMs }
}
