import { NotConnected } from './dialer.ts'
import type { Failure } from './exchange.ts'

/** Says in one word what an error of undici or of a socket means; `isAnswering`: the headers had come. */
export function failureOf(error: Error, isAnswering: boolean): Failure | 'address' {
  if (error instanceof NotConnected) return error.why
  const code = (error as NodeJS.ErrnoException).code ?? ''
  switch (code) {
    case 'UND_ERR_HEADERS_OVERFLOW':
      return 'headers'
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
    case 'HPE_INVALID_EOF_STATE':
      return 'length'
    case 'UND_ERR_DESTROYED':
      return 'stopped'
    case 'UND_ERR_SOCKET':
      if (!error.message.startsWith('bad ')) return isAnswering ? 'length' : 'reset'
      return 'protocol'
    default:
      return code.startsWith('HPE_') ? 'protocol' : 'reset'
  }
}
