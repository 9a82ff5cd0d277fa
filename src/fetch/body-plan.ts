import type { ContentKind } from './answer-head.ts'
import type { FetchPurpose } from './exchange.ts'

/**
 * What is done with a body, decided at the headers.
 *
 * - `page`: kept up to the fetcher's limit. `sniff`: the same, if its first bytes look like HTML.
 * - `robots`: kept up to the 500 KiB of RFC 9309 2.5, plus one byte to know that there was more.
 * - `stream`: handed on while it arrives, up to the 50 MiB of a sitemap: see `streamed-body.ts`.
 * - `brief`: its first 64 KiB are kept, for the archive: the body of a redirect or a failure.
 * - `drain`: read and dropped if short, so that the connection can be used again.
 * - `refuse`: not downloaded; the connection ends here.
 */
export type BodyPlan = 'page' | 'sniff' | 'robots' | 'stream' | 'brief' | 'drain' | 'refuse'

export interface AnswerFacts {
  readonly status: number
  readonly kind: ContentKind
  readonly contentLength: number | undefined
}

export const SHORT_BYTES = 64 << 10
export const ROBOTS_BYTES = 500 * 1024 + 1
/** As received, and again after decoding. */
export const STREAM_BYTES = 50 << 20

/** Chunk sizes and extensions: at most this many bytes of the connection may be something else than the body. */
const MOST_FRAMING_BYTES = 8 << 20

export function bodyPlan(wanted: FetchPurpose, { status, kind, contentLength }: AnswerFacts): BodyPlan {
  if (hasNoBody(status)) return 'drain'
  if (wanted === 'robots') return 'robots'
  const isSuccess = status >= 200 && status < 300
  if (!isSuccess) return 'brief'
  if (wanted === 'sitemap') return 'stream'
  if (kind === 'html') return 'page'
  if (contentLength === 0) return 'drain'
  return kind === 'unknown' ? 'sniff' : 'refuse'
}

/** RFC 9110 15: even if they announce a length. */
function hasNoBody(status: number): boolean {
  return status === 204 || status === 205 || status === 304
}

export function wireLimitOf(plan: BodyPlan, maxBodyBytes: number): number {
  return MOST_FRAMING_BYTES + (plan === 'stream' ? STREAM_BYTES : limitOf(plan, maxBodyBytes))
}

export function limitOf(plan: BodyPlan, maxBodyBytes: number): number {
  if (plan === 'robots') return ROBOTS_BYTES
  return plan === 'page' || plan === 'sniff' ? maxBodyBytes : SHORT_BYTES
}
