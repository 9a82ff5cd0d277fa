import { EscalonaError } from '../base/errors.ts'
import { printable } from '../base/words/printable.ts'

/** The command was called in a way that makes no sense; `help` tells how it would. */
export function wrongUse(message: string, help = 'escalona --help'): EscalonaError {
  return new EscalonaError('CLI_WRONG_USE', `${message}; see ${help}`)
}

/** What `parseArgs` has to complain about: its first sentence. */
export function wrongArguments(error: unknown, help?: string): EscalonaError {
  return wrongUse(printable((error as Error).message.split(/\.?\s*\n|\. /)[0]!), help)
}
