import type { Clock } from '../../base/clock.ts'
import { runScript } from '../../script/run-script.ts'
import type { LogSink } from '../access-log.ts'
import { ORIGINAL_LOAD } from '../original-load.ts'
import { startRecording } from '../recording.ts'

/** Fixed, so that the places in the hash tables are always the same. */
const SEED = [1, 2] as const

/** Runs the original's load depth-first, and records its accesses. */
export function recordOriginal(sink: LogSink, clock: Clock): void {
  const file = Buffer.from(ORIGINAL_LOAD)
  let at = 0
  const memory = {
    read(buffer: Buffer, offset: number, length: number): number {
      const got = file.copy(buffer, offset, at, at + length)
      at += got
      return got
    },
  }
  const recording = startRecording(memory, sink, clock)
  try {
    const run = runScript({
      source: recording.source,
      sink: { write() {} },
      strategy: 'depth',
      seed: SEED,
      expectedBytes: file.length,
      onMistake() {},
    })
    while (!run.next().done);
  } finally {
    recording.end()
  }
}
