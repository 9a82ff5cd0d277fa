import { isIP } from 'node:net'
import { EscalonaError } from '../base/errors.ts'
import { addressBytes, isInside, type Network, parseNetwork } from './address-guard.ts'

/** A proxy is a URL, `http://` or `https://`, optionally with `user:password@`. */
export interface ProxySettings {
  readonly http?: string
  readonly https?: string
  /** As in NO_PROXY: `example.org` (with its subdomains), `host:port`, addresses, CIDR networks, `*`. */
  readonly no: readonly string[]
}

export interface HttpProxy {
  /** Without brackets. */
  readonly name: string
  readonly port: number
  readonly isSecure: boolean
  readonly login: string | undefined
}

/** Without a scheme it is `http://`. */
export function parseProxy(text: string): HttpProxy {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim()) ? text.trim() : `http://${text.trim()}`
  const url = URL.canParse(full) ? new URL(full) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search + url.hash !== '')
    throw badProxy(text)
  const isSecure = url.protocol === 'https:'
  const login = url.username + url.password === '' ? undefined : loginOf(url, text)
  const name = url.hostname.replace(/^\[|\]$/g, '')
  return { name, port: Number(url.port) || (isSecure ? 443 : 80), isSecure, login }
}

/** Safe to show and to store. */
export function shownProxy(text: string): string {
  const { name, port, isSecure } = parseProxy(text)
  return `${isSecure ? 'https' : 'http'}://${isIP(name) === 6 ? `[${name}]` : name}:${port}`
}

function loginOf(url: URL, text: string): string {
  try {
    const plain = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    return `Basic ${Buffer.from(plain).toString('base64')}`
  } catch {
    throw badProxy(text)
  }
}

/** Text before an @ may be a password. */
function badProxy(text: string): EscalonaError {
  const shown = text.slice(text.lastIndexOf('@') + 1, text.length).slice(0, 100)
  return new EscalonaError('FETCH_BAD_PROXY', { shown: shown.replace(/[^ -~]/g, '?') })
}

type Direct =
  | { readonly kind: 'all' }
  | { readonly kind: 'network'; readonly network: Network }
  | { readonly kind: 'name'; readonly name: string; readonly port: string | undefined }

export class Proxies {
  private readonly settings: ProxySettings
  private readonly http: HttpProxy | undefined
  private readonly https: HttpProxy | undefined
  private readonly direct: readonly Direct[]

  constructor(settings: ProxySettings = { no: [] }) {
    const { http, https, no } = settings
    this.settings = settings
    this.http = http === undefined ? undefined : parseProxy(http)
    this.https = https === undefined ? undefined : parseProxy(https)
    this.direct = no.flatMap(readDirect)
  }

  /** `url`: canonical; its origin is enough. */
  of(url: string): HttpProxy | undefined {
    const isPlain = url.startsWith('http:')
    const proxy = isPlain ? this.http : this.https
    if (proxy === undefined || this.direct.length === 0) return proxy
    const { hostname, port } = new URL(url)
    const name = hostname.replace(/^\[|\]$|\.$/g, '')
    const ownPort = port === '' ? (isPlain ? '80' : '443') : port
    return this.direct.some(entry => isDirect(entry, name, ownPort)) ? undefined : proxy
  }

  loginRefused(): EscalonaError {
    const { http = [], https = [] } = this.settings
    const shown = new Set([http, https].flat().map(shownProxy))
    return new EscalonaError('FETCH_PROXY_LOGIN', { shown: [...shown] })
  }
}

function readDirect(entry: string): Direct[] {
  const text = entry.trim().toLowerCase()
  if (text === '') return []
  if (text === '*') return [{ kind: 'all' }]
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare.split('/', 1)[0]!) !== 0) return [{ kind: 'network', network: parseNetwork(bare) }]
  const [, name = '', port] = /^(?:\*?\.)?(\[[^\]]*\]|[^:]*?)\.?(?::(\d+))?$/.exec(text) ?? []
  return name === '' ? [] : [{ kind: 'name', name: name.replace(/^\[|\]$/g, ''), port }]
}

function isDirect(entry: Direct, name: string, port: string): boolean {
  if (entry.kind === 'all') return true
  if (entry.kind === 'network') {
    const bytes = addressBytes(name)
    return bytes !== undefined && isInside(bytes, entry.network)
  }
  return (entry.port ?? port) === port && (name === entry.name || name.endsWith(`.${entry.name}`))
}
