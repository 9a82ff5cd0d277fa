/** Between `://` and the path, with a port; empty when there is none. */
export function hostOf(url: string): string {
  const start = url.indexOf('://') + 3
  if (start === 2) return ''
  let end = start
  while (end < url.length && url[end] !== '/' && url[end] !== '?' && url[end] !== '#') end++
  return url.slice(start, end)
}

/** The name in a host, which may have a port. */
export function nameOf(host: string): string {
  const colon = host.lastIndexOf(':')
  return colon > host.lastIndexOf(']') ? host.slice(0, colon) : host
}
