import { originOf } from '../../decide/robots-gate.ts'
import { robotsLink } from '../../decide/robots-link.ts'
import { sitemapLink } from '../../decide/sitemap-policy.ts'
import type { Frontier, Link } from '../../frontier/frontier.ts'
import { sitemapIn } from '../../settings/seed-url.ts'
import { hostOf } from '../../url/host-of.ts'
import { webUrl } from '../../url/web.ts'

const AT_ONCE = 1000
const MOST_ORIGINS = 10_000

/** Offers seeds, and what they redirected to. `urls`: canonical. Returns the pages among them as links. */
export async function offerSeeds(frontier: Frontier, urls: readonly string[]): Promise<Link[]> {
  const links = urls.map(seedLink)
  for (let at = 0; at < links.length; at += AT_ONCE) await frontier.offer(links.slice(at, at + AT_ONCE))
  return links.filter(({ kind }) => kind !== 'sitemap')
}

/**
 * Offers the robots.txt files of the seeds' hosts, so that their sitemaps are read though no page there is due. `isRead`: whether
 * those of an origin were read lately.
 */
export async function offerRobots(
  frontier: Frontier,
  seeds: Iterable<string>,
  isRead: (origin: string) => boolean,
): Promise<void> {
  const origins = new Set<string>()
  for (const seed of seeds) {
    const origin = originOf(sitemapIn(seed) ?? seed)
    if (origins.size < MOST_ORIGINS && !isRead(origin)) origins.add(origin)
  }
  const links = [...origins].map(robotsLink)
  for (let at = 0; at < links.length; at += AT_ONCE) await frontier.offer(links.slice(at, at + AT_ONCE))
}

function seedLink(url: string): Link {
  const sitemap = sitemapIn(url)
  if (sitemap !== undefined) return sitemapLink(sitemap, { of: hostOf(sitemap), level: 0, isSeed: true })
  const seed = webUrl(url)
  return { url, pathDepth: typeof seed === 'string' ? 0 : seed.depth, hops: 0 }
}
