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
}

/** Reads an answer back as `readWhole` does, but of a long one only about its first `mostBytes`. */
export async function readWholeStart(
  crawl: string,
  { file, offset }: Pick<Place, 'file' | 'offset'>,
  mostBytes: number,
): Promise<WholeStart> {
  const record = await readRecordStart(crawl, file, offset, mostBytes)
  const fields = new Map(record.fields.map(([name, value]) => [name.toLowerCase(), value]))
  const place = originalOf({ type: fields.get('warc-type') ?? '', fields })
  if (place === undefined) return { record, message: httpOf(record), isCut: record.isCut }
  const original = await readRecordStart(crawl, place.file, place.offset, mostBytes)
  const message = httpOf(original)
  const { isCut } = original
  return { record, message: record.block.length === 0 ? message : { ...httpOf(record), body: message.body }, isCut }
}
