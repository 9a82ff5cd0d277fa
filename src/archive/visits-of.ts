import { closeSync, fstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { constants, inflateRawSync } from 'node:zlib'
import { bytesAt } from '../base/files/open-file.ts'
import { LF } from '../base/structures/bytes.ts'
import { mimeOf, REVISIT } from './cdx-line.ts'
import { HEAD_BYTES, isSoundHead } from './gzip-member.ts'
import { mergedNames } from './index-files.ts'
import { archiveFiles, finishedPath, INDEX_FILE, indexedFiles, numberOf, openPath, partPath } from './names.ts'
import { targetUri } from './record-text.ts'
import { locationOf, type RecordLocation } from './scan.ts'
import { surt } from './surt.ts'
import { httpOf, parseRecordStart } from './warc-record.ts'

/** An answer to a request for a URL, as the index knows it. */
export interface ArchivedVisit extends RecordLocation {
  readonly kind: 'response' | 'revisit'
  /** As it is in the archive: `targetUri`. */
  readonly url: string
  /** Unix time of the request; of a finished file in whole seconds. */
  readonly dateMs: number
  readonly status: number
  /** `warc/revisit` for a revisit. */
  readonly mime: string
  readonly truncated: string | undefined
}

/** The end is missing, and not because we did not want it. */
export function isBrokenOff({ truncated }: Pick<ArchivedVisit, 'truncated'>): boolean {
  return truncated !== undefined && truncated !== 'length'
}

const MOST_VISITS = 10_000

/** All answers to requests for a URL, oldest first: from `index.cdxj`, parts of the index that aren't in it yet, and the file in progress. */
export function visitsOf(crawl: string, url: string, most = MOST_VISITS): ArchivedVisit[] {
  const found = new Map<string, ArchivedVisit>()
  const add = (visit: ArchivedVisit) => void found.set(`${visit.file} ${visit.offset}`, visit)
  // A file gets its part before it is finished: in this order, none is missed.
  for (const { name, isOpen } of archiveFiles(crawl)) if (isOpen) inProgress(crawl, name, url).forEach(add)
  for (const visits of indexed(crawl, url)) visits.forEach(add)
  return [...found.values()].sort(byTime).slice(-most)
}

/** Those of finished files only: a few searches. */
export function finishedVisitsOf(crawl: string, url: string): ArchivedVisit[] {
  return [...indexed(crawl, url)].flat().sort(byTime)
}

/** The newest answer to a request for this URL, of whatever kind: page, redirect, failure or robots.txt. */
export function findAnswer(crawl: string, url: string): RecordLocation | undefined {
  for (const { name, isOpen } of archiveFiles(crawl).reverse()) {
    const newest = isOpen ? inProgress(crawl, name, url).at(-1) : undefined
    if (newest !== undefined) return locationOf(newest)
  }
  return findFinished(crawl, url)
}

/** The same in finished files only: a few searches. */
export function findFinished(crawl: string, url: string): RecordLocation | undefined {
  for (const visits of indexed(crawl, url)) {
    const newest = visits.sort(byTime).at(-1)
    if (newest !== undefined) return locationOf(newest)
  }
  return undefined
}

export function inPart(crawl: string, name: string, url: string): RecordLocation | undefined {
  const newest = visitsIn(partPath(crawl, name), url).at(-1)
  return newest && locationOf(newest)
}

/** Those in parts that aren't in `index.cdxj`, newest part first, then those in it. */
function* indexed(crawl: string, url: string): Generator<ArchivedVisit[], void, undefined> {
  const merged = mergedNames(crawl)
  for (const { name } of partsOf(crawl).reverse()) {
    if (!merged.has(name)) yield visitsIn(partPath(crawl, name), url)
  }
  if (merged.size > 0) yield visitsIn(join(crawl, INDEX_FILE), url)
}

function partsOf(crawl: string): ReturnType<typeof indexedFiles> {
  try {
    return indexedFiles(crawl)
  } catch {
    // No file is finished yet.
    return []
  }
}

function inProgress(crawl: string, name: string, url: string): ArchivedVisit[] {
  const fd = openInProgress(crawl, name)
  if (fd === undefined) return []
  try {
    const target = targetUri(url)
    const found: ArchivedVisit[] = []
    for (const answer of answersIn(fd, 0)) {
      if (answer.url === target || answer.url === url) found.push({ file: name, ...answer })
    }
    return found
  } finally {
    closeSync(fd)
  }
}

/** By the second, since the index knows no more; then in the order of writing. */
function byTime(a: ArchivedVisit, b: ArchivedVisit): number {
  const seconds = Math.floor(a.dateMs / 1000) - Math.floor(b.dateMs / 1000)
  return seconds || numberOf(a.file) - numberOf(b.file) || a.offset - b.offset
}

/** Longer than a line of the index. */
const MOST_LINE_BYTES = 1 << 14
const READ_BYTES = 1 << 16

/** Oldest first; none without such a file. */
function visitsIn(path: string, url: string): ArchivedVisit[] {
  const fd = opened(path)
  if (fd === undefined) return []
  try {
    const marks = [...new Set([url, targetUri(url)])].map(text => `{"url": ${JSON.stringify(text)}, `)
    const key = `${surt(url)} `
    const found: ArchivedVisit[] = []
    // Several URLs may share a key.
    for (const line of linesFrom(fd, firstNotBefore(fd, key))) {
      if (!line.startsWith(key)) break
      const visit = marks.some(mark => line.includes(mark)) ? visitOf(line) : undefined
      if (visit !== undefined) found.push(visit)
    }
    return found
  } finally {
    closeSync(fd)
  }
}

export function opened(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch {
    return undefined
  }
}

/** Where the first line not before `key` begins; all of it is ASCII. */
function firstNotBefore(fd: number, key: string): number {
  let low = 0
  let high = fstatSync(fd).size
  while (low < high) {
    const middle = lineStart(fd, low, Math.floor((low + high) / 2))
    const line = lineAt(fd, middle)
    if (line === undefined) return low
    if (line < key) low = middle + line.length + 1
    else high = middle
  }
  return low
}

/** Where the line of this byte begins; not before `from`. */
function lineStart(fd: number, from: number, at: number): number {
  for (let end = at; end > from; ) {
    const start = Math.max(from, end - MOST_LINE_BYTES)
    const found = bytesAt(fd, start, end - start).lastIndexOf(LF)
    if (found >= 0) return start + found + 1
    end = start
  }
  return from
}

function lineAt(fd: number, at: number): string | undefined {
  const bytes = bytesAt(fd, at, MOST_LINE_BYTES)
  const end = bytes.indexOf(LF)
  return end < 0 ? undefined : bytes.toString('latin1', 0, end)
}

function* linesFrom(fd: number, from: number): Generator<string, void, undefined> {
  for (let at = from; ; ) {
    const bytes = bytesAt(fd, at, READ_BYTES)
    const end = bytes.lastIndexOf(LF)
    if (end < 0) return
    yield* bytes.toString('latin1', 0, end).split('\n')
    at += end + 1
  }
}

function visitOf(line: string): ArchivedVisit | undefined {
  try {
    const start = line.indexOf(' {') + 1
    const time = /(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d) $/.exec(line.slice(0, start))!.slice(1).map(Number)
    const fields = JSON.parse(line.slice(start)) as Record<string, string>
    const { url, mime, status, length, offset, filename, truncated } = fields
    return {
      kind: mime === REVISIT ? 'revisit' : 'response',
      url: String(url),
      dateMs: Date.UTC(time[0]!, time[1]! - 1, time[2], time[3], time[4], time[5]),
      // As the usual indexers have it.
      status: status === undefined ? 304 : Number(status),
      mime: String(mime),
      truncated,
      file: String(filename),
      offset: Number(offset),
      length: Number(length),
    }
  } catch {
    return undefined
  }
}

/** For the fields of a record and the HTTP head after them. */
const FIELDS_BYTES = 4096
const MOST_PLAIN_BYTES = 1 << 14
const HEAD_END = Buffer.from('\r\n\r\n')

type AnswerInProgress = Omit<ArchivedVisit, 'file'>

/** Opens a file in progress, which may have been finished meanwhile; undefined when it is gone. */
export function openInProgress(crawl: string, name: string): number | undefined {
  return opened(openPath(crawl, name)) ?? opened(finishedPath(crawl, name))
}

/** The answers in a file in progress from an offset on, where a record begins. Walks from head to head; each has its member's length. */
export function* answersIn(fd: number, from: number): Generator<AnswerInProgress, void, undefined> {
  const { size } = fstatSync(fd)
  // What comes after an answer is its request, or something else about it.
  let isAfter = false
  for (let offset = from; offset < size; ) {
    const bytes = bytesAt(fd, offset, isAfter ? HEAD_BYTES : HEAD_BYTES + FIELDS_BYTES)
    const head = bytes.subarray(0, HEAD_BYTES)
    if (!isSoundHead(head)) break
    const length = head.readUInt32LE(16)
    if (length === 0 || offset + length > size) break
    const answer: ReturnType<typeof answerIn> = isAfter ? undefined : answerIn(bytes.subarray(HEAD_BYTES, length))
    if (answer !== undefined) yield { ...answer, offset, length }
    isAfter = answer !== undefined
    offset += length
  }
}

/** Undefined when it isn't an answer. */
function answerIn(deflated: Buffer): Omit<AnswerInProgress, 'offset' | 'length'> | undefined {
  const plain = startOf(deflated)
  const type = /^WARC\/1\.1\r\nWARC-Type: (response|revisit)\r\n/.exec(plain.toString('latin1', 0, 40))?.[1]
  const start = type === undefined ? undefined : parseRecordStart(plain, false)
  if (start === undefined) return undefined
  const fields = new Map(start.fields)
  const { status, headers } = httpOf({ block: Buffer.concat([start.block, HEAD_END]) })
  return {
    kind: type as ArchivedVisit['kind'],
    url: fields.get('WARC-Target-URI') ?? '',
    dateMs: Date.parse(fields.get('WARC-Date') ?? ''),
    status: type === 'revisit' && status === 0 ? 304 : status,
    mime: type === 'revisit' ? REVISIT : mimeOf(headers),
    truncated: type === 'revisit' ? undefined : fields.get('WARC-Truncated'),
  }
}

function startOf(deflated: Buffer): Buffer {
  try {
    const plain = inflateRawSync(deflated, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1 << 22 })
    return plain.subarray(0, MOST_PLAIN_BYTES)
  } catch {
    return Buffer.alloc(0)
  }
}
