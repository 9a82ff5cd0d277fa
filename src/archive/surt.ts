/**
 * A URL as the key that web archives sort by: `http://www.Example.com:8080/A/?b=2&a=1` is `com,example:8080)/a?a=1&b=2`.
 * As the usual tools do it: scheme, `www.` (with digits or without) and fragment go, labels of the host are turned round
 * (those of an IPv4 address too), a port stays, everything is in lower case, of slashes in a row one stays and none at the
 * end, the query's parts are sorted by name and value. Unlike there, session ids, percent signs and the brackets of an
 * IPv6 address stay as they are.
 */
export function surt(url: string): string {
  const text = url.toLowerCase()
  const hostAt = text.indexOf('://') + 3
  const end = firstOf(text, '#', hostAt, text.length)
  const queryAt = firstOf(text, '?', hostAt, end)
  const pathAt = firstOf(text, '/', hostAt, queryAt)
  const path = text.slice(pathAt, queryAt)
  return `${turnedHost(text.slice(hostAt, pathAt))})${trimmedPath(path)}${sortedQuery(text.slice(queryAt, end))}`
}

function firstOf(text: string, char: string, from: number, end: number): number {
  const at = text.indexOf(char, from)
  return at < 0 || at > end ? end : at
}

function turnedHost(authority: string): string {
  if (authority.startsWith('[')) return authority
  const portAt = firstOf(authority, ':', 0, authority.length)
  const name = authority.slice(0, portAt).replace(/^www\d*\./, '')
  return name.split('.').reverse().join(',') + authority.slice(portAt)
}

function trimmedPath(path: string): string {
  const single = path.includes('//') ? path.replace(/\/{2,}/g, '/') : path
  if (single.length <= 1) return '/'
  return single.endsWith('/') ? single.slice(0, -1) : single
}

function sortedQuery(query: string): string {
  if (query.length <= 1) return ''
  if (!query.includes('&')) return query
  const parts = query.slice(1).split('&').map(nameAndValue)
  return `?${parts
    .sort((a, b) => order(a.name, b.name) || order(a.rest, b.rest))
    .map(({ name, rest }) => name + rest)
    .join('&')}`
}

/** `rest` begins with the `=`, so that a name without one comes first. */
function nameAndValue(part: string): { readonly name: string; readonly rest: string } {
  const at = firstOf(part, '=', 0, part.length)
  return { name: part.slice(0, at), rest: part.slice(at) }
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
