import { LF } from '../base/structures/bytes.ts'
import type { SchedulerCore } from '../scheduler/core.ts'
import { SCHEME } from '../url/classic-kernel.ts'

/** Where bytes go. Those of one `write` stay as they are until the next. */
export interface ByteSink {
  write(bytes: Buffer): void
}

/** Writes URLs and hosts, one per line, into a buffer that goes to the sink whenever it is full; it pauses before each time. */
export class Printer {
  private readonly core: SchedulerCore
  private readonly sink: ByteSink

  constructor(core: SchedulerCore, sink: ByteSink) {
    this.core = core
    this.sink = sink
  }

  /** Writes the URLs whose slots stand at an address, so many. */
  *urls(slotsAt: number, count: number): Generator<void, void, void> {
    const { lines } = this.core
    for (let done = 0; done < count; ) {
      const written = lines.addUrls(slotsAt + 4 * done, count - done)
      done += written
      if (done === count) return
      const isTooLong = written === 0 && lines.isEmpty
      if (isTooLong) yield* this.long(SCHEME, this.core.urls.text(this.core.slotAt(slotsAt + 4 * done++)))
      else yield* this.flush()
    }
  }

  /** Writes the names of all known hosts, the same way. */
  *hosts(): Generator<void, void, void> {
    const { lines, hosts } = this.core
    for (let host = 1; host <= hosts.known; ) {
      const written = lines.addHosts(host, hosts.known + 1 - host)
      host += written
      if (host > hosts.known) return
      const isTooLong = written === 0 && lines.isEmpty
      if (isTooLong) yield* this.long('', hosts.nameBytes(host++))
      else yield* this.flush()
    }
  }

  *flush(): Generator<void, void, void> {
    const { lines } = this.core
    if (lines.isEmpty) return
    yield
    this.sink.write(lines.take())
  }

  /** A line that is longer than the buffer. Its text is where it stands, and out before anything moves it. */
  private *long(prefix: string, text: Buffer): Generator<void, void, void> {
    for (const part of [Buffer.from(prefix, 'latin1'), text, Buffer.of(LF)]) {
      yield
      this.sink.write(part)
    }
  }
}
