import { closeSync } from 'node:fs'
import type { RecordLocation } from '../../archive/scan.ts'
import { answersIn, openInProgress } from '../../archive/visits-of.ts'
import { bytesAt } from '../../base/files/open-file.ts'
import { unpredictableSeed } from '../../base/random.ts'
import { LF } from '../../base/structures/bytes.ts'
import { SplitIndex, seededHash } from '../../base/structures/hash-index.ts'
import { WideColumn } from '../../base/structures/wide-column.ts'

const [SEED, CHECK_SEED] = unpredictableSeed()
const URL_KEY = Buffer.from(' {"url": "')
const STATUS_KEY = Buffer.from('"status": "')
const REVISIT_KEY = Buffer.from(', "mime": "warc/revisit"')
const OK = Buffer.from('200"')
const ROBOTS = Buffer.from('/robots.txt"')
const QUOTE = 0x22

/** Which WARC file has the newest answer to a URL: for robots.txt, and for answers that are not a plain 200. About 25 bytes each. */
export class AnswerTable {
  private readonly index = new SplitIndex()
  private readonly checks = new WideColumn(cells => new Int32Array(cells))
  private readonly files = new WideColumn(cells => new Int32Array(cells))
  private count = 0

  /** Whether every answer to this URL is in the table. */
  static hasAll(url: string): boolean {
    return /^[^/]*:\/\/[^/]*\/robots\.txt$/.test(url)
  }

  /** A number for a URL that no other is likely to have. */
  static keyOf(url: string): number {
    const bytes = Buffer.from(url)
    const check = seededHash(CHECK_SEED, bytes, 0, bytes.length) >>> 11
    return (seededHash(SEED, bytes, 0, bytes.length) >>> 0) * 2 ** 21 + check
  }

  /** Adds the lines of a part of the index. `isNewer`: its file is newer than all that were added, or older than all. */
  add(part: Buffer, file: number, isNewer: boolean): void {
    for (let start = 0; start < part.length; ) {
      let end = part.indexOf(LF, start)
      if (end < 0) end = part.length
      this.addLine(part, start, end, file, isNewer)
      start = end + 1
    }
  }

  /** The number of the file; undefined when there is none. */
  find(url: string): number | undefined {
    const bytes = Buffer.from(JSON.stringify(url).slice(1, -1))
    const hash = seededHash(SEED, bytes, 0, bytes.length)
    const answer = this.answerOf(hash, seededHash(CHECK_SEED, bytes, 0, bytes.length))
    return answer === 0 ? undefined : this.files.get(answer)
  }

  private addLine(part: Buffer, start: number, end: number, file: number, isNewer: boolean): void {
    const key = part.indexOf(URL_KEY, start)
    if (key < 0 || key >= end) return
    const urlStart = key + URL_KEY.length
    const urlEnd = part.indexOf(QUOTE, urlStart)
    // Only pages are revisited, and each visit of a page has a line in `pages.jsonl`.
    if (REVISIT_KEY.equals(part.subarray(urlEnd + 1, urlEnd + 1 + REVISIT_KEY.length))) return
    const status = part.indexOf(STATUS_KEY, urlEnd) + STATUS_KEY.length
    const isOk = OK.equals(part.subarray(status, status + OK.length))
    if (isOk && !ROBOTS.equals(part.subarray(urlEnd + 1 - ROBOTS.length, urlEnd + 1))) return
    const hash = seededHash(SEED, part, urlStart, urlEnd)
    const check = seededHash(CHECK_SEED, part, urlStart, urlEnd)
    const known = this.answerOf(hash, check)
    if (known !== 0) {
      if (isNewer) this.files.set(known, file)
      return
    }
    const answer = ++this.count
    this.checks.set(answer, check)
    this.files.set(answer, file)
    this.index.add(hash, answer)
  }

  private answerOf(hash: number, check: number): number {
    const part = this.index.part(hash)
    let place = part.search(hash)
    while (place >= 0 && this.checks.get(part.id(place)) !== check) place = part.searchOn(place, hash)
    return place < 0 ? 0 : part.id(place)
  }
}

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
