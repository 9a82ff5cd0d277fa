import { closeSync, fstatSync, openSync } from 'node:fs'
import { createInflateRaw } from 'node:zlib'
import { EscalonaError } from '../base/errors.ts'
import { bytesAt } from '../base/files/open-file.ts'
import { message } from '../base/messages/message.ts'
import { transformed } from '../base/structures/unpacked-pieces.ts'
import { whyOf } from '../base/system-error.ts'
import { HEAD_BYTES, isSoundHead, type Member, readMember, TAIL_BYTES } from './gzip-member.ts'
import { finishedPath, openPath } from './names.ts'
import type { Original } from './records.ts'
import type { RecordLocation } from './scan.ts'
import {
  damaged,
  type HttpMessage,
  httpOf,
  parseRecord,
  parseRecordStart,
  type RecordStart,
  type WarcRecord,
} from './warc-record.ts'

/** Reads one record: `file` and `offset` as the index, pages.jsonl or an append give them, also while the file is being written. */
export function readRecord(crawl: string, file: string, offset: number): WarcRecord {
  const fd = openEither(crawl, file)
  try {
    return recordAt(fd, offset, file)
  } finally {
    closeSync(fd)
  }
}

/** Keeps the file of the last record open: most are read in the order of the files. */
export class RecordReader {
  private readonly crawl: string
  private file: string | undefined
  private fd = -1

  constructor(crawl: string) {
    this.crawl = crawl
  }

  read(file: string, offset: number): WarcRecord {
    if (file !== this.file) {
      this.close()
      this.fd = openEither(this.crawl, file)
      this.file = file
    }
    return recordAt(this.fd, offset, file)
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.fd)
    this.file = undefined
  }
}

/** All records of a file that Escalona wrote, one in memory at a time. Anything that isn't whole is an error. */
export function* readWarc(path: string): Generator<WarcRecord, void, undefined> {
  const fd = opened(path)
  try {
    for (let at = 0; at < fstatSync(fd).size; ) {
      const record = recordAt(fd, at, path)
      yield record
      at += record.length
    }
  } finally {
    closeSync(fd)
  }
}

function recordAt(fd: number, offset: number, name: string): WarcRecord {
  const { plain, length } = memberAt(fd, offset, name)
  const record = parseRecord(plain, offset, length)
  if (record === undefined) throw damaged(name, offset, message('archive/no-warc-record'))
  return record
}

function memberAt(fd: number, offset: number, name: string): Member {
  const member = readMember(fd, offset)
  if (typeof member === 'string')
    throw damaged(name, offset, message(member === 'torn' ? 'archive/file-ends' : 'archive/no-record'))
  return member
}

/** A file is renamed when it is full, so both names are tried, and the first once more. */
export function openEither(crawl: string, file: string): number {
  const names = [finishedPath(crawl, file), openPath(crawl, file)]
  for (const path of names) {
    try {
      return openSync(path, 'r')
    } catch {
      // Perhaps under its other name.
    }
  }
  return opened(names[0]!)
}

function opened(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    throw new EscalonaError(
      'ARCHIVE_UNREADABLE',
      { path, why: whyOf(error) },
      {
        cause: error,
      },
    )
  }
}

/** A record, and the answer that it stands for. */
export interface Whole {
  readonly record: WarcRecord
  /** Of a revisit: the record that holds the body. */
  readonly original: WarcRecord | undefined
  /** The head of this answer (of a 304: of the original), with the body. */
  readonly message: HttpMessage
}

/** Reads an answer back whole: the body of a revisit is that of its original. */
export function readWhole(crawl: string, place: Pick<RecordLocation, 'file' | 'offset'>): Whole {
  return wholeBy((file, offset) => readRecord(crawl, file, offset), place)
}

/** With a reader of records that the caller keeps. */
export function wholeBy(
  read: (file: string, offset: number) => WarcRecord,
  { file, offset }: Pick<RecordLocation, 'file' | 'offset'>,
): Whole {
  const record = read(file, offset)
  const place = originalOf(record)
  if (place === undefined) return { record, original: undefined, message: httpOf(record) }
  const original = read(place.file, place.offset)
  const message = httpOf(original)
  return {
    record,
    original,
    message: record.block.length === 0 ? message : { ...httpOf(record), body: message.body },
  }
}

/** Undefined for other records, and for a revisit that another tool wrote. */
export function originalOf({ type, fields }: Pick<WarcRecord, 'type' | 'fields'>): Original | undefined {
  const match = type === 'revisit' ? /^(\S+) (\d{1,15}) (\d{1,15})$/.exec(fields.get('escalona-original') ?? '') : null
  if (match === null) return undefined
  const [, file = '', offset, length] = match
  return {
    file,
    offset: Number(offset),
    length: Number(length),
    recordId: (fields.get('warc-refers-to') ?? '').slice(1, -1),
    url: fields.get('warc-refers-to-target-uri') ?? '',
    date: fields.get('warc-refers-to-date') ?? '',
    payloadDigest: (fields.get('warc-payload-digest') ?? '').replace('sha1:', ''),
  }
}

const READ_BYTES = 1 << 16

/** Of a record larger than `mostBytes` before compression, only about this much is inflated; a smaller one is checked. */
export async function readRecordStart(
  crawl: string,
  file: string,
  offset: number,
  mostBytes: number,
): Promise<RecordStart> {
  const fd = openEither(crawl, file)
  try {
    const { plain, isWhole } = await plainAt(fd, offset, mostBytes, file)
    const start = parseRecordStart(plain, isWhole)
    if (start === undefined) throw damaged(file, offset, message('archive/no-warc-record'))
    return start
  } finally {
    closeSync(fd)
  }
}

async function plainAt(
  fd: number,
  offset: number,
  mostBytes: number,
  file: string,
): Promise<{ readonly plain: Buffer; readonly isWhole: boolean }> {
  const head = bytesAt(fd, offset, HEAD_BYTES)
  if (!isSoundHead(head)) throw damaged(file, offset, message('archive/no-record'))
  if (head.readUInt32LE(20) <= mostBytes) return { plain: memberAt(fd, offset, file).plain, isWhole: true }
  const end = offset + head.readUInt32LE(16)
  if (end > fstatSync(fd).size) throw damaged(file, offset, message('archive/file-ends'))
  try {
    return { plain: await inflatedStart(fd, offset + HEAD_BYTES, end - TAIL_BYTES, mostBytes), isWhole: false }
  } catch {
    throw damaged(file, offset, message('archive/no-record'))
  }
}

async function inflatedStart(fd: number, start: number, end: number, mostBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  async function* deflated(): AsyncGenerator<Uint8Array> {
    for (let at = start; at < end && bytes < mostBytes; at += READ_BYTES)
      yield bytesAt(fd, at, Math.min(READ_BYTES, end - at))
  }
  for await (const piece of transformed(deflated(), createInflateRaw())) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes >= mostBytes) break
  }
  return Buffer.concat(pieces).subarray(0, mostBytes)
}

export interface WholeStart {
  readonly record: RecordStart
  /** The head of this answer (of a 304: of the original), with the beginning of the body. */
  readonly message: HttpMessage
  readonly isCut: boolean
  /** The archive doesn't have all of the body that the server sent. */
  readonly isTruncated: boolean
}

/** Of a long answer, only about its first `mostBytes`. */
export async function readWholeStart(
  crawl: string,
  { file, offset }: Pick<RecordLocation, 'file' | 'offset'>,
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
