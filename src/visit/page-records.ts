import { type About, archiveRecords, type Original, type Records, revisitRecords } from '../archive/records.ts'
import { sha1 } from '../base/words/sha1.ts'
import type { KnownAnswer } from '../decide/former-answer.ts'
import type { Sameness } from '../decide/job.ts'
import type { Exchange } from '../fetch/exchange.ts'
import { type KnownPayloads, LEAST_PAYLOAD_BYTES } from './known-payloads.ts'
import { knownFrom, storedTextDigest } from './read-former.ts'

/** What a page is compared with. */
export interface PageRecordsRooms {
  /** The crawl's folder. */
  readonly crawl: string
  /** Undefined: equal payloads of other URLs are archived again. */
  readonly payloads: Pick<KnownPayloads, 'find'> | undefined
}

export interface PageRecords {
  readonly records: Records
  /** The record that has the body, if these are a revisit. */
  readonly original?: Original
}

/** A record that refers to another names its URL, and a link's note has little room. */
const MOST_URL_CHARS = 1000

/** The records of a page: a revisit if its payload is in the archive already, of this URL or, with `payloads`, of another. */
export function pageRecords(
  exchange: Exchange,
  about: About,
  former: KnownAnswer | undefined,
  rooms: PageRecordsRooms,
): PageRecords {
  const digest = former === undefined && rooms.payloads === undefined ? undefined : sha1(exchange.body)
  const original =
    digest && (former?.original.payloadDigest === digest ? former.original : other(digest, exchange, rooms))
  if (!original) return { records: archiveRecords(exchange, about) }
  return { records: revisitRecords(exchange, about, original), original }
}

/** What a page has in common with its last full record. A text of which there is no digest is read from the archive. */
export function sameness(
  { url }: Exchange,
  { payloadDigest }: Records,
  textDigest: string | undefined,
  former: KnownAnswer | undefined,
  crawl: string,
): Sameness {
  if (former === undefined) return 'nothing'
  if (former.original.payloadDigest === payloadDigest) return 'payload'
  const before = former.textDigest ?? storedTextDigest(crawl, url, former.original)
  return before !== undefined && before === textDigest ? 'text' : 'nothing'
}

/** Never one that can't be read: what a record refers to must be in this crawl's archive. */
function other(digest: string, { body, truncated }: Exchange, rooms: PageRecordsRooms): Original | undefined {
  if (body.length < LEAST_PAYLOAD_BYTES || truncated !== undefined) return undefined
  const place = rooms.payloads?.find(digest)
  const known = place && knownFrom(rooms.crawl, place)
  if (known === undefined || known.original.payloadDigest !== digest) return undefined
  return known.original.url.length > MOST_URL_CHARS || !known.isWhole ? undefined : known.original
}
