import { EscalonaError } from '../../base/errors.ts'
import { useWords } from './use-words.ts'

/** An error for wrong arguments; `help` is the command that shows the right ones. */
export function wrongUse(message: string, help = 'escalona help run'): EscalonaError {
  return new EscalonaError('CLI_WRONG_USE', useWords().see(message, help))
}
