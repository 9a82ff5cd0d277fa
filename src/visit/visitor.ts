import type { FetchJob, FetchResult, SitemapPart } from '../decide/job.ts'

/** Visits pages for a run. The worker threads that speak HTTP are one, a web in memory is another. */
export interface Visitor {
  /** Visits a page. Never rejects because of the web, only with an error of `keepPart`, which gets the parts of a sitemap. */
  visit(host: string, job: FetchJob, keepPart?: KeepPart): Promise<Visited>
  /** The frontier has lost links that were offered: all of them are sent again when they are found. */
  forgetOffered(): void
  abandon(): void
  close(): Promise<void>
}

/** A result, and a function to report later whether it was settled. */
export interface Visited {
  readonly result: FetchResult
  /** Reports that the page's outcome and links are safe in the frontier, or never will be. */
  close(isSettled: boolean): void
}

export type KeepPart = (part: SitemapPart) => Promise<void>
