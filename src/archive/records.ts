import { EscalonaError } from '../base/errors.ts'
import { sha1 } from '../base/words/sha1.ts'
import type { Exchange } from '../fetch/exchange.ts'
import { lineStart, mimeOf, REVISIT } from './cdx-line.ts'
import { deflate, LONGEST_BYTES } from './deflate-kernel.ts'
import { membersOf, type PackedMember, pack, packed } from './gzip-member.ts'
import { headerValue, ownUrlField, type ReceivedHead, storedHead, targetUri, uuidsOf } from './record-text.ts'
import type { RecordLocation } from './scan.ts'
import { MAX_RECORD_BYTES } from './warc-record.ts'

export type RecordableRequest = Pick<Exchange, 'url' | 'ip' | 'requestHead'>

/** What is archived of one request and its answer. */
export type Recordable = RecordableRequest & ReceivedHead & Pick<Exchange, 'body' | 'truncated'>

export interface About {
  /** A full record of a page counts for the 1,000 of a file. */
  readonly isPage: boolean
  readonly dateMs: number
  /** Of a page: links from a seed to it. */
  readonly hops?: number
  readonly kept?: Kept
}

export type Kept = 'all' | 'start' | 'head'

/** The last full record of a payload. */
export interface Original extends RecordLocation {
  /** `urn:uuid:…`, without brackets. */
  readonly recordId: string
  readonly url: string
  readonly date: string
  readonly payloadDigest: string
}

/**
 * The records of one exchange: the main one (a response, a revisit, or metadata that says why there is neither), perhaps more metadata, and
 * the request, which comes last and closes the group.
 */
export interface Records {
  readonly kind: 'response' | 'revisit' | 'metadata'
  /** Gzip members, in memory of their own: it may be transferred to another thread. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Length of the first member, the main record. */
  readonly responseBytes: number
  readonly isPage: boolean
  readonly recordId: string
  readonly date: string
  /** Its line of the index without the location; of metadata, nothing. */
  readonly cdx: string
  /** SHA-1 of the stored body, base32; of a revisit, that of the original; of metadata, nothing. */
  readonly payloadDigest: string
}

/** Stored of an answer that isn't wanted. */
export const START_BYTES = 64 << 10
/** For records too long for the kernel. Measured: docs/decisions/0006. */
const OF_LONG_RECORDS = { level: 2 }
/** More than the fields of a record need besides its URLs, address and another file's name. */
const FIELDS_BYTES = 2048
const SCRATCH_BYTES = 1 << 18
const RECORD_END = '\r\n\r\n'
const NOTHING = new Uint8Array(0)

/** Where most records are laid out, during one call. */
const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES)

/**
 * The WARC 1.1 records of an exchange; the ids come from it, so the same exchange gives the same bytes. A page's record has its hops, so that
 * its line in `pages.jsonl` can be made again.
 */
export function archiveRecords(exchange: Recordable, about: About): Records {
  const body = storedBody(exchange.body, about.kept)
  return group(exchange, about, {
    kind: 'response',
    head: storedHead(exchange, body.length),
    body,
    payloadDigest: sha1(body),
    truncated: exchange.truncated ?? (body.length < exchange.body.length ? 'length' : undefined),
    fields: '',
    mime: mimeOf(exchange.headers),
  })
}

/** For a payload that is in the archive already: the new head, and where the body is. */
export function revisitRecords(exchange: Recordable, about: About, original: Original): Records {
  return group(exchange, about, {
    kind: 'revisit',
    head: storedHead(exchange, exchange.body.length),
    body: NOTHING,
    payloadDigest: original.payloadDigest,
    truncated: 'length',
    fields: profile('identical-payload-digest') + referral(original),
    mime: REVISIT,
  })
}

/**
 * For a 304. The block is empty, since replayers take a head in it for the page's own; the head is in a metadata record of type
 * `application/warc-fields`, which indexers leave out.
 */
export function notModifiedRecords(exchange: Recordable, about: About, original: Original): Records {
  return group(exchange, about, {
    kind: 'revisit',
    head: '',
    body: NOTHING,
    payloadDigest: original.payloadDigest,
    truncated: 'length',
    fields: profile('server-not-modified') + referral(original),
    mime: REVISIT,
    metadata: headAsFields(exchange),
  })
}

/** How metadata in place of an answer begins. */
export const FAILURE = 'failure: '

/** For a request to which not even a status line came back. `failure`: why, in one word. */
export function unansweredRecords(request: RecordableRequest, dateMs: number, failure: string): Records {
  const { url, ip, date, common } = commonOf(request, dateMs)
  const [mainId, requestId] = uuidsOf(`${date} ${ip} ${failure} ${url}`)
  const metadata = smallRecord('metadata', mainId, common + concurrentTo(requestId), `${FAILURE}${failure}\r\n`)
  const sent = smallRecord('request', requestId, common + concurrentTo(mainId), request.requestHead)
  return {
    kind: 'metadata',
    bytes: membersOf(metadata, sent),
    responseBytes: metadata.bytes,
    isPage: false,
    recordId: `urn:uuid:${mainId}`,
    date,
    cdx: '',
    payloadDigest: '',
  }
}

interface Main {
  readonly kind: 'response' | 'revisit'
  /** The block: an HTTP head, one character per byte, and a body. */
  readonly head: string
  readonly body: Uint8Array
  readonly payloadDigest: string
  readonly truncated: Recordable['truncated']
  readonly fields: string
  readonly mime: string
  readonly metadata?: string
}

