import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ReadAhead } from '../../src/script/read-ahead.ts'
import { type FileAhead, type Pause, runScript, type ScriptResult } from '../../src/script/run-script.ts'
import type { OracleResult, Strategy } from '../model/oracle.ts'

/** How the input reaches the scheduler. */
export interface Reading {
  /** The size of the chunks that are filled. */
  readonly windowBytes?: number
  /** The most that one read gives, as with a slow pipe. */
  readonly readBytes?: number
  /** Given, a second thread reads ahead, from when this function returns true. */
  readonly isReadAhead?: () => boolean
}

/** Far more than any test writes: a list that runs in a circle must not hang the tests. */
const MOST_OUTPUT_BYTES = 1 << 26

/** Runs a command file without a process around it. */
export function runInProcess(file: Buffer, strategy: Strategy, reading: Reading = {}): OracleResult {
  const { windowBytes, readBytes = file.length, isReadAhead } = reading
  const written: Buffer[] = []
  const mistakes: number[] = []
  const ahead = isReadAhead && openAhead(file, isReadAhead, () => at)
  let at = 0
  let left = MOST_OUTPUT_BYTES
  let behind: Buffer = Buffer.alloc(0)
  const run = runScript({
    source: {
      read(buffer, offset, length) {
        const bytes = file.copy(buffer, offset, at, at + Math.min(length, readBytes))
        at += bytes
        return bytes
      },
    },
    sink: {
      // What is written behind is read as late as it may be.
      write(bytes) {
        written.push(Buffer.from(behind))
        behind = bytes
        if ((left -= bytes.length) < 0) throw new Error('the output does not end')
      },
    },
    strategy,
    seed: [file.length, strategy.length],
    onMistake: line => void mistakes.push(line),
    ...(windowBytes === undefined ? {} : { windowBytes }),
    ...(ahead && { ahead }),
  })
  const { counts } = toEnd(run)
  ahead?.close()
  return { output: Buffer.concat([...written, behind]), mistakes, counts }
}

function toEnd(run: Generator<Pause, ScriptResult, void>): ScriptResult {
  for (;;) {
    const step = run.next()
    if (step.done) return step.value
  }
}

/** A file on disk, with a thread that is waited for: otherwise a short file ends before it has started. */
function openAhead(file: Buffer, isReady: () => boolean, at: () => number): FileAhead & { close(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'escalona-ahead-'))
  const path = join(folder, 'commands.txt')
  writeFileSync(path, file)
  const fd = openSync(path, 'r')
  class AwaitedThread extends ReadAhead {
    override get isReady(): boolean {
      if (!isReady()) return false
      this.waitUntilReady()
      return true
    }
  }
  return {
    start: (...given) => new AwaitedThread(...given),
    place: () => ({ path, fd, at: at() }),
    onRead: () => {},
    close() {
      closeSync(fd)
      rmSync(folder, { recursive: true })
    },
  }
}
