import { type Pause, runScript, type ScriptResult } from '../../src/script/run-script.ts'
import type { OracleResult, Strategy } from '../model/oracle.ts'

/** How the input reaches the scheduler. */
export interface Reading {
  /** The size of the chunks that are filled. */
  readonly windowBytes?: number
  /** The most that one read gives, as with a slow pipe. */
  readonly readBytes?: number
}

/** Far more than any test writes: a list that runs in a circle must not hang the tests. */
const MOST_OUTPUT_BYTES = 1 << 26

/** Runs a command file without a process around it. */
export function runInProcess(file: Buffer, strategy: Strategy, reading: Reading = {}): OracleResult {
  const { windowBytes, readBytes = file.length } = reading
  const written: Buffer[] = []
  const mistakes: number[] = []
  let at = 0
  let left = MOST_OUTPUT_BYTES
  const run = runScript({
    source: {
      read(buffer, offset, length) {
        const bytes = file.copy(buffer, offset, at, at + Math.min(length, readBytes))
        at += bytes
        return bytes
      },
    },
    sink: {
      write(bytes) {
        written.push(Buffer.from(bytes))
        if ((left -= bytes.length) < 0) throw new Error('the output does not end')
      },
    },
    strategy,
    seed: [file.length, strategy.length],
    onMistake: line => void mistakes.push(line),
    ...(windowBytes === undefined ? {} : { windowBytes }),
  })
  const { counts } = toEnd(run)
  return { output: Buffer.concat(written), mistakes, counts }
}

function toEnd(run: Generator<Pause, ScriptResult, void>): ScriptResult {
  for (;;) {
    const step = run.next()
    if (step.done) return step.value
  }
}
