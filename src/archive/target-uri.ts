/** What no path or query may have (RFC 3986 3.3 and 3.4), and a `%` that begins no escape. */
const OTHER = /[^\w.~:/?#@!$&'()*+,;=%-]|%(?![\da-f]{2})/i
const OTHERS = /[^\w.~:/?#@!$&'()*+,;=%-]+|%(?![\da-f]{2})/gi

/**
 * A URL as records and the index write it: strict readers of WARC take nothing but a URI (RFC 3986), and a canonical URL may
 * have `|`, `{`, `[`, `^` and the like. Everything that looks for a URL in the archive looks for this.
 */
export function targetUri(url: string): string {
  const pathAt = Math.max(0, url.indexOf('/', url.indexOf('://') + 3))
  const rest = url.slice(pathAt)
  if (!OTHER.test(rest)) return url
  const encoded = rest.replace(OTHERS, part => Buffer.from(part).toString('hex').toUpperCase().replace(/../g, '%$&'))
  return url.slice(0, pathAt) + encoded
}

/** The field that keeps a URL as the crawl knows it, where that is not what the record is called by. */
export function ownUrlField(url: string, target: string): string {
  return url === target || /[^\x21-\x7e]/.test(url) ? '' : `Escalona-URL: ${url}\r\n`
}
