import { inBothLanguages } from '../../base/words/language.ts'
import { RecentRate } from '../../folder/stats/eta.ts'
import type { RunTotals, ViewedRun } from '../../run/run-status.ts'
import type { CrawlHappening } from '../../settings/events.ts'
import type { CrawlSeries, EventBatch, NumberedEvent } from '../questions/crawl-shapes.ts'
import type { RunAnswers } from '../questions/frontier-answers.ts'
import { RunWatch } from './pace.ts'
import { shownDoing } from './waiting-for.ts'

const SAMPLE_EVERY_MS = 1000

/** What a running crawl remembers of its run: its rates and its latest events. */
export class RunMemory {
  private readonly run: ViewedRun
  private readonly sinceMs: number
  private readonly ring: EventRing
  private readonly samples = new RecentSamples()
  private readonly pageRate = new RecentRate()
  private readonly byteRate = new RecentRate()
  private readonly watch = new RunWatch()
  private readonly sampling: NodeJS.Timeout
  private pagesPerSecond = 0
  private bytesPerSecond = 0

  constructor(run: ViewedRun) {
    this.run = run
    this.sinceMs = run.clock()
    this.ring = new EventRing(this.sinceMs)
    this.sample()
    this.sampling = setInterval(() => this.sample(), SAMPLE_EVERY_MS).unref()
  }

  hear(happened: CrawlHappening, atMs: number): void {
    this.ring.hear(happened, atMs)
  }

  get answers(): RunAnswers {
    const { run, ring, samples, watch } = this
    return {
      status: async () => {
        const { sinceMs, pagesPerSecond, bytesPerSecond } = this
        const { running, ...status } = await run.status({ sinceMs, pagesPerSecond, bytesPerSecond })
        const doing = running?.waitingFor
        const watched = doing && { isStalled: watch.isStalled, pagesPerSecond, pace: watch.pace(doing) }
        const waitingFor = doing && inBothLanguages(() => shownDoing(doing, watched!))
        return { ...status, running: running && { ...running, waitingFor: waitingFor! } }
      },
      series: async () => ({ recent: samples.data(), whole: run.timeline() }),
      events: async ({ after, isBrief }) => (isBrief ? ring.latestAfter(after) : ring.after(after)),
      act: ({ action }) => run.act(action),
    }
  }

  close(): void {
    clearInterval(this.sampling)
  }

  private sample(): void {
    const nowMs = this.run.clock()
    const totals = this.run.totals()
    this.samples.sample(nowMs, totals)
    this.watch.see(nowMs, totals.pages)
    this.pagesPerSecond = this.pageRate.at(nowMs, totals.pages)
    this.bytesPerSecond = this.byteRate.at(nowMs, totals.wireBytes)
  }
}

/** How many events are kept, how many are handed out at once, and how many to a new listener. */
const MOST_KEPT = 1000
const MOST_AT_ONCE = 200
const FIRST = 50
/** How many of each kind are handed out to a listener that wants only a few. */
const MOST_OF_A_KIND = 20
/** Longer texts and lists are cut: a URL may have 64 KiB, and a person may add a million seeds. */
const MOST_CHARS = 2000
const MOST_ENTRIES = 100

/** More than a crawl has in a millisecond. */
const NUMBERS_A_MS = 1000

/** The latest events of a run. Their numbers begin where no earlier run's can have ended. */
export class EventRing {
  private readonly kept = new Array<CrawlHappening>(MOST_KEPT)
  private readonly timesMs = new Float64Array(MOST_KEPT)
  private readonly before: number
  private last: number

  /** `nowMs`: when the run begins, in milliseconds since 1970. */
  constructor(nowMs: number) {
    this.before = Math.floor(nowMs) * NUMBERS_A_MS
    this.last = this.before
  }

  hear(happened: CrawlHappening, atMs: number): void {
    const place = ++this.last % MOST_KEPT
    this.kept[place] = isSmall(happened) ? happened : (cut(happened) as CrawlHappening)
    this.timesMs[place] = atMs
  }

  /** See the question `events`. A number that was never given is taken as 0. */
  after(after: number): EventBatch {
    const { from, skipped } = this.since(after)
    const end = Math.min(from + MOST_AT_ONCE, this.last)
    const items: NumberedEvent[] = []
    for (let number = from + 1; number <= end; number++) items.push(this.numbered(number))
    return { items, last: end, skipped }
  }

