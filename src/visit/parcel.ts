import type { Original, Records } from '../archive/records.ts'
import {
  type Answer,
  type FetchResult,
  type FoundLinks,
  type LinkChunk,
  type PageFacts,
  recordsOf,
  type Sameness,
  type SitemapPart,
} from '../decide/job.ts'

/** A result and the number of its visit. */
export interface NumberedResult {
  readonly visit: number
  readonly result: FetchResult
}

/**
 * Results on their way between threads. The bytes of all their records are in one buffer, which is transferred, not copied: first
 * those of the pages, then those of the others.
 */
export interface Parcel {
  readonly pages: readonly PageRow[]
  readonly others: readonly NumberedOther[]
  readonly block: Uint8Array<ArrayBuffer>
}

/** A result that is not a page; its records have only the length of their bytes. */
interface NumberedOther extends NumberedResult {
  readonly recordBytes: number
}

/** A part of a sitemap, and the number of its visit. The worker waits until it is answered. */
export interface NumberedPart {
  readonly visit: number
  readonly part: SitemapPart
}

/** The first message of a worker, once it has started. */
export const READY = 'ready'

const NOTHING = new Uint8Array(0)

export function pack(results: readonly NumberedResult[]): Parcel {
  const pages: PageRow[] = []
  const others: NumberedOther[] = []
  const parts: Uint8Array[] = []
  const partsOfOthers: Uint8Array[] = []
  for (const { visit, result } of results) {
    const bytes = recordsOf(result)?.bytes ?? NOTHING
    if (result.kind === 'page') {
      pages.push(toRow(visit, result))
      parts.push(bytes)
    } else {
      others.push({ visit, result: withBytes(result, NOTHING), recordBytes: bytes.length })
      partsOfOthers.push(bytes)
    }
  }
  return { pages, others, block: joined([...parts, ...partsOfOthers]) }
}

export function unpack({ pages, others, block }: Parcel): NumberedResult[] {
  let at = 0
  const next = (length: number) => block.subarray(at, (at += length))
  const results: NumberedResult[] = pages.map(row => ({
    visit: row[0],
    result: fromRow(row, next(recordBytesOf(row))),
  }))
  for (const { visit, result, recordBytes } of others)
    results.push({ visit, result: withBytes(result, next(recordBytes)) })
  return results
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    block.set(part, at)
    at += part.length
  }
  return block
}

function withBytes(result: FetchResult, bytes: Records['bytes']): FetchResult {
  const records = recordsOf(result)
  if (records === undefined) return result
  const own = { ...records, bytes }
  if ('answer' in result) return { ...result, answer: { ...result.answer, records: own } }
  return { ...result, records: own } as FetchResult
}

type PageResult = FetchResult & { readonly kind: 'page' }

/**
 * A visited page on its way between threads: values without their keys. Nearly all results are pages, and reading objects from a
 * message costs several times as much. The bytes of the records travel apart.
 */
type PageRow = [
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

function toRow(visit: number, result: PageResult): PageRow {
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
function fromRow(row: PageRow, bytes: Records['bytes']): PageResult {
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
function recordBytesOf([, , records]: PageRow): number {
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
