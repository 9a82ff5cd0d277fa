import type { FrontierCounts } from '../frontier/frontier.ts'
import { classOf } from '../settings/reasons.ts'

/** What became of all known links. It always adds up: `known` is the sum of the other counts. */
export interface Waterfall {
  readonly known: number
  /** In the archive. */
  readonly archived: number
  /** Visited, and redirected to another link. */
  readonly redirected: number
  readonly refused: ReasonCounts
  readonly failed: ReasonCounts
  readonly held: ReasonCounts
  readonly waiting: number
  readonly leased: number
}

/** A number of links, in total and by reason, most frequent first. */
export interface ReasonCounts {
  readonly count: number
  readonly reasons: readonly { readonly reason: string; readonly count: number }[]
}

/** Computes the waterfall from the frontier's counts alone. The frontier loses nothing, so it adds up even after a kill. */
export function waterfall({ known, pages, done, refusedFor, waiting, leased }: FrontierCounts): Waterfall {
  const of = (kind: 'refused' | 'failed' | 'held') => counted(refusedFor, kind)
  return {
    known,
    archived: pages,
    redirected: done - pages,
    refused: of('refused'),
    failed: of('failed'),
    held: of('held'),
    waiting,
    leased,
  }
}

function counted(all: Readonly<Record<string, number>>, kind: 'refused' | 'failed' | 'held'): ReasonCounts {
  const reasons = Object.entries(all)
    .filter(([reason, count]) => count > 0 && classOf(reason) === kind)
    .map(([reason, count]) => ({ reason, count }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
  return { count: reasons.reduce((sum, { count }) => sum + count, 0), reasons }
}
