/**
 * A URL as the key that web archives sort by: `http://www.Example.com:8080/A/?b=2&a=%31` is `com,example:8080)/a?a=1&b=2`.
 * The same key as Python's `surt` (cdxj-indexer, pywb) and Java's WaybackURLKeyMaker give:
 *
 * - scheme, login, fragment, default port and `www.` (with digits or without) go, and so do the brackets of an IPv6 address;
 * - labels of the host are reversed, those of an IPv4 address too;
 * - percent escapes are undone, again and again, then what is not plain ASCII, `%` and `#` are escaped once;
 * - of slashes in a row one stays, and none at the end; dot segments are resolved, those that were escaped too;
 * - session ids of some old servers are taken out; the parts of the query are sorted by name and value;
 * - everything is in lower case.
 */
export function surt(url: string): string {
  const hostAt = url.indexOf('://') + 3
  const end = firstOf(url, '#', hostAt, url.length)
  const queryAt = firstOf(url, '?', hostAt, end)
  const pathAt = firstOf(url, '/', hostAt, queryAt)
  const host = reversedHost(url.slice(hostAt, pathAt).toLowerCase(), url.slice(0, hostAt).toLowerCase())
  const path = url.slice(pathAt, queryAt)
  return `${host})${pathKey(path)}${queryKey(url.slice(queryAt + 1, end))}`
}

function firstOf(text: string, char: string, from: number, end: number): number {
  const at = text.indexOf(char, from)
  return at < 0 || at > end ? end : at
}

function reversedHost(authority: string, scheme: string): string {
  const place = authority.slice(authority.lastIndexOf('@') + 1)
  const [, address, name = '', port = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d*))?/.exec(place)!
  const isDefault = port === '' || (scheme === 'http://' ? port === '80' : scheme === 'https://' && port === '443')
  const host = address ?? plainName(name)
  return isDefault ? host : `${host}:${Number(port)}`
}

function plainName(name: string): string {
  const full = name.includes('..') || name.endsWith('.') ? name.replaceAll('..', '.').replace(/^\.+|\.+$/g, '') : name
  const bare = full.startsWith('www') ? full.replace(/^www\d*\./, '') : full
  return bare.split('.').reverse().join(',')
}

function pathKey(path: string): string {
  const text = escaped(resolved(unescaped(path))).toLowerCase()
  const bare = text.includes('.aspx') ? PATH_SESSIONS.reduce((left, id) => left.replace(id, '$1$2'), text) : text
  return bare.length > 1 && bare.endsWith('/') ? bare.slice(0, -1) : bare
}

const PATH_SESSIONS = [
  /^(.*\/)\((?:[a-z]\([0-9a-z]{24}\))+\)\/([^?]+\.aspx.*)$/,
  /^(.*\/)\([0-9a-z]{24}\)\/([^?]+\.aspx.*)$/,
]

/** Dot segments and empty segments go; an empty one at the end stays. */
function resolved(path: string): string {
  if (!/\/\.|\/\//.test(path)) return path || '/'
  const kept: string[] = []
  for (const part of path.split('/').slice(1)) {
    if (part === '.') continue
    if (part === '..' && kept.length > 0) kept.pop()
    else kept.push(part)
  }
  const last = kept.pop() ?? ''
  return `/${kept.map(part => part && `${part}/`).join('')}${last}`
}

function queryKey(query: string): string {
  const text = escaped(unescaped(query))
  const bare = SESSION_HINT.test(text) ? QUERY_SESSIONS.reduce((left, id) => left.replace(id, '$1$2'), text) : text
  if (bare === '') return ''
  const lower = bare.toLowerCase()
  return `?${lower.includes('&') && lower.length > 1 ? sortedParts(lower) : lower}`
}

const SESSION_HINT = /sid=|sessionid|cfid=/i
const QUERY_SESSIONS = [
  /^(.*)jsessionid=[0-9a-z]{32}(?:&(.*))?$/i,
  /^(.*)phpsessid=[0-9a-z]{32}(?:&(.*))?$/i,
  /^(.*)sid=[0-9a-z]{32}(?:&(.*))?$/i,
  /^(.*)aspsessionid[a-z]{8}=[a-z]{24}(?:&(.*))?$/i,
  /^(.*)cfid=[^&]+&cftoken=[^&]+(?:&(.*))?$/i,
]

function sortedParts(query: string): string {
  const parts = query.split('&').map(nameAndValue)
  return parts
    .sort((a, b) => order(a.name, b.name) || order(a.rest, b.rest))
    .map(({ name, rest }) => name + rest)
    .join('&')
}

/** `rest` begins with the `=`, so that a name without one comes first. */
function nameAndValue(part: string): { readonly name: string; readonly rest: string } {
  const at = firstOf(part, '=', 0, part.length)
  return { name: part.slice(0, at), rest: part.slice(at) }
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const PERCENT = 0x25

/**
 * Undoes percent escapes until there are none, in one pass: an escape is undone as soon as its last character is there, which may be the end
 * of another one. The result has one character per byte.
 */
function unescaped(text: string): string {
  if (PLAIN.test(text)) return text
  const bytes = Buffer.from(text)
  let length = 0
  for (const byte of bytes) {
    bytes[length++] = byte
    while (length >= 3 && bytes[length - 3] === PERCENT) {
      const high = DIGITS[bytes[length - 2]!]!
      const low = DIGITS[bytes[length - 1]!]!
      if (high < 0 || low < 0) break
      length -= 2
      bytes[length - 1] = 16 * high + low
    }
  }
  return bytes.toString('latin1', 0, length)
}

const PLAIN = /^[!-$&-~]*$/

/** The value of each byte as a hexadecimal digit; -1 for others. */
const DIGITS = Int8Array.from({ length: 256 }, (_, byte) => {
  const digit = String.fromCharCode(byte)
  return /[0-9a-f]/i.test(digit) ? Number.parseInt(digit, 16) : -1
})

function escaped(text: string): string {
  return text.replace(/[^!"$&-~]/g, byte => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
