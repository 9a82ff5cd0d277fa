import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, openSync, unlinkSync } from 'node:fs'
import { promisify } from 'node:util'
import { EscalonaError } from '../../../base/errors.ts'
import { SyncedMark } from '../../../base/files/synced-mark.ts'
import { syncFolder } from '../../../base/files/whole-file.ts'
import { writeAll, writeAllOf } from '../../../base/files/write-all.ts'
import { said } from '../../../base/messages/message.ts'
import { whyOf } from '../../../base/system-error.ts'
import { FRAME_BYTES, writeHead } from './frames.ts'
import { JournalReader } from './journal-reader.ts'
import type { LinkLog, LogPosition } from './link-log.ts'
import { HEADER_BYTES, headerFor, idOf, markPath, type OnPayload, type Seed, segmentName } from './segment-files.ts'

/** A segment that has reached this size is closed, and the next frame begins a new one. */
const SEGMENT_BYTES = 1 << 26
const sync = promisify(fdatasync)

/**
 * The journal on disk. An appended frame is written at once and safe after the next commit; commits requested while one
 * is under way share the next. After each sync, and before anything is acknowledged, `synced` says how far the journal
 * is safe. An error stops the journal for good: only what was not acknowledged may be lost.
 */
export class Journal extends JournalReader implements LinkLog {
  segment = 0
  /** Bytes of frames written since the newest snapshot. */
  bytesSinceSnapshot = 0
  private readonly fence: () => void
  private readonly onRepair: (message: string) => void
  /** In the folder, and the witness outside of it. */
  private readonly marks: readonly SyncedMark[]
  private readonly frontierId: number
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

  /**
   * `fence` throws when another process has taken the folder; it is called before anything is written or acknowledged. A torn
   * tail is cut off when the journal is read, and reported to `onRepair`. `seed`: of the frontier, which tells it from others.
   * `witness`: see `LocalOptions`.
   */
  constructor(
    folder: string,
    seed: Seed,
    fence: () => void = () => {},
    onRepair: (message: string) => void = () => {},
    witness?: string,
  ) {
    super(folder, witness)
    this.frontierId = idOf(seed)
    this.fence = fence
    this.onRepair = onRepair
    this.marks = [markPath(folder), ...(witness === undefined ? [] : [witness])].map(path => new SyncedMark(path))
  }

  /** As {@link JournalReader.readFrom}; later appends follow the last payload. */
  override readFrom(from: number, onPayload: OnPayload, isNew: boolean): number {
    const last = super.readFrom(from, onPayload, isNew)
    if (last === undefined) this.begin(from)
    else this.continueIn(last)
    return this.segment
  }

  next(): LogPosition {
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
    unlinkSync(this.name(segment))
    // A sync of it may still be under way.
    if (this.isSyncing) this.retired.push(fd)
    else closeSync(fd)
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
  override letGo(): void {
    super.letGo()
    for (const mark of this.marks) mark.close()
  }

  protected override opened(segment: number, isLast: boolean): number {
    return openSync(this.name(segment), isLast ? 'r+' : 'r')
  }

  protected override hasRead(bytes: number): void {
    this.end = bytes
    this.bytesSinceSnapshot += bytes
  }

  /** A crash between making the last segment and writing its header loses nothing that was acknowledged. */
  protected override tornHeader(segment: number): void {
    const fd = this.files.get(segment)!
    ftruncateSync(fd)
    writeAll(fd, headerFor(segment, this.files.has(segment - 1) ? this.end : 0), 0)
    this.onRepair(said('local/header-written', { path: this.name(segment) }))
  }

  protected override tornTail(segment: number, end: number, bytes: number): void {
    ftruncateSync(this.files.get(segment)!, end)
    this.onRepair(said('local/tail-cut-off', { path: this.name(segment), bytes, at: end }))
  }

  /** Continues a segment. A killed process may have left frames in it that now count and are not safe yet. */
  private continueIn(segment: number): void {
    fdatasyncSync(this.files.get(segment)!)
    this.segment = segment
    this.isSafeUpTo(this.end)
  }

  private begin(segment: number): void {
    const fd = openSync(this.name(segment), 'wx+')
    const hasOneBefore = this.files.has(this.segment)
    this.files.set(segment, fd)
    writeAll(fd, headerFor(segment, hasOneBefore ? this.end : 0), 0)
    fdatasyncSync(fd)
    syncFolder(this.folder)
    this.segment = segment
    this.end = HEADER_BYTES
    this.isSafeUpTo(HEADER_BYTES)
  }

  private isSafeUpTo(bytes: number): void {
    this.safeEnd = bytes
    for (const mark of this.marks) mark.write({ file: segmentName(this.segment), bytes, crc: this.frontierId })
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
        // Otherwise these bytes may be in a file that the new owner has replaced by a copy.
        this.hold()
        if (this.segment === segment) this.isSafeUpTo(end)
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
    this.failure ??= new EscalonaError('FRONTIER_STOPPED', { why: whyOf(error) }, { cause: error })
    return this.failure
  }
}
