import { hostOf } from '../url/host-of.ts'
import type { WebUrl } from '../url/web.ts'
import type { CrawlSettings } from './settings-table.ts'
import { type UrlLoop, urlLoop } from './url-loops.ts'
import { type UrlPattern, urlPattern } from './url-patterns.ts'

/** The settings that decide which links a crawl follows: scope, number of links from a seed, patterns for the whole canonical URL, and loops in it. */
export interface LinkRuleOptions
  extends Pick<CrawlSettings, 'scope' | 'include' | 'exclude' | 'maxDepth' | 'loops' | 'follow' | 'nearDuplicates'> {
  /** Canonical URLs of the seeds, and of what they redirected to. */
  readonly seeds: readonly string[]
}

/** The rules that a crawl's settings give. Nothing else of the settings is handed on: this goes to worker threads. */
export function linkRuleOptions(
  { scope, include, exclude, maxDepth, loops, follow, nearDuplicates }: CrawlSettings,
  seeds: readonly string[],
): LinkRuleOptions {
  return { scope, include, exclude, maxDepth, loops, follow, nearDuplicates, seeds }
}

/** A setting that can hold a link. */
export type RuleRefusal = 'scope' | 'max-depth' | 'include' | 'exclude' | UrlLoop

/** Size of the cache of verdicts on hosts; when it is full it is emptied, so that memory stays bounded. */
const MOST_KEPT = 4096

/** How many patterns to include are named, when none of them matches. */
const MOST_NAMED = 5

/** Judges links by the settings. Seeds, and what they redirected to, are never refused. */
export class LinkRules {
  /** Whether a seed was admitted since the rules were created; copies of them in worker threads may then refuse more. */
  hasGrown = false
  /** Whether links on pages are followed at all. */
  readonly followsLinks: boolean
  /** Whether links of pages that nearly repeat an earlier page of their host are kept out. */
  readonly holdsRepeats: boolean
  private readonly options: LinkRuleOptions
  private readonly include: readonly UrlPattern[]
  private readonly exclude: readonly UrlPattern[]
  private readonly seeds: Set<string>
  /** Hosts or registrable domains, depending on the scope; undefined when everything is in scope. */
  private readonly inside: Set<string> | undefined
  private readonly placeOf: (host: string) => string
  private readonly kept = new Map<string, boolean>()

  /** `domainOf` is called for the scope `domain` only; other scopes need not load the list of suffixes. */
  constructor(options: LinkRuleOptions, domainOf: (host: string) => string) {
    this.options = options
    this.followsLinks = options.follow === 'links'
    this.holdsRepeats = options.nearDuplicates === 'hold'
    this.include = options.include.map(urlPattern)
    this.exclude = options.exclude.map(urlPattern)
    this.seeds = new Set(options.seeds)
    this.placeOf = options.scope === 'domain' ? domainOf : host => host
    this.inside = options.scope === 'any' ? undefined : new Set()
    for (const seed of options.seeds) this.inside?.add(this.placeOf(hostOf(seed)))
  }

  /** Why a link that is `hops` links from a seed is held; undefined when it is followed. */
  refusal(url: Pick<WebUrl, 'href' | 'host'>, hops: number): RuleRefusal | undefined {
    const why = hops > this.options.maxDepth ? 'max-depth' : this.refusalAtAnyDepth(url)
    return why === undefined || this.seeds.has(url.href) ? undefined : why
  }

  /** The setting behind a refusal, as on the command line: `--exclude *.pdf`, for example, with the first pattern that matches. */
  settingBehind(refusal: RuleRefusal, { href }: Pick<WebUrl, 'href'>): string {
    const { scope, include, exclude, maxDepth } = this.options
    switch (refusal) {
      case 'scope':
        return `--scope ${scope}`
      case 'max-depth':
        return `--max-depth ${maxDepth}`
      case 'include':
        return `--include ${include.slice(0, MOST_NAMED).join(' --include ')}${include.length > MOST_NAMED ? ' …' : ''}`
      case 'exclude':
        return `--exclude ${exclude[this.exclude.findIndex(pattern => pattern.matches(href))]}`
      case 'host-in-path':
      case 'repeated-pair':
        return '--no-loops'
    }
  }

  /** Adds a seed, or what a seed redirected to: its host or domain belongs to the scope from now on. */
  admit(seed: string): void {
    if (this.seeds.has(seed)) return
    this.seeds.add(seed)
    this.inside?.add(this.placeOf(hostOf(seed)))
    this.kept.clear()
    this.hasGrown = true
  }

  private refusalAtAnyDepth({ href, host }: Pick<WebUrl, 'href' | 'host'>): RuleRefusal | undefined {
    if (!this.isInside(host)) return 'scope'
    if (this.include.length > 0 && !this.include.some(pattern => pattern.matches(href))) return 'include'
    if (this.exclude.some(pattern => pattern.matches(href))) return 'exclude'
    return this.options.loops === 'no' ? urlLoop(href, host) : undefined
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
