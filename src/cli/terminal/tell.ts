import { EscalonaError } from '../../base/errors.ts'
import { writeAll } from '../../base/files/write-all.ts'
import { reasonOf } from '../../base/system-error.ts'
import { useWords } from './use-words.ts'

/** Writes to standard error, synchronously and in order. Failures are ignored: there is nowhere left to report them. */
export function tell(text: string): void {
  try {
    writeAll(2, Buffer.from(text))
  } catch {
    // See above.
  }
}

/** Writes to standard output. Returns false when its reader has gone away. */
export function answer(text: string): boolean {
  try {
    writeAll(1, Buffer.from(text))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return false
    throw new EscalonaError('FILE_UNWRITABLE', useWords().cannotWriteOutput(reasonOf(error)), { cause: error })
  }
}
