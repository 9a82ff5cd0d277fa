// Acquires the lock of a folder at a given time, says how it went, and keeps it until its input ends:
//   node hold-lock.js FOLDER [AT_MS [LOG]]
// With a log it appends a line every few milliseconds, each after a check, until it has lost the folder.
import { closeSync, openSync, writeSync } from 'node:fs'
import { EscalonaError } from '../../../src/base/errors.ts'
import { FolderLock } from '../../../src/base/files/folder-lock.ts'
import { BEAT_MS, WAIT_MS } from './lock-times.ts'

const [, , folder = '', atMs = '0', log] = process.argv
await new Promise(resolve => setTimeout(resolve, Math.max(0, Number(atMs) - Date.now() - 20)))
while (Date.now() < Number(atMs)) {
  // The last milliseconds are waited for in a circle, so that all come at the same time.
}
await guarded(async () => {
  const onWait = () => say('waits')
  const lock = await FolderLock.acquire(folder, { beatMs: BEAT_MS, waitMs: WAIT_MS, onWait })
  say(lock.tookOver ? 'took over' : 'open')
  const writing = log === undefined ? undefined : setInterval(() => guarded(() => append(lock, log)), 3)
  process.stdin.resume().once('end', () => {
    clearInterval(writing)
    lock.release()
  })
})

function append(lock: FolderLock, path: string): void {
  lock.check()
  const fd = openSync(path, 'a')
  writeSync(fd, `${process.pid}\n`)
  closeSync(fd)
}

async function guarded(work: () => unknown): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof EscalonaError)) throw error
    say(error.code)
    process.exit()
  }
}

function say(line: string): void {
  writeSync(1, `${line}\n`)
}
