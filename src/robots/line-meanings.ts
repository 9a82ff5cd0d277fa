import { Groups } from './groups.ts'

/** What a line of robots.txt means for a crawler. */
export type LineMeaning = 'allow' | 'disallow' | 'crawl-delay' | 'agent' | 'sitemap'

/** What a robots.txt says to one crawler, line by line. */
export interface LineMeanings {
  /** By line, from 1 up; lines that mean nothing to this crawler are missing. */
  readonly ofLine: ReadonlyMap<number, LineMeaning>
  /** As written: a hostile file asks for years. */
  readonly crawlDelaySeconds: number | undefined
  readonly sitemaps: readonly string[]
}

/** Which lines of a robots.txt hold for a crawler; `agent` is its product token. */
export function lineMeanings(file: Uint8Array, agent: string): LineMeanings {
  const groups = new Groups(file)
  const { rules, crawlDelaySeconds, agentLines, delayLines } = groups.shareOf(groups.nameFor(agent))
  const ofLine = new Map<number, LineMeaning>()
  for (const { allowed, line } of rules) ofLine.set(line, allowed ? 'allow' : 'disallow')
  for (const line of agentLines) ofLine.set(line, 'agent')
  for (const line of delayLines) ofLine.set(line, 'crawl-delay')
  for (const line of groups.sitemapLines) ofLine.set(line, 'sitemap')
  return { ofLine, crawlDelaySeconds, sitemaps: groups.sitemaps }
}