function group(exchange: Recordable, { isPage, dateMs, hops = 0 }: About, main: Main): Records {
  const { head, body, payloadDigest } = main
  const { url, ip, date, common } = commonOf(exchange, dateMs)

  const blockAt = FIELDS_BYTES + 2 * url.length + ip.length + main.fields.length
  const bodyAt = blockAt + head.length
  const end = bodyAt + body.length
  const room = roomFor(end + RECORD_END.length)
  room.write(head, blockAt, 'latin1')
  room.set(body, bodyAt)
  room.write(RECORD_END, end, 'latin1')

  const blockDigest = sha1(room.subarray(blockAt, end))
  const name = `${date} ${ip} ${blockDigest} ${url}`
  const [mainId, requestId] = uuidsOf(name)

  const fields =
    `WARC/1.1\r\nWARC-Type: ${main.kind}\r\nWARC-Record-ID: <urn:uuid:${mainId}>\r\n${common}` +
    `${concurrentTo(requestId)}WARC-Payload-Digest: sha1:${payloadDigest}\r\n` +
    `WARC-Block-Digest: sha1:${blockDigest}\r\n${main.truncated === undefined ? '' : `WARC-Truncated: ${main.truncated}\r\n`}${main.fields}${ownUrlField(exchange.url, url)}` +
    `${isPage ? `Escalona-Page: yes\r\nEscalona-Hops: ${hops}\r\n` : ''}Content-Type: application/http; msgtype=response\r\n` +
    `Content-Length: ${end - blockAt}\r\n\r\n`
  const start = blockAt - fields.length
  room.write(fields, start, 'latin1')
  const response = packRecord(room.subarray(start, end + RECORD_END.length))
  const others: PackedMember[] = []
  if (main.metadata !== undefined) {
    const id = uuidsOf(`${name} metadata`)[0]
    others.push(smallRecord('metadata', id, common + concurrentTo(mainId), main.metadata))
  }
  others.push(smallRecord('request', requestId, common + concurrentTo(mainId), exchange.requestHead))

  const status = end === blockAt ? undefined : exchange.status
  const truncated = main.kind === 'response' ? main.truncated : undefined
  return {
    kind: main.kind,
    bytes: membersOf(response, ...others),
    responseBytes: response.bytes,
    isPage,
    recordId: `urn:uuid:${mainId}`,
    date,
    cdx: lineStart({ url, date, mime: main.mime, status, payloadDigest, length: response.bytes, truncated }),
    payloadDigest,
  }
}

function storedBody(body: Uint8Array, kept: Kept = 'all'): Uint8Array {
  return kept === 'all' ? body : body.subarray(0, kept === 'start' ? START_BYTES : 0)
}

function profile(name: string): string {
  return `WARC-Profile: http://netpreserve.org/warc/1.1/revisit/${name}\r\n`
}

/** The three usual fields, and one for our own readers. */
function referral({ recordId, url, date, file, offset, length }: Original): string {
  return (
    `WARC-Refers-To: <${recordId}>\r\nWARC-Refers-To-Target-URI: ${targetUri(url)}\r\nWARC-Refers-To-Date: ${date}\r\n` +
    `Escalona-Original: ${file} ${offset} ${length}\r\n`
  )
}

function headAsFields(received: ReceivedHead): string {
  const head = storedHead(received, 0)
  const end = head.indexOf('\r\n') + 2
  return `status-line: ${head.slice(0, end)}${head.slice(end, -2)}`
}

const CONTENT_TYPES = {
  metadata: 'application/warc-fields',
  request: 'application/http; msgtype=request',
} as const

/** `block`: one character per byte. */
function smallRecord(type: keyof typeof CONTENT_TYPES, id: string, fields: string, block: string): PackedMember {
  const digest = sha1(Buffer.from(block, 'latin1'))
  const head =
    `WARC/1.1\r\nWARC-Type: ${type}\r\nWARC-Record-ID: <urn:uuid:${id}>\r\n${fields}` +
    `WARC-Block-Digest: sha1:${digest}\r\nContent-Type: ${CONTENT_TYPES[type]}\r\nContent-Length: ${block.length}\r\n\r\n`
  return packRecord(Buffer.from(head + block + RECORD_END, 'latin1'))
}

/** What all records of a group say. */
function commonOf(request: RecordableRequest, dateMs: number) {
  const url = targetUri(request.url)
  const ip = headerValue(request.ip)
  const date = new Date(dateMs).toISOString()
  const common = `WARC-Date: ${date}\r\nWARC-Target-URI: ${url}\r\n${ip === '' ? '' : `WARC-IP-Address: ${ip}\r\n`}`
  return { url, ip, date, common }
}

function concurrentTo(id: string): string {
  return `WARC-Concurrent-To: <urn:uuid:${id}>\r\n`
}

function packRecord(plain: Uint8Array): PackedMember {
  return plain.length <= LONGEST_BYTES ? packed(plain, deflate(plain)) : pack(plain, OF_LONG_RECORDS)
}

function roomFor(bytes: number): Buffer {
  if (bytes <= SCRATCH_BYTES) return scratch
  if (bytes <= MAX_RECORD_BYTES) return Buffer.allocUnsafeSlow(bytes)
  throw new EscalonaError('ARCHIVE_RECORD_TOO_LARGE', { bytes })
}
