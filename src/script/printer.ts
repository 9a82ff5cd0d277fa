import { type Chunk, copyBytes, LF, newChunk, wordOf } from '../base/bytes.ts'
import type { SchedulerCore } from '../scheduler/core.ts'
import type { HostId, Slot } from '../scheduler/depth-lists.ts'
import { SCHEME } from '../url/classic.ts'

/** Where bytes go. They may be used only until `write` returns. */
export interface ByteSink {
  write(bytes: Buffer): void
}

const BUFFER_BYTES = 1 << 18
const HTTP = wordOf(SCHEME.slice(0, 4))
const P_COLON_SLASHES = wordOf(SCHEME.slice(3))

/** Writes URLs and hosts, one a line, into a buffer that goes to the sink whenever it is full. */
export class Printer {
  /** How often the buffer has gone out. */
  flushes = 0
  private readonly core: SchedulerCore
  private readonly sink: ByteSink
  private readonly buffer = newChunk(BUFFER_BYTES)
  private at = 0

  constructor(core: SchedulerCore, sink: ByteSink) {
    this.core = core
    this.sink = sink
  }

  url(slot: Slot): void {
    const { urls } = this.core
    const length = urls.length(slot)
    this.makeRoom(SCHEME.length + length + 1)
    const { view } = this.buffer
    view.setInt32(this.at, HTTP, true)
    view.setInt32(this.at + 3, P_COLON_SLASHES, true)
    this.at += SCHEME.length
    this.line(urls.chunk(slot), urls.offset(slot), length)
  }

  host(host: HostId): void {
    const { hosts } = this.core
    const length = hosts.nameLength(host)
    this.makeRoom(length + 1)
    this.line(hosts.nameChunk(host), hosts.nameOffset(host), length)
  }

  flush(): void {
    if (this.at > 0) this.sink.write(this.buffer.bytes.subarray(0, this.at))
    this.at = 0
    this.flushes++
  }

  private makeRoom(bytes: number): void {
    if (this.at + bytes > BUFFER_BYTES) this.flush()
  }

  private line(chunk: Chunk, offset: number, length: number): void {
    const { bytes, view } = this.buffer
    if (length > BUFFER_BYTES / 2) {
      this.flush()
      this.sink.write(chunk.bytes.subarray(offset, offset + length))
    } else {
      copyBytes(chunk.view, offset, length, view, this.at)
      this.at += length
    }
    bytes[this.at++] = LF
  }
}
