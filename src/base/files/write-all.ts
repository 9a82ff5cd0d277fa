import { write, writeSync, writevSync } from 'node:fs'
import { promisify } from 'node:util'

/** At a position, or where the file is. */
export function writeAll(fd: number, bytes: Uint8Array, position?: number): void {
  for (let at = 0; at < bytes.length; ) {
    const place = position === undefined ? null : position + at
    at += untilReady(() => writeSync(fd, bytes, at, bytes.length - at, place))
  }
}

const writeSome = promisify(write)

/** On a thread of Node's: the bytes must stay as they are until then. */
export async function writeAllBehind(fd: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += (await writeSome(fd, bytes, at, bytes.length - at)).bytesWritten
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      return writeAll(fd, bytes.subarray(at))
    }
  }
}

/** From a position on; usually in one system call. */
export function writeAllOf(fd: number, pieces: readonly Uint8Array[], position: number): void {
  let written = untilReady(() => writevSync(fd, pieces, position))
  let at = position
  for (const piece of pieces) {
    const done = Math.min(written, piece.length)
    if (done < piece.length) writeAll(fd, piece.subarray(done), at + done)
    written -= done
    at += piece.length
  }
}

const WAIT_MS = 2
const bell = new Int32Array(new SharedArrayBuffer(4))

/** For files that don't block. */
export function untilReady<T>(attempt: () => T): T {
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(bell, 0, 0, WAIT_MS)
    }
  }
}
