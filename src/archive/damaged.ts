import { EscalonaError } from '../base/errors.ts'
import { printable } from '../base/words/printable.ts'
import { words } from './messages.ts'

export function damaged(path: string, offset: number, what: string, orElse = words().orMoveAway): EscalonaError {
  return new EscalonaError('ARCHIVE_DAMAGED', words().damaged(printable(path), offset, what, orElse))
}
