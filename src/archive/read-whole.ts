import { readRecord } from './read.ts'
import type { Original } from './records.ts'
import type { Place } from './scan.ts'
import { type HttpMessage, httpOf, type WarcRecord } from './warc-record.ts'

/** A record, and the answer that it stands for. */
export interface Whole {
  /** The record at the place. */
  readonly record: WarcRecord
  /** Of a revisit: the full record that holds the body. */
  readonly original: WarcRecord | undefined
  /** The head of this answer (of a 304: of the original), with the body. */
  readonly message: HttpMessage
}

/** Reads an answer back whole: the body of a revisit is that of its original. */
export function readWhole(crawl: string, place: Pick<Place, 'file' | 'offset'>): Whole {
  return wholeBy((file, offset) => readRecord(crawl, file, offset), place)
}

/** The same, by a reader of records that somebody keeps. */
export function wholeBy(
  read: (file: string, offset: number) => WarcRecord,
  { file, offset }: Pick<Place, 'file' | 'offset'>,
): Whole {
  const record = read(file, offset)
  const place = originalOf(record)
  if (place === undefined) return { record, original: undefined, message: httpOf(record) }
  const original = read(place.file, place.offset)
  const message = httpOf(original)
  return {
    record,
    original,
    message: record.block.length === 0 ? message : { ...httpOf(record), body: message.body },
  }
}

/** The full record of a revisit; undefined for other records, and for a revisit that another tool wrote. */
export function originalOf({ type, fields }: Pick<WarcRecord, 'type' | 'fields'>): Original | undefined {
  const match = type === 'revisit' ? /^(\S+) (\d{1,15}) (\d{1,15})$/.exec(fields.get('escalona-original') ?? '') : null
  if (match === null) return undefined
  const [, file = '', offset, length] = match
  return {
    file,
    offset: Number(offset),
    length: Number(length),
    recordId: (fields.get('warc-refers-to') ?? '').slice(1, -1),
    url: fields.get('warc-refers-to-target-uri') ?? '',
    date: fields.get('warc-refers-to-date') ?? '',
    payloadDigest: (fields.get('warc-payload-digest') ?? '').replace('sha1:', ''),
  }
}
