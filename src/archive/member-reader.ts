import { fstatSync, readSync } from 'node:fs'
import { crc32, inflateRawSync } from 'node:zlib'
import { HEAD_BYTES, HEAD_START, isSoundHead, TAIL_BYTES } from './gzip-member.ts'
import { MAX_RECORD_BYTES } from './warc-record.ts'

/** A gzip member of a file, inflated and checked. */
export interface Member {
  readonly plain: Buffer
  /** Bytes in the file. */
  readonly length: number
}

/** What stands where a member should be: `torn`, when it was begun and the file ends in it; `damaged` for everything else. */
export type Broken = 'torn' | 'damaged'

/** Deflate makes nothing smaller than by 1032. */
const MAX_RATIO = 1032

/** Reads the member that begins at `at`. */
export function readMember(fd: number, at: number): Member | Broken {
  const { size } = fstatSync(fd)
  if (!(at >= 0 && at < size)) return 'damaged'
  const head = bytesAt(fd, at, Math.min(HEAD_BYTES, size - at))
  if (!isHeadStart(head)) return 'damaged'
  if (head.length < HEAD_BYTES) return 'torn'
  if (!isSoundHead(head)) return 'damaged'
  const length = head.readUInt32LE(16)
  const plainBytes = head.readUInt32LE(20)
  const deflatedBytes = length - HEAD_BYTES - TAIL_BYTES
  if (deflatedBytes < 1 || plainBytes > Math.min(MAX_RECORD_BYTES, deflatedBytes * MAX_RATIO)) return 'damaged'
  if (at + length > size) return 'torn'
  const rest = bytesAt(fd, at + HEAD_BYTES, length - HEAD_BYTES)
  const plain = inflated(rest.subarray(0, deflatedBytes), plainBytes)
  return plain !== undefined && isTail(rest.subarray(deflatedBytes), plain) ? { plain, length } : 'damaged'
}

function inflated(deflated: Buffer, plainBytes: number): Buffer | undefined {
  try {
    const chunkSize = Math.max(plainBytes, 64)
    const plain = inflateRawSync(deflated, { chunkSize, maxOutputLength: chunkSize })
    return plain.length === plainBytes ? plain : undefined
  } catch {
    return undefined
  }
}

function isTail(tail: Buffer, plain: Buffer): boolean {
  return tail.readUInt32LE(0) === crc32(plain) && tail.readUInt32LE(4) === plain.length
}

function isHeadStart(bytes: Buffer): boolean {
  const known = Math.min(bytes.length, HEAD_START.length)
  return bytes.compare(HEAD_START, 0, known, 0, known) === 0
}

/** Fewer when the file ends there. */
export function bytesAt(fd: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let got = 0
  for (let read = 1; got < length && read > 0; got += read) read = readSync(fd, bytes, got, length - got, at + got)
  return bytes.subarray(0, got)
}
