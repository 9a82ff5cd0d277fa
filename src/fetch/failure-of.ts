import { NotConnected } from './dialer.ts'
import type { Failure } from './exchange.ts'

/** Says in one word what an error of undici or of a socket means; `isAnswering`: the headers had come. */
export function failureOf(error: Error, isAnswering: boolean): Failure | 'address' {
  if (error instanceof NotConnected) return error.why
  switch ((error as NodeJS.ErrnoException).code) {
    case 'UND_ERR_HEADERS_OVERFLOW':
      return 'headers'
    // Also for what can't be read after a header with a length.
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return isAnswering ? 'length' : 'protocol'
    case 'UND_ERR_SOCKET':
      return error.message.startsWith('bad ') ? 'protocol' : ended(isAnswering)
  }
  if (error.name !== 'HTTPParserError') return 'reset'
  return error.message.includes('EOF') ? ended(isAnswering) : 'protocol'
}

/** The other side closed the connection in good order, but too early. */
function ended(isAnswering: boolean): Failure {
  return isAnswering ? 'length' : 'reset'
}
