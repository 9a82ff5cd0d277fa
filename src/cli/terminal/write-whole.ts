import { EscalonaError } from '../../base/errors.ts'
import { makeFolder as makeFolders } from '../../base/files/make-folder.ts'
import { reasonOf } from '../../base/system-error.ts'
import { printable } from '../../base/words/printable.ts'
import { openOutput } from './open-output.ts'
import { useWords } from './use-words.ts'

/** Writes a text, given in parts, to a file that appears complete or not at all; `-` is standard output. */
export function writeWhole(path: string, text: Iterable<string>): void {
  // All of it is synchronous: a signal is handled before or after, and finds either the complete file or none.
  const { output, signals } = openOutput(path)
  try {
    for (const part of text) output.write(Buffer.from(part))
    output.commit()
  } finally {
    output.abandon()
    signals.close()
  }
}

/** Creates a folder and its missing parents. */
export function makeFolder(folder: string): void {
  try {
    makeFolders(folder)
  } catch (error) {
    const message = useWords().cannotMake(printable(folder), reasonOf(error))
    throw new EscalonaError('FILE_UNWRITABLE', message, { cause: error })
  }
}
