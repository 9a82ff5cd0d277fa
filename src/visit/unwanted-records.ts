import { archiveRecords, type Records } from '../archive/records.ts'
import { headersOf } from '../base/words/raw-headers.ts'
import type { FetchJob } from '../decide/job.ts'
import { Directives } from '../extract/directives.ts'
import type { Exchange } from '../fetch/exchange.ts'
import type { CrawlSettings } from '../settings/settings.ts'

/** What of the web is archived besides pages, redirects and robots.txt: every answer, or nothing. */
export type Archiving = CrawlSettings['archive']

export interface ArchivingRooms {
  readonly archive: Archiving
  /** The product token that robots.txt and robots directives are matched against. */
  readonly agent: string
}

/**
 * The records of an answer that is no page: a failure with the first 64 KiB of its body, another type of content with nothing but its
 * head. The answer to a visit again is always archived: it may say that the page is gone.
 */
export function unwantedRecords(
  job: FetchJob,
  exchange: Exchange,
  { archive, agent }: ArchivingRooms,
): Records | undefined {
  if (archive === 'pages' && job.former === undefined) return undefined
  return startOnly(exchange, isSuccess(exchange) || saysNoarchive(exchange, agent))
}

/** The records of an answer to a request for a sitemap, with the first 64 KiB of its body. */
export function sitemapRecords(exchange: Exchange, { archive, agent }: ArchivingRooms): Records | undefined {
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
