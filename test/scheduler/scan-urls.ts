// URLs as the scheduler's inner parts get them: rows of a kernel.
import type { SchedulerCore } from '../../src/scheduler/core.ts'
import { Pieces } from '../../src/scheduler/pieces.ts'
import type { Scheduler } from '../../src/scheduler/scheduler.ts'
import { StoreMemory } from '../../src/scheduler/store-memory.ts'
import { ClassicKernel } from '../../src/url/classic-kernel.ts'

export function newKernel(): ClassicKernel {
  return new ClassicKernel([1, 2])
}

export function newPieces(): Pieces {
  return new Pieces(new StoreMemory())
}

/** Scans texts that begin behind `http://` and are canonical already; gives `visit` rows, at most 1,024 at a time. */
export function scanUrls(kernel: ClassicKernel, texts: readonly string[], visit: (rows: number, from: number) => void) {
  const lines = Buffer.from(texts.map(text => `http://${text}\n`).join(''), 'latin1')
  kernel.reserve(lines.length)
  lines.copy(kernel.bytes, kernel.start)
  const to = kernel.start + lines.length
  for (let at = kernel.start, from = 0; at < to; at = kernel.next) {
    const rows = kernel.scan(at, to, texts.length)
    if (rows !== kernel.lines) throw new Error('a text of the test is not accepted')
    visit(rows, from)
    from += rows
  }
}

/** Bytes of all typed arrays and buffers that are alive. */
export function arrayBytes(): number {
  return process.memoryUsage().arrayBuffers
}

/** Bytes of all memory of a scheduler, used or not. */
export function schedulerBytes(scheduler: Scheduler): number {
  const { memory } = Reflect.get(scheduler, 'core') as SchedulerCore
  return memory.bytes.length + arrayBytes()
}
