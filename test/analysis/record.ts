// Runs a command file in this process with its accesses recorded.
import { startRecording } from '../../src/analysis/recording.ts'
import type { StrategyName } from '../../src/scheduler/strategy.ts'
import { runScript } from '../../src/script/run-script.ts'

export interface Recorded {
  readonly log: string
  readonly output: string
}

export interface RecordOptions {
  readonly strategy?: StrategyName
  /** The most that one read of the file gives. */
  readonly readBytes?: number
  readonly clock?: () => number
}

export function record(file: string | Buffer, options: RecordOptions = {}): Recorded {
  const { strategy = 'depth', readBytes = 1 << 20, clock = steps() } = options
  const bytes = typeof file === 'string' ? Buffer.from(file, 'latin1') : file
  const log: Buffer[] = []
  const output: Buffer[] = []
  let at = 0
  const source = {
    read(buffer: Buffer, offset: number, length: number): number {
      const got = bytes.copy(buffer, offset, at, at + Math.min(length, readBytes))
      at += got
      return got
    },
  }
  const recording = startRecording(source, { write: part => void log.push(Buffer.from(part)) }, clock)
  try {
    const run = runScript({
      source: recording.source,
      sink: { write: part => void output.push(Buffer.from(part)) },
      strategy,
      seed: [1, 2],
      onMistake: () => {},
    })
    while (!run.next().done);
  } finally {
    recording.end()
  }
  return { log: Buffer.concat(log).toString('latin1'), output: Buffer.concat(output).toString('latin1') }
}

/** A clock that goes on by a microsecond each time. */
function steps(): () => number {
  let ms = 1000
  return () => (ms += 0.001)
}
