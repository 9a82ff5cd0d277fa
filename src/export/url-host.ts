/** The host of a canonical URL, with its port if it is not the default one. */
export function hostOf(url: string): string {
  const start = url.indexOf('://') + 3
  const end = url.indexOf('/', start)
  return end < 0 ? url.slice(start) : url.slice(start, end)
}
