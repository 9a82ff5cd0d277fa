import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  unlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { EscalonaError } from '../../base/errors.ts'
import { syncFolder } from '../../base/sync-folder.ts'
import { reasonOf } from '../../base/system-error.ts'
import { writeAll } from '../../base/write-all.ts'
import { damaged } from './damaged.ts'
import { FRAME_BYTES, isTorn, isZero, payloadLength, writeHead } from './frames.ts'
import { type LinkLog, type Place, SEGMENT_BYTES } from './link-log.ts'

/**
 * A segment begins with 16 bytes: `ESCJ`, version (32 bits), its number (32 bits), 0. Then come frames: see `frames.ts`.
 */
const MAGIC = Buffer.from('ESCJ')
const VERSION = 2
const HEADER_BYTES = 16
/** A journal that was begun and has no frame yet. */
export const EMPTY_JOURNAL_BYTES = HEADER_BYTES

const sync = promisify(fdatasync)

type OnPayload = (payload: Buffer, place: Place) => void

/**
 * The journal on disk. What is appended is written at once and safe after the next commit; commits that come while one
 * is under way share the next. An error stops it for good: what was not acknowledged may be lost, and nothing else.
 */
export class Journal implements LinkLog {
  segment = 0
  /** Bytes of frames behind the newest snapshot. */
  bytesSinceSnapshot = 0
  private readonly folder: string
  private readonly files = new Map<number, number>()
  private end = HEADER_BYTES
  /** How many bytes of the segment are safe. */
  private safeEnd = HEADER_BYTES
  private readonly head = Buffer.alloc(FRAME_BYTES)
  private waiting: { resolve(): void; reject(error: unknown): void }[] = []
  private isSyncing = false
  /** Files that are dropped and wait for the end of a sync. */
  private readonly retired: number[] = []
  private isAllSafe = true
  private failure: EscalonaError | undefined

  constructor(folder: string) {
    this.folder = folder
  }

  /**
   * Reads every payload from segment `from` on, oldest first, and goes on behind the last. A torn tail is cut off and
   * told; anything else that is wrong is an error. In a new frontier there may be nothing yet.
   */
  readFrom(from: number, isNew: boolean, onPayload: OnPayload, onRepair: (message: string) => void): void {
    const { folder, files } = this
    const numbers = segmentNumbers(folder)
    const newer = numbers.filter(number => number >= from)
    for (const [i, number] of newer.entries()) {
      if (number !== from + i) throw damaged(segmentPath(folder, from + i), 0, 'the file is missing')
    }
    const last = newer.at(-1)
    for (const number of newer) {
      this.end = readSegment(folder, number, number === last, onPayload, onRepair)
      this.bytesSinceSnapshot += this.end
    }
    for (const number of numbers) files.set(number, openSync(segmentPath(folder, number), number === last ? 'r+' : 'r'))
    if (last !== undefined) this.goOn(last)
    else if (isNew) this.begin(from)
    else throw damaged(segmentPath(folder, from), 0, 'the file is missing')
  }

  /** Whether a segment is there to read from. */
  has(segment: number): boolean {
    return this.files.has(segment)
  }

  next(): Place {
    if (this.end >= SEGMENT_BYTES) this.rotate()
    return { segment: this.segment, at: this.end + FRAME_BYTES }
  }

  append(payload: Uint8Array): void {
    this.check()
    const fd = this.files.get(this.segment)!
    writeHead(this.head, payload, this.safeEnd)
    try {
      writeAll(fd, this.head, this.end)
      writeAll(fd, payload, this.end + FRAME_BYTES)
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
    if (this.isAllSafe) return
    await new Promise<void>((resolve, reject) => {
      this.waiting.push({ resolve, reject })
      if (!this.isSyncing) void this.syncAll()
    })
  }

  /** Closes the segment and begins the next: what is in it is safe. */
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
    // A sync of it may still be under way.
    if (this.isSyncing) this.retired.push(fd)
    else closeSync(fd)
  }

  name(segment: number): string {
    return segmentPath(this.folder, segment)
  }

  /** The segments there are, oldest first. */
  segments(): number[] {
    return [...this.files.keys()].sort((a, b) => a - b)
  }

  async close(): Promise<void> {
    if (this.failure === undefined) await this.commit()
    for (const fd of this.files.values()) closeSync(fd)
    this.files.clear()
  }

  /** A process that was killed may have left frames in this segment that are not safe yet, and now count. */
  private goOn(segment: number): void {
    fdatasyncSync(this.files.get(segment)!)
    this.segment = segment
    this.safeEnd = this.end
  }

  private begin(segment: number): void {
    const fd = openSync(segmentPath(this.folder, segment), 'wx+')
    writeAll(fd, headerOf(segment), 0)
    fdatasyncSync(fd)
    syncFolder(this.folder)
    this.files.set(segment, fd)
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

  check(): void {
    if (this.failure !== undefined) throw this.failure
  }

  private fail(error: unknown, undo?: () => void): EscalonaError {
    try {
      undo?.()
    } catch {
      // Half a frame stays behind; the next opening cuts it off.
    }
    const message = `the frontier has stopped: ${reasonOf(error)}; nothing acknowledged is lost, open it again after that`
    this.failure ??= new EscalonaError('FRONTIER_STOPPED', message, { cause: error })
    return this.failure
  }
}

function segmentPath(folder: string, segment: number): string {
  return join(folder, `journal-${String(segment).padStart(8, '0')}.log`)
}

function segmentNumbers(folder: string): number[] {
  return readdirSync(folder)
    .map(name => /^journal-(\d{8})\.log$/.exec(name)?.[1])
    .filter(digits => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b)
}

function readSegment(
  folder: string,
  number: number,
  isLast: boolean,
  onPayload: OnPayload,
  onRepair: (message: string) => void,
): number {
  const path = segmentPath(folder, number)
  const bytes = readFileSync(path)
  if (!bytes.subarray(0, HEADER_BYTES).equals(headerOf(number))) {
    // A crash between making the last segment and writing its header leaves nothing that anybody was told of.
    const isTornHeader = bytes.length < HEADER_BYTES || isZero(bytes, 0, bytes.length)
    if (!isLast || !isTornHeader) throw damaged(path, 0, 'it is not a journal of this version')
    rewriteHeader(path, number)
    onRepair(`${path}: the header was cut off; written again`)
    return HEADER_BYTES
  }
  let at = HEADER_BYTES
  while (at < bytes.length) {
    const length = payloadLength(bytes, at)
    if (length < 0 && isLast && isTorn(bytes, at)) {
      const fd = openSync(path, 'r+')
      ftruncateSync(fd, at)
      fdatasyncSync(fd)
      closeSync(fd)
      onRepair(`${path}: ${bytes.length - at} bytes of a torn tail were cut off at ${at}`)
      return at
    }
    if (length < 0) throw damaged(path, at, 'the checksum is wrong')
    onPayload(bytes.subarray(at + FRAME_BYTES, at + FRAME_BYTES + length), { segment: number, at: at + FRAME_BYTES })
    at += FRAME_BYTES + length
  }
  return at
}

function headerOf(segment: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  MAGIC.copy(header)
  header.writeUInt32LE(VERSION, 4)
  header.writeUInt32LE(segment, 8)
  return header
}

function rewriteHeader(path: string, segment: number): void {
  const fd = openSync(path, 'r+')
  writeAll(fd, headerOf(segment), 0)
  fdatasyncSync(fd)
  closeSync(fd)
}
