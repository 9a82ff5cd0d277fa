import type { TextSource } from './link-log.ts'

const BYTES_BEFORE = 1 << 16
const BYTES_AFTER = 3 << 16

/**
 * Buffers a part of a log, for reading links in their order: one read gets hundreds of them. A log never changes, so what
 * was read stays right.
 */
export class TextWindow implements TextSource {
  private readonly log: TextSource
  private readonly bytes = Buffer.allocUnsafeSlow(BYTES_BEFORE + BYTES_AFTER)
  private segment = 0
  private start = 0
  private end = 0

  constructor(log: TextSource) {
    this.log = log
  }

  read(segment: number, at: number, into: Buffer): number {
    const isInside = segment === this.segment && at >= this.start && at + into.length <= this.end
    if (!isInside) this.move(segment, at)
    return at > this.end ? 0 : this.bytes.copy(into, 0, at - this.start, this.end - this.start)
  }

  name(segment: number): string {
    return this.log.name(segment)
  }

  private move(segment: number, at: number): void {
    this.segment = segment
    this.start = Math.max(0, at - BYTES_BEFORE)
    this.end = this.start + this.log.read(segment, this.start, this.bytes)
  }
}
