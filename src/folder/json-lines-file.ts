import { closeSync, existsSync, fdatasync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'
import { promisify } from 'node:util'
import { EscalonaError } from '../base/errors.ts'
import { linesFrom } from '../base/files/line-file.ts'
import { replaceByCopy } from '../base/files/whole-file.ts'
import { writeAll } from '../base/files/write-all.ts'
import { said } from '../base/messages/message.ts'
import { LF } from '../base/structures/bytes.ts'
import { parsedAs, type StoredShape } from '../base/structures/json-shape.ts'
import { closedFile, whyOf } from '../base/system-error.ts'

const sync = promisify(fdatasync)
const READ_BYTES = 1 << 20
/** Characters that JSON does not escape and a terminal might obey. */
const OBEYED = /[\x7f-\x9f\u2028\u2029]/g

export interface JsonLinesOptions {
  readonly onRepair?: (message: string) => void
  /** `FolderLock.check` of the folder: called before each write. */
  readonly fence?: () => void
  /** `FolderLock.tookOver`: another process may still have the file open, so it is replaced by a copy. */
  readonly tookOver?: boolean
}

/** An append-only file of JSON objects, one per line. Opening it cuts off a line that a crash left incomplete. */
export class JsonLinesFile<Line extends object> {
  bytes: number
  private readonly path: string
  private readonly shape: StoredShape
  private readonly onRepair: (message: string) => void
  private readonly fence: () => void
  private readonly fd: number
  /** Lines before this byte that are not ours were reported. */
  private lookedAt = 0
  private isClosed = false

  constructor(
    path: string,
    shape: StoredShape,
    { onRepair = () => {}, fence = () => {}, tookOver = false }: JsonLinesOptions = {},
  ) {
    this.path = path
    this.shape = shape
    this.onRepair = onRepair
    this.fence = fence
    let fd: number | undefined
    try {
      fence()
      if (tookOver && existsSync(path)) replaceByCopy(path, fence)
      fd = openSync(path, 'a+')
      this.fd = fd
      const { size } = fstatSync(fd)
      this.bytes = this.endOfLines(size)
      if (this.bytes === size) return
      ftruncateSync(fd, this.bytes)
      onRepair(said('folder/cut', { path, bytes: size - this.bytes }))
    } catch (error) {
      if (fd !== undefined) closeSync(fd)
      throw this.unusable(error)
    }
  }

  append(lines: readonly Line[]): void {
    if (lines.length === 0) return
    const bytes = Buffer.from(lines.map(textOf).join(''))
    this.fence()
    // Its number may be that of another file by now.
    if (this.isClosed) throw this.unusable(closedFile())
    try {
      writeAll(this.fd, bytes)
    } catch (error) {
      throw this.unusable(error)
    }
    this.bytes += bytes.length
  }

  /** The complete lines from a byte offset on. Others than ours are left out, and reported once. */
  *lines(from = 0): Generator<ReadLine<Line>> {
    let foreign: { lines: number; readonly at: number } | undefined
    yield* readLines<Line>(
      this.path,
      text => parsedAs(text, this.shape),
      from,
      at => at >= this.lookedAt && (foreign ??= { lines: 0, at }).lines++,
    )
    this.lookedAt = this.bytes
    if (foreign !== undefined)
      this.onRepair(said('folder/foreign', { path: this.path, lines: foreign.lines, at: foreign.at }))
  }

  cut(at: number): void {
    this.fence()
    ftruncateSync(this.fd, at)
    this.bytes = at
  }

  async sync(): Promise<void> {
    try {
      await sync(this.fd)
    } catch (error) {
      throw this.unusable(error)
    }
  }

  async close(): Promise<void> {
    try {
      await this.sync()
    } finally {
      this.isClosed = true
      closeSync(this.fd)
    }
  }

  private endOfLines(size: number): number {
    const piece = Buffer.allocUnsafe(Math.min(READ_BYTES, size))
    for (let end = size; end > 0; ) {
      const start = Math.max(0, end - piece.length)
      const got = readSync(this.fd, piece, 0, end - start, start)
      const last = piece.subarray(0, got).lastIndexOf(LF)
      if (last >= 0) return start + last + 1
      end = start
    }
    return 0
  }

  private unusable(cause: unknown): EscalonaError {
    if (cause instanceof EscalonaError) return cause
    return new EscalonaError('CRAWL_UNWRITABLE', { path: this.path, why: whyOf(cause) }, { cause })
  }
}

/** A line as it was read, the byte that it begins at, and the byte after it. */
export interface ReadLine<Line> {
  readonly line: Line
  readonly at: number
  readonly end: number
}

/**
 * The lines of a file of JSON objects from a byte on, without lock or change; none when it is not there. A line that is still being
 * written is left out, and so are those that `parse` does not recognise: `onForeign` hears where they begin.
 */
export function* readLines<Line>(
  path: string,
  parse: (text: string) => Line | undefined,
  from = 0,
  onForeign?: (at: number) => void,
): Generator<ReadLine<Line>, void, undefined> {
  let at = from
  for (const { text, end } of linesFrom(path, from)) {
    const line = parse(text)
    if (line !== undefined) yield { line, at, end }
    else onForeign?.(at)
    at = end
  }
}

function textOf(line: object): string {
  const text = JSON.stringify(line)
  return `${text.replace(OBEYED, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}
