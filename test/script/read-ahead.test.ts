import assert from 'node:assert/strict'
import { once } from 'node:events'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { Pieces } from '../../src/scheduler/pieces.ts'
import { StoreMemory } from '../../src/scheduler/store-memory.ts'
import { ReadAhead } from '../../src/script/read-ahead.ts'
import { AT_START } from '../../src/script/script-reader.ts'
import { temporaryFolder } from '../cli/run-cli.ts'

const WINDOW_BYTES = 1 << 18
/** More than the ring holds, so that the thread waits until chunks are used. */
const LINES = 20_000
const LINE = `VER_HOST ${'h'.repeat(50)}.org\n`

interface Started {
  readonly ahead: ReadAhead
  readonly worker: Worker
  /** How many commands the chunks hold; rejects with what the chunks throw. */
  commands(): Promise<number>
}

/** A thread that has begun to read a file. */
function started(t: TestContext): Started {
  const path = join(temporaryFolder(t), 'commands.txt')
  writeFileSync(path, LINE.repeat(LINES))
  const fd = openSync(path, 'r')
  const ahead = new ReadAhead(new Pieces(new StoreMemory()), [1, 2], WINDOW_BYTES)
  t.after(() => {
    ahead.end()
    closeSync(fd)
  })
  ahead.waitUntilReady()
  ahead.goOnFrom({ path, fd, at: 0 }, AT_START)
  const commands = async () => {
    let count = 0
    for (const chunk of ahead.chunks(() => {})) {
      count += [...(chunk?.parts() ?? [])].length
      await turn()
    }
    return count
  }
  const worker = Reflect.get(ahead, 'worker') as Worker
  // The tests wait for it; a run does not.
  worker.ref()
  return { ahead, worker, commands }
}

test('read ahead: a thread that has read to the end may be over before its last chunks are used', {
  timeout: 20_000,
}, async t => {
  const { ahead, worker } = started(t)
  const exited = once(worker, 'exit')
  let count = 0
  for (const chunk of ahead.chunks(() => {})) {
    count += [...(chunk?.parts() ?? [])].length
    // The ring has room for all that is left.
    if (count > LINES * 0.95) await exited
    else await turn()
  }
  assert.equal(count, LINES)
})

test('read ahead: a thread that ends without an error, and too early, is not waited for', {
  timeout: 20_000,
}, async t => {
  const { worker, commands } = started(t)
  await worker.terminate()
  await assert.rejects(commands(), { code: 'SCRIPT_THREAD_LOST', message: /run the command again/ })
})
