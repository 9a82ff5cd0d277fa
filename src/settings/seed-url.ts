import { type WebRefusal, type WebUrl, webUrl } from '../url/web.ts'

/** Before the URL of a seed that is a sitemap: its pages are collected, not the sitemap itself. */
const SITEMAP = 'sitemap:'

/** A seed in canonical form, `https://…` or `sitemap:https://…`, or why it is none. `read`: reads the URL itself. */
export function seedUrl(text: string, read: (text: string) => WebUrl | WebRefusal = webUrl): WebUrl | WebRefusal {
  const bare = text.trim()
  if (!bare.toLowerCase().startsWith(SITEMAP)) return read(text)
  const url = read(bare.slice(SITEMAP.length).trim())
  return typeof url === 'string' ? url : { ...url, href: `${SITEMAP}${url.href}` }
}

/** The URL of the sitemap that a seed in canonical form names; undefined when it names a page. */
export function sitemapIn(seed: string): string | undefined {
  return seed.startsWith(SITEMAP) ? seed.slice(SITEMAP.length) : undefined
}
