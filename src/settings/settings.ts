import { EscalonaError } from '../base/errors.ts'
import { catalogue } from '../base/words/language.ts'
import { printable } from '../base/words/printable.ts'
import { exactDuration } from '../base/words/quantity.ts'
import { parseNetwork } from '../fetch/network.ts'
import { Proxies, type ProxySettings } from '../fetch/proxies.ts'
import { productToken } from '../robots/product-token.ts'
import { STRATEGY_NAMES, type StrategyName } from '../scheduler/strategy.ts'
import { checkHostSettings, type HostSettings } from './host-settings.ts'

/** The settings of a crawl. Everything has a default; durations are in milliseconds, sizes in bytes. */
export interface CrawlSettings {
  /** The crawl ends after this many archived pages in the life of the folder. Infinity: when nothing is left. */
  readonly limit: number
  /** This run stops after this time, as if interrupted. Infinity: no limit. */
  readonly maxTimeMs: number
  /** The crawl stops when the folder's WARC files reach this size. Infinity: no limit. */
  readonly maxArchiveBytes: number
  /** Maximum requests per second, to all hosts together. Infinity: no limit. */
  readonly maxRequestsPerSecond: number
  /**
   * Whether pages are visited again: not at all, again and again until the crawl is stopped, or until nothing is due
   * any more.
   */
  readonly recrawl: 'no' | 'yes' | 'due'
  /** The shortest and the longest time between two visits of a page; from the first to the second, it is `recrawlFirstMs`. */
  readonly recrawlMinMs: number
  readonly recrawlMaxMs: number
  readonly recrawlFirstMs: number
  /** Each Nth visit of a page asks for all of it, whatever the server said about changes. */
  readonly recrawlFull: number
  /** How many payloads are remembered, so that equal ones of other URLs are archived once. 0: none. */
  readonly dedup: number
  /** Minimum time between two requests to a host. */
  readonly delayMs: number
  /** Minimum time between two requests to a server (an IP address), across all its hosts. */
  readonly serverDelayMs: number
  /** Maximum open requests per server, across all its hosts. */
  readonly perServer: number
  /** Timeout of a whole request, from the connection to the last byte. */
  readonly timeoutMs: number
  /** Timeout for connecting, including TLS. */
  readonly connectTimeoutMs: number
  /** Timeout from sending the request to the first byte of the answer. */
  readonly firstByteTimeoutMs: number
  /** Maximum size of a page after decompression; the rest is cut off. */
  readonly maxBodyBytes: number
  /** How many times a failed request is retried. */
  readonly retries: number
  /** Maximum open requests. */
  readonly concurrency: number
  /** Worker threads that share the requests. */
  readonly workers: number
  readonly strategy: StrategyName | 'explore'
  /** With the strategy `explore`: the chance of choosing a host whose domain was never visited. */
  readonly exploreChance: number
  /** Seed of the random choices. */
  readonly seed: number
  /** Which links are followed: all, those to a seed's registrable domain, or those to a seed's host. */
  readonly scope: 'any' | 'domain' | 'host'
  /** Whether to read the sitemaps that robots.txt names. Default: unless the scope is `any`. */
  readonly sitemaps: 'no' | 'yes'
  /** Maximum number of links from a seed. */
  readonly maxDepth: number
  /** Maximum pages per host. */
  readonly maxPerHost: number
  /** Maximum hosts that the crawl may know, in total and per registrable domain. */
  readonly maxHosts: number
  readonly maxHostsPerDomain: number
  /** How many links kept out by a setting are remembered, so that a change of the setting can let them in. */
  readonly maxHeld: number
  /** URL patterns, where `*` matches any text; see docs/web-urls.md. Without any, everything is included and nothing excluded. */
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** Networks in CIDR notation that may be contacted although they are not public. */
  readonly allowNetworks: readonly string[]
  /** Addresses by host name, consulted before DNS. */
  readonly hosts: ReadonlyMap<string, string>
  /** DNS servers, as `address` or `address:port`; if empty, those of the system. */
  readonly dnsServers: readonly string[]
  /** Sent with every request; its first word, up to a slash, is matched against robots.txt. */
  readonly userAgent: string
  /** A URL or email address for the people who run the hosts, added to the User-Agent; empty: none. */
  readonly contact: string
  /** Settings of single hosts. An entry for the host itself overrides one for subdomains, and a later entry overrides an earlier one. */
  readonly hostSettings: readonly HostSettings[]
  /** What is archived besides pages, redirects and robots.txt: every answer, or nothing. */
  readonly archive: 'answers' | 'pages'
  /** Whether the archive's request records include the headers of `hostSettings`. */
  readonly archiveSecrets: boolean
  /** Undefined: hosts are contacted directly. */
  readonly proxy: ProxySettings | undefined
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MONTH_MS = 31 * DAY_MS
const TEN_YEARS_MS = 3653 * DAY_MS
/** A request must end before its lease does. */
const LONGEST_TIMEOUT_MS = 5 * 60_000
const STRATEGIES: readonly string[] = ['explore', ...STRATEGY_NAMES]
const RECRAWLS: readonly string[] = ['no', 'yes', 'due']
const ARCHIVINGS: readonly string[] = ['answers', 'pages']
const SITEMAPS: readonly string[] = ['no', 'yes']
const SCOPES: readonly string[] = ['any', 'domain', 'host']

const words = catalogue({
  en: {
    wrong: (name: string, rule: string, value: string) => `${name} must ${rule}, not ${value}`,
    range: (least: number, most: number, isWhole: boolean) =>
      `be a ${isWhole ? 'whole ' : ''}number ${most === Infinity ? `from ${least} up` : `from ${least} to ${most}`}`,
    oneOf: (names: string) => `be one of ${names}`,
    atMost: (other: string, value: string) => `be at most ${other} (${value})`,
    agent: 'begin with a name of letters and be plain text of at most 500 characters',
  },
  pt: {
    wrong: (name, rule, value) => `${name} deve ${rule}, não ${value}`,
    range: (least, most, isWhole) =>
      `ser um número ${isWhole ? 'inteiro ' : ''}${most === Infinity ? `a partir de ${least}` : `de ${least} a ${most}`}`,
    oneOf: names => `ser um destes: ${names}`,
    atMost: (other, value) => `ser no máximo ${other} (${value})`,
    agent: 'começar com um nome de letras e ser texto simples de até 500 caracteres',
  },
})

/** The contact in the default User-Agent. */
const HOMEPAGE = 'https://github.com/escalona/escalona'

/** Fills in defaults for settings that are missing or undefined. Throws if a value is out of range. */
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
    recrawl: 'no',
    recrawlMinMs: HOUR_MS,
    recrawlMaxMs: 90 * DAY_MS,
    recrawlFirstMs: DAY_MS,
    recrawlFull: 10,
    dedup: 0,
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
    sitemaps: (own.scope ?? 'any') === 'any' ? 'no' : 'yes',
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
    contact: '',
    hostSettings: [],
    archive: 'answers',
    archiveSecrets: false,
    proxy: undefined,
    ...own,
    concurrency,
    delayMs,
    timeoutMs,
    userAgent: wholeAgent(own, version),
    workers: Math.min(own.workers ?? cores, concurrency),
  } as CrawlSettings
  check(settings)
  return settings
}

