import type { BacklogClass } from '../../frontier/frontier.ts'

export interface Remaining {
  /** Pages still missing from the limit; undefined when there is no limit. */
  readonly wanted: number | undefined
  /** As observed recently; 0 when nothing is known yet. */
  readonly pagesPerSecond: number
  /** Archived pages per link taken so far, from 0 to 1. */
  readonly pageShare: number
  readonly backlog: Iterable<BacklogClass>
}

export interface Eta {
  readonly ms: number
  /** True when the known links are too few for the limit, or there is no limit: every new link adds time. */
  readonly isAtLeast: boolean
  /** The hosts that determine the time, slowest first: each of them alone takes about as long. At most three. */
  readonly slowest: readonly SlowQueue[]
}

/** A host whose queue takes about as long as the whole crawl. */
export interface SlowQueue {
  readonly host: string
  readonly waiting: number
  readonly ms: number
}

const MOST_SLOW = 3
/** Even a host without a delay gets one request at a time. */
const LEAST_GAP_MS = 0.1
const BUCKETS_AN_OCTAVE = 16
const BUCKETS = 64 * BUCKETS_AN_OCTAVE

/**
 * Estimates how long a crawl will still take. A host yields one page per gap until its queue is empty, which takes waiting × gap.
 * After a time T, all hosts together have yielded Σ min(waiting, T / gap) links. The limit is reached when enough of them were
 * pages; without a limit, the crawl is done when the slowest host is. Machine and network may be slower than the hosts allow, so
 * the estimate never assumes more pages per second than were observed recently.
 *
 * Hosts that take about equally long (within 4 %) are grouped and treated as if they ended at the same time, so one pass and
 * constant memory are enough for any number of hosts, and the result is exact when they do end at the same time.
 */
export function estimate({ wanted, pagesPerSecond, pageShare, backlog }: Remaining): Eta | undefined {
  if (wanted !== undefined && wanted <= 0) return { ms: 0, isAtLeast: false, slowest: [] }
  if (!(pagesPerSecond > 0) || !(pageShare > 0)) return undefined
  const lists = new HostLists(backlog)
  const wantedLinks = wanted === undefined ? Number.POSITIVE_INFINITY : wanted / Math.min(pageShare, 1)
  const hostsMs = lists.msUntil(wantedLinks)
  const pages = hostsMs === undefined ? lists.waiting * pageShare : wanted!
  const ms = Math.max(hostsMs ?? lists.longestMs, (pages / pagesPerSecond) * 1000)
  return { ms, isAtLeast: hostsMs === undefined, slowest: lists.slowest.filter(slow => decides(slow.ms, ms)) }
}

/** Whether a queue of this length determines the end: a much longer one will not be finished, a much shorter one does not matter. */
function decides(listMs: number, ms: number): boolean {
  return listMs >= ms / 2 && listMs <= ms * 2
}

class HostLists {
  waiting = 0
  longestMs = 0
  readonly slowest: SlowQueue[] = []
  /** Per bucket: waiting links, and links per millisecond while there are any. */
  private readonly links = new Float64Array(BUCKETS)
  private readonly speed = new Float64Array(BUCKETS)

  constructor(backlog: Remaining['backlog']) {
    for (const { hosts, example, waiting, delayMs } of backlog) {
      if (!(waiting > 0)) continue
      const gap = Math.max(delayMs, LEAST_GAP_MS)
      const ms = waiting * gap
      const bucket = Math.min(BUCKETS - 1, Math.max(0, Math.floor((Math.log2(ms) + 4) * BUCKETS_AN_OCTAVE)))
      this.waiting += waiting * hosts
      this.links[bucket]! += waiting * hosts
      this.speed[bucket]! += hosts / gap
      this.longestMs = Math.max(this.longestMs, ms)
      if (example === undefined) continue
      if (this.slowest.length < MOST_SLOW || ms > this.slowest[MOST_SLOW - 1]!.ms)
        this.remember({ host: example, waiting, ms })
    }
  }

  /** How long until this many links can have been taken; undefined when fewer are waiting. */
  msUntil(links: number): number | undefined {
    if (links > this.waiting) return undefined
    const speedFrom = new Float64Array(BUCKETS + 1)
    for (let bucket = BUCKETS - 1; bucket >= 0; bucket--)
      speedFrom[bucket] = speedFrom[bucket + 1]! + this.speed[bucket]!
    let taken = 0
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      if (this.speed[bucket] === 0) continue
      const endMs = this.links[bucket]! / this.speed[bucket]!
      if (taken + speedFrom[bucket]! * endMs >= links) return (links - taken) / speedFrom[bucket]!
      taken += this.links[bucket]!
    }
    return this.longestMs
  }

  private remember(slow: SlowQueue): void {
    const place = this.slowest.findIndex(other => other.ms < slow.ms)
    this.slowest.splice(place === -1 ? this.slowest.length : place, 0, slow)
    this.slowest.length = Math.min(this.slowest.length, MOST_SLOW)
  }
}

const SAMPLES = 40

export class RecentRate {
  private readonly windowMs: number
  /** Oldest first; the first one may be older than the window. */
  private readonly samples: { readonly atMs: number; readonly total: number }[] = []

  constructor(windowMs = 10_000) {
    this.windowMs = windowMs
  }

  /** Records the current total and returns the growth per second; 0 when there is nothing to compare with. */
  at(nowMs: number, total: number): number {
    const { samples } = this
    while (samples.length > 1 && samples[1]!.atMs <= nowMs - this.windowMs) samples.shift()
    const last = samples.at(-1)
    if (last === undefined || nowMs - last.atMs >= this.windowMs / SAMPLES) samples.push({ atMs: nowMs, total })
    const { atMs, total: before } = samples[0]!
    return nowMs > atMs ? (Math.max(total - before, 0) / (nowMs - atMs)) * 1000 : 0
  }
}
