import type { Records } from '../../archive/records.ts'
import type { FetchResult, SitemapPart } from './job.ts'

/** A result and the number of its visit. */
export interface NumberedResult {
  readonly visit: number
  readonly result: FetchResult
}

/** Results on their way between threads. The bytes of all their records are in one buffer, which is transferred, not copied. */
export interface Parcel {
  readonly results: readonly NumberedResult[]
  readonly block: Uint8Array<ArrayBuffer>
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
  let total = 0
  for (const { result } of results) total += recordsOf(result)?.bytes.length ?? 0
  const block = new Uint8Array(total)
  let at = 0
  const light = results.map(({ visit, result }) => {
    const records = recordsOf(result)
    if (records === undefined) return { visit, result }
    block.set(records.bytes, at)
    at += records.bytes.length
    return {
      visit,
      result: withRecords(result, { ...records, bytes: NOTHING, length: records.bytes.length } as Records),
    }
  })
  return { results: light, block }
}

export function unpack({ results, block }: Parcel): NumberedResult[] {
  let at = 0
  return results.map(({ visit, result }) => {
    const records = recordsOf(result) as (Records & { readonly length: number }) | undefined
    if (records === undefined) return { visit, result }
    const bytes = block.subarray(at, (at += records.length))
    return { visit, result: withRecords(result, { ...records, bytes }) }
  })
}

function recordsOf(result: FetchResult): Records | undefined {
  return 'answer' in result ? result.answer.records : undefined
}

function withRecords(result: FetchResult, records: Records): FetchResult {
  return 'answer' in result ? { ...result, answer: { ...result.answer, records } } : result
}
