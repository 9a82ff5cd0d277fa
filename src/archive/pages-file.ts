import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'
import { promisify } from 'node:util'
import { LF } from '../base/bytes.ts'
import { EscalonaError } from '../base/errors.ts'
import { printable } from '../base/printable.ts'
import { reasonOf } from '../base/system-error.ts'
import { writeAll } from '../base/write-all.ts'
import { damaged } from './damaged.ts'
import type { Place } from './scan.ts'

/** A line of pages.jsonl; docs/archive.md says what each key means. */
export interface PageLine extends Place {
  readonly url: string
  readonly status: number
  readonly title: string
  /** Of the body as it is stored. */
  readonly bytes: number
  readonly tokens: number
  readonly depth: number
  readonly linksOut: number
  /** Unix time of the request. */
  readonly dateMs: number
}

const sync = promisify(fdatasync)
const READ_BYTES = 1 << 20
const MAX_TITLE_CHARS = 1000
/** Far more than the longest line there can be. */
const MAX_LINE_BYTES = 1 << 24
/** What JSON leaves as it is and a terminal might obey. */
const OBEYED = /[\x7f-\x9f\u2028\u2029]/g

/** `pages.jsonl`: a line a page, appended. Safe after the next `sync`. */
export class PagesFile {
  /** Lines in the file. */
  lines = 0
  private readonly path: string
  private readonly fd: number
  private end = 0
  private readonly known = new Set<string>()
  private failure: EscalonaError | undefined

  /** Opens or makes it. A torn last line is cut off and told; `isKnown` will know about the lines of these WARC files. */
  constructor(path: string, files: Iterable<string>, onRepair: (message: string) => void) {
    this.path = path
    try {
      this.fd = openSync(path, 'a+')
      const { size } = fstatSync(this.fd)
      this.read(size, new Set(files))
      if (this.end === size) return
      ftruncateSync(this.fd, this.end)
      onRepair(`${printable(path)}: cut off ${size - this.end} bytes of a line not finished`)
    } catch (error) {
      throw this.fail(error)
    }
  }

  /** Whether the page at this place had a line when the file was opened. */
  isKnown({ file, offset }: Place): boolean {
    return this.known.has(placeKey(file, offset))
  }

  append(batch: readonly PageLine[]): void {
    if (this.failure !== undefined) throw this.failure
    const bytes = Buffer.from(batch.map(textOf).join(''))
    try {
      writeAll(this.fd, bytes)
    } catch (error) {
      throw this.fail(error, () => ftruncateSync(this.fd, this.end))
    }
    this.end += bytes.length
    this.lines += batch.length
  }

  async sync(): Promise<void> {
    if (this.failure !== undefined) throw this.failure
    try {
      await sync(this.fd)
    } catch (error) {
      throw this.fail(error)
    }
  }

  async close(): Promise<void> {
    try {
      if (this.failure === undefined) await this.sync()
    } finally {
      closeSync(this.fd)
    }
  }

  /** Counts the lines, and notes the places of those that lie in `files`. */
  private read(size: number, files: ReadonlySet<string>): void {
    const marks = [...files].map(file => Buffer.from(`"file":${JSON.stringify(file)},`))
    let bytes = Buffer.allocUnsafe(READ_BYTES)
    let kept = 0
    for (let at = 0; at < size; ) {
      if (kept > MAX_LINE_BYTES) throw damaged(this.path, this.end, 'a line has no end')
      if (kept === bytes.length) bytes = Buffer.concat([bytes], bytes.length * 2)
      const got = readSync(this.fd, bytes, kept, bytes.length - kept, at)
      if (got === 0) break
      at += got
      const piece = bytes.subarray(0, kept + got)
      const end = piece.lastIndexOf(LF) + 1
      const whole = piece.subarray(0, end)
      for (let i = whole.indexOf(LF); i >= 0; i = whole.indexOf(LF, i + 1)) this.lines++
      for (const mark of marks) this.notePlaces(whole, mark, files)
      this.end += end
      kept = piece.copy(bytes, 0, end)
    }
  }

  private notePlaces(lines: Buffer, mark: Buffer, files: ReadonlySet<string>): void {
    for (let at = lines.indexOf(mark); at >= 0; ) {
      const start = lines.lastIndexOf(LF, at) + 1
      const end = lines.indexOf(LF, at)
      const { file, offset } = parsed(lines.toString('utf8', start, end))
      if (files.has(file) && Number.isSafeInteger(offset)) this.known.add(placeKey(file, offset))
      at = lines.indexOf(mark, end)
    }
  }

  private fail(error: unknown, undo?: () => void): EscalonaError {
    if (error instanceof EscalonaError) return error
    try {
      undo?.()
    } catch {
      // Half a line stays behind; the next opening cuts it off.
    }
    const message = `cannot use ${printable(this.path)}: ${reasonOf(error)}; nothing that was synced is lost`
    this.failure ??= new EscalonaError('ARCHIVE_PAGES_STOPPED', message, { cause: error })
    return this.failure
  }
}

function parsed(line: string): { file: string; offset: number } {
  try {
    const { file, offset } = JSON.parse(line)
    return { file, offset }
  } catch {
    return { file: '', offset: 0 }
  }
}

function textOf(line: PageLine): string {
  const { url, status, bytes, tokens, depth, linksOut, file, offset, length } = line
  const title = line.title.slice(0, MAX_TITLE_CHARS)
  const time = new Date(line.dateMs).toISOString()
  const keys = { url, status, title, bytes, tokens, depth, linksOut, time, file, offset, length }
  const text = JSON.stringify(keys)
  return `${text.replace(OBEYED, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}

function placeKey(file: string, offset: number): string {
  return `${file} ${offset}`
}
