import { closeSync, fstatSync, openSync } from 'node:fs'
import { EscalonaError } from '../base/errors.ts'
import { message } from '../base/messages/message.ts'
import { whyOf } from '../base/system-error.ts'
import { damaged } from './damaged.ts'
import { readMember } from './member-reader.ts'
import { finishedPath, openPath } from './names.ts'
import { parseRecord, type WarcRecord } from './warc-record.ts'

/**
 * Reads one record back: `file` and `offset` as the index, pages.jsonl or an append give them, also while the file is still
 * being written.
 */
export function readRecord(crawl: string, file: string, offset: number): WarcRecord {
  const fd = openEither(crawl, file)
  try {
    return recordAt(fd, offset, file)
  } finally {
    closeSync(fd)
  }
}

/** Reads records like {@link readRecord}, and keeps the file of the last one open: most are read in the order of the files. */
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

/** All records of a file that Escalona wrote, in order, one in memory at a time. Anything that is not whole is an error. */
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
  const member = readMember(fd, offset)
  if (typeof member === 'string')
    throw damaged(name, offset, member === 'torn' ? message('archive/file-ends') : message('archive/no-record'))
  const record = parseRecord(member.plain, offset, member.length)
  if (record === undefined) throw damaged(name, offset, message('archive/no-warc-record'))
  return record
}

/** A file is renamed when it is full, so both names are tried, and the first once more. */
export function openEither(crawl: string, file: string): number {
  const names = [finishedPath(crawl, file), openPath(crawl, file)]
  for (const path of names) {
    try {
      return openSync(path, 'r')
    } catch {
      // Under its other name, perhaps.
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
