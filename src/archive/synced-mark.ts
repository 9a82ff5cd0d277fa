import { closeSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { UNFINISHED } from '../base/files/whole-file.ts'
import { writeAll } from '../base/files/write-all.ts'

/**
 * Remembers up to where a file is on disk: a line with the file's name, that many bytes, and the line's CRC-32. It is rewritten
 * in place after each sync of the file, and not synced itself: after a power cut it may say too little, or nothing, but never
 * too much. What comes after the mark may have reached the disk in part, in any order; what comes before it is whole.
 */
export class SyncedMark {
  private readonly path: string
  private fd: number | undefined

  constructor(path: string) {
    this.path = path
  }

  /** Bytes of this file that are known to be on disk; 0 when the mark is missing, torn, or another file's. */
  read(file: string): number {
    let text: string
    try {
      text = readFileSync(this.path, 'latin1')
    } catch {
      return 0
    }
    const [, start, name, bytes, sum] = /^((\S+) (\d{16})) ([\da-f]{8})\n/.exec(text) ?? []
    return start !== undefined && name === file && sum === sumOf(start) ? Number(bytes) : 0
  }

  /** The first time it makes a new file, so that a process that wrote the mark before writes into nothing. */
  write(file: string, bytes: number): void {
    const start = `${file} ${String(bytes).padStart(16, '0')}`
    const line = Buffer.from(`${start} ${sumOf(start)}\n`, 'latin1')
    if (this.fd !== undefined) writeAll(this.fd, line, 0)
    else {
      this.fd = openSync(this.path + UNFINISHED, 'w')
      writeAll(this.fd, line, 0)
      renameSync(this.path + UNFINISHED, this.path)
    }
  }

  remove(): void {
    this.close()
    rmSync(this.path, { force: true })
  }

  close(): void {
    if (this.fd !== undefined) closeSync(this.fd)
    this.fd = undefined
  }
}

function sumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}
