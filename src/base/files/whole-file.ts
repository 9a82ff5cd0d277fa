import { fsyncSync, readSync, renameSync } from 'node:fs'
import { withFile } from './open-file.ts'
import { writeAll } from './write-all.ts'

/** What a file is called after its name while it is written. */
export const UNFINISHED = '.new'
const COPY_BYTES = 1 << 20

/** Written beside its place, synced and renamed. */
export function replaceFile(path: string, fill: Fill): void {
  writeBeside(path, fill)
  renameSync(path + UNFINISHED, path)
}

/** A process that still has the file open writes into nothing from then on. `fence` is called before each piece, and before the rename. */
export function replaceByCopy(path: string, fence: () => void): void {
  withFile(path, 'r', from => {
    const piece = Buffer.allocUnsafe(COPY_BYTES)
    writeBeside(path, write => {
      for (let got = readSync(from, piece); got > 0; got = readSync(from, piece)) {
        fence()
        write(piece.subarray(0, got))
      }
    })
  })
  fence()
  // It is closed by now: Windows renames nothing over a file that this process has open.
  renameSync(path + UNFINISHED, path)
}

type Fill = (write: (bytes: Uint8Array) => void) => void

function writeBeside(path: string, fill: Fill): void {
  withFile(path + UNFINISHED, 'w', fd => {
    fill(bytes => writeAll(fd, bytes))
    fsyncSync(fd)
  })
}

/** Makes sure that files made or renamed in a folder are there after a crash. Windows has no such thing: it cannot open a folder as a file. */
export function syncFolder(path: string): void {
  if (process.platform !== 'win32') withFile(path, 'r', fsyncSync)
}
