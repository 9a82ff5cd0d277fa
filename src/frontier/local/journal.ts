import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  unlinkSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { EscalonaError } from '../../base/errors.ts'
import { syncFolder } from '../../base/files/sync-folder.ts'
import { writeAll, writeAllOf } from '../../base/files/write-all.ts'
import { reasonOf } from '../../base/system-error.ts'
import { damaged } from './damaged.ts'
import { eachFrame, FRAME_BYTES, isTorn, isZero, writeHead } from './frames.ts'
import { type LinkLog, LOG_VERSION, type Place } from './link-log.ts'
import {
  HEADER_BYTES,
  headerFor,
  headerIn,
  isHeader,
  type OnPayload,
  type SegmentHeader,
  segmentNumbers,
  segmentPath,
} from './segment-files.ts'
import { words } from './words.ts'

/** A segment that has reached this size is closed, and the next frame begins a new one. */
const SEGMENT_BYTES = 1 << 26
const sync = promisify(fdatasync)

/**
 * The journal on disk. An appended frame is written at once and safe after the next commit; commits requested while one
 * is under way share the next. An error stops the journal for good: only what was not acknowledged may be lost.
 */
export class Journal implements LinkLog {
  segment = 0
  /** Bytes of frames written since the newest snapshot. */
  bytesSinceSnapshot = 0
  private readonly folder: string
  private readonly fence: () => void
  private readonly files = new Map<number, number>()
  /** The segments that version 2 wrote. */
  private readonly old = new Set<number>()
  private end = HEADER_BYTES
  /** How many bytes of the segment are safe. */
  private safeEnd = HEADER_BYTES
  private readonly head = Buffer.alloc(FRAME_BYTES)
  private waiting: { resolve(): void; reject(error: unknown): void }[] = []
  private isSyncing = false
  /** Dropped files, to be closed when the sync under way has ended. */
  private readonly retired: number[] = []
  private isAllSafe = true
  private failure: EscalonaError | undefined

  /** `fence` throws when another process has taken the folder; it is called before anything is written or acknowledged. */
  constructor(folder: string, fence: () => void = () => {}) {
    this.folder = folder
    this.fence = fence
  }

  /**
   * Reads every payload from segment `from` on, oldest first; later appends follow the last. A torn tail is cut off and
   * reported to `onRepair`; anything else that is wrong is an error. A new frontier may have no segment yet.
   */
  readFrom(from: number, isNew: boolean, onPayload: OnPayload, onRepair: (message: string) => void): void {
    const { folder, files } = this
    const numbers = segmentNumbers(folder)
    const newer = numbers.filter(number => number >= from)
    for (const [i, number] of newer.entries()) {
      if (number !== from + i) throw damaged(segmentPath(folder, from + i), 0, words().fileMissing)
    }
    const last = newer.at(-1)
    for (const number of numbers) files.set(number, openSync(segmentPath(folder, number), number === last ? 'r+' : 'r'))
    for (const number of numbers) if (this.headerOf(number).version === 2) this.old.add(number)
    for (const number of newer) {
      this.end = this.readSegment(number, number === last, onPayload, onRepair)
      this.bytesSinceSnapshot += this.end
    }
    if (last !== undefined) this.continueIn(last)
    else if (isNew) this.begin(from)
    else throw damaged(segmentPath(folder, from), 0, words().fileMissing)
  }

  /** Whether the segment to be appended to has a former version. */
  get isOld(): boolean {
    return this.old.has(this.segment)
  }

  /** Whether this segment exists. */
  has(segment: number): boolean {
    return this.files.has(segment)
  }

  next(): Place {
    if (this.end >= SEGMENT_BYTES) this.rotate()
    return { segment: this.segment, at: this.end + FRAME_BYTES }
  }

  append(payload: Uint8Array): void {
    this.check()
    this.hold()
    const fd = this.files.get(this.segment)!
    writeHead(this.head, payload, this.safeEnd)
    try {
      writeAllOf(fd, [this.head, payload], this.end)
    } catch (error) {
      throw this.fail(error, () => ftruncateSync(fd, this.end))
    }
    this.isAllSafe = false
    this.end += FRAME_BYTES + payload.length
    this.bytesSinceSnapshot += FRAME_BYTES + payload.length
  }

  read(segment: number, at: number, into: Buffer): number {
    return readSync(this.files.get(segment)!, into, 0, into.length, at)
  }

  async commit(): Promise<void> {
    this.check()
    this.hold()
    if (this.isAllSafe) return
    await new Promise<void>((resolve, reject) => {
      this.waiting.push({ resolve, reject })
      if (!this.isSyncing) void this.syncAll()
    })
  }

  /** Makes the segment safe, closes it and begins the next. */
  rotate(): void {
    this.check()
    try {
      fdatasyncSync(this.files.get(this.segment)!)
      this.begin(this.segment + 1)
      this.isAllSafe = true
    } catch (error) {
      throw this.fail(error)
    }
  }

