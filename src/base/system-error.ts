import { EscalonaError } from './errors.ts'
import { type MessageKey, messages, sentence, type Value } from './messages/message.ts'

/** Whether the operating system refused something: a file operation or the like. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).errno === 'number'
}

/** What the operating system would say of a file that is closed. */
export function closedFile(): NodeJS.ErrnoException {
  return Object.assign(new Error('EBADF: the file is closed'), { code: 'EBADF' })
}

/** What an error means and what to do about it, as a part of a sentence. */
export function whyOf(error: unknown): Value {
  if (error instanceof EscalonaError) return error.said
  const { code, message: text } = error as NodeJS.ErrnoException
  const key = `system/${code}`
  return Object.hasOwn(messages(), key) ? { key: key as MessageKey, values: {} } : text
}

/** The same, in words. */
export function reasonOf(error: unknown): string {
  const why = whyOf(error)
  return typeof why === 'object' ? sentence(why) : String(why)
}
