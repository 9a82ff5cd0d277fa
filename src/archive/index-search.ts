import { closeSync, fstatSync, openSync } from 'node:fs'
import { LF } from '../base/structures/bytes.ts'
import { REVISIT } from './cdx-line.ts'
import { bytesAt } from './member-reader.ts'
import { surt } from './surt.ts'
import { targetUri } from './target-uri.ts'
import type { Visit } from './visits-of.ts'

/** Longer than a line of the index. */
const MOST_LINE_BYTES = 1 << 14
/** What is read at once where many lines follow each other. */
const READ_BYTES = 1 << 16

/**
 * The lines of a URL in a sorted file of the index, oldest first, each as a visit. Nothing, when there is no such file.
 */
export function visitsIn(path: string, url: string): Visit[] {
  const fd = opened(path)
  if (fd === undefined) return []
  try {
    const marks = [...new Set([url, targetUri(url)])].map(text => `{"url": ${JSON.stringify(text)}, `)
    const key = `${surt(url)} `
    const found: Visit[] = []
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

/** The byte at which the first line begins that is not before `key`; all of it is ASCII. */
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

/** The whole lines from a byte on. */
function* linesFrom(fd: number, from: number): Generator<string, void, undefined> {
  for (let at = from; ; ) {
    const bytes = bytesAt(fd, at, READ_BYTES)
    const end = bytes.lastIndexOf(LF)
    if (end < 0) return
    yield* bytes.toString('latin1', 0, end).split('\n')
    at += end + 1
  }
}

function visitOf(line: string): Visit | undefined {
  try {
    const start = line.indexOf(' {') + 1
    const time = /(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d) $/.exec(line.slice(0, start))!.slice(1).map(Number)
    const fields = JSON.parse(line.slice(start)) as Record<string, string>
    const { url, mime, status, length, offset, filename, truncated } = fields
    return {
      kind: mime === REVISIT ? 'revisit' : 'response',
      url: String(url),
      dateMs: Date.UTC(time[0]!, time[1]! - 1, time[2], time[3], time[4], time[5]),
      // The line of a 304 names none, as the usual indexers have it.
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
