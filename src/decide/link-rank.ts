import { webUrl } from '../url/web.ts'

/** A link's rank: a host's links are taken by it, lowest first, then by arrival. To a frontier it is only a number from 0 to 255. */

/** The default rule: short paths first. */
export function depthRank(pathDepth: number): number {
  return Math.min(pathDepth, 255)
}

/** The same for a URL that no page gave. */
export function rankOfUrl(url: string): number {
  const parsed = webUrl(url)
  return typeof parsed === 'string' ? 0 : depthRank(parsed.depth)
}
