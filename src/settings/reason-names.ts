// The names of the reasons why a link is not a page, by their class; see reasons.ts.
import type { LinkRefusal as UnreadableLink } from '../extract/links.ts'
import type { Failure } from '../fetch/exchange.ts'
import type { RuleRefusal } from './link-rules.ts'

/** A setting of the crawl keeps the link out. */
export type HeldReason = RuleRefusal | 'max-per-host' | 'address' | 'filtered' | 'near-duplicate'
/** The host's answer or its robots.txt refuses the link. */
export type RefusedReason =
  | 'robots'
  | 'robots-unavailable'
  | 'type'
  | 'noindex'
  | 'noarchive'
  | 'malformed'
  | 'sitemap'
  | 'sitemap-none'
  | 'cleared'
/** An error, after all retries. */
export type FailedReason =
  | Failure
  | 'challenge'
  | 'proxy'
  | 'proxy-login'
  | 'proxy-refused'
  | 'worker-died'
  | 'not-modified'
/** Why a known link ended without a page. Besides these there are statuses (`status-404`) and failures of robots.txt (`robots-timeout`). */
export type KnownReason = HeldReason | RefusedReason | FailedReason
/** Why a link never became known. */
export type UnfollowedReason =
  | UnreadableLink
  | 'page-hosts'
  | 'max-hosts'
  | 'domain-hosts'
  | 'held-limit'
  | 'redirect-to-known'
  | 'too-many-redirects'
  | 'sitemap-host'
  | 'sitemap-depth'
  | 'sitemap-files'
