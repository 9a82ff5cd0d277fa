import { EscalonaError } from '../base/errors.ts'
import { reasonOf } from '../base/system-error.ts'
import { writeAll } from '../base/write-all.ts'

/** Writes to standard error, at once and in order. If nobody can read it, there is nobody to tell that either. */
export function tell(text: string): void {
  try {
    writeAll(2, Buffer.from(text))
  } catch {
    // See above.
  }
}

/** Writes to standard output. */
export function answer(text: string): void {
  try {
    writeAll(1, Buffer.from(text))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return
    throw new EscalonaError('FILE_UNWRITABLE', `cannot write standard output: ${reasonOf(error)}`, { cause: error })
  }
}
