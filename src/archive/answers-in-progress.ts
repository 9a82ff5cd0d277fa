import { fstatSync } from 'node:fs'
import { constants, inflateRawSync } from 'node:zlib'
import { mimeOf, REVISIT } from './cdx-line.ts'
import { HEAD_BYTES, isSoundHead } from './gzip-member.ts'
import { opened } from './index-search.ts'
import { bytesAt } from './member-reader.ts'
import { finishedPath, openPath } from './names.ts'
import type { Visit } from './visits-of.ts'
import { httpOf, parseRecordStart } from './warc-record.ts'

/** Enough deflated bytes for the fields of a record and the HTTP head after them. */
const FIELDS_BYTES = 4096
/** Of these, the first so many plain ones are looked at. */
const MOST_PLAIN_BYTES = 1 << 14
const HEAD_END = Buffer.from('\r\n\r\n')

/** An answer in a file that is still being written. */
export type AnswerInProgress = Omit<Visit, 'file'>

/** Opens a file in progress, which may have been finished meanwhile; undefined when it is gone. */
export function openInProgress(crawl: string, name: string): number | undefined {
  return opened(openPath(crawl, name)) ?? opened(finishedPath(crawl, name))
}

/** The answers in a file in progress from an offset on, where a record begins. Walks from head to head; each says how long it is. */
export function* answersIn(fd: number, from: number): Generator<AnswerInProgress, void, undefined> {
  const { size } = fstatSync(fd)
  // What comes after an answer is its request, or something else about it.
  let isAfter = false
  for (let offset = from; offset < size; ) {
    const bytes = bytesAt(fd, offset, isAfter ? HEAD_BYTES : HEAD_BYTES + FIELDS_BYTES)
    const head = bytes.subarray(0, HEAD_BYTES)
    if (!isSoundHead(head)) break
    const length = head.readUInt32LE(16)
    if (length === 0 || offset + length > size) break
    const answer: ReturnType<typeof answerIn> = isAfter ? undefined : answerIn(bytes.subarray(HEAD_BYTES, length))
    if (answer !== undefined) yield { ...answer, offset, length }
    isAfter = answer !== undefined
    offset += length
  }
}

/** What the first deflated bytes of a record say; undefined when it is no answer. */
function answerIn(deflated: Buffer): Omit<AnswerInProgress, 'offset' | 'length'> | undefined {
  const plain = startOf(deflated)
  const type = /^WARC\/1\.1\r\nWARC-Type: (response|revisit)\r\n/.exec(plain.toString('latin1', 0, 40))?.[1]
  const start = type === undefined ? undefined : parseRecordStart(plain, false)
  if (start === undefined) return undefined
  const fields = new Map(start.fields)
  // Of a long head, as much as there is.
  const { status, headers } = httpOf({ block: Buffer.concat([start.block, HEAD_END]) })
  return {
    kind: type as Visit['kind'],
    url: fields.get('WARC-Target-URI') ?? '',
    dateMs: Date.parse(fields.get('WARC-Date') ?? ''),
    status: type === 'revisit' && status === 0 ? 304 : status,
    mime: type === 'revisit' ? REVISIT : mimeOf(headers),
    truncated: type === 'revisit' ? undefined : fields.get('WARC-Truncated'),
  }
}

function startOf(deflated: Buffer): Buffer {
  try {
    const plain = inflateRawSync(deflated, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1 << 22 })
    return plain.subarray(0, MOST_PLAIN_BYTES)
  } catch {
    return Buffer.alloc(0)
  }
}
