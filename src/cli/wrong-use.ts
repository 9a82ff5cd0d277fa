import { EscalonaError } from '../base/errors.ts'

/** The command was called in a way that makes no sense. */
export function wrongUse(message: string): EscalonaError {
  return new EscalonaError('CLI_WRONG_USE', `${message}; see escalona --help`)
}
