import { NotConnected } from './dialer.ts'
import type { Failure } from './exchange.ts'

/** The kind of failure that an error of undici or of a socket means; `isAnswering`: the headers had arrived. */
export function failureOf(error: Error, isAnswering: boolean): Failure | 'address' {
  if (error instanceof NotConnected) return error.why
  switch ((error as NodeJS.ErrnoException).code) {
    case 'UND_ERR_HEADERS_OVERFLOW':
      return 'headers'
    // undici also raises this when a head can't be parsed after its Content-Length header.
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return isAnswering ? 'length' : 'protocol'
    case 'UND_ERR_SOCKET':
      return error.message.startsWith('bad ') ? 'protocol' : ended(isAnswering)
  }
  if (error.name !== 'HTTPParserError') return 'reset'
  return error.message.includes('EOF') ? ended(isAnswering) : 'protocol'
}

/** The other side closed the connection cleanly, but too early. */
function ended(isAnswering: boolean): Failure {
  return isAnswering ? 'length' : 'reset'
}
