/** Whether a text from outside may become the target of a link. */
export function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}

/** The host of a canonical URL as the crawl calls it: with its port, unless it is the default one. */
export function hostName(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
