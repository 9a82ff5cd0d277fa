import { fstatSync } from 'node:fs'
import { withFile } from '../base/files/open-file.ts'
import { type Message, message } from '../base/messages/message.ts'
import { lineStart, mimeOf, REVISIT } from './cdx-line.ts'
import { readMember } from './gzip-member.ts'
import { archiveFiles, finishedPath, openPath } from './names.ts'
import { originalOf } from './read.ts'
import { FAILURE, type Original } from './records.ts'
import { damaged, httpOf, parseRecord, type WarcRecord } from './warc-record.ts'

/** Where an answer is: `file` under `archive/`, and the gzip member of its main record. */
export interface RecordLocation {
  readonly file: string
  readonly offset: number
  readonly length: number
}

export function locationOf({ file, offset, length }: RecordLocation): RecordLocation {
  return { file, offset, length }
}

export interface Archived extends RecordLocation {
  readonly kind: 'response' | 'revisit'
  /** Of a revisit: the full record of its payload. */
  readonly original?: Original
  /** As the crawl knows it. */
  readonly url: string
  /** Of a 304 it is 304. */
  readonly status: number
  /** `warc/revisit` for a revisit. */
  readonly mime: string
  readonly recordId: string
  /** SHA-1 of the stored body, base32; of a revisit, that of the original. */
  readonly payloadDigest: string
  readonly isPage: boolean
  /** Of a page: links from a seed to it. */
  readonly hops: number
  readonly dateMs: number
  /** As in the record. */
  readonly date: string
}

export interface Contents {
  readonly archived: readonly Archived[]
  /** Full records of pages. */
  readonly pages: number
  /** Answers, and requests without one. */
  readonly requests: number
  /** The index's lines, without locations. */
  readonly cdx: readonly string[]
  /** After the last whole group; what follows was torn off. */
  readonly end: number
  readonly tornBytes: number
}

/**
 * Reads and checks every record of a file. `syncedBytes`: up to where a file in progress is known to be on disk; what is wrong before that is
 * damage, and an error, after that a torn tail. All of a finished file is on disk.
 */
export function scanFile(path: string, file: string, syncedBytes?: number): Contents {
  return withFile(path, 'r', fd => scan(fd, path, file, syncedBytes))
}

function scan(fd: number, path: string, file: string, syncedBytes: number | undefined): Contents {
  const { size } = fstatSync(fd)
  const mustReach = syncedBytes ?? Math.max(size, 1)
  const archived: Archived[] = []
  const cdx: string[] = []
  let end = 0
  let at = 0
  let requests = 0
  let wrong: Message | undefined
  let main: WarcRecord | undefined
  while (at < size) {
    const record = recordAt(fd, at)
    wrong = 'key' in record ? record : misplaced(record, at, main)
    if ('key' in record || wrong !== undefined) break
    at += record.length
    if (main === undefined && isMain(record)) main = record
    // Records of other types don't matter: one inside a group belongs to it.
    if (main !== undefined && record.type !== 'request') continue
    if (main !== undefined) requests++
    if (main !== undefined && main.type !== 'metadata') {
      const one = archivedOf(main, file)
      archived.push(one)
      cdx.push(cdxOf(main, one))
    }
    main = undefined
    end = at
  }
  if (end < mustReach) {
    const orElse = syncedBytes === undefined ? undefined : message('archive/or-remove-mark', { mark: '"synced"' })
    throw damaged(path, at, wrong ?? message('archive/file-ends-early'), orElse)
  }
  const pages = archived.filter(one => one.isPage && one.kind === 'response').length
  return { archived, pages, requests, cdx, end, tornBytes: size - end }
}

/** What is wrong, when there is no record. */
function recordAt(fd: number, at: number): WarcRecord | Message {
  const member = readMember(fd, at)
  if (member === 'torn') return message('archive/file-ends-inside')
  const record = member === 'damaged' ? undefined : parseRecord(member.plain, at, member.length)
  return record ?? message('archive/no-record')
}

/** What is wrong about a record here, if anything. `main`: the answer whose request is to come. */
function misplaced(record: WarcRecord, at: number, main: WarcRecord | undefined): Message | undefined {
  const { type } = record
  const isWrong =
    at === 0 ? type !== 'warcinfo' : main === undefined ? type === 'request' : isAnswer(record) || type === 'warcinfo'
  if (isWrong) return message('archive/out-of-place', { type })
  if (main !== undefined && type === 'request' && !belongTogether(main, record))
    return message('archive/foreign-request')
  return undefined
}

/** Begins a group, which its request ends: an answer, or why there is none. */
function isMain(record: WarcRecord): boolean {
  const { type, block } = record
  return isAnswer(record) || (type === 'metadata' && FAILURE_BYTES.equals(block.subarray(0, FAILURE_BYTES.length)))
}

function isAnswer({ type }: WarcRecord): boolean {
  return type === 'response' || type === 'revisit'
}

const FAILURE_BYTES = Buffer.from(FAILURE)

function belongTogether(main: WarcRecord, request: WarcRecord): boolean {
  return field(request, 'warc-concurrent-to') === field(main, 'warc-record-id')
}

function archivedOf(main: WarcRecord, file: string): Archived {
  const { status, headers } = httpOf(main)
  const original = originalOf(main)
  const isRevisit = main.type === 'revisit'
  const date = field(main, 'warc-date')
  return {
    kind: isRevisit ? 'revisit' : 'response',
    ...(original !== undefined && { original }),
    file,
    offset: main.offset,
    length: main.length,
    url: field(main, 'escalona-url') || field(main, 'warc-target-uri'),
    status: isRevisit && main.block.length === 0 ? 304 : status,
    mime: isRevisit ? REVISIT : mimeOf(headers),
    recordId: field(main, 'warc-record-id').slice(1, -1),
    payloadDigest: field(main, 'warc-payload-digest').replace('sha1:', ''),
    isPage: field(main, 'escalona-page') === 'yes',
    hops: Number(field(main, 'escalona-hops')),
    dateMs: Date.parse(date),
    date,
  }
}

function cdxOf(main: WarcRecord, archived: Archived): string {
  const { date, mime, payloadDigest, length } = archived
  const status = main.block.length === 0 ? undefined : archived.status
  const truncated = main.type === 'response' ? main.fields.get('warc-truncated') : undefined
  return lineStart({ url: field(main, 'warc-target-uri'), date, mime, status, payloadDigest, length, truncated })
}

function field(record: WarcRecord, name: string): string {
  return record.fields.get(name) ?? ''
}

/**
 * The answers to requests made since this time (ms since 1970), a file at a time, the newest first. Files are written one after the other, so
 * the first without any ends the search.
 */
export function* answersSince(crawl: string, sinceMs: number): Generator<readonly Archived[]> {
  for (const { name, isOpen } of archiveFiles(crawl).toReversed()) {
    const { archived } = isOpen ? inProgress(crawl, name) : scanFile(finishedPath(crawl, name), name)
    const some = archived.filter(({ dateMs }) => dateMs >= sinceMs)
    if (some.length === 0 && archived.length > 0) return
    yield some
  }
}

/** It may be finished at any moment. */
function inProgress(crawl: string, name: string): Contents {
  try {
    return scanFile(openPath(crawl, name), name, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return scanFile(finishedPath(crawl, name), name)
  }
}
