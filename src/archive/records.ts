import { EscalonaError } from '../base/errors.ts'
import { lineStart, mimeOf } from './cdx-line.ts'
import { sha1, uuidsOf } from './digest.ts'
import { membersOf, pack } from './gzip-member.ts'
import { headerValue, type ReceivedHead, storedHead } from './http-head.ts'
import { words } from './messages.ts'
import { MAX_RECORD_BYTES } from './warc-record.ts'

/** What is archived of one request and its answer. An `Exchange` of the fetch room is one. */
export interface Recordable extends ReceivedHead {
  readonly url: string
  /** Empty when nobody knows. */
  readonly ip: string
  /** Exactly what was sent, with the empty line at its end, one character per byte. */
  readonly requestHead: string
  /** Decoded. */
  readonly body: Uint8Array
  readonly truncated: 'length' | undefined
}

export interface About {
  /** Whether it counts for the 1,000 pages of a file. */
  readonly isPage: boolean
  /** When the request was sent, Unix time. */
  readonly dateMs: number
  /** Of a page: links from a seed to it. */
  readonly hops?: number
}

/** A response record and its request record, ready to be appended to a file. */
export interface Records {
  /** Two gzip members, in memory of their own: it may be transferred to another thread. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Length of the first member, the response. */
  readonly responseBytes: number
  readonly isPage: boolean
  /** Its line of the index, but for the place. */
  readonly cdx: string
  /** SHA-1 of the stored body, base32. */
  readonly payloadDigest: string
}

/** Measured: docs/decisions/0006. */
const OF_RESPONSES = { level: 2 }
const OF_REQUESTS = { level: 1, windowBits: 10, memLevel: 4, chunkSize: 1024 }
/** More than the fields of a record need besides its URL and address. */
const FIELDS_BYTES = 1024
const SCRATCH_BYTES = 1 << 18
const RECORD_END = '\r\n\r\n'

/** Where most records are laid out; only for as long as one call takes. */
const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES)

/**
 * The WARC 1.1 records of an exchange. Pure: the ids come from what is recorded, so the same exchange gives the same bytes.
 * A page is marked (`Escalona-Page: yes`), so that a file says how many it holds, and carries its hops, which nothing else
 * in it says: so its line in `pages.jsonl` can be made again.
 */
export function archiveRecords(exchange: Recordable, { isPage, dateMs, hops = 0 }: About): Records {
  const { body, truncated } = exchange
  const url = safeUrl(exchange.url)
  const ip = headerValue(exchange.ip)
  const date = new Date(dateMs).toISOString()
  const head = storedHead(exchange, body.length)

  const blockAt = FIELDS_BYTES + url.length + ip.length
  const bodyAt = blockAt + head.length
  const end = bodyAt + body.length
  const room = roomFor(end + RECORD_END.length)
  room.write(head, blockAt, 'latin1')
  room.set(body, bodyAt)
  room.write(RECORD_END, end, 'latin1')

  const payloadDigest = sha1(body)
  const blockDigest = sha1(room.subarray(blockAt, end))
  const [responseId, requestId] = uuidsOf(`${date} ${ip} ${blockDigest} ${url}`)
  const common = `WARC-Date: ${date}\r\nWARC-Target-URI: ${url}\r\n${ip === '' ? '' : `WARC-IP-Address: ${ip}\r\n`}`

  const fields =
    `WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:${responseId}>\r\n${common}` +
    `WARC-Concurrent-To: <urn:uuid:${requestId}>\r\nWARC-Payload-Digest: sha1:${payloadDigest}\r\n` +
    `WARC-Block-Digest: sha1:${blockDigest}\r\n${truncated === undefined ? '' : `WARC-Truncated: ${truncated}\r\n`}` +
    `${isPage ? `Escalona-Page: yes\r\nEscalona-Hops: ${hops}\r\n` : ''}Content-Type: application/http; msgtype=response\r\n` +
    `Content-Length: ${end - blockAt}\r\n\r\n`
  const start = blockAt - fields.length
  room.write(fields, start, 'latin1')
  const response = pack(room.subarray(start, end + RECORD_END.length), OF_RESPONSES)
  const request = pack(requestRecord(exchange.requestHead, common, requestId, responseId), OF_REQUESTS)

  return {
    bytes: membersOf(response, request),
    responseBytes: response.bytes,
    isPage,
    cdx: lineStart({
      url,
      date,
      mime: mimeOf(exchange.headers),
      status: exchange.status,
      payloadDigest,
      length: response.bytes,
    }),
    payloadDigest,
  }
}

function requestRecord(head: string, common: string, id: string, responseId: string): Uint8Array {
  const block = Buffer.from(head, 'latin1')
  const fields =
    `WARC/1.1\r\nWARC-Type: request\r\nWARC-Record-ID: <urn:uuid:${id}>\r\n${common}` +
    `WARC-Concurrent-To: <urn:uuid:${responseId}>\r\nWARC-Block-Digest: sha1:${sha1(block)}\r\n` +
    `Content-Type: application/http; msgtype=request\r\nContent-Length: ${block.length}\r\n\r\n`
  return Buffer.from(fields + head + RECORD_END, 'latin1')
}

/** A URL that is canonical is this already; whatever else comes can't break a line of a file. */
function safeUrl(url: string): string {
  if (!/[^\x21-\x7e]/.test(url)) return url
  return url.replace(/[^\x21-\x7e]+/g, part => Buffer.from(part).toString('hex').replace(/../g, '%$&'))
}

function roomFor(bytes: number): Buffer {
  if (bytes <= SCRATCH_BYTES) return scratch
  if (bytes <= MAX_RECORD_BYTES) return Buffer.allocUnsafeSlow(bytes)
  const message = words().recordTooLarge(bytes)
  throw new EscalonaError('ARCHIVE_RECORD_TOO_LARGE', message)
}
