import type { Original, Records } from '../archive/records.ts'
import type { Answer, FetchResult, FoundLinks, LinkChunk, PageFacts, Sameness } from '../decide/job.ts'

type PageResult = FetchResult & { readonly kind: 'page' }

/**
 * A visited page on its way between threads: values without their keys. Nearly all results are pages, and reading objects from a
 * message costs several times as much. The bytes of the records travel apart.
 */
export type PageRow = [
  visit: number,
  answer: AnswerRow,
  records: RecordsRow | undefined,
  keep: PageResult['keep'],
  page: FactsRow,
  original: Original | undefined,
  same: Sameness | undefined,
  links: [LinkChunk['refused'], LinkChunk['lines']][],
  refusedLinks: PageResult['refusedLinks'],
]

type AnswerRow = [
  status: number,
  sentAtMs: number,
  tookMs: number,
  wireBytes: number,
  retryAfterMs: Answer['retryAfterMs'],
]

type RecordsRow = [
  kind: Records['kind'],
  length: number,
  responseBytes: number,
  isPage: boolean,
  recordId: string,
  date: string,
  cdx: string,
  payloadDigest: string,
]

type FactsRow = [
  title: string,
  opening: string,
  bytes: number,
  tokens: number,
  linksOut: number,
  language: PageFacts['language'],
  etag: string | undefined,
  lastModified: string | undefined,
  textDigest: PageFacts['textDigest'],
  isWhole: boolean,
]

export function toRow(visit: number, result: PageResult): PageRow {
  const { answer, keep, page, original, same, links, refusedLinks } = result
  const { status, sentAtMs, tookMs, wireBytes, retryAfterMs, records } = answer
  const { title, opening, bytes, tokens, linksOut, language, validators, textDigest, isWhole } = page
  const { etag, lastModified } = validators
  return [
    visit,
    [status, sentAtMs, tookMs, wireBytes, retryAfterMs],
    records && toRecordsRow(records),
    keep,
    [title, opening, bytes, tokens, linksOut, language, etag, lastModified, textDigest, isWhole],
    original,
    same,
    links.map(({ refused, lines }) => [refused, lines]),
    refusedLinks,
  ]
}

/** `bytes`: those of its records. */
export function fromRow(row: PageRow, bytes: Records['bytes']): PageResult {
  const [, answer, records, keep, page, original, same, links, refusedLinks] = row
  return {
    kind: 'page',
    answer: fromAnswerRow(answer, records && fromRecordsRow(records, bytes)),
    keep,
    page: fromFactsRow(page),
    original,
    same,
    links: fromLinkRows(links),
    refusedLinks,
  }
}

/** How many bytes its records have. */
export function recordBytesOf([, , records]: PageRow): number {
  return records === undefined ? 0 : records[1]
}

function toRecordsRow(records: Records): RecordsRow {
  const { kind, bytes, responseBytes, isPage, recordId, date, cdx, payloadDigest } = records
  return [kind, bytes.length, responseBytes, isPage, recordId, date, cdx, payloadDigest]
}

function fromRecordsRow(row: RecordsRow, bytes: Records['bytes']): Records {
  const [kind, , responseBytes, isPage, recordId, date, cdx, payloadDigest] = row
  return { kind, bytes, responseBytes, isPage, recordId, date, cdx, payloadDigest }
}

function fromAnswerRow(row: AnswerRow, records: Records | undefined): Answer {
  const [status, sentAtMs, tookMs, wireBytes, retryAfterMs] = row
  return { status, sentAtMs, tookMs, wireBytes, retryAfterMs, records }
}

function fromFactsRow(row: FactsRow): PageFacts {
  const [title, opening, bytes, tokens, linksOut, language, etag, lastModified, textDigest, isWhole] = row
  const validators = { etag, lastModified }
  return { title, opening, bytes, tokens, linksOut, language, validators, textDigest, isWhole }
}

function fromLinkRows(rows: PageRow[7]): FoundLinks {
  return rows.map(([refused, lines]) => ({ refused, lines }))
}
