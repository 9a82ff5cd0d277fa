import type { Change } from '../archive/pages-file.ts'
import { locationOf } from '../archive/scan.ts'
import type { Ticket } from '../frontier/frontier.ts'
import type { OpenCommit } from './decision.ts'
import type { FetchResult, PageFacts } from './job.ts'
import { carriedBy } from './link-note.ts'

/** What is archived of a new page, whatever becomes of its links; undefined for anything else. `repeats`: the earlier page that a page repeats. */
export function newPage(
  ticket: Ticket,
  result: FetchResult,
  repeats: (url: string, page: PageFacts) => string | undefined,
): OpenCommit | undefined {
  if (result.kind !== 'page' || result.keep !== 'yes' || ticket.again !== undefined) return undefined
  const { answer, page } = result
  const line = pageLine(ticket, result, 'new', repeats(ticket.url, page))
  return { records: answer.records, page: line, opening: page.opening }
}

/** The line of a page, but for its place. All lines have the same keys in the same order, so that each is made and copied fast. */
export function pageLine(
  ticket: Ticket,
  { answer, page, original }: FetchResult & { kind: 'page' },
  change: Change,
  repeats: string | undefined,
) {
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
    repeats,
    original: original && locationOf(original),
  }
}
