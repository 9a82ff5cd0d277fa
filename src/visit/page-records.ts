import { type About, archiveRecords, type Original, type Records, revisitRecords } from '../archive/records.ts'
import { headersOf } from '../base/words/raw-headers.ts'
import { sha1 } from '../base/words/sha1.ts'
import type { FetchJob, Sameness } from '../decide/job.ts'
import type { KnownAnswer } from '../decide/known-page.ts'
import { Directives } from '../extract/directives.ts'
import type { Exchange } from '../fetch/exchange.ts'
import type { CrawlSettings } from '../settings/settings.ts'
import { type KnownPayloads, LEAST_PAYLOAD_BYTES } from './known-payloads.ts'
import { knownFrom, storedTextDigest } from './read-former.ts'

export interface PageRecordsDeps {
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
  deps: PageRecordsDeps,
): PageRecords {
  const digest = former === undefined && deps.payloads === undefined ? undefined : sha1(exchange.body)
  const original =
    digest && (former?.original.payloadDigest === digest ? former.original : other(digest, exchange, deps))
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
function other(digest: string, { body, truncated }: Exchange, deps: PageRecordsDeps): Original | undefined {
  if (body.length < LEAST_PAYLOAD_BYTES || truncated !== undefined) return undefined
  const place = deps.payloads?.find(digest)
  const known = place && knownFrom(deps.crawl, place)
  if (known === undefined || known.original.payloadDigest !== digest) return undefined
  return known.original.url.length > MOST_URL_CHARS || !known.isWhole ? undefined : known.original
}

/** What of the web is archived besides pages, redirects and robots.txt: every answer, or nothing. */
type Archiving = CrawlSettings['archive']

export interface ArchivingDeps {
  readonly archive: Archiving
  /** The product token that robots.txt and robots directives are matched against. */
  readonly agent: string
}

/** A failure with the first 64 KiB of its body, another type with its head. A revisit is always archived: the page may be gone. */
export function unwantedRecords(
  job: FetchJob,
  exchange: Exchange,
  { archive, agent }: ArchivingDeps,
): Records | undefined {
  if (archive === 'pages' && job.former === undefined) return undefined
  return startOnly(exchange, isSuccess(exchange) || saysNoarchive(exchange, agent))
}

/** The records of an answer to a request for a sitemap, with the first 64 KiB of its body. */
export function sitemapRecords(exchange: Exchange, { archive, agent }: ArchivingDeps): Records | undefined {
  return archive === 'pages' ? undefined : startOnly(exchange, saysNoarchive(exchange, agent))
}

/** The records of a page that asks not to be indexed, with the first 64 KiB of its body; of one that asks not to be archived, with its head. */
export function unkeptRecords(exchange: Exchange, noarchive: boolean, archive: Archiving): Records | undefined {
  return archive === 'pages' ? undefined : startOnly(exchange, noarchive)
}

/** The records of an answer to a request for robots.txt: all of a file, and the first 64 KiB of anything else. */
export function robotsRecords(exchange: Exchange, archive: Archiving): Records | undefined {
  const { status, sentAtMs } = exchange
  if (archive === 'pages' && (status >= 500 || status === 429)) return undefined
  return isSuccess(exchange)
    ? archiveRecords(exchange, { isPage: false, dateMs: sentAtMs })
    : startOnly(exchange, false)
}

function startOnly(exchange: Exchange, isHeadOnly: boolean): Records {
  const kept = isHeadOnly ? 'head' : 'start'
  return archiveRecords(exchange, { isPage: false, dateMs: exchange.sentAtMs, kept })
}

function saysNoarchive({ headers }: Exchange, agent: string): boolean {
  const directives = new Directives(agent)
  for (const tag of headersOf(headers, 'x-robots-tag')) directives.readHeader(tag)
  return directives.noarchive
}

function isSuccess({ status }: Exchange): boolean {
  return status >= 200 && status < 300
}
