import type { StrategyName } from '../scheduler/strategy.ts'

/** How a crawl goes about it. Everything has a default; durations are milliseconds, sizes bytes. */
export interface CrawlSettings {
  /** Archived pages in the life of the folder, after which the crawl ends. Infinity: until nothing is left. */
  readonly limit: number
  /** The least time between two requests to a host or an IP address. */
  readonly delayMs: number
  /** For a whole request, from the connection to the last byte. */
  readonly timeoutMs: number
  /** Of a page after decompression; the rest is cut off. */
  readonly maxBodyBytes: number
  /** How often a failed request is made again. */
  readonly retries: number
  /** Requests that are open at once. */
  readonly concurrency: number
  /** Threads that they are spread over. */
  readonly workers: number
  readonly strategy: StrategyName | 'explore'
  /** With `explore`: the chance of a host whose domain was never visited. */
  readonly exploreChance: number
  /** Of chance. */
  readonly seed: number
  /** Which links are followed: all, those to a seed's registrable domain, or those to a seed's host. */
  readonly scope: 'any' | 'domain' | 'host'
  /** Links from a seed. */
  readonly maxDepth: number
  /** Pages of one host. */
  readonly maxPerHost: number
  /** Patterns of URLs; see docs/web-urls.md. With none, everything is included and nothing excluded. */
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** Networks in CIDR notation that may be asked although they are not public. */
  readonly allowNetworks: readonly string[]
  /** Addresses by host name, asked before the DNS. */
  readonly hosts: ReadonlyMap<string, string>
  /** Sent with every request; its first word, up to a slash, is the name that robots.txt knows us by. */
  readonly userAgent: string
}

/** The contact that is sent when nobody gave a better one. */
const HOMEPAGE = 'https://github.com/escalona/escalona'

export function settingsWith(own: Partial<CrawlSettings>, cores: number, version: string): CrawlSettings {
  const concurrency = own.concurrency ?? 48
  return {
    limit: Infinity,
    delayMs: 100,
    timeoutMs: 10_000,
    maxBodyBytes: 10 * 2 ** 20,
    retries: 3,
    strategy: 'explore',
    exploreChance: 0.7,
    seed: 1,
    scope: 'any',
    maxDepth: Infinity,
    maxPerHost: Infinity,
    include: [],
    exclude: [],
    allowNetworks: [],
    hosts: new Map(),
    userAgent: `escalona/${version} (+${HOMEPAGE})`,
    ...own,
    concurrency,
    workers: Math.min(own.workers ?? cores, concurrency),
  }
}

/** `escalona` of `escalona/1.0 (+https://…)`: the product token of RFC 9309. */
export function agentOf(userAgent: string): string {
  return /^[\w-]*/.exec(userAgent)![0]
}
