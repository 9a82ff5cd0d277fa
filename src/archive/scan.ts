import { closeSync, fstatSync, openSync } from 'node:fs'
import { lineStart, mimeOf } from './cdx-line.ts'
import { damaged } from './damaged.ts'
import { readMember } from './member-reader.ts'
import { words } from './messages.ts'
import { originalOf } from './read-whole.ts'
import { httpOf, parseRecord, type WarcRecord } from './warc-record.ts'

/** Where an answer lies: `file` under `archive/`, and the gzip member of its response record. */
export interface Place {
  readonly file: string
  readonly offset: number
  readonly length: number
}

/** An answer that is in the archive. */
export interface Archived extends Place {
  readonly kind: 'response' | 'revisit'
  /** Of a revisit: where the full record lies. */
  readonly original?: Place
  readonly url: string
  readonly status: number
  readonly mime: string
  readonly isPage: boolean
  /** Of a page: links from a seed to it. */
  readonly hops: number
  /** Unix time of the request. */
  readonly dateMs: number
}

/** What a file holds. */
export interface Contents {
  readonly archived: readonly Archived[]
  readonly pages: number
  /** The index's lines, without their places. */
  readonly cdx: readonly string[]
  /** After the last response that is whole, with its request; what follows was torn off. */
  readonly end: number
  readonly tornBytes: number
}

/**
 * Reads and checks every record of a file. `syncedBytes` is up to where a file in progress is known to be on disk: what is
 * wrong before is damage, and an error; what is wrong after it is a torn tail. All of a finished file is on disk.
 */
export function scanFile(path: string, file: string, syncedBytes?: number): Contents {
  const fd = openSync(path, 'r')
  try {
    return scan(fd, path, file, syncedBytes)
  } finally {
    closeSync(fd)
  }
}

function scan(fd: number, path: string, file: string, syncedBytes: number | undefined): Contents {
  const { size } = fstatSync(fd)
  const mustReach = syncedBytes ?? Math.max(size, 1)
  const archived: Archived[] = []
  const cdx: string[] = []
  let end = 0
  let at = 0
  let wrong = ''
  let response: WarcRecord | undefined
  while (at < size) {
    const record = recordAt(fd, at)
    wrong = typeof record === 'string' ? record : misplaced(record, at, response)
    if (typeof record === 'string' || wrong !== '') break
    at += record.length
    if (record.type === 'response') {
      response = record
      continue
    }
    if (response !== undefined) {
      const one = archivedOf(response, file)
      archived.push(one)
      cdx.push(lineStart({ ...one, date: field(response, 'warc-date'), payloadDigest: payloadDigestOf(response) }))
    }
    response = undefined
    end = at
  }
  if (end < mustReach) {
    const orElse = syncedBytes === undefined ? undefined : words().orRemoveMark('"synced"')
    throw damaged(path, at, wrong || words().fileEndsEarly, orElse)
  }
  const pages = archived.filter(one => one.isPage).length
  return { archived, pages, cdx, end, tornBytes: size - end }
}

/** What is wrong, in words, when there is no record. */
function recordAt(fd: number, at: number): WarcRecord | string {
  const member = readMember(fd, at)
  if (member === 'torn') return words().fileEndsInside
  const record = member === 'damaged' ? undefined : parseRecord(member.plain, at, member.length)
  return record ?? words().noRecord
}

/** What is wrong about a record at this place, in words; empty when nothing is. */
function misplaced(record: WarcRecord, at: number, response: WarcRecord | undefined): string {
  if (record.type !== expected(at, response)) return words().outOfPlace(record.type)
  if (response !== undefined && !belongTogether(response, record)) return words().foreignRequest
  return ''
}

function expected(at: number, response: WarcRecord | undefined): string {
  if (at === 0) return 'warcinfo'
  return response === undefined ? 'response' : 'request'
}

function belongTogether(response: WarcRecord, request: WarcRecord): boolean {
  return field(request, 'warc-concurrent-to') === field(response, 'warc-record-id')
}

function archivedOf(response: WarcRecord, file: string): Archived {
  const { status, headers } = httpOf(response)
  const original = originalOf(response)
  return {
    kind: response.type === 'revisit' ? 'revisit' : 'response',
    ...(original !== undefined && { original }),
    file,
    offset: response.offset,
    length: response.length,
    url: field(response, 'warc-target-uri'),
    status,
    mime: mimeOf(headers),
    isPage: field(response, 'escalona-page') === 'yes',
    // What it was called until version 0.1.
    hops: Number(field(response, 'escalona-hops') || field(response, 'escalona-depth')),
    dateMs: Date.parse(field(response, 'warc-date')),
  }
}

function payloadDigestOf(response: WarcRecord): string {
  return field(response, 'warc-payload-digest').replace('sha1:', '')
}

function field(record: WarcRecord, name: string): string {
  return record.fields.get(name) ?? ''
}