/** The User-Agent as it is sent, with the contact. */
function wholeAgent({ userAgent, contact = '' }: Partial<CrawlSettings>, version: string): string {
  if (userAgent === undefined) return `escalona/${version} (+${contact === '' ? HOMEPAGE : contact})`
  return contact === '' || userAgent.includes(contact) ? userAgent : `${userAgent} (+${contact})`
}

/** Minimum and maximum of each number. */
const RANGES = {
  limit: [1, Infinity],
  maxTimeMs: [1, Infinity],
  maxArchiveBytes: [1, Infinity],
  maxRequestsPerSecond: [0.001, Infinity],
  recrawlMinMs: [1, TEN_YEARS_MS],
  recrawlMaxMs: [1, TEN_YEARS_MS],
  recrawlFirstMs: [1, TEN_YEARS_MS],
  recrawlFull: [1, 1_000_000],
  dedup: [0, 100_000_000],
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

/** The other numbers are whole, or Infinity where that is allowed. */
const FRACTIONS: readonly string[] = [
  'maxTimeMs',
  'maxRequestsPerSecond',
  'recrawlMinMs',
  'recrawlMaxMs',
  'recrawlFirstMs',
  'delayMs',
  'serverDelayMs',
  'timeoutMs',
  'connectTimeoutMs',
  'firstByteTimeoutMs',
  'exploreChance',
] satisfies (keyof typeof RANGES)[]

function check(settings: CrawlSettings): void {
  for (const [name, [least, most]] of Object.entries(RANGES)) {
    const value = settings[name as keyof typeof RANGES]
    const isWhole = !FRACTIONS.includes(name)
    if (!(value >= least && value <= most) || (isWhole && value !== Infinity && !Number.isInteger(value)))
      throw wrong(name, words().range(least, most, isWhole), value)
  }
  const { strategy, scope, archive, sitemaps, userAgent, recrawl, recrawlMinMs, recrawlMaxMs } = settings
  if (!RECRAWLS.includes(recrawl)) throw wrong('recrawl', words().oneOf(RECRAWLS.join(', ')), recrawl)
  if (recrawlMinMs > recrawlMaxMs)
    throw wrong(
      'recrawlMinMs',
      words().atMost('recrawlMaxMs', exactDuration(recrawlMaxMs)),
      exactDuration(recrawlMinMs),
    )
  if (!STRATEGIES.includes(strategy)) throw wrong('strategy', words().oneOf(STRATEGIES.join(', ')), strategy)
  if (!SCOPES.includes(scope)) throw wrong('scope', words().oneOf(SCOPES.join(', ')), scope)
  if (!ARCHIVINGS.includes(archive)) throw wrong('archive', words().oneOf(ARCHIVINGS.join(', ')), archive)
  if (!SITEMAPS.includes(sitemaps)) throw wrong('sitemaps', words().oneOf(SITEMAPS.join(', ')), sitemaps)
  if (!isUserAgent(userAgent)) throw wrong('userAgent', words().agent, userAgent)
  for (const network of settings.allowNetworks) parseNetwork(network)
  checkHostSettings(settings.hostSettings)
  new Proxies(settings.proxy)
}

function wrong(name: string, rule: string, value: unknown): EscalonaError {
  return new EscalonaError('CRAWL_BAD_SETTING', words().wrong(name, rule, printable(String(value))))
}

/** The product token of RFC 9309: `escalona` from `escalona/1.0 (+https://…)`. */
export function agentOf(userAgent: string): string {
  return productToken(userAgent)
}

/** Whether a text can be sent as the User-Agent, and begins with a name that robots.txt can know. */
export function isUserAgent(text: string): boolean {
  return /^[A-Za-z_-]+[\x20-\x7e]*$/.test(text) && text.length <= 500
}
