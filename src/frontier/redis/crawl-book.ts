import type { Where } from './where.ts'

/** What is kept for a crawl as a whole, beside its frontier: its settings, its seeds, and who works on it. */
export interface CrawlBook {
  /** The settings of the crawl; undefined: nobody has written any. */
  settings(): Promise<string | undefined>
  /** Writes the settings, unless somebody has already. Returns those that hold now. */
  writeSettings(text: string): Promise<string>
  /** Replaces the settings if they still are `before`. Returns whether they were. */
  replaceSettings(before: string, text: string): Promise<boolean>
  /** Whether all seeds of the beginning were offered. */
  isSeeded(): Promise<boolean>
  markSeeded(): Promise<void>
  /** The seeds, from this one on (0: the first), in the order in which they were added. */
  seeds(from: number): Promise<readonly string[]>
  /** Adds seeds at the end. */
  addSeeds(lines: readonly string[]): Promise<void>
  /** Keeps the statistics of a crawler, in place of its former ones. */
  writeTally(crawler: string, text: string): Promise<void>
  /** The statistics of every crawler that ever wrote some, by its id. */
  tallies(): Promise<ReadonlyMap<string, string>>
  /** Every crawler that ever worked on this crawl. */
  crawlers(): Promise<readonly CrawlerView[]>
}

/** A crawler, as the others see it. */
export interface CrawlerView {
  readonly id: string
  /** Pages that it has done, as it last reported. */
  readonly pages: number
  /** How long ago it was last heard of; undefined: it has left. */
  readonly agoMs: number | undefined
}

/** Opens the book of a crawl for one who is no crawler (yet), on connections of its own. Creates nothing. */
export async function openCrawlBook(
  _where: Where,
  _onTrouble?: (message: string) => void,
): Promise<CrawlBook & { close(): Promise<void> }> {
  throw new Error('not built yet')
}
