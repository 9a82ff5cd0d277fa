import { closeSync, fstatSync, openSync } from 'node:fs'
import { lineStart, mimeOf } from './cdx-line.ts'
import { damaged } from './damaged.ts'
import { readMember } from './member-reader.ts'
import { httpOf, parseRecord, type WarcRecord } from './warc-record.ts'

/** Where an answer lies: `file` under `archive/`, and the gzip member of its response record. */
export interface Place {
  readonly file: string
  readonly offset: number
  readonly length: number
}

/** An answer that is in the archive. */
export interface Archived extends Place {
  readonly url: string
  readonly status: number
  readonly mime: string
  readonly isPage: boolean
  /** Of a page: links from a seed to it. */
  readonly depth: number
  /** Unix time of the request. */
  readonly dateMs: number
}

/** What a file holds. */
export interface Contents {
  readonly archived: readonly Archived[]
  readonly pages: number
  /** The index's lines, without their places. */
  readonly cdx: readonly string[]
  /** Behind the last record that is whole, with its partner; what follows was torn off. */
  readonly end: number
  readonly tornBytes: number
}

/** Reads and checks every record of a file. A torn tail is told; anything else that is wrong is an error. */
export function scanFile(path: string, file: string): Contents {
  const fd = openSync(path, 'r')
  try {
    return scan(fd, path, file)
  } finally {
    closeSync(fd)
  }
}

function scan(fd: number, path: string, file: string): Contents {
  const { size } = fstatSync(fd)
  const archived: Archived[] = []
  const cdx: string[] = []
  let end = 0
  let response: WarcRecord | undefined
  for (let at = 0; at < size; ) {
    const member = readMember(fd, at)
    if (member === 'torn') break
    const record = member === 'damaged' ? undefined : parseRecord(member.plain, at, member.length)
    if (member === 'damaged' || record === undefined) throw damaged(path, at, 'this is no record')
    if (record.type !== expected(at, response)) throw damaged(path, at, `a ${record.type} record is out of place`)
    at += member.length
    if (record.type === 'response') {
      response = record
      continue
    }
    if (response !== undefined) {
      if (!belongTogether(response, record)) throw damaged(path, record.offset, 'a request belongs to another response')
      const one = archivedOf(response, file)
      archived.push(one)
      cdx.push(lineStart({ ...one, date: field(response, 'warc-date'), payloadDigest: payloadDigestOf(response) }))
    }
    response = undefined
    end = at
  }
  const pages = archived.filter(one => one.isPage).length
  return { archived, pages, cdx, end, tornBytes: size - end }
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
  return {
    file,
    offset: response.offset,
    length: response.length,
    url: field(response, 'warc-target-uri'),
    status,
    mime: mimeOf(headers),
    isPage: field(response, 'escalona-page') === 'yes',
    depth: Number(field(response, 'escalona-depth')),
    dateMs: Date.parse(field(response, 'warc-date')),
  }
}

function payloadDigestOf(response: WarcRecord): string {
  return field(response, 'warc-payload-digest').replace('sha1:', '')
}

function field(record: WarcRecord, name: string): string {
  return record.fields.get(name) ?? ''
}
