import { closeSync, fstatSync, openSync } from 'node:fs'
import { constants, inflateRawSync } from 'node:zlib'
import { LF } from '../base/structures/bytes.ts'
import { HEAD_BYTES, isSoundHead } from './gzip-member.ts'
import { bytesAt } from './member-reader.ts'
import { archiveFiles, finishedPath, indexedFiles, openPath, partPath } from './names.ts'
import type { Place } from './scan.ts'
import { surt } from './surt.ts'

/** Longer than a line of the index. */
const MOST_LINE_BYTES = 1 << 14
/** Enough deflated bytes for the fields of a record, up to its URL. */
const FIELDS_BYTES = 2048

/**
 * Where the newest answer to a request for this URL lies, of whatever kind: page, redirect or robots.txt. The parts of the index
 * are sorted, so a few reads of each are enough; of the file in progress, the head of each record is read.
 */
export function findAnswer(crawl: string, url: string): Place | undefined {
  const files = archiveFiles(crawl)
  for (const { name, isOpen } of files.toReversed()) {
    const found = isOpen ? inProgress(crawl, name, url) : undefined
    if (found !== undefined) return found
  }
  const names = new Set([...files.filter(file => !file.isOpen), ...partsOf(crawl)].map(({ name }) => name))
  for (const name of [...names].sort().reverse()) {
    const found = inPart(partPath(crawl, name), url)
    if (found !== undefined) return found
  }
  return undefined
}

function partsOf(crawl: string): { readonly name: string }[] {
  try {
    return indexedFiles(crawl)
  } catch {
    // A crawl that has not finished any file yet.
    return []
  }
}

/** The last line of this URL in a sorted part: they are in the order of their times. */
export function inPart(path: string, url: string): Place | undefined {
  const fd = opened(path)
  if (fd === undefined) return undefined
  try {
    const key = `${surt(url)} `
    const mark = `{"url": ${JSON.stringify(url)}, `
    let at = firstNotBefore(fd, key)
    let found: Place | undefined
    // Several URLs may share a key.
    for (let line = lineAt(fd, at); line?.startsWith(key); line = lineAt(fd, at)) {
      if (line.includes(mark)) found = placeIn(line) ?? found
      at += line.length + 1
    }
    return found
  } finally {
    closeSync(fd)
  }
}

/** The byte at which the first line begins that is not before `key`; all of it is ASCII. */
function firstNotBefore(fd: number, key: string): number {
  let low = 0
  let high = fstatSync(fd).size
  while (low < high) {
    const middle = lineStart(fd, low, (low + high) >>> 1)
    const line = lineAt(fd, middle)
    if (line === undefined) return low
    if (line < key) low = middle + line.length + 1
    else high = middle
  }
  return low
}

/** Where the line begins that this byte belongs to; not before `from`, where a line begins. */
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

function placeIn(line: string): Place | undefined {
  try {
    const { length, offset, filename } = JSON.parse(line.slice(line.indexOf('{'))) as Record<string, string>
    return { file: String(filename), offset: Number(offset), length: Number(length) }
  } catch {
    return undefined
  }
}

function inProgress(crawl: string, name: string, url: string): Place | undefined {
  const fd = openInProgress(crawl, name)
  if (fd === undefined) return undefined
  try {
    let found: Place | undefined
    for (const answer of answersIn(fd, 0)) if (answer.url === url) found = { file: name, ...placeOf(answer) }
    return found
  } finally {
    closeSync(fd)
  }
}

/** Opens a file in progress, which may have been finished meanwhile; undefined when it is gone. */
export function openInProgress(crawl: string, name: string): number | undefined {
  return opened(openPath(crawl, name)) ?? opened(finishedPath(crawl, name))
}

/** An answer in a file that is still being written. */
export interface AnswerInProgress extends Omit<Place, 'file'> {
  readonly url: string
}

/** The answers in a file in progress from an offset on, where a record begins. Walks from head to head; each says how long it is. */
export function* answersIn(fd: number, from: number): Generator<AnswerInProgress, void, undefined> {
  const { size } = fstatSync(fd)
  // After each answer comes its request, which says nothing more.
  let isRequest = false
  for (let offset = from; offset < size; ) {
    const bytes = bytesAt(fd, offset, isRequest ? HEAD_BYTES : HEAD_BYTES + FIELDS_BYTES)
    const head = bytes.subarray(0, HEAD_BYTES)
    if (!isSoundHead(head)) break
    const length = head.readUInt32LE(16)
    if (length === 0 || offset + length > size) break
    const url: string | undefined = isRequest ? undefined : answerUrl(fieldsIn(bytes.subarray(HEAD_BYTES, length)))
    if (url !== undefined) yield { url, offset, length }
    isRequest = url !== undefined
    offset += length
  }
}

function answerUrl(fields: string): string | undefined {
  if (!fields.includes('\r\nWARC-Type: response\r\n')) return undefined
  return /\r\nWARC-Target-URI: ([^\r]*)\r\n/.exec(fields)?.[1]
}

function placeOf({ offset, length }: AnswerInProgress): Omit<Place, 'file'> {
  return { offset, length }
}

/** What the first deflated bytes of a record say. */
function fieldsIn(deflated: Buffer): string {
  try {
    const plain = inflateRawSync(deflated, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1 << 22 })
    return plain.toString('latin1', 0, FIELDS_BYTES * 4)
  } catch {
    return ''
  }
}

function opened(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch {
    return undefined
  }
}
