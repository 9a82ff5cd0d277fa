import { nameOf } from '../url/host-of.ts'

/** How a URL repeats itself: signs of links that are broken on every page, so that each page has longer ones. */
export type UrlLoop = 'host-in-path' | 'repeated-pair'

/** A single mention is fine: archives of the web have one in every path. */
const HOST_MENTIONS = 2
/** The same name with another value is a list, and twice the same pair is a clumsy form. */
const PAIR_MENTIONS = 3

/** Most links of a page have the same host. */
let lastHost = ''
let lastName = ''

/** Undefined for URLs that do not repeat themselves. `host`: of this canonical URL. */
export function urlLoop(href: string, host: string): UrlLoop | undefined {
  const query = href.indexOf('?')
  const pathEnd = query === -1 ? href.length : query
  if (hasHosts(href, host, pathEnd)) return 'host-in-path'
  return query !== -1 && hasPairs(href, query + 1) ? 'repeated-pair' : undefined
}

/** Whether segments of the path name hosts again: the URL's own, with or without `www.`, or the same one that begins with `www.`. */
function hasHosts(href: string, host: string, pathEnd: number): boolean {
  if (host !== lastHost) {
    lastHost = host
    lastName = bare(nameOf(host))
  }
  const own = lastName
  const pathStart = href.indexOf('/', 'https://'.length)
  // Nearly all links are done here.
  const first = href.indexOf(own, pathStart)
  if ((first === -1 || first >= pathEnd) && !href.slice(pathStart, pathEnd).includes('/www.')) return false
  const names = href.slice(pathStart + 1, pathEnd).split('/')
  // A name without a dot, as in an intranet, is a word like others.
  const isHost = own.includes('.')
  const hosts = names
    .filter(name => (isHost && bare(name) === own) || /^www\.[a-z\d-]+\.[a-z\d.-]+$/i.test(name))
    .map(bare)
  return hosts.some(name => hosts.filter(other => other === name).length >= HOST_MENTIONS)
}

function bare(host: string): string {
  const name = host.toLowerCase()
  return name.startsWith('www.') ? name.slice('www.'.length) : name
}

function hasPairs(href: string, start: number): boolean {
  const second = href.indexOf('&', start)
  if (second === -1 || href.indexOf('&', second + 1) === -1) return false
  const counts = new Map<string, number>()
  for (const pair of href.slice(start).split('&')) {
    const count = (counts.get(pair) ?? 0) + 1
    if (count >= PAIR_MENTIONS && pair !== '') return true
    counts.set(pair, count)
  }
  return false
}
