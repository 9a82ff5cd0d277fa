import { closeSync, existsSync, fdatasync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'
import { promisify } from 'node:util'
import { EscalonaError } from '../base/errors.ts'
import { replaceByCopy } from '../base/files/whole-file.ts'
import { writeAll } from '../base/files/write-all.ts'
import { LF } from '../base/structures/bytes.ts'
import { reasonOf } from '../base/system-error.ts'
import { catalogue } from '../base/words/language.ts'
import { printable } from '../base/words/printable.ts'

const sync = promisify(fdatasync)
const READ_BYTES = 1 << 20
/** Characters that JSON does not escape and a terminal might obey. */
const OBEYED = /[\x7f-\x9f\u2028\u2029]/g

const words = catalogue({
  en: {
    unusable: (path: string, why: string) =>
      `cannot use ${path}: ${why}; fix that, then run the same command to continue`,
    cut: (path: string, bytes: number) => `${path}: cut off ${bytes} bytes of an incomplete line`,
  },
  pt: {
    unusable: (path: string, why: string) =>
      `não é possível usar ${path}: ${why}; resolva isso e execute o mesmo comando para continuar`,
    cut: (path: string, bytes: number) => `${path}: ${bytes} bytes de uma linha incompleta foram cortados`,
  },
})

export interface JsonLinesOptions {
  readonly onRepair?: (message: string) => void
  /** `FolderLock.check` of the folder: called before each write. */
  readonly fence?: () => void
  /** `FolderLock.tookOver`: another process may still have the file open, so it is replaced by a copy. */
  readonly tookOver?: boolean
}

/** An append-only file of JSON objects, one per line. Opening it cuts off a line that a crash left incomplete. */
export class JsonLinesFile<Line extends object> {
  /** Total size of the complete lines. */
  bytes: number
  private readonly path: string
  private readonly fence: () => void
  private readonly fd: number

  constructor(path: string, { onRepair, fence = () => {}, tookOver = false }: JsonLinesOptions = {}) {
    this.path = path
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
      onRepair?.(words().cut(printable(path), size - this.bytes))
    } catch (error) {
      if (fd !== undefined) closeSync(fd)
      throw this.unusable(error)
    }
  }

  append(lines: readonly Line[]): void {
    if (lines.length === 0) return
    const bytes = Buffer.from(lines.map(textOf).join(''))
    this.fence()
    try {
      writeAll(this.fd, bytes)
    } catch (error) {
      throw this.unusable(error)
    }
    this.bytes += bytes.length
  }

  /** The complete lines from a byte offset on, each with its own offset. Lines that are not JSON are skipped. */
  *lines(from = 0): Generator<{ readonly at: number; readonly line: Line }> {
    let rest = Buffer.alloc(0)
    let at = from
    while (at < this.bytes) {
      const piece = Buffer.allocUnsafe(Math.min(READ_BYTES, this.bytes - at - rest.length))
      const got = readSync(this.fd, piece, 0, piece.length, at + rest.length)
      if (got === 0) return
      rest = Buffer.concat([rest, piece.subarray(0, got)])
      let start = 0
      for (let end = rest.indexOf(LF); end >= 0; end = rest.indexOf(LF, start)) {
        const line = parsed<Line>(rest.toString('utf8', start, end))
        if (line !== undefined) yield { at: at + start, line }
        start = end + 1
      }
      at += start
      rest = rest.subarray(start)
    }
  }

  /** Truncates the file to this many bytes. */
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
    return new EscalonaError('CRAWL_UNWRITABLE', words().unusable(printable(this.path), reasonOf(cause)), { cause })
  }
}

function textOf(line: object): string {
  const text = JSON.stringify(line)
  return `${text.replace(OBEYED, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}

function parsed<Line>(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Line) : undefined
  } catch {
    return undefined
  }
}
