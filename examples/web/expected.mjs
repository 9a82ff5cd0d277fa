// What a collector must have done on a web: a walk over the known graph, as simple as can be.
import { pageAt } from './make-web.mjs'

const MOST_REDIRECTS = 10

/**
 * `archived`: the places that must be in the archive. `requested`: all that must be asked for, robots.txt apart; nothing else
 * may be. `forbidden`: those among the reachable ones that robots.txt forbids. `refused`: what the pages must be told off
 * for, with how many of each. `sitemaps`: whether sitemaps are read. Nothing here ends on a web with endless hosts.
 */
export function expected(
  web,
  { seeds = web.seeds, scope = 'any', excludes = () => false, sitemaps = scope !== 'any' } = {},
) {
  const found = { archived: new Set(), requested: new Set(), forbidden: new Set(), outside: new Set(), refused: {} }
  const inScope = scopeOf(seeds, scope)
  const sites = new Map(web.sites.map(site => [site.name, site]))
  const walk = seeds.map(place => ({ place, redirects: 0 }))
  const seen = new Set(seeds)
  const find = (next, redirects) => {
    if (seen.has(next)) return
    seen.add(next)
    walk.push({ place: next, redirects })
  }
  for (const { place, redirects } of walk) {
    if (!inScope(place) || excludes(place)) found.outside.add(place)
    else if (redirects > MOST_REDIRECTS) count(found.refused, 'too-many-redirects')
    else if (forbids(sites.get(nameOf(place)), place)) found.forbidden.add(place)
    else {
      const page = pageAt(web, place)
      found.requested.add(place)
      if (page.archived) found.archived.add(place)
      for (const reason of page.refused) count(found.refused, reason)
      for (const next of page.leadsTo) find(next, page.redirects ? redirects + 1 : 0)
    }
    const isAsked = inScope(place) && !excludes(place) && redirects <= MOST_REDIRECTS
    if (sitemaps && isAsked) for (const next of sites.get(nameOf(place))?.sitemap ?? []) find(next, 0)
  }
  return found
}

/** True when the host's robots.txt forbids the place. */
export function forbids(site, place) {
  return site.robots.forbidden === 'everything' || site.robots.forbidden.has(place.slice(site.name.length))
}

function scopeOf(seeds, scope) {
  if (scope === 'any') return () => true
  const part = scope === 'host' ? nameOf : place => nameOf(place).split('.').slice(-2).join('.')
  const parts = new Set(seeds.map(part))
  return place => parts.has(part(place))
}

function nameOf(place) {
  return place.slice(0, place.indexOf('/'))
}

function count(counts, name) {
  counts[name] = (counts[name] ?? 0) + 1
}
