import { sameOctets } from './octets.ts'

/** Scheme and host of a URL, both of which may be missing. */
const BEFORE_PATH = /^(?:[^/?;#]*:\/\/|\/\/)?[^/?;#]*/
/** A path and query that are written as rules are. */
const COMMON = /^\/[\w\-.~:/?[\]@!&'()+,;=]*$/

/** The path and query of a URL, as rules are written, one character per byte; a star or a dollar sign in it is only that. */
export function pathOf(url: string): string {
  const fragment = url.indexOf('#')
  const start = BEFORE_PATH.exec(url)![0].length
  const path = url.slice(start, fragment === -1 ? url.length : fragment)
  if (COMMON.test(path)) return path
  const bytes = Buffer.from(path.startsWith('/') ? path : `/${path}`).toString('latin1')
  return sameOctets(bytes).replaceAll('*', '%2A').replaceAll('$', '%24')
}
