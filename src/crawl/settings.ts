import { EscalonaError } from '../base/errors.ts'
import { printable } from '../base/words/printable.ts'
import { parseNetwork } from '../fetch/network.ts'
import { Proxies, type ProxySettings } from '../fetch/proxies.ts'
import { productToken } from '../robots/product-token.ts'
import { STRATEGY_NAMES, type StrategyName } from '../scheduler/strategy.ts'
import { checkHostSettings, type HostSettings } from './host-settings.ts'

/** How a crawl goes about it. Everything has a default; durations are milliseconds, sizes bytes. */
export interface CrawlSettings {
  /** Archived pages in the life of the folder, after which the crawl ends. Infinity: until nothing is left. */
  readonly limit: number
  /** How long this run lasts; then it stops as if interrupted. Infinity: no limit. */
  readonly maxTimeMs: number
  /** Bytes of WARC files in the life of the folder, after which the crawl stops. Infinity: no limit. */
  readonly maxArchiveBytes: number
  /** Requests per second, to all hosts together. Infinity: no limit. */
  readonly maxRequestsPerSecond: number
  /** The least time between two requests to a host. */
  readonly delayMs: number
  /** The least time between two requests to a server (an IP address), over all its hosts. */
  readonly serverDelayMs: number
  /** The most requests open at a server at once, over all its hosts. */
  readonly perServer: number
  /** For a whole request, from the connection to the last byte. */
  readonly timeoutMs: number
  /** For making a connection, encryption included. */
  readonly connectTimeoutMs: number
  /** From sending the request to the first byte of the answer. */
  readonly firstByteTimeoutMs: number
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
  /** Hosts that the crawl may know, in all and of one registrable domain. */
  readonly maxHosts: number
  readonly maxHostsPerDomain: number
  /** Links that a setting keeps out and that are remembered, so that another setting can let them in. */
  readonly maxHeld: number
  /** Patterns of URLs; see docs/web-urls.md. With none, everything is included and nothing excluded. */
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** Networks in CIDR notation that may be asked although they are not public. */
  readonly allowNetworks: readonly string[]
  /** Addresses by host name, asked before the DNS. */
  readonly hosts: ReadonlyMap<string, string>
  /** DNS servers, `address` or `address:port`; none: those of the system. */
  readonly dnsServers: readonly string[]
  /** Sent with every request; its first word, up to a slash, is the name that robots.txt knows us by. */
  readonly userAgent: string
  /** Settings of single hosts. Of two for the same host, one for the host itself beats one for subdomains, and a later one beats an earlier one. */
  readonly hostSettings: readonly HostSettings[]
  /** Whether the archive's request records hold the headers of `hostSettings`. */
  readonly archiveSecrets: boolean
  /** Undefined: hosts are asked directly. */
  readonly proxy: ProxySettings | undefined
}

const MONTH_MS = 31 * 24 * 3_600_000
/** A request must end while its lease runs. */
const LONGEST_TIMEOUT_MS = 5 * 60_000
const STRATEGIES: readonly string[] = ['explore', ...STRATEGY_NAMES]
const SCOPES: readonly string[] = ['any', 'domain', 'host']

/** The contact that is sent when nobody gave a better one. */
const HOMEPAGE = 'https://github.com/escalona/escalona'

/** What is not given, or undefined, has its default. What makes no sense is the caller's mistake. */
export function settingsWith(given: Partial<CrawlSettings>, cores: number, version: string): CrawlSettings {
  const own = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as typeof given
  const concurrency = own.concurrency ?? 48
  const delayMs = own.delayMs ?? 100
  const timeoutMs = own.timeoutMs ?? 10_000
  const settings = {
    limit: Infinity,
    maxTimeMs: Infinity,
    maxArchiveBytes: Infinity,
    maxRequestsPerSecond: Infinity,
    serverDelayMs: delayMs / 4,
    perServer: 4,
    connectTimeoutMs: Math.min(5000, timeoutMs),
    firstByteTimeoutMs: Math.min(8000, timeoutMs),
    maxBodyBytes: 10 * 2 ** 20,
    retries: 3,
    strategy: 'explore',
    exploreChance: 0.7,
    seed: 1,
    scope: 'any',
    maxDepth: Infinity,
    maxPerHost: Infinity,
    maxHosts: 5_000_000,
    maxHostsPerDomain: 20_000,
    maxHeld: 1_000_000,
    include: [],
    exclude: [],
    allowNetworks: [],
    hosts: new Map(),
    dnsServers: [],
    userAgent: `escalona/${version} (+${HOMEPAGE})`,
    hostSettings: [],
    archiveSecrets: false,
    proxy: undefined,
    ...own,
    concurrency,
    delayMs,
    timeoutMs,
    workers: Math.min(own.workers ?? cores, concurrency),
  } as CrawlSettings
  check(settings)
  return settings
}

/** The least and the most of each number; whole numbers but for those with a fraction. */
const RANGES = {
  limit: [1, Infinity],
  maxTimeMs: [1, Infinity],
  maxArchiveBytes: [1, Infinity],
  maxRequestsPerSecond: [0.001, Infinity],
  delayMs: [0, MONTH_MS],
  serverDelayMs: [0, MONTH_MS],
  perServer: [1, 10_000],
  timeoutMs: [1, LONGEST_TIMEOUT_MS],
  connectTimeoutMs: [1, LONGEST_TIMEOUT_MS],
  firstByteTimeoutMs: [1, LONGEST_TIMEOUT_MS],
  maxBodyBytes: [1, 2 ** 28],
  retries: [0, 100],
  concurrency: [1, 10_000],
  workers: [1, 256],
  exploreChance: [0, 1],
  seed: [0, Number.MAX_SAFE_INTEGER],
  maxDepth: [0, Infinity],
  maxPerHost: [1, Infinity],
  maxHosts: [1, 2 ** 31 - 1],
  maxHostsPerDomain: [1, Infinity],
  maxHeld: [0, Infinity],
} as const

function check(settings: CrawlSettings): void {
  for (const [name, [least, most]] of Object.entries(RANGES)) {
    const value = settings[name as keyof typeof RANGES]
    if (!(value >= least && value <= most)) throw wrong(name, `is a number from ${least} to ${most}`, value)
  }
  const { strategy, scope, userAgent } = settings
  if (!STRATEGIES.includes(strategy)) throw wrong('strategy', `is one of ${STRATEGIES.join(', ')}`, strategy)
  if (!SCOPES.includes(scope)) throw wrong('scope', `is one of ${SCOPES.join(', ')}`, scope)
  if (!/^[A-Za-z_-]+[\x20-\x7e]*$/.test(userAgent) || userAgent.length > 500)
    throw wrong('userAgent', 'begins with a name of letters and is plain text of at most 500 characters', userAgent)
  for (const network of settings.allowNetworks) parseNetwork(network)
  checkHostSettings(settings.hostSettings)
  new Proxies(settings.proxy)
}

function wrong(name: string, rule: string, value: unknown): EscalonaError {
  return new EscalonaError('CRAWL_BAD_SETTING', `${name} ${rule}, not ${printable(String(value))}`)
}

/** `escalona` of `escalona/1.0 (+https://…)`: the product token of RFC 9309. */
export function agentOf(userAgent: string): string {
  return productToken(userAgent)
}
