import type { Link } from '../frontier/frontier.ts'
import { writeNote } from './link-note.ts'

/** The link to the robots.txt of an origin, to be fetched before its pages and sitemaps. */
export function robotsLink(origin: string): Link {
  return { url: `${origin}/robots.txt`, kind: 'robots', pathDepth: 0, hops: 0, note: writeNote({ robotsOf: origin }) }
}
