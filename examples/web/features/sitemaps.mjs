// Sitemaps of hosts: named in robots.txt, they lead to the orphan that no page links to.
import { gzipSync } from 'node:zlib'
import { fullUrl, withPort } from '../site.mjs'

/** Ways to name a host's pages, by turns: an XML sitemap, an index with a packed one, a list, a feed. */
const FORMS = [
  site => ({ '/sitemap.xml': xml(urlset(site)) }),
  site => ({
    '/sitemap.xml': xml(
      `<sitemapindex><sitemap><loc>${fullUrl(site.place('/part.xml.gz'))}</loc></sitemap></sitemapindex>`,
    ),
    '/part.xml.gz': answer('application/gzip', port => gzipSync(withPort(urlset(site), port))),
  }),
  site => ({ '/sitemap.xml': answer('text/plain', port => Buffer.from(withPort(locations(site).join('\n'), port))) }),
  site => ({
    '/sitemap.xml': xml(
      `<rss><channel>${locations(site)
        .map(loc => `<item><link>${loc}</link></item>`)
        .join('')}</channel></rss>`,
    ),
  }),
]

/** Names a sitemap in the robots.txt of a host, if it has one that can be read. Its places are in `site.sitemap`. */
export function addSitemap(site, n) {
  const robots = site.pages.get('/robots.txt')
  if (robots === undefined || robots.status !== 200 || typeof robots.body !== 'string' || robots.act.hangs) return
  const line = `\nSitemap: ${fullUrl(site.place('/sitemap.xml'))}\n`
  const { body } = robots
  robots.body = port => Buffer.from(body + withPort(line, port))
  for (const [path, one] of Object.entries(FORMS[n % FORMS.length](site)))
    site.answer(path, { kind: 'robots.txt', ...one })
  site.sitemap = places(site)
}

function places(site) {
  return [site.place('/orphan.html'), site.place('/')]
}

function locations(site) {
  return places(site).map(fullUrl)
}

function urlset(site) {
  return `<urlset>${locations(site)
    .map(loc => `<url><loc>${loc}</loc></url>`)
    .join('')}</urlset>`
}

function xml(text) {
  return answer('application/xml', port => Buffer.from(withPort(text, port)))
}

function answer(type, body) {
  return { headers: { 'Content-Type': type }, body }
}
