import { EscalonaError } from '../base/errors.ts'
import { type Message, message } from '../base/messages/message.ts'

export function damaged(
  path: string,
  offset: number,
  what: Message,
  orElse = message('archive/or-move-away'),
): EscalonaError {
  return new EscalonaError('ARCHIVE_DAMAGED', { path, offset, what, orElse })
}
