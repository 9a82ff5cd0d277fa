/** What would end a line or the text, or become such a byte when only the low byte of it is written. */
const BREAKS_VALUE = /[\0\r\n\u0100-\uffff]/
const BREAKS_VALUES = /[\0\r\n\u0100-\uffff]/g
const BREAKS_NAME = /[^\x21-\x39\x3b-\x7e]/
const BREAKS_NAMES = /[^\x21-\x39\x3b-\x7e]/g

/** Names of headers that spoke of the body as it came over the wire; it is stored decoded. */
const OF_THE_WIRE: ReadonlySet<string> = new Set(['content-encoding', 'transfer-encoding'])

/** A head that came from the web. */
export interface ReceivedHead {
  readonly status: number
  /** `1.0`, `1.1`; by default the latter. */
  readonly httpVersion?: string
  readonly statusText: string
  /** Name, value, name, value, … as received, one character per byte. */
  readonly headers: readonly string[]
}

/**
 * The head of an answer as it is stored, one character per byte, with the empty line at its end. It describes the body as it
 * is stored: the encodings that were undone, and a length that no longer holds, stay readable with `X-Crawler-` before their
 * names.
 */
export function storedHead(received: ReceivedHead, bodyBytes: number): string {
  const { headers } = received
  let text = `HTTP/${received.httpVersion ?? '1.1'} ${received.status} ${headerValue(received.statusText)}\r\n`
  let hasLength = false
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headerName(headers[i]!)
    const value = headerValue(headers[i + 1]!)
    const lower = name.toLowerCase()
    if (lower === 'content-length' && !hasLength && value === String(bodyBytes)) hasLength = true
    else if (lower === 'content-length' || OF_THE_WIRE.has(lower)) text += 'X-Crawler-'
    text += `${name}: ${value}\r\n`
  }
  return hasLength ? `${text}\r\n` : `${text}Content-Length: ${bodyBytes}\r\n\r\n`
}

export function headerValue(text: string): string {
  return BREAKS_VALUE.test(text) ? text.replace(BREAKS_VALUES, ' ') : text
}

function headerName(text: string): string {
  if (text === '') return '_'
  return BREAKS_NAME.test(text) ? text.replace(BREAKS_NAMES, '_') : text
}
