import { closeSync, existsSync, fdatasync, fstatSync, ftruncateSync, openSync, readSync, rmSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { EscalonaError } from '../base/errors.ts'
import { type Synced, SyncedMark } from '../base/files/synced-mark.ts'
import { replaceByCopy, syncFolder, UNFINISHED } from '../base/files/whole-file.ts'
import { writeAll } from '../base/files/write-all.ts'
import { type Message, message, said } from '../base/messages/message.ts'
import { LF } from '../base/structures/bytes.ts'
import { closedFile, whyOf } from '../base/system-error.ts'
import { locationOf, type RecordLocation } from './scan.ts'
import { damaged } from './warc-record.ts'

/** What a visit found, compared with the visit before. */
export type Change = (typeof CHANGES)[number]

const CHANGES = ['new', 'changed', 'same', 'gone'] as const

/** A line of pages.jsonl: one visit of a page. docs/archive.md says what each key means. */
export interface PageLine extends RecordLocation {
  readonly url: string
  readonly status: number
  readonly title: string
  readonly bytes: number
  readonly tokens: number
  /** Links from a seed. */
  readonly hops: number
  readonly linksOut: number
  /** As the page names it, in lower case: `pt-br`. Missing when it names none. */
  readonly language?: string | undefined
  readonly dateMs: number
  /** The page on which its link was first found; undefined for a seed, and in a line that was made again after a crash. */
  readonly from?: string | undefined
  /** What a program attached to its link, with `enqueue` or `filterLink`. */
  readonly label?: string | undefined
  readonly data?: unknown
  readonly change: Change
  /** `ETag` and `Last-Modified` exactly as received, one character per byte; missing when there was none, or a longer one. */
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  /** SHA-1 of the stored body, base32: of what the page is now, also when this visit did not transfer it. */
  readonly digest?: string | undefined
  /** Of the visible text; only when the crawl revisits. */
  readonly textDigest?: string | undefined
  /** Of the visible words, 16 hexadecimal digits; missing when there are none, or when this visit did not transfer the page. docs/near-duplicates.md */
  readonly simhash?: string | undefined
  /** The earlier page of its host that this one nearly repeats; missing when it repeats none. */
  readonly repeats?: string | undefined
  /** Of a revisit record: where the response record with the body is. */
  readonly original?: RecordLocation | undefined
}

const sync = promisify(fdatasync)
const READ_BYTES = 1 << 20
const MAX_TITLE_CHARS = 1000
const MAX_LINE_BYTES = 1 << 24
/** What JSON leaves as it is and a terminal might obey. */
const OBEYED = /[\x7f-\x9f\u2028\u2029]/g

export interface PagesOptions {
  /** The newest WARC files, whose pages a restart reads: only their lines can be lost. */
  readonly files: Iterable<string>
  readonly onRepair: (message: string) => void
  /** `FolderLock.check` of the folder: called before each write. */
  readonly fence?: () => void
  /** `FolderLock.tookOver`: the file is replaced by a copy. */
  readonly tookOver?: boolean
}

/** `pages.jsonl`: one line per visit of a page, appended. Safe after the next `sync`. */
export class PagesFile {
  lines = 0
  private readonly path: string
  private readonly fence: () => void
  private readonly mark: SyncedMark
  private readonly fd: number
  private end = 0
  /** Of everything up to `end`. */
  private crc = 0
  private readonly known = new Set<string>()
  private failure: EscalonaError | undefined

  /**
   * Opens or makes it. After the synced part it is cut at the first line that isn't whole: the newest WARC files have those pages, which get
   * their lines again. What is wrong in the synced part is an error.
   */
  constructor(path: string, options: PagesOptions) {
    this.path = path
    this.fence = options.fence ?? (() => {})
    this.mark = new SyncedMark(`${path}.synced`)
    let fd: number | undefined
    try {
      fd = this.opened(options)
      this.fd = fd
      const { size } = fstatSync(fd)
      this.read(size, new Set(options.files))
      if (this.end === size) return
      this.fence()
      ftruncateSync(fd, this.end)
      options.onRepair(said('archive/cut-lines', { path, bytes: size - this.end }))
    } catch (error) {
      if (fd !== undefined) closeSync(fd)
      throw this.fail(error)
    }
  }

  /** Whether this visit had a line when the file was opened. */
  isKnown({ file, offset }: RecordLocation): boolean {
    return this.known.has(placeKey(file, offset))
  }

  append(batch: readonly PageLine[]): void {
    this.check()
    const bytes = Buffer.from(batch.map(textOf).join(''))
    try {
      writeAll(this.fd, bytes)
    } catch (error) {
      throw this.fail(error, () => ftruncateSync(this.fd, this.end))
    }
    this.end += bytes.length
    this.crc = crc32(bytes, this.crc)
    this.lines += batch.length
  }

  async sync(): Promise<void> {
    this.check()
    const synced: Synced = { file: basename(this.path), bytes: this.end, crc: this.crc }
    try {
      await sync(this.fd)
      this.check()
      this.mark.write(synced)
    } catch (error) {
      throw this.fail(error)
    }
  }

  async close(): Promise<void> {
    try {
      if (this.failure === undefined) await this.sync()
    } finally {
      // Its number may soon be that of another file, into which nobody may write by mistake.
      this.fail(closedFile())
      this.mark.close()
      closeSync(this.fd)
    }
  }

  private opened({ tookOver = false, onRepair }: PagesOptions): number {
    const { path, mark } = this
    this.fence()
    rmSync(path + UNFINISHED, { force: true })
    if (existsSync(path)) {
      if (tookOver) replaceByCopy(path, this.fence)
      return openSync(path, 'a+')
    }
    if ((mark.read()?.bytes ?? 0) > 0) onRepair(said('archive/pages-gone', { path }))
    mark.remove()
    const fd = openSync(path, 'a+')
    syncFolder(dirname(path))
    return fd
  }

  private read(size: number, files: ReadonlySet<string>): void {
    const { bytes: syncedBytes, crc: syncedCrc } = this.mark.read() ?? { bytes: 0, crc: 0 }
    const marks = [...files].map(file => Buffer.from(`"file":${JSON.stringify(file)},`))
    for (const lines of this.wholeLines(0, Math.min(size, syncedBytes))) {
      const hole = lines.indexOf(0)
      if (hole >= 0) throw this.damagedAt(this.end + hole, message('archive/zeros'))
      for (let i = lines.indexOf(LF); i >= 0; i = lines.indexOf(LF, i + 1)) this.lines++
      for (const mark of marks) this.notePlaces(lines, mark, files)
      this.crc = crc32(lines, this.crc)
      this.end += lines.length
    }
    if (this.end < syncedBytes)
      throw this.damagedAt(this.end, message('archive/not-synced-whole', { bytes: syncedBytes }))
    if (this.crc !== syncedCrc)
      throw this.damagedAt(0, message('archive/not-as-synced', { bytes: syncedBytes }), 'archive/or-accept')
    let isCut = false
    for (const lines of this.wholeLines(this.end, size)) {
      for (let start = 0; start < lines.length; ) {
        const end = lines.indexOf(LF, start) + 1
        const line = parsePageLine(lines.toString('utf8', start, end - 1))
        const isNew = line !== undefined && files.has(line.file)
        if (line === undefined) isCut = true
        // This line could not be made again, and may not be the only one of its kind.
        else if (isCut && !isNew) throw this.damagedAt(this.end, message('archive/no-line-older'))
        if (isNew && !isCut) this.known.add(placeKey(line.file, line.offset))
        if (!isCut) {
          this.crc = crc32(lines.subarray(start, end), this.crc)
          this.lines++
          this.end += end - start
        }
        start = end
      }
    }
  }

  private damagedAt(
    offset: number,
    what: Message,
    orElse: 'archive/or-remove-mark' | 'archive/or-accept' = 'archive/or-remove-mark',
  ): EscalonaError {
    return damaged(this.path, offset, what, message(orElse, { mark: `${basename(this.path)}.synced` }))
  }

  /** The whole lines of a part of the file, in pieces. */
  private *wholeLines(from: number, to: number): Generator<Buffer, void, undefined> {
    let bytes = Buffer.allocUnsafe(READ_BYTES)
    let kept = 0
    for (let at = from; at < to; ) {
      this.fence()
      if (kept >= MAX_LINE_BYTES) throw damaged(this.path, at - kept, message('archive/line-without-end'))
      if (kept === bytes.length) bytes = Buffer.concat([bytes], bytes.length * 2)
      const got = readSync(this.fd, bytes, kept, Math.min(bytes.length - kept, to - at), at)
      if (got === 0) break
      at += got
      const piece = bytes.subarray(0, kept + got)
      const end = piece.lastIndexOf(LF) + 1
      yield piece.subarray(0, end)
      kept = piece.copy(bytes, 0, end)
    }
  }

  private notePlaces(lines: Buffer, mark: Buffer, files: ReadonlySet<string>): void {
    for (let at = lines.indexOf(mark); at >= 0; ) {
      const start = lines.lastIndexOf(LF, at) + 1
      const end = lines.indexOf(LF, at)
      const line = parsePageLine(lines.toString('utf8', start, end))
      if (line === undefined) throw this.damagedAt(this.end + start, message('archive/no-line'))
      if (files.has(line.file)) this.known.add(placeKey(line.file, line.offset))
      at = lines.indexOf(mark, end)
    }
  }

  private check(): void {
    if (this.failure !== undefined) throw this.failure
    try {
      this.fence()
    } catch (error) {
      throw this.fail(error)
    }
  }

  private fail(error: unknown, undo?: () => void): EscalonaError {
    if (error instanceof EscalonaError) {
      this.failure ??= error
      return this.failure
    }
    try {
      undo?.()
    } catch {
      // Half a line stays; the next opening cuts it off.
    }
    this.failure ??= new EscalonaError(
      'ARCHIVE_PAGES_STOPPED',
      { path: this.path, why: whyOf(error) },
      { cause: error },
    )
    return this.failure
  }
}

/** Undefined when it isn't a whole line of ours. */
export function parsePageLine(text: string): PageLine | undefined {
  let keys: Record<string, unknown>
  try {
    keys = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof keys !== 'object' || keys === null) return undefined
  const { url, status, title, bytes, tokens, hops, linksOut, language, time, change, file, offset, length } = keys
  if (![url, title, time, file].every(isText) || !CHANGES.includes(change as Change)) return undefined
  const dateMs = Date.parse(String(time))
  if (![status, bytes, tokens, hops, linksOut, offset, length, dateMs].every(Number.isSafeInteger)) return undefined
  return {
    url,
    status,
    title,
    bytes,
    tokens,
    hops,
    linksOut,
    ...(isText(language) && { language }),
    dateMs,
    ...textsOf(keys, ['from', 'label']),
    ...(keys.data !== undefined && { data: keys.data }),
    change,
    ...textsOf(keys, ['etag', 'lastModified', 'digest', 'textDigest']),
    ...(isText(keys.simhash) && /^[0-9a-f]{16}$/.test(String(keys.simhash)) && { simhash: keys.simhash }),
    ...textsOf(keys, ['repeats']),
    ...(isPlace(keys.original) && { original: keys.original }),
    file,
    offset,
    length,
  } as PageLine
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function textsOf(keys: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter(name => isText(keys[name])).map(name => [name, keys[name]]))
}

function isPlace(value: unknown): value is RecordLocation {
  const { file, offset, length } = (value ?? {}) as Partial<RecordLocation>
  return isText(file) && Number.isSafeInteger(offset) && Number.isSafeInteger(length)
}

/** One literal: a spread in the middle costs more than all the rest. */
function textOf(line: PageLine): string {
  const text = JSON.stringify({
    url: line.url,
    status: line.status,
    title: line.title.slice(0, MAX_TITLE_CHARS),
    bytes: line.bytes,
    tokens: line.tokens,
    hops: line.hops,
    linksOut: line.linksOut,
    language: line.language,
    time: new Date(line.dateMs).toISOString(),
    from: line.from,
    label: line.label,
    data: line.data,
    change: line.change,
    etag: line.etag,
    lastModified: line.lastModified,
    digest: line.digest,
    textDigest: line.textDigest,
    simhash: line.simhash,
    repeats: line.repeats,
    original: line.original && locationOf(line.original),
    file: line.file,
    offset: line.offset,
    length: line.length,
  })
  return `${text.replace(OBEYED, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}

function placeKey(file: string, offset: number): string {
  return `${file} ${offset}`
}
