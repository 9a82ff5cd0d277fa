import type { PageLine } from '../archive/pages-file.ts'
import type { SitemapKind } from '../sitemap/entry-reader.ts'
import type { Action, ActionResult } from './actions.ts'

/** Why a run ended. `unreachable`: links are left only at hosts that are down. `time` and `bytes`: `maxTimeMs` or `maxArchiveBytes` was reached. */
export type EndedBecause = (typeof ENDED_BECAUSE)[number]
export const ENDED_BECAUSE = ['limit', 'nothing left', 'unreachable', 'stopped', 'time', 'bytes'] as const

/**
 * Something that happened in a crawl, for statistics, logs and dashboards. The crawl does not wait for its listeners.
 * Times are milliseconds since 1970.
 */
export type CrawlEvent = CrawlHappening & { readonly atMs: number }

/** What happened in a crawl: a {@link CrawlEvent} without its time. */
export type CrawlHappening =
  /** An answer to any request, including robots.txt and redirects. */
  | {
      readonly kind: 'answered'
      readonly url: string
      readonly status: number
      readonly wireBytes: number
      readonly tookMs: number
      /** How long the host asked to be left alone (`Retry-After`). */
      readonly retryAfterMs?: number | undefined
    }
  /** A page was archived. `opening`: its first words. */
  | { readonly kind: 'page'; readonly page: PageLine; readonly opening: string }
  /** A page was visited again: `page.change` says what was found. `opening`: empty if its body did not come. */
  | { readonly kind: 'revisit'; readonly page: PageLine; readonly opening: string }
  /** A visit again brought no page, after all retries; the page is planned again. `why`: a reason, or `redirected`. */
  | { readonly kind: 'revisit failed'; readonly url: string; readonly why: string }
  /** A request failed and will be retried. `restMs`: how long its host rests before, if the page failed and not the host. `by`: whose challenge page came. */
  | {
      readonly kind: 'again'
      readonly url: string
      readonly why: string
      readonly by?: string | undefined
      readonly restMs?: number | undefined
    }
  /** A request failed for the last time. */
  | { readonly kind: 'failed'; readonly url: string; readonly why: string; readonly by?: string | undefined }
  /** A link was refused after it was taken: `robots`, `type`, `status-404`, `address`, `noindex` … `line`: the deciding line of robots.txt. `type`: the media type of an answer that is not HTML. */
  | {
      readonly kind: 'refused'
      readonly url: string
      readonly reason: string
      readonly line?: number | undefined
      readonly type?: string | undefined
    }
  /** A link redirected. `to`: the target, if it may be followed. */
  | { readonly kind: 'redirected'; readonly url: string; readonly to?: string | undefined }
  /** A host does not exist (`dns`), or may never be contacted. `links`: how many links that waited there have ended. */
  | { readonly kind: 'gone'; readonly host: string; readonly why: string; readonly links: number }
  /** How many links of a page were not followed at all, by reason: `nofollow`, `too-long` … */
  | { readonly kind: 'links refused'; readonly url: string; readonly counts: Readonly<Record<string, number>> }
  /**
   * A sitemap was read: its form, how many locations it names, and the limit at which reading ended, if it did. Or it was not
   * read, and `why`: `status-404`, `robots`, `sitemap-none` (it is not a sitemap) …
   */
  | {
      readonly kind: 'sitemap'
      readonly url: string
      readonly form?: SitemapKind | undefined
      readonly entries?: number | undefined
      readonly cutAt?: 'bytes' | 'entries' | undefined
      readonly why?: string | undefined
    }
  /** A host's robots.txt asks for this much time between two requests. */
  | { readonly kind: 'crawl-delay'; readonly host: string; readonly ms: number }
  /** A problem of the crawl's own, or its end: the network is down or back, file descriptors are short, a worker was replaced. */
  | {
      readonly kind: 'trouble'
      readonly message: string
      /** 1: the engine of a shared frontier has forgotten what it had acknowledged. */
      readonly losses?: number
      /** Hosts that were set aside because what the frontier has of them can't be read. */
      readonly damagedHosts?: number
    }
  /** A person paused, resumed, stopped or changed the crawl. */
  | { readonly kind: 'action'; readonly action: Action; readonly result: ActionResult }
