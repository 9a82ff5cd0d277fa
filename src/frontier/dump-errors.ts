import { EscalonaError } from '../base/errors.ts'
import type { Message } from '../base/messages/message.ts'

/** An import into this place has not finished, or was interrupted. */
export function unfinished(where: string): EscalonaError {
  return new EscalonaError('FRONTIER_UNFINISHED', { where })
}

/** A frontier that something is to be imported into is in use. */
export function notEmpty(where: string): EscalonaError {
  return new EscalonaError('FRONTIER_NOT_EMPTY', { where })
}

/** An export does not hold what was written to it. */
export function damagedDump(path: string, what: Message): EscalonaError {
  return new EscalonaError('DUMP_DAMAGED', { path, what })
}
