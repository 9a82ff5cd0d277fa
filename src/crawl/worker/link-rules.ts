import { Wildcard } from '../../base/words/wildcard.ts'
import { hostOf } from '../../frontier/frontier.ts'
import type { WebUrl } from '../../url/web.ts'

/** Where a crawl may go. */
export interface LinkRuleOptions {
  /** Of the seeds: anywhere, their registrable domains, or their hosts (a port is part of a host). */
  readonly scope: 'any' | 'domain' | 'host'
  /** Canonical URLs of the seeds, and of what they redirected to. */
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

/** Answers about hosts that are kept; then all are forgotten, so that a web without end costs no memory. */
const MOST_KEPT = 4096

/** Judges links by the settings. Nothing is refused that is a seed, or that a seed redirected to. */
export class LinkRules {
  /** A seed was admitted since these rules were made: other copies of them, in worker threads, may refuse more. */
  hasGrown = false
  private readonly maxHops: number
  private readonly include: readonly Wildcard[]
  private readonly exclude: readonly Wildcard[]
  private readonly seeds: Set<string>
  /** Hosts or registrable domains, as the scope says; undefined: everything is inside. */
  private readonly inside: Set<string> | undefined
  private readonly placeOf: (host: string) => string
  private readonly kept = new Map<string, boolean>()

  /** `domainOf` is needed for the scope `domain` only: whoever has another one needn't load the list of suffixes. */
  constructor(options: LinkRuleOptions, domainOf: (host: string) => string) {
    this.maxHops = options.maxHops ?? Number.POSITIVE_INFINITY
    this.include = options.include.map(pattern => new Wildcard(pattern, true))
    this.exclude = options.exclude.map(pattern => new Wildcard(pattern, true))
    this.seeds = new Set(options.seeds)
    this.placeOf = options.scope === 'domain' ? domainOf : host => host
    this.inside = options.scope === 'any' ? undefined : new Set()
    for (const seed of options.seeds) this.inside?.add(this.placeOf(hostOf(seed)))
  }

  /** Why a link is held back that is `hops` links away from a seed; undefined when it is followed. */
  refusal(url: Pick<WebUrl, 'href' | 'host'>, hops: number): LinkRefusal | undefined {
    const why = hops > this.maxHops ? 'max-depth' : this.refusalAtAnyDepth(url)
    return why === undefined || this.seeds.has(url.href) ? undefined : why
  }

  /** One more seed, or what a seed redirected to: its host, or its domain, belongs to the scope from now on. */
  admit(seed: string): void {
    if (this.seeds.has(seed)) return
    this.seeds.add(seed)
    this.inside?.add(this.placeOf(hostOf(seed)))
    this.kept.clear()
    this.hasGrown = true
  }

  private refusalAtAnyDepth({ href, host }: Pick<WebUrl, 'href' | 'host'>): LinkRefusal | undefined {
    if (!this.isInside(host)) return 'scope'
    if (this.include.length > 0 && !this.include.some(pattern => pattern.matches(href))) return 'include'
    return this.exclude.some(pattern => pattern.matches(href)) ? 'exclude' : undefined
  }

  private isInside(host: string): boolean {
    const { inside, kept } = this
    if (inside === undefined) return true
    const known = kept.get(host)
    if (known !== undefined) return known
    const isInside = inside.has(this.placeOf(host))
    if (kept.size === MOST_KEPT) kept.clear()
    kept.set(host, isInside)
    return isInside
  }
}
