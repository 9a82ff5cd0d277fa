import { EscalonaError } from '../base/errors.ts'
import { makeFolder as makeFolders } from '../base/files/make-folder.ts'
import { OutputFile } from '../base/files/output-file.ts'
import { reasonOf } from '../base/system-error.ts'
import { printable } from '../base/words/printable.ts'
import { Signals } from './signals.ts'
import { useWords } from './use-words.ts'

/** Writes a text, given in parts, to a file that appears complete or not at all; `-` is standard output. */
export function writeWhole(path: string, text: Iterable<string>): void {
  const file = new OutputFile(path)
  // All of it is synchronous: a signal is handled before or after, and finds either the complete file or none.
  const signals = file.isBesideItsPlace ? new Signals(() => file.abandon()) : undefined
  try {
    for (const part of text) file.write(Buffer.from(part))
    file.commit()
  } finally {
    file.abandon()
    signals?.close()
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
