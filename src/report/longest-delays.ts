import type { Ranking } from '../base/structures/ranking.ts'
import type { TableData } from '../folder/stats/bounded-table.ts'

/** A host that asked for a longer delay, and how. */
export interface LongDelay {
  readonly host: string
  readonly ms: number
  /** `crawl-delay`: between two requests, by its robots.txt. `retry-after`: once, when it was busy. */
  readonly askedBy: 'crawl-delay' | 'retry-after'
}

const MOST_DELAYS = 20

/** The longest delays that hosts asked for, longest first, and how many other hosts asked for one. */
export function longestDelays(
  crawlDelays: Ranking,
  retryAfter: TableData<number>,
): { readonly top: readonly LongDelay[]; readonly others: number } {
  const all: LongDelay[] = [
    ...crawlDelays.top.map(({ name, count }) => ({ host: name, ms: count, askedBy: 'crawl-delay' as const })),
    ...retryAfter.entries.map(([host, ms]) => ({ host, ms: Math.round(ms), askedBy: 'retry-after' as const })),
  ]
  const top = all.sort((a, b) => b.ms - a.ms || (a.host < b.host ? -1 : 1)).slice(0, MOST_DELAYS)
  return { top, others: all.length - top.length + crawlDelays.others.names }
}
