import type { SitemapKind } from '../../sitemap/entry-reader.ts'

/** What became of the sitemaps of a crawl. */
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
