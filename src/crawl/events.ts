import type { PageLine } from '../archive/pages-file.ts'

/**
 * What happens in a crawl, as a side stream: a tally, a log or a dashboard reads it, and nobody waits for them. Times are
 * milliseconds since 1970.
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
  /** A page is in the archive. `opening`: its first words. */
  | { readonly kind: 'page'; readonly atMs: number; readonly page: PageLine; readonly opening: string }
  /** A request failed and will be made again. */
  | { readonly kind: 'again'; readonly atMs: number; readonly host: string; readonly why: string }
  /** A request failed for the last time. */
  | { readonly kind: 'failed'; readonly atMs: number; readonly host: string; readonly why: string }
  /** A link that was taken turned out not to be a page for us: `robots`, `type`, `status-404`, `address`, `noindex` … */
  | { readonly kind: 'refused'; readonly atMs: number; readonly host: string; readonly reason: string }
  | { readonly kind: 'redirected'; readonly atMs: number; readonly host: string }
  /** Links of a page that were not offered, by reason: `scope`, `nofollow`, `too-long` … */
  | { readonly kind: 'links refused'; readonly atMs: number; readonly counts: Readonly<Record<string, number>> }
  /** A host's robots.txt asks for this time between two requests. */
  | { readonly kind: 'crawl-delay'; readonly atMs: number; readonly host: string; readonly ms: number }
