import { closeSync, fstatSync } from 'node:fs'
import { Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { message } from '../base/messages/message.ts'
import { damaged } from './damaged.ts'
import { HEAD_BYTES, isSoundHead, TAIL_BYTES } from './gzip-member.ts'
import { bytesAt, readMember } from './member-reader.ts'
import { openEither } from './read.ts'
import { parseRecordStart, type RecordStart } from './warc-record.ts'

const READ_BYTES = 1 << 16

/**
 * Reads the beginning of a record, as `readRecord` does: of one that is larger than `mostBytes` before compression, only about
 * so much is inflated. A record that is read whole is checked.
 */
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
  if (head.readUInt32LE(20) <= mostBytes) {
    const member = readMember(fd, offset)
    if (typeof member === 'string')
      throw damaged(file, offset, member === 'torn' ? message('archive/file-ends') : message('archive/no-record'))
    return { plain: member.plain, isWhole: true }
  }
  const end = offset + head.readUInt32LE(16)
  if (end > fstatSync(fd).size) throw damaged(file, offset, message('archive/file-ends'))
  try {
    return { plain: await inflatedStart(fd, offset + HEAD_BYTES, end - TAIL_BYTES, mostBytes), isWhole: false }
  } catch {
    throw damaged(file, offset, message('archive/no-record'))
  }
}

/** Inflates the bytes of a file from `start` to `end`, until there are enough. */
async function inflatedStart(fd: number, start: number, end: number, mostBytes: number): Promise<Buffer> {
  let isEnough = false
  function* deflated(): Generator<Buffer, void, undefined> {
    for (let at = start; at < end && !isEnough; at += READ_BYTES) yield bytesAt(fd, at, Math.min(READ_BYTES, end - at))
  }
  const source = Readable.from(deflated())
  const inflating = createInflateRaw()
  source.on('error', error => inflating.destroy(error))
  source.pipe(inflating)
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    for await (const piece of inflating) {
      pieces.push(piece as Buffer)
      bytes += (piece as Buffer).length
      if (bytes >= mostBytes) break
    }
  } finally {
    isEnough = true
    source.destroy()
  }
  return Buffer.concat(pieces).subarray(0, mostBytes)
}
