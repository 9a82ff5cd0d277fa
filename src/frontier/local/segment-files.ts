import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { LOG_VERSION, type Place } from './link-log.ts'

/**
 * A segment begins with 16 bytes: `ESCJ`, version (16 bits), the last 16 bits of the CRC-32 of the other fields (version
 * 2: 0), its number, and how long the segment before it was when this one began (32 bits each; 0: there was none, or
 * version 2 wrote this one). Then come frames: see `frames.ts`. Bytes of a segment beyond the length that the next one
 * names don't count: a process that had lost the folder wrote them.
 */
const MAGIC = Buffer.from('ESCJ')
const CHECK_AT = 6
export const HEADER_BYTES = 16
const BEFORE_BYTES = 12
/** The size of a journal without frames. */
export const EMPTY_JOURNAL_BYTES = HEADER_BYTES

/** Called with each payload of a journal, its place, and the version of its segment. */
export type OnPayload = (payload: Buffer, place: Place, version: number) => void

export function segmentPath(folder: string, segment: number): string {
  return join(folder, `journal-${String(segment).padStart(8, '0')}.log`)
}

export function segmentNumbers(folder: string): number[] {
  return readdirSync(folder)
    .map(name => /^journal-(\d{8})\.log$/.exec(name)?.[1])
    .filter(digits => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b)
}

/** What a segment's header says; zeros when it is not there, or not sound. */
export interface SegmentHeader {
  readonly version: number
  readonly bytesBefore: number
}

export function headerIn(bytes: Buffer, segment: number): SegmentHeader {
  if (!isHeader(bytes, segment)) return { version: 0, bytesBefore: 0 }
  return { version: bytes.readUInt16LE(4), bytesBefore: bytes.readUInt32LE(BEFORE_BYTES) }
}

export function isHeader(bytes: Buffer, segment: number): boolean {
  const header = bytes.subarray(0, HEADER_BYTES)
  return header.equals(oldHeaderFor(segment)) || header.equals(headerFor(segment, bytesBeforeIn(header)))
}

function bytesBeforeIn(header: Buffer): number {
  return header.length < HEADER_BYTES ? 0 : header.readUInt32LE(BEFORE_BYTES)
}

export function headerFor(segment: number, bytesBefore: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  MAGIC.copy(header)
  header.writeUInt16LE(LOG_VERSION, 4)
  header.writeUInt32LE(segment, 8)
  header.writeUInt32LE(bytesBefore, BEFORE_BYTES)
  header.writeUInt16LE(crc32(header) & 0xffff, CHECK_AT)
  return header
}

function oldHeaderFor(segment: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  MAGIC.copy(header)
  header.writeUInt32LE(2, 4)
  header.writeUInt32LE(segment, 8)
  return header
}
