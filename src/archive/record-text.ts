import { hash } from 'node:crypto'
import type { Exchange } from '../fetch/exchange.ts'

/** What would end a line or the text, also when only its low byte is written. */
const BREAKS_VALUE = /[\0\r\n\u0100-\uffff]/
const BREAKS_VALUES = /[\0\r\n\u0100-\uffff]/g
const BREAKS_NAME = /[^\x21-\x39\x3b-\x7e]/
const BREAKS_NAMES = /[^\x21-\x39\x3b-\x7e]/g

/** Headers about the body as it came over the wire; it is stored decoded. */
const OF_THE_WIRE: ReadonlySet<string> = new Set(['content-encoding', 'transfer-encoding'])

/** Name and value as received, one character per byte; version 1.1 by default. */
export type ReceivedHead = Pick<Exchange, 'status' | 'statusText' | 'headers'> & Partial<Pick<Exchange, 'httpVersion'>>

/**
 * The head as it is stored, one character per byte, with its empty line. It describes the stored body: encodings that were undone, and a
 * length that no longer holds, get `X-Crawler-` before their names.
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

/** Two UUIDs (version 8 of RFC 9562) that depend on nothing but the name. */
export function uuidsOf(name: string): readonly [string, string] {
  const hex = hash('sha256', name, 'hex')
  return [uuid(hex, 0), uuid(hex, 32)]
}

function uuid(hex: string, at: number): string {
  const variant = '89ab'[Number.parseInt(hex[at + 16]!, 16) & 3]!
  const third = `8${hex.slice(at + 13, at + 16)}`
  const fourth = variant + hex.slice(at + 17, at + 20)
  return `${hex.slice(at, at + 8)}-${hex.slice(at + 8, at + 12)}-${third}-${fourth}-${hex.slice(at + 20, at + 32)}`
}

/** What no path or query may have (RFC 3986 3.3 and 3.4), and a `%` without an escape. */
const OTHER = /[^\w.~:/?#@!$&'()*+,;=%-]|%(?![\da-f]{2})/i
const OTHERS = /[^\w.~:/?#@!$&'()*+,;=%-]+|%(?![\da-f]{2})/gi

/** A URL as records and the index write it: a URI (RFC 3986), where a canonical URL may have `|`, `{`, `[`, `^`. Searches look for this. */
export function targetUri(url: string): string {
  const pathAt = Math.max(0, url.indexOf('/', url.indexOf('://') + 3))
  const rest = url.slice(pathAt)
  if (!OTHER.test(rest)) return url
  const encoded = rest.replace(OTHERS, part => Buffer.from(part).toString('hex').toUpperCase().replace(/../g, '%$&'))
  return url.slice(0, pathAt) + encoded
}

/** Keeps a URL as the crawl knows it, where the record's URI differs. */
export function ownUrlField(url: string, target: string): string {
  return url === target || /[^\x21-\x7e]/.test(url) ? '' : `Escalona-URL: ${url}\r\n`
}
