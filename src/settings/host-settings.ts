import { EscalonaError } from '../base/errors.ts'
import { printable } from '../base/words/printable.ts'
import { checkHeaders, type HostHeaders, parseHost } from '../fetch/own-headers.ts'
import { MONTH_MS } from './setting-row.ts'
import type { CrawlSettings } from './settings-table.ts'

/** Settings for one host, or for all its subdomains. Anything not given is as for every other host. */
export interface HostSettings {
  /**
   * `example.org`, `example.org:8443` or `*.example.org` (all subdomains, not `example.org` itself), optionally with a scheme.
   * Without a port: the default port. With a scheme, `headers` are sent over that scheme only.
   */
  readonly host: string
  /** Minimum time between two requests to the host; it may be shorter or longer than the crawl's. */
  readonly delayMs?: number
  /** Maximum pages of the host, instead of `maxPerHost`. */
  readonly limit?: number
  /**
   * Sent with every request to this host, including those for robots.txt, and to no other host. `Authorization` and `Cookie`
   * are sent over https only, unless `host` begins with `http://`. Treated as secret: never written or shown.
   */
  readonly headers?: Readonly<Record<string, string>>
}

/** Throws if a value is out of range. Messages never contain header values. */
export function checkHostSettings(all: readonly HostSettings[]): void {
  for (const { host, delayMs = 0, limit = 1, headers = {} } of all) {
    parseHost(host)
    const shown = printable(host.slice(0, 100))
    if (!(delayMs >= 0 && delayMs <= MONTH_MS)) throw new EscalonaError('CRAWL_BAD_SETTING/delay', { host: shown })
    if (!(limit >= 1) || (limit !== Infinity && !Number.isInteger(limit)))
      throw new EscalonaError('CRAWL_BAD_SETTING/limit', { host: shown })
    checkHeaders(host, headers)
  }
}

/** The part of the settings that the fetcher needs. */
export function hostHeaders(all: readonly HostSettings[]): readonly HostHeaders[] {
  return all.flatMap(({ host, headers }) => (headers === undefined ? [] : [{ host, headers }]))
}

/** The time between two requests to a host, and whether it is the crawl's setting, the host's own, or longer because its pages bring little that is new. */
export interface SettingGap {
  readonly ms: number
  readonly by: 'setting' | 'host setting' | 'little new'
}

/** Looks up the delay and the page limit of each host. */
export class HostBook {
  /** The shortest delay of any host; a frontier takes it as the minimum for all. */
  readonly shortestDelayMs: number
  private readonly settings: CrawlSettings
  private readonly exact = new Map<string, Partial<HostSettings>>()
  /** In order of precedence. */
  private readonly wildcards: { readonly suffix: string; readonly settings: HostSettings }[] = []

  constructor(settings: CrawlSettings) {
    this.settings = settings
    const delaysMs = settings.hostSettings.flatMap(({ delayMs }) => delayMs ?? [])
    this.shortestDelayMs = delaysMs.reduce((a, b) => Math.min(a, b), settings.delayMs)
    for (const one of settings.hostSettings) this.add(one)
  }

  /** Minimum time between two requests to a host; `host` includes its port, as in a frontier. */
  delayMs(host: string): number {
    return this.of(host, 'delayMs') ?? this.settings.delayMs
  }

  /** The same, and who asks for it. */
  gapOf(host: string): SettingGap {
    const own = this.of(host, 'delayMs')
    return own === undefined ? { ms: this.settings.delayMs, by: 'setting' } : { ms: own, by: 'host setting' }
  }

  /** Maximum pages of a host. */
  limit(host: string): number {
    return this.of(host, 'limit') ?? this.settings.maxPerHost
  }

  private add(settings: HostSettings): void {
    const { http, https, isWildcard } = parseHost(settings.host)
    for (const named of new Set([http, https])) {
      if (named === undefined) continue
      if (isWildcard) this.wildcards.unshift({ suffix: `.${named}`, settings })
      else this.exact.set(named, { ...this.exact.get(named), ...settings })
    }
  }

  private of(host: string, what: 'delayMs' | 'limit'): number | undefined {
    const own = this.exact.size === 0 ? undefined : this.exact.get(host)?.[what]
    if (own !== undefined) return own
    return this.wildcards.find(({ suffix, settings }) => settings[what] !== undefined && host.endsWith(suffix))
      ?.settings[what]
  }
}
