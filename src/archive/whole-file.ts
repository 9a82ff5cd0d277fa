import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { writeAll } from '../base/write-all.ts'

/** What a file is called behind its name while it is written. */
export const UNFINISHED = '.new'

/** Replaces a file at once; `fill` is handed the way to write. */
export function replaceFile(path: string, fill: (write: (bytes: Uint8Array) => void) => void): void {
  const file = new WholeFile(path)
  try {
    fill(bytes => file.write(bytes))
    file.commit()
  } finally {
    file.close()
  }
}

/** A file that appears whole or not at all: it is written beside its place, synced and renamed. */
export class WholeFile {
  private readonly path: string
  private readonly fd: number

  constructor(path: string) {
    this.path = path
    this.fd = openSync(path + UNFINISHED, 'w')
  }

  write(bytes: Uint8Array): void {
    writeAll(this.fd, bytes)
  }

  commit(): void {
    fsyncSync(this.fd)
    renameSync(this.path + UNFINISHED, this.path)
  }

  /** Always to be called; without a commit before, what was there stays. */
  close(): void {
    closeSync(this.fd)
  }
}
