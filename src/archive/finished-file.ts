import { closeSync, existsSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { constants, inflateRawSync } from 'node:zlib'
import { message } from '../base/messages/message.ts'
import { damaged } from './damaged.ts'
import { HEAD_BYTES, isSoundHead } from './gzip-member.ts'
import { bytesAt } from './member-reader.ts'
import { finishedPath, partPath } from './names.ts'

/** Enough deflated bytes for the beginning of a record. */
const TYPE_BYTES = 512
const PLACE = /"length": "(\d+)", "offset": "(\d+)", "filename": "[^"]*"\}$/gm

/** Where the last main record ends that a file's part of the index names; 0 when it has no part. */
export function indexedEnd(crawl: string, name: string): number {
  const part = partPath(crawl, name)
  if (!existsSync(part)) return 0
  let end = 0
  for (const [, length, offset] of readFileSync(part, 'latin1').matchAll(PLACE)) {
    end = Math.max(end, Number(offset) + Number(length))
  }
  return end
}

/**
 * Throws when a finished file is shorter than its part of the index says, or ends inside a group: somebody cut it. After the last answer
 * comes its request, perhaps with something between them, and then requests without an answer. A file without a part is read when the
 * part is made again.
 */
export function checkLength(crawl: string, name: string): void {
  const indexed = indexedEnd(crawl, name)
  if (indexed === 0) return
  const path = finishedPath(crawl, name)
  const fd = openSync(path, 'r')
  try {
    const { size } = fstatSync(fd)
    for (let at = indexed, isOpen = true; isOpen || at < size; ) {
      const head = bytesAt(fd, at, HEAD_BYTES)
      const end = at + (isSoundHead(head) ? head.readUInt32LE(16) : HEAD_BYTES)
      if (size < end) throw damaged(path, size, message('archive/index-goes-further', { end }))
      isOpen = typeOf(fd, at, end) === 'metadata'
      at = end
    }
  } finally {
    closeSync(fd)
  }
}

/** The type of a record; undefined when it is none, which is noticed when it is read. */
function typeOf(fd: number, at: number, end: number): string | undefined {
  try {
    const member = bytesAt(fd, at + HEAD_BYTES, Math.min(end - at - HEAD_BYTES, TYPE_BYTES))
    const plain = inflateRawSync(member, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1 << 20 })
    return /^WARC\/1\.1\r\nWARC-Type: (\w+)\r\n/.exec(plain.toString('latin1', 0, 64))?.[1]
  } catch {
    return undefined
  }
}
