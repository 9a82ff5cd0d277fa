import { EscalonaError } from '../../base/errors.ts'
import { words } from './words.ts'

/** A file of the frontier does not hold what was written to it. `what`: one of the texts about damage in `words.ts`. */
export function damaged(path: string, at: number, what: string): EscalonaError {
  return new EscalonaError('FRONTIER_DAMAGED', words().damaged(path, at, what))
}
