/**
 * What happens in a crawl, as a side stream: a tally, a log or a dashboard reads it, and nobody waits for them. Times are
 * milliseconds of work since the crawl began, pauses between two runs not counted.
 */
export type CrawlEvent =
  /** Every answer to a request, also of robots.txt and redirects. */
  | {
      readonly kind: 'answered'
      readonly atMs: number
      readonly status: number
      readonly wireBytes: number
      readonly tookMs: number
    }
  /** A page is in the archive. */
  | { readonly kind: 'page'; readonly atMs: number; readonly page: PageLine }
  /** A request failed and will be made again. */
  | { readonly kind: 'again'; readonly atMs: number; readonly host: string; readonly why: string }
  /** A request failed for the last time. */
  | { readonly kind: 'failed'; readonly atMs: number; readonly host: string; readonly why: string }
  /** A link that was taken turned out not to be a page for us: `robots`, `type`, `status-404`, `address`, `noindex` … */
  | { readonly kind: 'refused'; readonly atMs: number; readonly host: string; readonly reason: string }
  | { readonly kind: 'redirected'; readonly atMs: number; readonly host: string }
  /** Links of a page that were not offered, by reason: `scope`, `nofollow`, `too-long` … */
  | { readonly kind: 'links refused'; readonly atMs: number; readonly counts: Readonly<Record<string, number>> }

/** A line of `pages.jsonl`. */
export interface PageLine {
  readonly url: string
  readonly status: number
  readonly title: string
  /** Of the page, after decompression. */
  readonly bytes: number
  /** Words of visible text. */
  readonly tokens: number
  /** Links from a seed to here; 0 for a seed. */
  readonly depth: number
  /** Distinct links on the page that may be followed, known or not. */
  readonly linksOut: number
  /** When the request was sent, ISO 8601. */
  readonly time: string
  /** From the request to the last byte. */
  readonly tookMs: number
  /** Where it lies: a file in `archive/`, where the response record begins, and its length there, in bytes. */
  readonly file: string
  readonly offset: number
  readonly length: number
}
