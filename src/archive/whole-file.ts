import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { writeAll } from '../base/write-all.ts'

/** What a file is called behind its name while it is written. */
export const UNFINISHED = '.new'

/** Replaces a file at once: it is written beside its place, synced and renamed. `fill` is handed the way to write. */
export function replaceFile(path: string, fill: (write: (bytes: Uint8Array) => void) => void): void {
  const beside = path + UNFINISHED
  const fd = openSync(beside, 'w')
  try {
    fill(bytes => writeAll(fd, bytes))
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(beside, path)
}
