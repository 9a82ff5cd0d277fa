/** What RFC 3986 allows in a URI, and `%`. */
const OTHER = /[^\w.~:/?#[\]@!$&'()*+,;=%-]/
const OTHERS = /[^\w.~:/?#[\]@!$&'()*+,;=%-]+/g

/**
 * A URL as records and the index write it: strict readers of WARC take nothing but a URI (RFC 3986), and a canonical URL may
 * have `|`, `{`, `}`, `^` and backquotes. Everything that looks for a URL in the archive looks for this.
 */
export function targetUri(url: string): string {
  if (!OTHER.test(url)) return url
  return url.replace(OTHERS, part => Buffer.from(part).toString('hex').toUpperCase().replace(/../g, '%$&'))
}

/** The field that keeps a URL as the crawl knows it, where that is not what the record is called by. */
export function ownUrlField(url: string, target: string): string {
  return url === target || /[^\x21-\x7e]/.test(url) ? '' : `Escalona-URL: ${url}\r\n`
}
