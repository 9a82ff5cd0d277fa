import { writeSync } from 'node:fs'
import { EscalonaError } from '../base/errors.ts'
import { untilReady } from '../base/patience.ts'
import { reasonOf } from '../base/system-error.ts'

/** Writes to standard error, at once and in order. If nobody can read it, there is nobody to tell that either. */
export function tell(text: string): void {
  try {
    write(2, text)
  } catch {
    // See above.
  }
}

/** Writes to standard output. */
export function answer(text: string): void {
  try {
    write(1, text)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return
    throw new EscalonaError('FILE_UNWRITABLE', `cannot write standard output: ${reasonOf(error)}`, { cause: error })
  }
}

function write(fd: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) at += untilReady(() => writeSync(fd, bytes, at))
}
