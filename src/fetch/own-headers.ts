import { EscalonaError } from '../base/errors.ts'

export interface HostHeaders {
  /** `example.org`, `example.org:8443`, `*.example.org`; with `http://` or `https://` in front, only for that scheme. */
  readonly host: string
  readonly headers: Readonly<Record<string, string>>
}

/** Not sent over http, unless the host was named with `http://`. */
const SECRET: ReadonlySet<string> = new Set(['authorization', 'cookie'])

/** Set by the fetcher or the connection, or with answers it could not use. */
const FORBIDDEN =
  /^(?:host|user-agent|accept|accept-encoding|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|proxy-.*|range|if-.*|http2-settings|sec-websocket-.*)$/i

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/
/** RFC 9110 5.5, without blanks at the ends. */
const VALUE = /^[!-~\x80-\xff](?:[\t -~\x80-\xff]*[!-~\x80-\xff])?$/
const MOST_BYTES = 8 << 10

export interface NamedHost {
  readonly isWildcard: boolean
  /** `example.org:8443`, without the wildcard; as a URL of that scheme spells it. Undefined: the scheme is not covered. */
  readonly http: string | undefined
  readonly https: string | undefined
}

export function parseHost(text: string): NamedHost {
  const [, scheme, star, rest = ''] = /^(?:(https?):\/\/)?(\*\.)?([^/?#@\\\s]+)\/?$/i.exec(text.trim()) ?? []
  const spelled = (of: string) => {
    const url = `${of}://${rest}/`
    return URL.canParse(url) && (scheme === undefined || scheme.toLowerCase() === of) ? new URL(url).host : undefined
  }
  const [http, https] = [spelled('http'), spelled('https')]
  const isWildcard = star !== undefined
  const isAddress = /^\[|^[\d.]+(?::\d+)?$/.test(http ?? https ?? '')
  if ((http ?? https ?? '') === '' || rest.includes('*') || (isWildcard && isAddress))
    throw new EscalonaError('CRAWL_BAD_SETTING/host', { host: text.slice(0, 100) })
  return { isWildcard, http, https }
}

/** Whether a host (`a.example.org:8443`) matches a named one; `named`: as one scheme spells it. */
export function isNamed(host: string, named: string | undefined, isWildcard: boolean): boolean {
  if (named === undefined) return false
  return isWildcard ? host.endsWith(`.${named}`) : host === named
}

export function checkHeaders(host: string, headers: Readonly<Record<string, string>>): void {
  let bytes = 0
  for (const [name, value] of Object.entries(headers)) {
    bytes += name.length + value.length
    if (!TOKEN.test(name)) throw new EscalonaError('FETCH_BAD_HEADER/name', { name: name.slice(0, 60) })
    if (FORBIDDEN.test(name)) throw new EscalonaError('FETCH_BAD_HEADER/forbidden', { name })
    if (value.length > MOST_BYTES || !VALUE.test(value)) throw new EscalonaError('FETCH_BAD_HEADER/value', { name })
  }
  if (bytes > MOST_BYTES) throw new EscalonaError('FETCH_BAD_HEADER/too-long', { host: host.slice(0, 100) })
}

interface Rule {
  readonly host: NamedHost
  readonly isPlainWanted: boolean
  readonly headers: Readonly<Record<string, string>>
}

const NONE: readonly string[] = []

export class OwnHeaders {
  /** Those for subdomains come first, so that a host's own are the last word. */
  private readonly rules: readonly Rule[]

  constructor(all: readonly HostHeaders[]) {
    const rules = all.map(({ host, headers }): Rule => {
      checkHeaders(host, headers)
      return { host: parseHost(host), isPlainWanted: /^\s*http:/i.test(host), headers }
    })
    this.rules = [...rules.filter(({ host }) => host.isWildcard), ...rules.filter(({ host }) => !host.isWildcard)]
  }

  of(origin: string): readonly string[] {
    if (this.rules.length === 0) return NONE
    const isPlain = origin.startsWith('http:')
    const host = origin.slice(origin.indexOf('://') + 3)
    const headers = new Map<string, readonly [name: string, value: string]>()
    for (const rule of this.rules) {
      if (!isNamed(host, isPlain ? rule.host.http : rule.host.https, rule.host.isWildcard)) continue
      for (const [name, value] of Object.entries(rule.headers)) {
        const key = name.toLowerCase()
        if (isPlain && !rule.isPlainWanted && SECRET.has(key)) continue
        // RFC 6265 5.4: all cookies travel in one header.
        const before = key === 'cookie' ? headers.get(key)?.[1] : undefined
        headers.set(key, [name, before === undefined ? value : `${before}; ${value}`])
      }
    }
    return headers.size === 0 ? NONE : [...headers.values()].flat()
  }
}
