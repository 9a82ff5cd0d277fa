import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { damaged } from './damaged.ts'
import { eachFrame, isTorn } from './frames.ts'
import { LOG_VERSION, type TextSource } from './link-log.ts'
import { HEADER_BYTES, headerIn, type OnPayload, segmentNumbers, segmentPath } from './segment-files.ts'
import { words } from './words.ts'

/**
 * A journal that another process may be writing: read as far as it is whole, and never changed. Its files stay open, so
 * texts can be read from segments that their owner has removed meanwhile.
 */
export class JournalReader implements TextSource {
  private readonly folder: string
  private readonly files = new Map<number, number>()
  private readonly old = new Set<number>()

  constructor(folder: string) {
    this.folder = folder
  }

  /** Reads every payload from segment `from` on, oldest first, up to a torn tail, if there is one. */
  readFrom(from: number, onPayload: OnPayload): void {
    const numbers = segmentNumbers(this.folder)
    const newer = numbers.filter(number => number >= from)
    for (const [i, number] of newer.entries()) {
      if (number !== from + i) throw damaged(this.name(from + i), 0, words().fileMissing)
    }
    if (newer.length === 0) throw damaged(this.name(from), 0, words().fileMissing)
    for (const number of numbers) this.files.set(number, openSync(this.name(number), 'r'))
    for (const number of numbers) if (this.headerOf(number).version === 2) this.old.add(number)
    for (const number of newer) this.readSegment(number, number === newer.at(-1), onPayload)
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

  version(segment: number): number {
    return this.old.has(segment) ? 2 : LOG_VERSION
  }

  /** Closes its files. */
  letGo(): void {
    for (const fd of this.files.values()) closeSync(fd)
    this.files.clear()
  }

  private headerOf(segment: number) {
    const header = Buffer.alloc(HEADER_BYTES)
    if (this.files.has(segment)) this.read(segment, 0, header)
    return headerIn(header, segment)
  }

  private readSegment(number: number, isLast: boolean, onPayload: OnPayload): void {
    const all = readFileSync(this.files.get(number)!)
    if (headerIn(all, number).version === 0) {
      // Its header is being written.
      if (isLast && all.length <= HEADER_BYTES) return
      throw damaged(this.name(number), 0, words().notAJournal)
    }
    const { bytesBefore } = this.headerOf(number + 1)
    if (bytesBefore > all.length) throw damaged(this.name(number), all.length, words().endMissing)
    const bytes = bytesBefore === 0 ? all : all.subarray(0, bytesBefore)
    const version = this.version(number)
    const end = eachFrame(bytes, HEADER_BYTES, (payload, at) => onPayload(payload, { segment: number, at }, version))
    if (end < bytes.length && !(isLast && isTorn(bytes, end)))
      throw damaged(this.name(number), end, words().wrongChecksum)
  }
}
