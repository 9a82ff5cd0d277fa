import { readRecord } from '../../archive/read.ts'
import type { Place } from '../../archive/scan.ts'
import { httpOf, type WarcRecord } from '../../archive/warc-record.ts'
import { EscalonaError } from '../../base/errors.ts'
import { lastHeaderOf } from '../../base/words/raw-headers.ts'
import { extract } from '../../extract/extract.ts'
import { type KnownAnswer, validatorsOf } from './former-answer.ts'

/** What the full record at a place says; undefined when it can't be read: its file may have been moved away. */
export function knownFrom(crawl: string, place: Place): KnownAnswer | undefined {
  const record = fullRecord(crawl, place)
  if (record === undefined) return undefined
  const { fields } = record
  const [id, date] = [fields.get('warc-record-id'), fields.get('warc-date')]
  const payloadDigest = fields.get('warc-payload-digest')?.replace('sha1:', '')
  if (id === undefined || date === undefined || payloadDigest === undefined) return undefined
  const { file, offset } = place
  const url = fields.get('escalona-url') ?? fields.get('warc-target-uri') ?? ''
  return {
    original: { file, offset, length: record.length, recordId: id.replace(/^<|>$/g, ''), url, date, payloadDigest },
    validators: validatorsOf(httpOf(record).headers),
    textDigest: undefined,
    isWhole: !fields.has('warc-truncated'),
  }
}

/** The digest of the text of an archived page, for one that was archived without; undefined when it can't be read. */
export function storedTextDigest(crawl: string, url: string, place: Place): string | undefined {
  const record = fullRecord(crawl, place)
  if (record === undefined) return undefined
  const { headers, body } = httpOf(record)
  const contentType = lastHeaderOf(headers, 'content-type')
  return extract({ url, body, contentType, robotsTags: [], agent: '', wanted: { textDigest: true } }).textDigest
}

function fullRecord(crawl: string, { file, offset }: Place): WarcRecord | undefined {
  try {
    const record = readRecord(crawl, file, offset)
    return record.type === 'response' ? record : undefined
  } catch (error) {
    if (error instanceof EscalonaError) return undefined
    throw error
  }
}
