import { EscalonaError } from '../base/errors.ts'
import { type Message, message } from '../base/messages/message.ts'

/** Before compression: what is larger is refused, written or read. */
export const MAX_RECORD_BYTES = 1 << 29
const MAX_HEAD_BYTES = 1 << 20
/** The two empty lines after each record. */
const RECORD_END_BYTES = 4

/** One record of a WARC file. */
export interface WarcRecord {
  /** `warcinfo`, `response` or `request`. */
  readonly type: string
  /** Names in lower case. */
  readonly fields: ReadonlyMap<string, string>
  readonly block: Uint8Array
  readonly offset: number
  readonly length: number
}

/** An HTTP message out of a record's block. */
export interface HttpMessage {
  /** `HTTP/1.1 200 OK`, or `GET / HTTP/1.1`. */
  readonly startLine: string
  /** Of an answer; 0 otherwise. */
  readonly status: number
  /** Name, value, name, value, … one character per byte. */
  readonly headers: readonly string[]
  readonly body: Uint8Array
}

/** Undefined when these plain bytes aren't a whole record. */
export function parseRecord(plain: Buffer, offset: number, length: number): WarcRecord | undefined {
  const head = headOf(plain)
  if (head === undefined || head.lines[0] !== 'WARC/1.1') return undefined
  const fields = new Map<string, string>()
  for (const [name, value] of pairsOf(head.lines)) fields.set(name.toLowerCase(), value)
  const type = fields.get('warc-type')
  const blockEnd = plain.length - RECORD_END_BYTES
  if (type === undefined || fields.get('content-length') !== String(blockEnd - head.end)) return undefined
  if (plain.toString('latin1', blockEnd) !== '\r\n\r\n') return undefined
  return { type, fields, block: plain.subarray(head.end, blockEnd), offset, length }
}

export interface RecordStart {
  /** In their order, as they are written. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly block: Uint8Array
  readonly isCut: boolean
}

/** `isWhole`: these plain bytes are all of the record. */
export function parseRecordStart(plain: Buffer, isWhole: boolean): RecordStart | undefined {
  const head = headOf(plain)
  if (head === undefined || head.lines[0] !== 'WARC/1.1') return undefined
  const block = plain.subarray(head.end, isWhole ? plain.length - RECORD_END_BYTES : plain.length)
  return { fields: pairsOf(head.lines), block, isCut: !isWhole }
}

/** The HTTP message of a response or request record. */
export function httpOf(record: Pick<WarcRecord, 'block'>): HttpMessage {
  const block = Buffer.from(record.block.buffer, record.block.byteOffset, record.block.byteLength)
  const head = headOf(block)
  if (head === undefined) return { startLine: '', status: 0, headers: [], body: block }
  const startLine = head.lines[0]!
  const status = Number(/^HTTP\/\d\.\d (\d{3})\b/.exec(startLine)?.[1] ?? 0)
  return { startLine, status, headers: pairsOf(head.lines).flat(), body: block.subarray(head.end) }
}

function headOf(bytes: Buffer): { readonly lines: readonly string[]; readonly end: number } | undefined {
  const end = bytes.subarray(0, MAX_HEAD_BYTES).indexOf('\r\n\r\n')
  return end < 0 ? undefined : { lines: bytes.toString('latin1', 0, end).split('\r\n'), end: end + 4 }
}

function pairsOf(lines: readonly string[]): [name: string, value: string][] {
  return lines.slice(1).map(line => {
    const at = line.indexOf(':')
    return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).trim()]
  })
}

export function damaged(
  path: string,
  offset: number,
  what: Message,
  orElse = message('archive/or-move-away'),
): EscalonaError {
  return new EscalonaError('ARCHIVE_DAMAGED', { path, offset, what, orElse })
}
