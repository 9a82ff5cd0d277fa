/** Before every path of this crawl, if the server shows several: `/crawls/NAME`. */
export function crawlPath(): string {
  return /^\/crawls\/[^/]+/.exec(location.pathname)?.[0] ?? ''
}
