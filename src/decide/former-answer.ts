import type { Original } from '../archive/records.ts'
import type { Place } from '../archive/scan.ts'

/** What is known of a page from its earlier visits; on a visit again the answer is compared with it. */
export interface FormerAnswer {
  /** The last full record of the page; without `known`, its last record, which may be a revisit. */
  readonly place: Place
  /** Undefined for a page that an earlier run archived without planning to visit it again: the record says all of it. */
  readonly known: KnownAnswer | undefined
  /** Whether to ask if the page has changed, or for the whole page. */
  readonly isConditional: boolean
}

/** The last full record of a page, and what came with it. */
export interface KnownAnswer {
  readonly original: Original
  readonly validators: Validators
  /** Undefined when the crawl did not revisit at that time. */
  readonly textDigest: string | undefined
  /** Whether nothing was cut off. */
  readonly isWhole: boolean
  /** The date of the last answer with a body, if the original is an older one with the same payload; as in its record. */
  readonly receivedDate?: string | undefined
}

/** What a server says about the version of a page, exactly as received, one character per byte. */
export interface Validators {
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

/** A longer validator is not kept: the note of a link has little room. */
const MOST_BYTES = 1000
/** What a header may hold when it is sent back. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]+$/

/** The validators among these headers, of several the last; those that could not be sent back are left out. */
export function validatorsOf(headers: readonly string[]): Validators {
  let etag: string | undefined
  let lastModified: string | undefined
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!.toLowerCase()
    if (name === 'etag') etag = headers[i + 1]!
    else if (name === 'last-modified') lastModified = headers[i + 1]!
  }
  return { etag: kept(etag), lastModified: kept(lastModified) }
}

function kept(value: string | undefined): string | undefined {
  return value !== undefined && value.length <= MOST_BYTES && SENDABLE.test(value) ? value : undefined
}

/**
 * The headers that ask whether a page has changed: `If-None-Match` with the ETag, and always `If-Modified-Since`, with
 * `Last-Modified` or, without one, the time of the request that brought the page last. Both exactly as received.
 */
export function conditionsOf({ original, receivedDate, validators: { etag, lastModified } }: KnownAnswer): string[] {
  const since = lastModified ?? new Date(receivedDate ?? original.date).toUTCString()
  return [...(etag === undefined ? [] : ['If-None-Match', etag]), 'If-Modified-Since', since]
}
