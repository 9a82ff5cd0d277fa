/**
 * The fast path for web URLs: most links are written so plainly that the standard changes nothing about them but the
 * fragment, and putting two strings together is all there is to do. Whatever is not surely plain is left to `URL`.
 * test/url/web-plain.test.ts compares both.
 */
import type { BaseUrl } from './web.ts'

/** A canonical URL and its host, not yet measured. */
export interface Identity {
  readonly href: string
  readonly host: string
}

const IN_PATH = 1
const IN_QUERY = 2
const IN_HOST = 4

/** For each ASCII character, where it may stand and stays as it is. */
const PLAIN = new Uint8Array(128)
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code)
  if (/[\w\-.~!$&()*+,;=:@%/|[\]]/.test(char)) PLAIN[code] = IN_PATH | IN_QUERY
  if (char === '?') PLAIN[code] = IN_QUERY
  if (char === "'") PLAIN[code] = IN_PATH
  if (/[a-z\d.-]/.test(char)) PLAIN[code]! |= IN_HOST
}

const HASH = 0x23
const PERCENT = 0x25
const DASH = 0x2d
const DOT = 0x2e
const SLASH = 0x2f
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const QUESTION = 0x3f

const MOST_HOST = 63

/** What `text` means on the page `base`, or undefined when it is not plain. */
export function plainUrl(text: string, base: BaseUrl | undefined): Identity | undefined {
  if (text.startsWith('http://')) return plainWhole(text, 7, '80')
  if (text.startsWith('https://')) return plainWhole(text, 8, '443')
  if (base === undefined) return undefined
  const first = text.charCodeAt(0)
  if (first === SLASH) {
    if (text.charCodeAt(1) === SLASH) return plainUrl(base.protocol + text, undefined)
    return joined(base.origin, text, base.host)
  }
  if (first === HASH) return { href: base.href, host: base.host }
  if (first === QUESTION) return joined(base.document, text, base.host)
  return hasPlainStart(text) ? joined(base.directory, text, base.host) : undefined
}

/** True when the first segment of a relative link is neither a scheme nor one that leads elsewhere, like `..`. */
function hasPlainStart(text: string): boolean {
  const first = text.charCodeAt(0)
  if (first === DOT || first === PERCENT) return false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === COLON) return false
    if (code === SLASH || code === QUESTION || code === HASH) return true
  }
  return text.length > 0
}

function joined(front: string, text: string, host: string): Identity | undefined {
  const end = plainEnd(text, 0)
  if (end === -1) return undefined
  return { href: front + (end === text.length ? text : text.slice(0, end)), host }
}

function plainWhole(text: string, hostStart: number, defaultPort: string): Identity | undefined {
  const nameEnd = plainHostEnd(text, hostStart)
  if (nameEnd === -1) return undefined
  const hostEnd = text.charCodeAt(nameEnd) === COLON ? plainPortEnd(text, nameEnd + 1, defaultPort) : nameEnd
  if (hostEnd === -1) return undefined
  const next = text.charCodeAt(hostEnd)
  const host = text.slice(hostStart, hostEnd)
  if (next !== SLASH && next !== QUESTION && next !== HASH && hostEnd < text.length) return undefined
  const end = plainEnd(text, hostEnd)
  if (end === -1) return undefined
  if (next === SLASH) return { href: end === text.length ? text : text.slice(0, end), host }
  return { href: `${text.slice(0, hostEnd)}/${text.slice(hostEnd, end)}`, host }
}

/**
 * Where a plain host name ends, or -1. Its labels are not empty, none may be Punycode (`--`), and the last one does not
 * begin with a digit: it could be an IPv4 address in one of its many spellings.
 */
function plainHostEnd(text: string, start: number): number {
  let previous = DOT
  let label = start
  let at = start
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 128 || (PLAIN[code]! & IN_HOST) === 0) break
    if (code === previous && (code === DOT || code === DASH)) return -1
    if (code === DOT) label = at + 1
    previous = code
  }
  if (previous === DOT || at - start > MOST_HOST) return -1
  return isDigit(text.charCodeAt(label)) ? -1 : at
}

function plainPortEnd(text: string, start: number, defaultPort: string): number {
  let end = start
  while (end - start < 5 && isDigit(text.charCodeAt(end))) end++
  const port = text.slice(start, end)
  return port === '' || port.charCodeAt(0) === ZERO || Number(port) > 0xffff || port === defaultPort ? -1 : end
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

/**
 * Where the plain path and query from `start` on end, the fragment and an empty query not included; -1 when they are not
 * plain. A segment that begins with `.` or `%2` could be `.` or `..`, spelled in one of six ways.
 */
function plainEnd(text: string, start: number): number {
  let place = IN_PATH
  let previous = 0
  let at = start
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 128 && (PLAIN[code]! & place) !== 0) {
      if (previous === SLASH && place === IN_PATH) {
        if (code === DOT || (code === PERCENT && text.charCodeAt(at + 1) === 0x32)) return -1
      }
    } else if (code === QUESTION) place = IN_QUERY
    else if (code === HASH) break
    else return -1
    previous = code
  }
  return previous === QUESTION && text.indexOf('?', start) === at - 1 ? at - 1 : at
}
