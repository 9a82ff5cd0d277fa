import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { UNFINISHED } from './whole-file.ts'
import { writeAll } from './write-all.ts'

export interface Synced {
  readonly file: string
  readonly bytes: number
  /** CRC-32 of these bytes. A journal, which has checksums of its own, has the number of its frontier here. */
  readonly crc: number
}

/**
 * Remembers how much of a file is on disk: a line with the file's name, that many bytes, their CRC-32, and the line's own CRC-32. It is synced when
 * it is made; then it is rewritten after each sync of the file, without one: after a power cut it may say too little, but never too much. What
 * comes after the mark may have reached the disk in part, in any order.
 */
export class SyncedMark {
  private readonly path: string
  private fd: number | undefined

  constructor(path: string) {
    this.path = path
  }

  /** Undefined when the mark is missing or torn. */
  read(): Synced | undefined {
    let text: string
    try {
      text = readFileSync(this.path, 'latin1')
    } catch {
      return undefined
    }
    const [, start, file, bytes, crc, sum] = /^((\S+) (\d{16}) ([\da-f]{8})) ([\da-f]{8})\n/.exec(text) ?? []
    if (start === undefined || sum !== hex(crc32(start))) return undefined
    return { file: file!, bytes: Number(bytes), crc: Number.parseInt(crc!, 16) }
  }

  /** The first time it makes a new file: a process that wrote the mark before then writes into nothing. */
  write({ file, bytes, crc }: Synced): void {
    const start = `${file} ${String(bytes).padStart(16, '0')} ${hex(crc)}`
    const line = Buffer.from(`${start} ${hex(crc32(start))}\n`, 'latin1')
    if (this.fd !== undefined) writeAll(this.fd, line, 0)
    else {
      this.fd = openSync(this.path + UNFINISHED, 'w')
      writeAll(this.fd, line, 0)
      fsyncSync(this.fd)
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

function hex(crc: number): string {
  return crc.toString(16).padStart(8, '0')
}
