import { copyBytes, LF, newChunk, wordOf } from '../base/structures/bytes.ts'
import type { SchedulerCore } from '../scheduler/core.ts'
import type { HostId } from '../scheduler/hosts.ts'
import { lengthOf } from '../scheduler/text-arena.ts'
import { SCHEME } from '../url/classic.ts'

/** Where bytes go. They may be used only until `write` returns. */
export interface ByteSink {
  write(bytes: Buffer): void
}

const BUFFER_BYTES = 1 << 18
/** How many URLs are written at a time: their texts are read ahead, so that the waits for memory overlap. */
const BATCH = 256

const HTTP = wordOf(SCHEME.slice(0, 4))
const P_COLON_SLASHES = wordOf(SCHEME.slice(3))
/** What a line has besides the text of its URL. */
const LINE_BYTES = SCHEME.length + 1

/** Writes URLs and hosts, one per line, into a buffer that goes to the sink whenever it is full. */
export class Printer {
  /** How often the buffer has gone out. */
  flushes = 0
  private readonly core: SchedulerCore
  private readonly sink: ByteSink
  private readonly buffer = newChunk(BUFFER_BYTES)
  private end = 0
  private readonly at = new Int32Array(BATCH)
  private readonly where = new Int32Array(BATCH)
  /** See {@link TextArena.readAhead}. */
  protected readSum = 0

  constructor(core: SchedulerCore, sink: ByteSink) {
    this.core = core
    this.sink = sink
  }

  /** Writes the URLs of these slots, at most {@link BATCH}. */
  urls(slots: Int32Array, count: number): void {
    this.write(this.at, this.where, count, this.core.urls.locate(slots, count, this.at, this.where))
  }

  /** Writes the URLs that were taken last. */
  taken(count: number): void {
    const { leftAt, leftWhere, leftBytes } = this.core.urls
    this.write(leftAt, leftWhere, count, leftBytes)
  }

  private write(at: Int32Array, where: Int32Array, count: number, textBytes: number): void {
    const { texts } = this.core.urls
    const bytes = textBytes + count * LINE_BYTES
    if (this.end + bytes > BUFFER_BYTES) this.flush()
    if (bytes > BUFFER_BYTES) {
      this.longUrls(at, where, count)
      return
    }
    this.readSum = texts.readAhead(at, where, count)
    const { view } = this.buffer
    let end = this.end
    for (let i = 0; i < count; i++) {
      const length = lengthOf(where[i]!)
      view.setInt32(end, HTTP, true)
      view.setInt32(end + 3, P_COLON_SLASHES, true)
      copyBytes(texts.regionOf(where[i]!).view, at[i]!, length, view, end + SCHEME.length)
      end += length + LINE_BYTES
      view.setUint8(end - 1, LF)
    }
    this.end = end
  }

  host(host: HostId): void {
    const { hosts } = this.core
    this.line('', hosts.nameView(host), hosts.nameAt(host), hosts.nameLength(host))
  }

  flush(): void {
    if (this.end > 0) this.sink.write(this.buffer.bytes.subarray(0, this.end))
    this.end = 0
    this.flushes++
  }

  /** URLs that together are longer than the buffer. */
  private longUrls(at: Int32Array, where: Int32Array, count: number): void {
    for (let i = 0; i < count; i++) {
      this.line(SCHEME, this.core.urls.texts.regionOf(where[i]!).view, at[i]!, lengthOf(where[i]!))
    }
  }

  private line(prefix: string, from: DataView, at: number, length: number): void {
    const { bytes, view } = this.buffer
    if (this.end + length + LINE_BYTES > BUFFER_BYTES) this.flush()
    if (prefix !== '') this.end += bytes.write(prefix, this.end, 'latin1')
    if (length + LINE_BYTES > BUFFER_BYTES) {
      this.flush()
      this.sink.write(Buffer.from(from.buffer, from.byteOffset + at, length))
    } else {
      copyBytes(from, at, length, view, this.end)
      this.end += length
    }
    bytes[this.end++] = LF
  }
}
