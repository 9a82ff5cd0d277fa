import type { PageLine } from '../archive/pages-file.ts'

/**
 * What happens in a crawl, as a side stream: statistics, a log or a dashboard read it, and nobody waits for them. Times are
 * milliseconds since 1970.
 */
export type CrawlEvent = CrawlHappening & { readonly atMs: number }

/** What happened, without its time. */
export type CrawlHappening =
  /** Every answer to a request, also of robots.txt and redirects. */
  | {
      readonly kind: 'answered'
      readonly url: string
      readonly status: number
      readonly wireBytes: number
      readonly tookMs: number
      /** How long the host asked to be left alone. */
      readonly retryAfterMs?: number | undefined
    }
  /** A page is in the archive. `opening`: its first words. `isNewHost`: the first page of its host. */
  | { readonly kind: 'page'; readonly page: PageLine; readonly opening: string }
  /** A request failed and will be made again. */
  | { readonly kind: 'again'; readonly url: string; readonly why: string }
  /** A request failed for the last time. */
  | { readonly kind: 'failed'; readonly url: string; readonly why: string }
  /** A link that was taken turned out not to be a page for us: `robots`, `type`, `status-404`, `address`, `noindex` … `line`: of robots.txt. `type`: the media type of what is not HTML. */
  | {
      readonly kind: 'refused'
      readonly url: string
      readonly reason: string
      readonly line?: number | undefined
      readonly type?: string | undefined
    }
  /** `to`: where the link led, if that may be followed. */
  | { readonly kind: 'redirected'; readonly url: string; readonly to?: string | undefined }
  /** A host does not exist (`dns`), or may never be asked: so many links that waited there have ended. */
  | { readonly kind: 'gone'; readonly host: string; readonly why: string; readonly links: number }
  /** Links of a page that never became known, by reason: `nofollow`, `too-long` … */
  | { readonly kind: 'links refused'; readonly url: string; readonly counts: Readonly<Record<string, number>> }
  /** A host's robots.txt asks for this time between two requests. */
  | { readonly kind: 'crawl-delay'; readonly host: string; readonly ms: number }
  /** What the crawl has to say about itself: the network is away, or back; file descriptors are short; a worker was replaced. */
  | { readonly kind: 'trouble'; readonly message: string }
