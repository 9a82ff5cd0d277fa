import { closeSync, fdatasync, ftruncateSync, openSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { EscalonaError } from '../base/errors.ts'
import type { SyncedMark } from '../base/files/synced-mark.ts'
import { syncFolder } from '../base/files/whole-file.ts'
import { writeAllOf } from '../base/files/write-all.ts'
import { uniqueName } from '../base/random.ts'
import { whyOf } from '../base/system-error.ts'
import { wholeLine } from './cdx-line.ts'
import { membersOf, pack } from './gzip-member.ts'
import { writePart } from './index-files.ts'
import { ARCHIVE_FOLDER, archiveFiles, fileName, finishedPath, openPath } from './names.ts'
import { headerValue, uuidsOf } from './record-text.ts'
import type { Records } from './records.ts'
import type { RecordLocation } from './scan.ts'

/** How many pages a file holds; what is archived besides (robots.txt, redirects, failures, revisits) does not count. */
export const PAGES_PER_FILE = 1000
/** A file with this many requests is full too, whatever came back: its lines of the index are in memory while it grows. */
export const REQUESTS_PER_FILE = 20_000

/** With at most this many pages archived and not settled, all of them are in the newest two files, which a start reads (`OpenedArchive.recent`). */
export const MOST_UNSETTLED_PAGES = 500

export function isFull(pages: number, requests: number): boolean {
  return pages >= PAGES_PER_FILE || requests >= REQUESTS_PER_FILE
}

const sync = promisify(fdatasync)

export interface OpenFile {
  readonly name: string
  readonly fd: number
  end: number
  pages: number
  requests: number
  readonly lines: string[]
  isSynced: boolean
  /** A run says who it is before its first record. */
  isSigned: boolean
}

/** Where an archive continues: the file in progress, when there is one, and the number of the last file. */
export interface State {
  readonly crawl: string
  readonly maker: Maker
  readonly now: () => number
  /** Called before each write, and after each sync; throws when the folder is not ours any more. */
  readonly fence: () => void
  readonly mark: SyncedMark
  readonly current: OpenFile | undefined
  readonly lastNumber: number
}

/**
 * Writes a crawl's WARC files, one after the other. What is appended is safe after the next `sync`, which also finishes full files (synced,
 * indexed, renamed), so appending never waits for the disk. After an error, also one of the fence, the writer stays stopped: what was not
 * synced may be lost, and opening the archive again cuts a half-written tail.
 */
export class ArchiveWriter {
  appendedBytes = 0
  private readonly opened: State
  private readonly unique = uniqueName()
  private current: OpenFile | undefined
  private lastNumber: number
  /** Wait for the next sync. */
  private full: OpenFile[] = []
  private hasNewNames = false
  private syncing: Promise<void> = Promise.resolve()
  private failure: EscalonaError | undefined

  constructor(opened: State) {
    this.opened = opened
    this.current = opened.current
    this.lastNumber = opened.lastNumber
  }

  /** Returns where each main record is. */
  append(batch: readonly Records[]): RecordLocation[] {
    if (this.failure !== undefined) throw this.failure
    const places: RecordLocation[] = []
    for (let i = 0; i < batch.length; ) {
      const file = this.fileToFill()
      const parts: Uint8Array[] = []
      let at = file.end
      let pages = file.pages
      for (; i < batch.length && !isFull(pages, file.requests + parts.length); i++) {
        const { bytes, responseBytes, isPage, kind } = batch[i]!
        parts.push(bytes)
        places.push({ file: file.name, offset: at, length: responseBytes })
        at += bytes.length
        if (isPage && kind === 'response') pages++
      }
      this.write(file, parts, at)
      for (let k = i - parts.length; k < i; k++) {
        const { cdx } = batch[k]!
        if (cdx !== '') file.lines.push(wholeLine(cdx, file.name, places[k]!.offset))
      }
      file.pages = pages
      file.requests += parts.length
    }
    return places
  }

  /** Resolves when everything appended so far is on disk. */
  sync(): Promise<void> {
    const result = this.syncing.then(() => this.syncAll())
    this.syncing = result.catch(() => {})
    return result
  }

  /** Finishes the file in progress: no `.open` is left. After an error it only closes the files. */
  async close(): Promise<void> {
    await this.syncing
    if (this.current !== undefined) this.full.push(this.current)
    this.current = undefined
    try {
      if (this.failure !== undefined) return
      await this.sync()
      this.opened.mark.remove()
    } finally {
      this.opened.mark.close()
      for (const { fd } of this.full.splice(0)) closeSync(fd)
    }
  }

  /** The file that takes the next record; a full one is put aside only now, so a crawl never ends with an empty one. */
  private fileToFill(): OpenFile {
    const { current } = this
    if (current !== undefined && !isFull(current.pages, current.requests)) return this.signed(current)
    if (current !== undefined) this.full.push(current)
    this.current = undefined
    this.check()
    try {
      this.current = this.begun()
    } catch (error) {
      throw this.fail(error)
    }
    return this.signed(this.current)
  }

  /** A process from which the folder was taken may have begun the next file at the last moment: its number is left to it. */
  private begun(): OpenFile {
    this.lastNumber = Math.max(this.lastNumber, archiveFiles(this.opened.crawl).at(-1)?.number ?? 0) + 1
    const name = fileName(this.lastNumber, this.opened.maker.crawlId, this.opened.now())
    const fd = openedNew(openPath(this.opened.crawl, name))
    if (fd === undefined) return this.begun()
    this.hasNewNames = true
    return { name, fd, end: 0, pages: 0, requests: 0, lines: [], isSynced: false, isSigned: false }
  }

  private signed(file: OpenFile): OpenFile {
    if (file.isSigned) return file
    const record = warcinfo(file.name, this.opened.maker, this.opened.now(), this.unique)
    this.write(file, [record], file.end + record.length)
    file.isSigned = true
    return file
  }

  private write(file: OpenFile, parts: readonly Uint8Array[], end: number): void {
    this.check()
    try {
      writeAllOf(file.fd, parts, file.end)
    } catch (error) {
      throw this.fail(error, () => ftruncateSync(file.fd, file.end))
    }
    this.appendedBytes += end - file.end
    file.end = end
    file.isSynced = false
  }

  private async syncAll(): Promise<void> {
    this.check()
    try {
      while (this.full.length > 0) {
        await this.finish(this.full[0]!)
        this.full.shift()
      }
      const { current } = this
      if (current !== undefined && !current.isSynced) {
        const { end } = current
        await sync(current.fd)
        // Otherwise these bytes may be in a file that the new owner has replaced by a copy.
        this.opened.fence()
        this.opened.mark.write({ file: current.name, bytes: end, crc: 0 })
        current.isSynced = current.end === end
      }
      if (this.hasNewNames) {
        this.hasNewNames = false
        syncFolder(join(this.opened.crawl, ARCHIVE_FOLDER))
      }
    } catch (error) {
      throw this.fail(error)
    }
  }

  /** The part of the index comes first, so that every file under its final name has one. */
  private async finish(file: OpenFile): Promise<void> {
    await sync(file.fd)
    this.opened.fence()
    writePart(this.opened.crawl, file.name, file.lines)
    this.opened.fence()
    renameSync(openPath(this.opened.crawl, file.name), finishedPath(this.opened.crawl, file.name))
    this.hasNewNames = true
    closeSync(file.fd)
  }

  private check(): void {
    if (this.failure !== undefined) throw this.failure
    try {
      this.opened.fence()
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
      // Half a record stays; the next opening cuts it off.
    }
    this.failure ??= new EscalonaError('ARCHIVE_STOPPED', { why: whyOf(error) }, { cause: error })
    return this.failure
  }
}

function openedNew(path: string): number | undefined {
  try {
    return openSync(path, 'wx+')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return undefined
  }
}

export interface Maker {
  /** `Escalona/0.1.0` */
  readonly software: string
  readonly userAgent: string
  readonly crawlId: string
}

/** The record that begins a file, and each later run's part of it. `unique` keeps its id apart from those of other runs. */
export function warcinfo(file: string, maker: Maker, nowMs: number, unique: string): Uint8Array {
  const date = new Date(nowMs).toISOString()
  const block =
    `software: ${headerValue(maker.software)}\r\nformat: WARC File Format 1.1\r\n` +
    'conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n' +
    `robots: RFC 9309\r\nisPartOf: escalona-${maker.crawlId}\r\n` +
    `http-header-user-agent: ${headerValue(maker.userAgent)}\r\n`
  const record =
    `WARC/1.1\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:uuid:${uuidsOf(`${unique} ${file} ${date}`)[0]}>\r\n` +
    `WARC-Date: ${date}\r\nWARC-Filename: ${file}\r\nContent-Type: application/warc-fields\r\n` +
    `Content-Length: ${block.length}\r\n\r\n${block}\r\n\r\n`
  return membersOf(pack(Buffer.from(record, 'latin1'), { level: 6 }))
}
