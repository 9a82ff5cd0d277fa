import { originalOf } from './read-whole.ts'
import { readRecordStart } from './record-start.ts'
import type { Place } from './scan.ts'
import { type HttpMessage, httpOf, type RecordStart } from './warc-record.ts'

/** The beginning of an answer. */
export interface WholeStart {
  /** The record at the place. */
  readonly record: RecordStart
  /** The head of this answer (of a 304: of the original), with the beginning of the body. */
  readonly message: HttpMessage
  /** The body goes on. */
  readonly isCut: boolean
  /** The archive does not have all of the body that the server sent. */
  readonly isTruncated: boolean
}

/** Reads an answer back as `readWhole` does, but of a long one only about its first `mostBytes`. */
export async function readWholeStart(
  crawl: string,
  { file, offset }: Pick<Place, 'file' | 'offset'>,
  mostBytes: number,
): Promise<WholeStart> {
  const record = await readRecordStart(crawl, file, offset, mostBytes)
  const fields = fieldsOf(record)
  const place = originalOf({ type: fields.get('warc-type') ?? '', fields })
  if (place === undefined)
    return { record, message: httpOf(record), isCut: record.isCut, isTruncated: fields.has('warc-truncated') }
  const original = await readRecordStart(crawl, place.file, place.offset, mostBytes)
  const message = httpOf(original)
  return {
    record,
    message: record.block.length === 0 ? message : { ...httpOf(record), body: message.body },
    isCut: original.isCut,
    isTruncated: fieldsOf(original).has('warc-truncated'),
  }
}

function fieldsOf({ fields }: RecordStart): ReadonlyMap<string, string> {
  return new Map(fields.map(([name, value]) => [name.toLowerCase(), value]))
}
