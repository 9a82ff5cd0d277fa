import { EscalonaError } from '../../../base/errors.ts'
import { printable } from '../../../base/words/printable.ts'
import { words } from '../memory/words.ts'

/** A file of the frontier does not hold what was written to it. `what`: one of the texts about damage in `words.ts`. */
export function damaged(path: string, at: number, what: string): EscalonaError {
  return new EscalonaError('FRONTIER_DAMAGED', words().damaged(path, at, what))
}

/** A file of the frontier is sound, but in a format that this version does not read. */
export function otherFormat(path: string, format: number, ours: number): EscalonaError {
  return new EscalonaError('FRONTIER_OTHER_FORMAT', words().otherFormat(printable(path), format, ours))
}
