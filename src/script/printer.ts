import { LF } from '../base/structures/bytes.ts'
import type { SchedulerCore } from '../scheduler/core.ts'
import { SCHEME } from '../url/classic-kernel.ts'

/** Where bytes go. They may be used only until `write` returns. */
export interface ByteSink {
  write(bytes: Buffer): void
}

/** Writes URLs and hosts, one per line, into a buffer that goes to the sink whenever it is full. */
export class Printer {
  private readonly core: SchedulerCore
  private readonly sink: ByteSink

  constructor(core: SchedulerCore, sink: ByteSink) {
    this.core = core
    this.sink = sink
  }

  /** Writes the URLs whose slots stand at an address, so many. Pauses whenever the buffer has gone out. */
  *urls(slotsAt: number, count: number): Generator<void, void, void> {
    const { lines } = this.core
    for (let done = 0; done < count; ) {
      const written = lines.addUrls(slotsAt + 4 * done, count - done)
      done += written
      if (done === count) return
      const isTooLong = written === 0 && lines.isEmpty
      this.flush()
      if (isTooLong) this.long(SCHEME, this.core.urls.text(this.core.slotAt(slotsAt + 4 * done++)))
      yield
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
      this.flush()
      if (isTooLong) this.long('', hosts.nameBytes(host++))
      yield
    }
  }

  flush(): void {
    const { lines } = this.core
    if (!lines.isEmpty) this.sink.write(lines.take())
  }

  /** A line that is longer than the buffer. */
  private long(prefix: string, text: Buffer): void {
    if (prefix !== '') this.sink.write(Buffer.from(prefix, 'latin1'))
    this.sink.write(text)
    this.sink.write(Buffer.of(LF))
  }
}
