import type { Records } from '../archive/records.ts'
import { type FetchResult, type PageFacts, recordsOf, type SitemapPart } from '../decide/job.ts'

export interface NumberedResult {
  readonly visit: number
  readonly result: FetchResult
}

/** The bytes of all records are in one buffer, which is transferred, not copied: first those of pages, then the others. */
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

type PageRow = ReturnType<typeof toRow>

/** A page without its keys and records' bytes: reading objects from a message costs several times as much. */
function toRow(visit: number, { answer, keep, page, original, same, links, refusedLinks }: PageResult) {
  const { status, sentAtMs, tookMs, wireBytes, retryAfterMs, records } = answer
  const { title, opening, bytes, tokens, linksOut, language, validators, textDigest, isWhole, fingerprint } = page
  const { etag, lastModified } = validators
  return [
    visit,
    [status, sentAtMs, tookMs, wireBytes, retryAfterMs],
    records && toRecordsRow(records),
    keep,
    [title, opening, bytes, tokens, linksOut, language, etag, lastModified, textDigest, isWhole, fingerprint],
    original,
    same,
    links.map(({ refused, lines }) => [refused, lines] as const),
    refusedLinks,
  ] as const
}

function toRecordsRow(records: Records) {
  const { kind, bytes, responseBytes, isPage, recordId, date, cdx, payloadDigest } = records
  return [kind, bytes.length, responseBytes, isPage, recordId, date, cdx, payloadDigest] as const
}

function fromRow(row: PageRow, bytes: Records['bytes']): PageResult {
  const [, answer, records, keep, page, original, same, links, refusedLinks] = row
  const [status, sentAtMs, tookMs, wireBytes, retryAfterMs] = answer
  return {
    kind: 'page',
    answer: { status, sentAtMs, tookMs, wireBytes, retryAfterMs, records: records && fromRecordsRow(records, bytes) },
    keep,
    page: fromFactsRow(page),
    original,
    same,
    links: links.map(([refused, lines]) => ({ refused, lines })),
    refusedLinks,
  }
}

function recordBytesOf([, , records]: PageRow): number {
  return records === undefined ? 0 : records[1]
}

function fromRecordsRow(row: ReturnType<typeof toRecordsRow>, bytes: Records['bytes']): Records {
  const [kind, , responseBytes, isPage, recordId, date, cdx, payloadDigest] = row
  return { kind, bytes, responseBytes, isPage, recordId, date, cdx, payloadDigest }
}

function fromFactsRow(row: PageRow[4]): PageFacts {
  const [title, opening, bytes, tokens, linksOut, language, etag, lastModified, textDigest, isWhole, fingerprint] = row
  const validators = { etag, lastModified }
  return { title, opening, bytes, tokens, linksOut, language, validators, textDigest, isWhole, fingerprint }
}
