import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Makes sure that files made or renamed in a folder are there after a crash. */
export function syncFolder(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
