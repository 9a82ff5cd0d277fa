import { EscalonaError } from '../base/errors.ts'
import { printable } from '../base/printable.ts'

export function damaged(path: string, offset: number, what: string): EscalonaError {
  const message = `${printable(path)} is damaged at byte ${offset}: ${what}; put a good copy in its place, or move it away`
  return new EscalonaError('ARCHIVE_DAMAGED', message)
}
