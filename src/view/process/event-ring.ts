import type { CrawlHappening } from '../../settings/events.ts'
import type { EventBatch, NumberedEvent } from '../questions/crawl-shapes.ts'

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
