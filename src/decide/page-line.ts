import type { Change } from '../archive/pages-file.ts'
import { locationOf } from '../archive/scan.ts'
import type { Ticket } from '../frontier/frontier.ts'
import type { OpenCommit } from './decision.ts'
import type { FetchResult } from './job.ts'
import { carriedBy } from './link-note.ts'

/** What is archived of a new page, whatever becomes of its links; undefined for anything else. */
export function newPage(ticket: Ticket, result: FetchResult): OpenCommit | undefined {
  if (result.kind !== 'page' || result.keep !== 'yes' || ticket.again !== undefined) return undefined
  const { answer, page } = result
  return { records: answer.records, page: pageLine(ticket, result, 'new'), opening: page.opening }
}

/** The line of a page, but for its place. All lines have the same keys in the same order, so that each is made and copied fast. */
export function pageLine(ticket: Ticket, { answer, page, original }: FetchResult & { kind: 'page' }, change: Change) {
  const { from, label, data } = carriedBy(ticket.note)
  return {
    url: ticket.url,
    status: answer.status,
    title: page.title,
    bytes: page.bytes,
    tokens: page.tokens,
    hops: ticket.hops,
    linksOut: page.linksOut,
    language: page.language,
    dateMs: answer.sentAtMs,
    from,
    label,
    data,
    change,
    etag: page.validators.etag,
    lastModified: page.validators.lastModified,
    digest: answer.records!.payloadDigest,
    textDigest: page.textDigest,
    simhash: page.fingerprint?.simhash,
    original: original && locationOf(original),
  }
}
