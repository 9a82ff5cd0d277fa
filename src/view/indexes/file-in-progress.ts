import { closeSync } from 'node:fs'
import type { RecordLocation } from '../../archive/scan.ts'
import { answersIn, openInProgress } from '../../archive/visits-of.ts'
import { bytesAt } from '../../base/files/open-file.ts'
import { AnswerTable } from './answer-table.ts'

/** How many are read at once: about a millisecond. */
const ANSWERS_AT_ONCE = 50
/** How many of the last bytes that were read must still be there. */
const MARK_BYTES = 64

/** The answers in a WARC file that is still being written, which are at most 20,000. */
export class FileInProgress {
  readonly name: string
  private readonly crawl: string
  private readonly places = new Map<number, RecordLocation>()
  private end = 0
  /** The last bytes before `end`. */
  private mark: Buffer = Buffer.alloc(0)

  constructor(crawl: string, name: string) {
    this.crawl = crawl
    this.name = name
  }

  /** Reads some more of it; false at its end. */
  readSome(): boolean {
    const fd = openInProgress(this.crawl, this.name)
    if (fd === undefined) return false
    try {
      if (!this.markIn(fd).equals(this.mark)) this.forget()
      let left = ANSWERS_AT_ONCE
      for (const { url, offset, length } of answersIn(fd, this.end)) {
        this.places.set(AnswerTable.keyOf(url), { file: this.name, offset, length })
        this.end = offset + length
        if (--left === 0) break
      }
      this.mark = this.markIn(fd)
      return left === 0
    } finally {
      closeSync(fd)
    }
  }

  find(url: string): RecordLocation | undefined {
    return this.places.get(AnswerTable.keyOf(url))
  }

  /** After a crash, the tail of the file is cut off and written anew. */
  private forget(): void {
    this.places.clear()
    this.end = 0
  }

  private markIn(fd: number): Buffer {
    const length = Math.min(MARK_BYTES, this.end)
    return bytesAt(fd, this.end - length, length)
  }
}