  /** The same, but all at once, and of each kind only the latest. */
  latestAfter(after: number): EventBatch {
    const { from, skipped } = this.since(after)
    const counts = new Map<string, number>()
    const items: NumberedEvent[] = []
    for (let number = this.last; number > from; number--) {
      const { kind } = this.kept[number % MOST_KEPT]!
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      if (count <= MOST_OF_A_KIND) items.push(this.numbered(number))
    }
    return { items: items.reverse(), last: this.last, skipped: skipped + this.last - from - items.length }
  }

  /** After which number there are events to hand out, and how many before are lost. */
  private since(after: number): { readonly from: number; readonly skipped: number } {
    const { before, last } = this
    const isNew = !(after > 0 && after <= last)
    const oldest = Math.max(before, last - MOST_KEPT)
    const from = Math.floor(isNew ? Math.max(oldest, last - FIRST) : Math.max(oldest, after))
    return { from, skipped: isNew ? 0 : from - Math.max(before, Math.floor(after)) }
  }

  private numbered(number: number): NumberedEvent {
    const place = number % MOST_KEPT
    return { ...this.kept[place]!, atMs: this.timesMs[place]!, number }
  }
}

function isSmall(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= MOST_CHARS
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.length <= MOST_ENTRIES && value.every(isSmall)
  // Without a list of the values: this is called for every event.
  let entries = 0
  for (const key in value) {
    if (++entries > MOST_ENTRIES || !isSmall((value as Record<string, unknown>)[key])) return false
  }
  return true
}

function cut(value: unknown): unknown {
  if (typeof value === 'string') return value.length <= MOST_CHARS ? value : copied(value.slice(0, MOST_CHARS))
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.slice(0, MOST_ENTRIES).map(cut)
  const entries = Object.entries(value).slice(0, MOST_ENTRIES)
  return Object.fromEntries(entries.map(([key, one]) => [key, cut(one)]))
}

/** A slice of a text keeps the whole of it in memory. */
function copied(text: string): string {
  return Buffer.from(text).toString()
}

const SECONDS = 600
const GROWING = ['pages', 'wireBytes', 'failures'] as const

/** What a crawl did in each second of the last ten minutes. */
export class RecentSamples {
  /** Entry `second % SECONDS` of each belongs to a second since 1970. */
  private readonly rows = {
    pages: new Float64Array(SECONDS),
    wireBytes: new Float64Array(SECONDS),
    failures: new Float64Array(SECONDS),
    openRequests: new Float64Array(SECONDS),
  }
  private firstSecond = 0
  private second = 0
  private last: RunTotals | undefined

  /** Call this about once per second. What grew in seconds without a call is spread over them. */
  sample(nowMs: number, totals: RunTotals): void {
    const second = Math.floor(nowMs / 1000)
    const { last } = this
    this.last = totals
    // A clock that was set back begins anew.
    if (last === undefined || second < this.second || second - this.second >= SECONDS) {
      this.firstSecond = second
      this.second = second
      this.write(second, 0, 0, 0, totals.openRequests)
      return
    }
    for (let at = this.second + 1; at <= second; at++) this.write(at, 0, 0, 0, totals.openRequests)
    const begin = Math.min(this.second + 1, second)
    for (const name of GROWING) this.spread(name, Math.max(0, totals[name] - last[name]), begin, second)
    this.second = second
    this.firstSecond = Math.max(this.firstSecond, second - SECONDS + 1)
  }

  data(): CrawlSeries['recent'] {
    const row = (name: keyof typeof this.rows) => {
      const values: number[] = []
      if (this.last === undefined) return values
      for (let at = this.firstSecond; at <= this.second; at++) values.push(this.rows[name][at % SECONDS]!)
      return values
    }
    return {
      untilMs: this.second * 1000,
      pages: row('pages'),
      wireBytes: row('wireBytes'),
      failures: row('failures'),
      openRequests: row('openRequests'),
    }
  }

  private write(second: number, pages: number, wireBytes: number, failures: number, openRequests: number): void {
    const at = second % SECONDS
    const { rows } = this
    rows.pages[at] = pages
    rows.wireBytes[at] = wireBytes
    rows.failures[at] = failures
    rows.openRequests[at] = openRequests
  }

  private spread(name: (typeof GROWING)[number], grown: number, begin: number, end: number): void {
    const row = this.rows[name]
    for (let at = begin, left = grown; at <= end; at++) {
      const share = Math.floor(left / (end - at + 1))
      row[at % SECONDS]! += share
      left -= share
    }
  }
}
