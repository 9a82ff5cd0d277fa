import { closeSync, openSync, readSync } from 'node:fs'
import { EscalonaError } from '../../base/errors.ts'
import { reasonOf } from '../../base/system-error.ts'
import { printable } from '../../base/words/printable.ts'
import { crawlWords } from './crawl-words.ts'

/** No list of settings or addresses is longer; a device such as /dev/zero never ends. */
const MOST_BYTES = 64 << 20
const READ_BYTES = 1 << 16

/** The text of a file that people write by hand. A file that is too large is an error before it fills the memory. */
export function readSmallFile(path: string): string {
  try {
    return textIn(path)
  } catch (error) {
    if (error instanceof EscalonaError) throw error
    throw unreadable(path, reasonOf(error), error)
  }
}

function textIn(path: string): string {
  const fd = openSync(path, 'r')
  try {
    const pieces: Buffer[] = []
    for (let bytes = 0; ; ) {
      const piece = Buffer.allocUnsafe(READ_BYTES)
      const got = readSync(fd, piece, 0, READ_BYTES, null)
      if (got === 0) return Buffer.concat(pieces).toString()
      bytes += got
      if (bytes > MOST_BYTES) throw unreadable(path, crawlWords().tooLarge)
      pieces.push(piece.subarray(0, got))
    }
  } finally {
    closeSync(fd)
  }
}

function unreadable(path: string, reason: string, cause?: unknown): EscalonaError {
  return new EscalonaError('FILE_UNREADABLE', crawlWords().unreadable(printable(path), reason), { cause })
}
