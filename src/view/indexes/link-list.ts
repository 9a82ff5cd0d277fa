import { setImmediate as turn } from 'node:timers/promises'
import { type Clock, systemClock } from '../../base/clock.ts'
import type { LinkChoice } from '../../settings/link-choice.ts'
import { hostOf } from '../../url/host-of.ts'
import type { ListedLink } from '../listed.ts'
import type { LinkList, LinkOrder } from '../questions/link-shapes.ts'

/** Links of a scan that are kept: the first ones of its order. */
const MOST_KEPT = 5000
/** How long an answer waits for a scan, and how long a scan reads before the event loop gets a turn. */
const PATIENCE_MS = 60
const SLICE_MS = 5
/** A scan that nobody has asked about for this long ends. */
const ASKED_MS = 20_000
/** An answer may be this old, or as old as several scans take. */
const FRESH_MS = 2000
const FRESH_SCANS = 4
const MOST_SCANS = 4

export interface LinkQuery extends LinkChoice {
  readonly sort: LinkOrder
  readonly reverse: boolean
  readonly offset: number
  readonly limit: number
}

/** Lists links: all of them, in the order of discovery. */
export type ListLinks = (which: LinkChoice) => AsyncIterable<ListedLink>

interface Kept {
  readonly link: ListedLink
  readonly key: string | number
  readonly place: number
}

const KEYS: Readonly<Record<LinkOrder, (link: ListedLink, place: number) => string | number>> = {
  known: (_, place) => place,
  url: ({ url }) => url,
  host: ({ url }) => hostOf(url),
  reason: ({ reason = '' }) => reason,
  // The largest number first.
  attempts: ({ attempts = 0 }) => -attempts,
  hops: ({ hops }) => -hops,
}

/** Looks at all links once, counts those that are chosen, and keeps the first ones of an order. */
class LinkScan {
  total = 0
  isComplete = false
  tookMs = 0
  readonly startMs: number
  readonly done: Promise<void>
  private rows: Kept[] = []
  private isSorted = true
  private readonly query: LinkQuery
  private readonly stopwatch: Clock

  /** `total`: how many links there are, if that is known: then a scan in their own order ends with the last one that is kept. */
  constructor(query: LinkQuery, lists: ListLinks, total: number | undefined, isAsked: () => boolean, stopwatch: Clock) {
    this.query = query
    this.stopwatch = stopwatch
    this.startMs = stopwatch()
    this.done = this.read(lists(query), total, isAsked)
  }

  /** Those that were kept, in their order. */
  kept(): readonly ListedLink[] {
    if (!this.isSorted) this.sort()
    return this.rows.map(({ link }) => link)
  }

  private async read(links: AsyncIterable<ListedLink>, total: number | undefined, isAsked: () => boolean) {
    const isInOrder = this.query.sort === 'known' && !this.query.reverse
    const keyOf = KEYS[this.query.sort]
    let sliceMs = this.startMs
    for await (const link of links) {
      this.total++
      if (!isInOrder || this.rows.length < MOST_KEPT)
        this.keep({ link, key: keyOf(link, this.total), place: this.total })
      if (isInOrder && total !== undefined && this.rows.length === MOST_KEPT) break
      if (this.stopwatch() - sliceMs < SLICE_MS) continue
      await turn()
      sliceMs = this.stopwatch()
      if (!isAsked()) return
    }
    if (total !== undefined && this.rows.length >= MOST_KEPT) this.total = Math.max(total, this.total)
    this.isComplete = true
    this.tookMs = this.stopwatch() - this.startMs
  }

  private keep(row: Kept): void {
    this.rows.push(row)
    this.isSorted = false
    if (this.rows.length >= 2 * MOST_KEPT) this.sort()
  }

  private sort(): void {
    const sign = this.query.reverse ? -1 : 1
    this.rows.sort((a, b) => sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : a.place - b.place))
    this.rows.length = Math.min(this.rows.length, MOST_KEPT)
    this.isSorted = true
  }
}

/** A list that is asked about: the newest scan, and the one before until the newest is complete. */
interface Asked {
  latest: LinkScan
  former: LinkScan | undefined
  atMs: number
}

/**
 * Lists, counts and sorts links by what became of them, however many there are: each list is a scan in the background, of which the
 * first links are kept. An answer that comes before the end of the scan says so.
 */
export class LinkLists {
  private readonly lists: ListLinks
  private readonly stopwatch: Clock
  private readonly asked = new Map<string, Asked>()
  private isClosed = false

  constructor(lists: ListLinks, stopwatch: Clock = systemClock) {
    this.lists = lists
    this.stopwatch = stopwatch
  }

  /** `total`: how many links a query without host, text and origin chooses, as the frontier counts them. */
  async find(query: LinkQuery, total: number | undefined): Promise<LinkList> {
    const { offset, limit, ...list } = query
    const key = JSON.stringify(
      Object.entries(list)
        .filter(([, value]) => value !== undefined)
        .sort(),
    )
    const asked = this.scanned(key, query, total)
    await Promise.race([asked.latest.done, waited(PATIENCE_MS)]).catch(error => {
      this.asked.delete(key)
      throw error
    })
    const { latest, former = latest } = asked
    const scan = latest.isComplete ? latest : former
    if (latest.isComplete) asked.former = undefined
    const kept = scan.kept()
    return {
      items: kept.slice(offset, offset + limit),
      total: scan.total,
      reachable: kept.length,
      isComplete: scan.isComplete,
    }
  }

  close(): void {
    this.isClosed = true
    this.asked.clear()
  }

  private scanned(key: string, query: LinkQuery, total: number | undefined): Asked {
    const nowMs = this.stopwatch()
    const known = this.asked.get(key)
    const begin = (asked: () => Asked) => {
      const isAsked = () =>
        !this.isClosed && this.asked.get(key) === asked() && this.stopwatch() - asked().atMs < ASKED_MS
      const scan = new LinkScan(query, this.lists, total, isAsked, this.stopwatch)
      // Told to those who wait for it.
      scan.done.catch(() => {})
      return scan
    }
    if (known === undefined || (!known.latest.isComplete && nowMs - known.atMs >= ASKED_MS)) {
      const asked: Asked = { latest: begin(() => asked), former: undefined, atMs: nowMs }
      this.asked.delete(key)
      this.asked.set(key, asked)
      for (const one of this.asked.keys()) if (this.asked.size > MOST_SCANS) this.asked.delete(one)
      return asked
    }
    known.atMs = nowMs
    const { latest } = known
    const isOld = nowMs - latest.startMs > Math.max(FRESH_MS, FRESH_SCANS * latest.tookMs)
    if (latest.isComplete && isOld) {
      known.former = latest
      known.latest = begin(() => known)
    }
    return known
  }
}

function waited(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
