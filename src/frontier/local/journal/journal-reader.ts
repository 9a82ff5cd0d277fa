import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { message } from '../../../base/messages/message.ts'
import { damaged } from '../memory/damaged.ts'
import { eachFrame, isTorn, isZero } from './frames.ts'
import type { TextSource } from './link-log.ts'
import {
  type Acknowledged,
  acknowledgedIn,
  bytesBeforeIn,
  HEADER_BYTES,
  type OnPayload,
  segmentNumbers,
  segmentPath,
} from './segment-files.ts'

/**
 * A journal that another process may be writing: read as far as it is whole, and never changed. Its files stay open, so
 * texts can be read from segments that their owner has removed meanwhile.
 */
export class JournalReader implements TextSource {
  protected readonly folder: string
  protected readonly files = new Map<number, number>()
  private readonly witness: string | undefined

  /** `witness`: see `LocalOptions`. */
  constructor(folder: string, witness?: string) {
    this.folder = folder
    this.witness = witness
  }

  /**
   * Reads every payload from segment `from` on, oldest first, up to a torn tail, if there is one. A journal that holds less
   * than was acknowledged is an error. Returns the last segment; none when there is no journal yet, which only a new frontier
   * may lack: nothing of it was ever acknowledged.
   */
  readFrom(from: number, onPayload: OnPayload, isNew = false): number | undefined {
    // Before the files, which grow meanwhile.
    const acknowledged = isNew ? { segment: 0, bytes: 0, frontierId: 0 } : acknowledgedIn(this.folder, this.witness)
    const numbers = segmentNumbers(this.folder)
    const newer = numbers.filter(number => number >= from)
    const last = newer.at(-1)
    const least = Math.max(acknowledged.segment, isNew ? 0 : from)
    for (let number = from; number <= Math.max(least, last ?? 0); number++) {
      if (!newer.includes(number)) throw damaged(this.name(number), 0, message('local/file-missing'))
    }
    for (const number of numbers) this.files.set(number, this.opened(number, number === last))
    for (const number of numbers) this.checkLength(number)
    for (const number of newer) {
      this.hasRead(this.readSegment(number, number === last, number === from && !isNew, acknowledged, onPayload))
    }
    return last
  }

  has(segment: number): boolean {
    return this.files.has(segment)
  }

  read(segment: number, at: number, into: Buffer): number {
    return readSync(this.files.get(segment)!, into, 0, into.length, at)
  }

  name(segment: number): string {
    return segmentPath(this.folder, segment)
  }

  /** Closes its files. */
  letGo(): void {
    for (const fd of this.files.values()) closeSync(fd)
    this.files.clear()
  }

  protected opened(segment: number, _isLast: boolean): number {
    return openSync(this.name(segment), 'r')
  }

  /** Called with the bytes of each segment that was read. */
  protected hasRead(_bytes: number): void {}

  /** The header of the last segment is being written, or a crash cut it off. */
  protected tornHeader(_segment: number): void {}

  /** The same, of a frame that begins at `end`. */
  protected tornTail(_segment: number, _end: number, _bytes: number): void {}

  /** `isBegun`: its header was safe before anything was acknowledged. */
  private readSegment(
    number: number,
    isLast: boolean,
    isBegun: boolean,
    acknowledged: Acknowledged,
    onPayload: OnPayload,
  ): number {
    const path = this.name(number)
    const all = readFileSync(this.files.get(number)!)
    const mustReach = number === acknowledged.segment ? acknowledged.bytes : isBegun ? HEADER_BYTES : 0
    if (bytesBeforeIn(all, number, path) === undefined) {
      if (all.length < mustReach)
        throw damaged(path, all.length, message('local/acknowledged-missing', { bytes: mustReach }))
      const isTornHeader = all.length < HEADER_BYTES || isZero(all, 0, all.length)
      if (!isLast || mustReach > 0 || !isTornHeader) throw damaged(path, 0, message('local/not-a-journal'))
      this.tornHeader(number)
      return HEADER_BYTES
    }
    const bytes = all.subarray(0, this.bytesBefore(number + 1) || all.length)
    const end = eachFrame(bytes, HEADER_BYTES, (payload, at) => onPayload(payload, { segment: number, at }))
    if (end < bytes.length && !(isLast && isTorn(bytes, end))) throw damaged(path, end, message('local/wrong-checksum'))
    if (end < mustReach) throw damaged(path, end, message('local/acknowledged-missing', { bytes: mustReach }))
    if (end < bytes.length) this.tornTail(number, end, bytes.length - end)
    return end
  }

  private checkLength(segment: number): void {
    const { size } = fstatSync(this.files.get(segment)!)
    if (this.bytesBefore(segment + 1) > size) throw damaged(this.name(segment), size, message('local/end-missing'))
  }

  /** How long the segment before this one was when it began; 0 when that is not known. */
  private bytesBefore(segment: number): number {
    if (!this.files.has(segment)) return 0
    const header = Buffer.alloc(HEADER_BYTES)
    this.read(segment, 0, header)
    return bytesBeforeIn(header, segment, this.name(segment)) ?? 0
  }
}
