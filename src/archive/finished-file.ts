import { closeSync, existsSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { damaged } from './damaged.ts'
import { HEAD_BYTES, isSoundHead } from './gzip-member.ts'
import { bytesAt } from './member-reader.ts'
import { words } from './messages.ts'
import { finishedPath, partPath } from './names.ts'

const PLACE = /"length": "(\d+)", "offset": "(\d+)", "filename": "[^"]*"\}$/gm

/** Where the last response ends that a file's part of the index names; 0 when it has no part. */
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
 * Throws when a finished file is shorter than its part of the index says: somebody cut it. The last request comes
 * after the last response. A file without a part is read when the part is made again.
 */
export function checkLength(crawl: string, name: string): void {
  const at = indexedEnd(crawl, name)
  if (at === 0) return
  const path = finishedPath(crawl, name)
  const fd = openSync(path, 'r')
  try {
    const { size } = fstatSync(fd)
    const head = bytesAt(fd, at, HEAD_BYTES)
    const end = isSoundHead(head) ? at + head.readUInt32LE(16) : at + HEAD_BYTES
    if (size < end) {
      throw damaged(path, size, words().indexGoesFurther(end))
    }
  } finally {
    closeSync(fd)
  }
}
