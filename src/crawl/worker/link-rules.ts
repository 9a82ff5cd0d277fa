import { Wildcard } from '../../base/words/wildcard.ts'
import { hostOf } from '../../frontier/frontier.ts'
import type { WebUrl } from '../../url/web.ts'

/** Where a crawl may go. */
export interface LinkRuleOptions {
  /** Of the seeds: anywhere, their registrable domains, or their hosts (a port is part of a host). */
  readonly scope: 'any' | 'domain' | 'host'
  /** Canonical URLs. */
  readonly seeds: readonly string[]
  /** How many links from a seed a page may be away; without it, any number. */
  readonly maxHops?: number
  /**
   * Patterns over the whole canonical URL, in which `*` stands for any text and everything else for itself. When there
   * are some to include, a URL has to fit one of them; it must fit none of those to exclude.
   */
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

export type LinkRefusal = 'scope' | 'max-depth' | 'include' | 'exclude'

export interface LinkRules {
  /** Why a link is not followed that is `hops` links away from a seed; undefined when it is. Scope and patterns hold for no seed. */
  refusal(url: WebUrl, hops: number): LinkRefusal | undefined
}

/** Answers about hosts that are kept; then all are forgotten, so that a web without end costs no memory. */
const MOST_KEPT = 4096

/** `domainOf` is needed for the scope `domain` only: whoever has another one needn't load the list of suffixes. */
export function linkRules(options: LinkRuleOptions, domainOf: (host: string) => string): LinkRules {
  const { maxHops = Number.POSITIVE_INFINITY } = options
  const include = options.include.map(pattern => new Wildcard(pattern, true))
  const exclude = options.exclude.map(pattern => new Wildcard(pattern, true))
  const isEverywhere = options.scope === 'any'
  if (isEverywhere && include.length === 0 && exclude.length === 0) {
    return { refusal: (_url, hops) => (hops > maxHops ? 'max-depth' : undefined) }
  }
  const seeds = new Set(options.seeds)
  const isInScope = isEverywhere ? () => true : scopeOf(options.scope, options.seeds, domainOf)
  return {
    refusal(url, hops) {
      if (hops > maxHops) return 'max-depth'
      const why = refusal(url)
      return why === undefined || seeds.has(url.href) ? undefined : why
    },
  }

  function refusal({ href, host }: WebUrl): LinkRefusal | undefined {
    if (!isInScope(host)) return 'scope'
    if (include.length > 0 && !include.some(pattern => pattern.matches(href))) return 'include'
    return exclude.some(pattern => pattern.matches(href)) ? 'exclude' : undefined
  }
}

function scopeOf(
  scope: 'any' | 'domain' | 'host',
  seeds: readonly string[],
  domainOf: (host: string) => string,
): (host: string) => boolean {
  const hosts = new Set(seeds.map(hostOf))
  if (scope === 'host') return host => hosts.has(host)
  const domains = new Set([...hosts].map(domainOf))
  const kept = new Map<string, boolean>()
  return host => {
    const known = kept.get(host)
    if (known !== undefined) return known
    const isInside = domains.has(domainOf(host))
    if (kept.size === MOST_KEPT) kept.clear()
    kept.set(host, isInside)
    return isInside
  }
}
