import { fstatSync } from 'node:fs'
import { crc32, deflateRawSync, inflateRawSync, type ZlibOptions } from 'node:zlib'
import { bytesAt } from '../base/files/open-file.ts'
import { MAX_RECORD_BYTES } from './warc-record.ts'

/**
 * A gzip member with its own length in its head, so that a file can be walked without inflating, and a tail that was torn
 * off can be distinguished from damage. The head, numbers little-endian:
 *
 * | at | bytes | what |
 * |---|---|---|
 * | 0 | 10 | magic, deflate, flag FEXTRA, no time, no level, unknown system (RFC 1952 2.3) |
 * | 10 | 2 | length of the extra fields: 20 |
 * | 12 | 4 | extra field `sl` of 8 bytes: the name that early drafts of WARC gave it |
 * | 16 | 4 | bytes of the whole member |
 * | 20 | 4 | bytes before compression |
 * | 24 | 4 | extra field `ec` of 4 bytes, ours |
 * | 28 | 4 | CRC-32 of the 28 bytes before; gzip's own check of the head (FHCRC) is not understood by old readers |
 *
 * Then deflated data, the CRC-32 of the plain bytes, and their number once more. Every reader of gzip reads it.
 */
export const HEAD_BYTES = 32
export const TAIL_BYTES = 8
export const HEAD_START = Buffer.from('1f8b08040000000000ff1400736c0800', 'hex')
const CHECK_START = Buffer.from('65630400', 'hex')
const CHECK_AT = HEAD_BYTES - 4

export interface PackedMember {
  readonly deflated: Uint8Array
  readonly crc: number
  readonly plainBytes: number
  readonly bytes: number
}

export function pack(plain: Uint8Array, options: ZlibOptions): PackedMember {
  return packed(plain, deflateRawSync(plain, options))
}

export function packed(plain: Uint8Array, deflated: Uint8Array): PackedMember {
  const bytes = HEAD_BYTES + deflated.length + TAIL_BYTES
  return { deflated, crc: crc32(plain), plainBytes: plain.length, bytes }
}

/** Members one after the other, in memory of their own: it may be transferred to another thread. */
export function membersOf(...packed: readonly PackedMember[]): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(packed.reduce((sum, one) => sum + one.bytes, 0))
  let at = 0
  for (const one of packed) {
    bytes.set(HEAD_START, at)
    bytes.writeUInt32LE(one.bytes, at + 16)
    bytes.writeUInt32LE(one.plainBytes, at + 20)
    bytes.set(CHECK_START, at + 24)
    bytes.writeUInt32LE(crc32(bytes.subarray(at, at + CHECK_AT)), at + CHECK_AT)
    bytes.set(one.deflated, at + HEAD_BYTES)
    const tail = at + HEAD_BYTES + one.deflated.length
    bytes.writeUInt32LE(one.crc, tail)
    bytes.writeUInt32LE(one.plainBytes, tail + 4)
    at += one.bytes
  }
  return bytes
}

export function isSoundHead(head: Buffer): boolean {
  return head.length === HEAD_BYTES && head.readUInt32LE(CHECK_AT) === crc32(head.subarray(0, CHECK_AT))
}

export interface Member {
  readonly plain: Buffer
  readonly length: number
}

/** Why there is no member: `torn` when the file ends inside it, `damaged` for everything else. */
type Broken = 'torn' | 'damaged'

/** Deflate can't compress by more than this. */
const MAX_RATIO = 1032

/** Reads, inflates and checks the member that begins at `at`. */
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
