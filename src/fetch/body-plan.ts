import type { ContentKind } from './content-type.ts'
import type { Wanted } from './exchange.ts'

/**
 * What is done with a body, decided at the headers.
 *
 * - `page`: kept up to the fetcher's limit. `sniff`: as well, if its first bytes look like HTML.
 * - `robots`: kept up to the 500 KiB of RFC 9309 2.5, and a byte to know that there was more.
 * - `brief`: kept if short. That of a redirect, for the archive.
 * - `drain`: read and dropped if short, so that the connection can be used again.
 * - `refuse`: not downloaded; the connection ends here.
 */
export type BodyPlan = 'page' | 'sniff' | 'robots' | 'brief' | 'drain' | 'refuse'

export interface AnswerFacts {
  readonly status: number
  readonly kind: ContentKind
  /** As announced; undefined when it was not. */
  readonly contentLength: number | undefined
}

export const SHORT_BYTES = 64 << 10
export const ROBOTS_BYTES = 500 * 1024 + 1

export function bodyPlan(wanted: Wanted, { status, kind, contentLength }: AnswerFacts): BodyPlan {
  if (wanted === 'robots') return 'robots'
  if (isBodiless(status) || contentLength === 0) return isPage(status) && kind === 'html' ? 'page' : 'drain'
  if (isPage(status)) return kind === 'html' ? 'page' : kind === 'unknown' ? 'sniff' : 'refuse'
  if (isRedirect(status)) return 'brief'
  return contentLength !== undefined && contentLength > SHORT_BYTES ? 'refuse' : 'drain'
}

export function limitOf(plan: BodyPlan, maxBodyBytes: number): number {
  if (plan === 'robots') return ROBOTS_BYTES
  return plan === 'page' || plan === 'sniff' ? maxBodyBytes : SHORT_BYTES
}

export function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308
}

/** Success with something to show: 204 and 205 have nothing. */
function isPage(status: number): boolean {
  return status >= 200 && status < 300 && !isBodiless(status)
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304
}
