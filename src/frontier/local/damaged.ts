import { EscalonaError } from '../../base/errors.ts'

/** A file of the frontier does not hold what was written to it. */
export function damaged(path: string, at: number, what: string): EscalonaError {
  return new EscalonaError('FRONTIER_DAMAGED', `${path} is damaged at ${at}: ${what}; restore it from a copy`)
}
