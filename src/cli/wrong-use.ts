import { EscalonaError } from '../base/errors.ts'

/** The command was called in a way that makes no sense; `help` tells how it would. */
export function wrongUse(message: string, help = 'escalona --help'): EscalonaError {
  return new EscalonaError('CLI_WRONG_USE', `${message}; see ${help}`)
}
