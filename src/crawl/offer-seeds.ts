import type { Frontier, Link } from '../frontier/frontier.ts'
import { webUrl } from '../url/web.ts'

const AT_ONCE = 1000

/** Offers seeds, and what they redirected to. `urls`: canonical. Returns them as links. */
export async function offerSeeds(frontier: Pick<Frontier, 'offer'>, urls: readonly string[]): Promise<Link[]> {
  const links = urls.map(seedLink)
  for (let at = 0; at < links.length; at += AT_ONCE) await frontier.offer(links.slice(at, at + AT_ONCE))
  return links
}

function seedLink(url: string): Link {
  const seed = webUrl(url)
  return { url, pathDepth: typeof seed === 'string' ? 0 : seed.depth, hops: 0 }
}
