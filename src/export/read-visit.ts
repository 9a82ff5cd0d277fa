import { type RecordReader, type Whole, wholeBy } from '../archive/read.ts'
import { headerOf, lastHeaderOf } from '../base/words/raw-headers.ts'
import { type Extracted, extract, type FetchedPage } from '../extract/extract.ts'
import type { ExportedVisit } from './visits.ts'

/** A longer text is cut. */
export const MOST_TEXT_UNITS = 1_000_000

/** A visit, what is archived of it, and what our extractor finds there. */
export interface ReadVisit extends Whole {
  readonly visit: ExportedVisit
  readonly extracted: Extracted
}

/** Reads a visit back. The page of a revisit is that of its original. Throws when the archive does not have it, or it is damaged. */
export function readVisit(records: RecordReader, visit: ExportedVisit, wanted: FetchedPage['wanted']): ReadVisit {
  const whole = wholeBy((file, offset) => records.read(file, offset), visit)
  const { headers, body } = whole.message
  const extracted = extract({
    url: visit.url,
    body,
    contentType: lastHeaderOf(headers, 'content-type'),
    contentLanguage: headerOf(headers, 'content-language'),
    refresh: headerOf(headers, 'refresh'),
    // Robots directives tell a crawl what to do; they do not limit what a reader of the archive sees.
    robotsTags: [],
    agent: '',
    ...(wanted !== undefined && { wanted }),
  })
  return { ...whole, visit, extracted }
}
