import { EscalonaError } from '../../../base/errors.ts'
import type { Message } from '../../../base/messages/message.ts'

/** A file of the frontier does not hold what was written to it. */
export function damaged(path: string, at: number, what: Message): EscalonaError {
  return new EscalonaError('FRONTIER_DAMAGED', { path, at, what })
}

/** A file of the frontier is sound, but in a format that this version does not read. */
export function otherFormat(path: string, format: number, ours: number): EscalonaError {
  return new EscalonaError('FRONTIER_OTHER_FORMAT', { path, format, ours })
}
