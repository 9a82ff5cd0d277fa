import type { CrawlEvent } from '../events.ts'
import type { EventBatch } from './front-desk.ts'

/** How many events are kept, how many are handed out at once, and how many to somebody who has just come. */
const MOST_KEPT = 1000
const MOST_AT_ONCE = 200
const FIRST = 50
/** Longer texts and lists are cut: a URL may have 64 KiB, and somebody may add a million seeds. */
const MOST_CHARS = 2000
const MOST_ENTRIES = 100

/** The latest events of a crawl, numbered from 1 up. */
export class EventRing {
  private readonly kept = new Array<CrawlEvent>(MOST_KEPT)
  private last = 0

  hear(event: CrawlEvent): void {
    this.kept[this.last++ % MOST_KEPT] = isSmall(event) ? event : (cut(event) as CrawlEvent)
  }

  /** See `FrontDesk.events`. */
  after(after: number): EventBatch {
    const isKnown = after > 0 && after <= this.last
    const oldest = Math.max(0, this.last - MOST_KEPT)
    const from = isKnown ? Math.max(after, oldest) : Math.max(oldest, this.last - FIRST)
    const last = Math.min(from + MOST_AT_ONCE, this.last)
    const items = []
    for (let n = from; n < last; n++) items.push({ ...this.kept[n % MOST_KEPT]!, number: n + 1 })
    return { items, last, skipped: isKnown ? from - after : 0 }
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
