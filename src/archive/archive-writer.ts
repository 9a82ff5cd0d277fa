import { closeSync, fdatasync, ftruncateSync, openSync, renameSync, writevSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { EscalonaError } from '../base/errors.ts'
import { uniqueName } from '../base/random.ts'
import { syncFolder } from '../base/sync-folder.ts'
import { reasonOf } from '../base/system-error.ts'
import { writeAll } from '../base/write-all.ts'
import { wholeLine } from './cdx-line.ts'
import { writePart } from './index-files.ts'
import { ARCHIVE_FOLDER, fileName, finishedPath, openPath } from './names.ts'
import type { Records } from './records.ts'
import type { Place } from './scan.ts'
import { type Maker, warcinfo } from './warcinfo.ts'

/** A file holds so many pages; what is archived besides (robots.txt, redirects) does not count. */
export const PAGES_A_FILE = 1000
/** A file with so many answers is full too, whatever they are: its lines of the index are in memory while it grows. */
export const ANSWERS_A_FILE = 20_000

export function isFull(pages: number, answers: number): boolean {
  return pages >= PAGES_A_FILE || answers >= ANSWERS_A_FILE
}

const sync = promisify(fdatasync)

/** A file in progress. */
export interface OpenFile {
  readonly name: string
  readonly fd: number
  end: number
  pages: number
  /** Its lines of the index. */
  readonly lines: string[]
  isSynced: boolean
}

/** How an archive goes on: the file in progress, when there is one, and the number of the last file. */
export interface State {
  readonly crawl: string
  readonly maker: Maker
  /** Unix time. */
  readonly now: () => number
  readonly current: OpenFile | undefined
  readonly lastNumber: number
}

/**
 * Writes a crawl's WARC files, one after the other. What is appended is safe after the next `sync`; a full file is finished
 * (synced, indexed, renamed) there too, so appending never waits for the disk. An error stops the writer for good: what was
 * not synced may be lost, and nothing else; opening the archive again cuts a half-written tail.
 */
export class ArchiveWriter {
  private readonly crawl: string
  private readonly maker: Maker
  private readonly now: () => number
  private readonly unique = uniqueName()
  private current: OpenFile | undefined
  private lastNumber: number
  /** Files that are full and wait for the next sync. */
  private full: OpenFile[] = []
  private hasNewNames = false
  private syncing: Promise<void> = Promise.resolve()
  private failure: EscalonaError | undefined

  constructor({ crawl, maker, now, current, lastNumber }: State) {
    this.crawl = crawl
    this.maker = maker
    this.now = now
    this.current = current
    this.lastNumber = lastNumber
  }

  /** Appends in this order, and tells where each response lies. */
  append(batch: readonly Records[]): Place[] {
    this.check()
    const places: Place[] = []
    for (let i = 0; i < batch.length; ) {
      const file = this.fileToFill()
      const parts: Uint8Array[] = []
      let at = file.end
      let pages = file.pages
      for (; i < batch.length && !isFull(pages, file.lines.length + parts.length); i++) {
        const { bytes, responseBytes, isPage } = batch[i]!
        parts.push(bytes)
        places.push({ file: file.name, offset: at, length: responseBytes })
        at += bytes.length
        if (isPage) pages++
      }
      this.write(file, parts, at)
      for (let k = i - parts.length; k < i; k++) {
        file.lines.push(wholeLine(batch[k]!.cdx, file.name, places[k]!.offset))
      }
      file.pages = pages
    }
    return places
  }

  /** Resolves when everything appended so far is on disk. Calls that come meanwhile take their turn. */
  sync(): Promise<void> {
    const result = this.syncing.then(() => this.syncAll())
    this.syncing = result.catch(() => {})
    return result
  }

  /** Finishes the file in progress: no `.open` is left. After an error it only lets go of the files. */
  async close(): Promise<void> {
    await this.syncing
    if (this.current !== undefined) this.full.push(this.current)
    this.current = undefined
    try {
      if (this.failure === undefined) await this.sync()
    } finally {
      for (const { fd } of this.full.splice(0)) closeSync(fd)
    }
  }

  /** The file that takes the next record; a full one is put aside only now, so a crawl never ends with an empty one. */
  private fileToFill(): OpenFile {
    const { current } = this
    if (current !== undefined && !isFull(current.pages, current.lines.length)) return current
    if (current !== undefined) this.full.push(current)
    this.current = undefined
    try {
      this.current = this.begin(this.lastNumber + 1)
    } catch (error) {
      throw this.fail(error)
    }
    return this.current
  }

  private begin(number: number): OpenFile {
    const name = fileName(number)
    const first = warcinfo(name, this.maker, this.now(), this.unique)
    const fd = openSync(openPath(this.crawl, name), 'wx+')
    writeAll(fd, first, 0)
    this.lastNumber = number
    this.hasNewNames = true
    return { name, fd, end: first.length, pages: 0, lines: [], isSynced: false }
  }

  private write(file: OpenFile, parts: readonly Uint8Array[], end: number): void {
    try {
      const written = writevSync(file.fd, parts, file.end)
      if (file.end + written < end) writeAll(file.fd, Buffer.concat(parts).subarray(written), file.end + written)
    } catch (error) {
      throw this.fail(error, () => ftruncateSync(file.fd, file.end))
    }
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
        current.isSynced = current.end === end
      }
      if (this.hasNewNames) {
        this.hasNewNames = false
        syncFolder(join(this.crawl, ARCHIVE_FOLDER))
      }
    } catch (error) {
      throw this.fail(error)
    }
  }

  /** The part of the index comes first, so that every file under its final name has one. */
  private async finish(file: OpenFile): Promise<void> {
    await sync(file.fd)
    writePart(this.crawl, file.name, file.lines)
    renameSync(openPath(this.crawl, file.name), finishedPath(this.crawl, file.name))
    this.hasNewNames = true
    closeSync(file.fd)
  }

  private check(): void {
    if (this.failure !== undefined) throw this.failure
  }

  private fail(error: unknown, undo?: () => void): EscalonaError {
    try {
      undo?.()
    } catch {
      // Half a record stays behind; the next opening cuts it off.
    }
    const message = `the archive has stopped: ${reasonOf(error)}; nothing that was synced is lost, start again after that`
    this.failure ??= new EscalonaError('ARCHIVE_STOPPED', message, { cause: error })
    return this.failure
  }
}
