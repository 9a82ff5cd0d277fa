import { originalOf } from './read-whole.ts'
import { readRecordStart } from './record-start.ts'
import type { Place } from './scan.ts'
import { type HttpMessage, httpOf, type RecordStart } from './warc-record.ts'

/** A record, and the beginning of the answer that it stands for. */
export interface WholeStart {
  /** The record at the place. */
  readonly record: RecordStart
  /** The head of this answer (of a 304: of the original), with the beginning of the body. */
  readonly message: HttpMessage
  /** The body goes on in the archive. */
  readonly isCut: boolean
  /** The archive does not have all that the server sent. */
  readonly isTruncated: boolean
}

/** As `readWhole`, but of a record that is larger than `mostBytes` before compression only about so much is read. */
export async function readWholeStart(
  crawl: string,
  { file, offset }: Pick<Place, 'file' | 'offset'>,
  mostBytes: number,
): Promise<WholeStart> {
  const record = await readRecordStart(crawl, file, offset, mostBytes)
  const fields = fieldsOf(record)
  const place = originalOf({ type: fields.get('warc-type') ?? '', fields })
  if (place === undefined) {
    return { record, message: httpOf(record), isCut: record.isCut, isTruncated: fields.has('warc-truncated') }
  }
  const original = await readRecordStart(crawl, place.file, place.offset, mostBytes)
  const { body, ...head } = httpOf(original)
  return {
    record,
    message: { ...(record.block.length === 0 ? head : httpOf(record)), body },
    isCut: original.isCut,
    isTruncated: fieldsOf(original).has('warc-truncated'),
  }
}

function fieldsOf({ fields }: RecordStart): ReadonlyMap<string, string> {
  return new Map(fields.map(([name, value]) => [name.toLowerCase(), value]))
}
