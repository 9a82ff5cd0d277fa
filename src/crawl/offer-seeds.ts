import { type Frontier, hostOf, type Link } from '../frontier/frontier.ts'
import { webUrl } from '../url/web.ts'
import { sitemapLink } from './conductor/sitemap-policy.ts'
import { sitemapIn } from './seed-url.ts'

const AT_ONCE = 1000

/** Offers seeds, and what they redirected to. `urls`: canonical. Returns the pages among them as links. */
export async function offerSeeds(frontier: Pick<Frontier, 'offer'>, urls: readonly string[]): Promise<Link[]> {
  const links = urls.map(seedLink)
  for (let at = 0; at < links.length; at += AT_ONCE) await frontier.offer(links.slice(at, at + AT_ONCE))
  return links.filter(({ kind }) => kind !== 'sitemap')
}

function seedLink(url: string): Link {
  const sitemap = sitemapIn(url)
  if (sitemap !== undefined) return sitemapLink(sitemap, { of: hostOf(sitemap), level: 0, isSeed: true })
  const seed = webUrl(url)
  return { url, pathDepth: typeof seed === 'string' ? 0 : seed.depth, hops: 0 }
}
