import { EscalonaError } from '../base/errors.ts'
import { useWords } from './use-words.ts'

/** The command was called in a way that makes no sense; `help` is the command that says how it would. */
export function wrongUse(message: string, help = 'escalona help run'): EscalonaError {
  return new EscalonaError('CLI_WRONG_USE', useWords().see(message, help))
}
