import { writeSync } from 'node:fs'
import { untilReady } from './patience.ts'

/** Writes all of these bytes: at a position of the file, or where it stands. */
export function writeAll(fd: number, bytes: Uint8Array, position?: number): void {
  for (let at = 0; at < bytes.length; ) {
    const place = position === undefined ? null : position + at
    at += untilReady(() => writeSync(fd, bytes, at, bytes.length - at, place))
  }
}
