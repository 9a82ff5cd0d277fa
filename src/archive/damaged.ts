import { EscalonaError } from '../base/errors.ts'
import { printable } from '../base/words/printable.ts'

export function damaged(path: string, offset: number, what: string, orElse = 'move it away'): EscalonaError {
  const message = `${printable(path)} is damaged at byte ${offset}: ${what}; put a good copy in its place, or ${orElse}`
  return new EscalonaError('ARCHIVE_DAMAGED', message)
}
