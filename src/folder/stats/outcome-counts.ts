import type { FrontierCounts } from '../../frontier/frontier.ts'
import { classOf } from '../../settings/reasons.ts'
import type { SitemapKind } from '../../sitemap/entry-reader.ts'

/** What became of all known links. It always adds up: `known` is the sum of the other counts. */
export interface Waterfall {
  readonly known: number
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

export interface SitemapCounts {
  readonly read: number
  readonly notRead: number
  /** How many were not read for each reason, the most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly count: number }[]
}

const FORMS: Readonly<Record<SitemapKind, true>> = {
  urlset: true,
  sitemapindex: true,
  rss: true,
  atom: true,
  text: true,
}

/** `sitemaps`: as the statistics count them, by their form or the reason why they were not read. */
export function sitemapCounts(sitemaps: Iterable<readonly [string, number]>): SitemapCounts {
  let [read, notRead] = [0, 0]
  const reasons: { reason: string; count: number }[] = []
  for (const [name, count] of sitemaps) {
    if (Object.hasOwn(FORMS, name)) read += count
    else {
      notRead += count
      reasons.push({ reason: name, count })
    }
  }
  return { read, notRead, reasons: reasons.sort((a, b) => b.count - a.count) }
}