  drop(segment: number): void {
    const fd = this.files.get(segment)!
    this.files.delete(segment)
    unlinkSync(segmentPath(this.folder, segment))
    this.old.delete(segment)
    // A sync of it may still be under way.
    if (this.isSyncing) this.retired.push(fd)
    else closeSync(fd)
  }

  name(segment: number): string {
    return segmentPath(this.folder, segment)
  }

  version(segment: number): number {
    return this.old.has(segment) ? 2 : LOG_VERSION
  }

  /** The segments that exist, oldest first. */
  segments(): number[] {
    return [...this.files.keys()].sort((a, b) => a - b)
  }

  async close(): Promise<void> {
    try {
      if (this.failure === undefined) await this.commit()
    } finally {
      this.letGo()
    }
  }

  /** Closes its files without making them safe. */
  letGo(): void {
    for (const fd of this.files.values()) closeSync(fd)
    this.files.clear()
  }

  /** What a segment's header says; zeros when it is not there, or not sound. */
  private headerOf(segment: number): SegmentHeader {
    const header = Buffer.alloc(HEADER_BYTES)
    const fd = this.files.get(segment)
    if (fd !== undefined) readSync(fd, header, 0, HEADER_BYTES, 0)
    return headerIn(header, segment)
  }

  private readSegment(
    number: number,
    isLast: boolean,
    onPayload: OnPayload,
    onRepair: (message: string) => void,
  ): number {
    const path = segmentPath(this.folder, number)
    const all = readFileSync(path)
    if (!isHeader(all, number)) {
      // A crash between making the last segment and writing its header loses nothing that was acknowledged.
      const isTornHeader = all.length < HEADER_BYTES || isZero(all, 0, all.length)
      if (!isLast || !isTornHeader) throw damaged(path, 0, words().notAJournal)
      const fd = this.files.get(number)!
      ftruncateSync(fd)
      writeAll(fd, headerFor(number, this.files.has(number - 1) ? this.end : 0), 0)
      fdatasyncSync(fd)
      onRepair(words().headerWritten(path))
      return HEADER_BYTES
    }
    const { bytesBefore } = this.headerOf(number + 1)
    const bytes = bytesBefore === 0 ? all : all.subarray(0, bytesBefore)
    if (bytesBefore > all.length) throw damaged(path, all.length, words().endMissing)
    const version = this.version(number)
    const end = eachFrame(bytes, HEADER_BYTES, (payload, at) => onPayload(payload, { segment: number, at }, version))
    if (end === bytes.length) return end
    if (!isLast || !isTorn(bytes, end)) throw damaged(path, end, words().wrongChecksum)
    ftruncateSync(this.files.get(number)!, end)
    onRepair(words().tailCutOff(path, bytes.length - end, end))
    return end
  }

  /** Continues a segment. A killed process may have left frames in it that now count and are not safe yet. */
  private continueIn(segment: number): void {
    fdatasyncSync(this.files.get(segment)!)
    this.segment = segment
    this.safeEnd = this.end
  }

  private begin(segment: number): void {
    const fd = openSync(segmentPath(this.folder, segment), 'wx+')
    const hasOneBefore = this.files.has(this.segment)
    this.files.set(segment, fd)
    writeAll(fd, headerFor(segment, hasOneBefore ? this.end : 0), 0)
    fdatasyncSync(fd)
    syncFolder(this.folder)
    this.segment = segment
    this.end = HEADER_BYTES
    this.safeEnd = HEADER_BYTES
  }

  private async syncAll(): Promise<void> {
    this.isSyncing = true
    while (this.waiting.length > 0) {
      const shared = this.waiting
      this.waiting = []
      try {
        this.check()
        const { end, segment } = this
        await sync(this.files.get(segment)!)
        if (this.segment === segment) this.safeEnd = end
        this.isAllSafe = this.end === end && this.segment === segment
        for (const { resolve } of shared) resolve()
      } catch (error) {
        const failure = error instanceof EscalonaError ? error : this.fail(error)
        for (const { reject } of shared) reject(failure)
      }
    }
    this.isSyncing = false
    for (const fd of this.retired.splice(0)) closeSync(fd)
  }

  get hasStopped(): boolean {
    return this.failure !== undefined
  }

  check(): void {
    if (this.failure !== undefined) throw this.failure
  }

  /** Throws, and stops the journal, when the folder is lost: then nothing more is written. */
  private hold(): void {
    try {
      this.fence()
    } catch (error) {
      throw error instanceof EscalonaError ? (this.failure ??= error) : this.fail(error)
    }
  }

  private fail(error: unknown, undo?: () => void): EscalonaError {
    try {
      undo?.()
    } catch {
      // Half a frame may be left; the next opening cuts it off.
    }
    this.failure ??= new EscalonaError('FRONTIER_STOPPED', words().stopped(reasonOf(error)), { cause: error })
    return this.failure
  }
}
