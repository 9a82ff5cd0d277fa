import { fsyncSync, readSync, renameSync } from 'node:fs'
import { withFile } from './open-file.ts'
import { writeAll } from './write-all.ts'

/** What a file is called after its name while it is written. */
export const UNFINISHED = '.new'
const COPY_BYTES = 1 << 20

/** Written beside its place, synced and renamed. */
export function replaceFile(path: string, fill: (write: (bytes: Uint8Array) => void) => void): void {
  withFile(path + UNFINISHED, 'w', fd => {
    fill(bytes => writeAll(fd, bytes))
    fsyncSync(fd)
  })
  renameSync(path + UNFINISHED, path)
}

/** A process that still has the file open writes into nothing from then on. `fence` is called before each piece, and before the rename. */
export function replaceByCopy(path: string, fence: () => void): void {
  withFile(path, 'r', from => {
    const piece = Buffer.allocUnsafe(COPY_BYTES)
    replaceFile(path, write => {
      for (let got = readSync(from, piece); got > 0; got = readSync(from, piece)) {
        fence()
        write(piece.subarray(0, got))
      }
      fence()
    })
  })
}

/** Makes sure that files made or renamed in a folder are there after a crash. */
export function syncFolder(path: string): void {
  withFile(path, 'r', fsyncSync)
}
