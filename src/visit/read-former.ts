import { originalOf, readRecord } from '../archive/read.ts'
import type { RecordLocation } from '../archive/scan.ts'
import { httpOf, type WarcRecord } from '../archive/warc-record.ts'
import { EscalonaError } from '../base/errors.ts'
import { lastHeaderOf } from '../base/words/raw-headers.ts'
import { type KnownAnswer, validatorsOf } from '../decide/known-page.ts'
import { extract } from '../extract/extract.ts'

/** Of a revisit, the body of its original and its own validators. Undefined when it can't be read: its file may be gone. */
export function knownFrom(crawl: string, place: RecordLocation): KnownAnswer | undefined {
  const record = recordAt(crawl, place)
  const original = record && originalOf(record)
  const full = original === undefined ? record : recordAt(crawl, original)
  if (record === undefined || full?.type !== 'response') return undefined
  const { fields } = full
  const [id, date] = [fields.get('warc-record-id'), fields.get('warc-date')]
  const payloadDigest = fields.get('warc-payload-digest')?.replace('sha1:', '')
  if (id === undefined || date === undefined || payloadDigest === undefined) return undefined
  const { file, offset } = original ?? place
  const url = fields.get('escalona-url') ?? fields.get('warc-target-uri') ?? ''
  return {
    original: { file, offset, length: full.length, recordId: id.replace(/^<|>$/g, ''), url, date, payloadDigest },
    validators: validatorsOf(httpOf(record.block.length > 0 ? record : full).headers),
    textDigest: undefined,
    isWhole: !fields.has('warc-truncated'),
    ...(original !== undefined && record.block.length > 0 && { receivedDate: record.fields.get('warc-date') }),
  }
}

/** The digest of the text of an archived page, for one that was archived without; undefined when it can't be read. */
export function storedTextDigest(crawl: string, url: string, place: RecordLocation): string | undefined {
  const record = fullRecord(crawl, place)
  if (record === undefined) return undefined
  const { headers, body } = httpOf(record)
  const contentType = lastHeaderOf(headers, 'content-type')
  return extract({ url, body, contentType, robotsTags: [], agent: '', wanted: { textDigest: true } }).textDigest
}

/** The response record at a place; undefined when there is none that can be read. */
export function fullRecord(crawl: string, place: RecordLocation): WarcRecord | undefined {
  const record = recordAt(crawl, place)
  return record?.type === 'response' ? record : undefined
}

function recordAt(crawl: string, { file, offset }: RecordLocation): WarcRecord | undefined {
  try {
    return readRecord(crawl, file, offset)
  } catch (error) {
    if (error instanceof EscalonaError) return undefined
    throw error
  }
}
