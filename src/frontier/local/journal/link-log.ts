/** Where a frame begins, and so the links in it. */
export interface LogPosition {
  readonly segment: number
  readonly at: number
}

/** Where texts of links are read from. */
export interface TextSource {
  /** Fills `into` with the bytes from `at` on, as far as the segment goes; returns how many. */
  read(segment: number, at: number, into: Buffer): number
  /** A segment's name in messages. */
  name(segment: number): string
}

/**
 * An append-only log of frames, in numbered segments. Link texts are read back from it, so they are kept nowhere else. On
 * disk it is the frontier's journal; in memory it just holds the texts.
 */
export interface LinkLog extends TextSource {
  /** Where the next frame's payload will begin; known before it is written, since links are found by it. */
  next(): LogPosition
  append(payload: Uint8Array): void
  /** It failed; nothing more can be appended. */
  readonly hasStopped: boolean
  /** Throws when the log has stopped. */
  check(): void
  /** Resolves when everything appended so far is safe. */
  commit(): Promise<void>
  /** The number of the segment that is being written; older ones can be dropped. */
  readonly segment: number
  drop(segment: number): void
  close(): Promise<void>
}

/** A segment in memory; it grows to this by doubling, and a short copy is a short pause. */
const MEMORY_SEGMENT_BYTES = 1 << 22

/** Without a folder: segments of bytes. */
export class MemoryLog implements LinkLog {
  segment = 1
  readonly hasStopped = false
  private readonly segments = new Map<number, Buffer>()
  private end = 0

  next(): LogPosition {
    return { segment: this.segment, at: this.end }
  }

  append(payload: Uint8Array): void {
    let bytes = this.segments.get(this.segment) ?? Buffer.alloc(0)
    if (this.end + payload.length > bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.end + payload.length, bytes.length * 2, 1 << 16))
      bytes.copy(larger, 0, 0, this.end)
      this.segments.set(this.segment, larger)
      bytes = larger
    }
    bytes.set(payload, this.end)
    this.end += payload.length
    if (this.end < MEMORY_SEGMENT_BYTES) return
    this.segment++
    this.end = 0
  }

  read(segment: number, at: number, into: Buffer): number {
    const bytes = this.segments.get(segment)
    // What is after the end will be overwritten.
    return bytes?.subarray(at, segment === this.segment ? this.end : bytes.length).copy(into) ?? 0
  }

  check(): void {}

  async commit(): Promise<void> {}

  drop(segment: number): void {
    this.segments.delete(segment)
  }

  name(segment: number): string {
    return `segment ${segment} in memory`
  }

  async close(): Promise<void> {
    this.segments.clear()
  }
}
