import { type Clock, wallClock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { AddressGuard } from './address-guard.ts'
import { badUrl, HttpConnection, IDLE_MS, type Way } from './connection.ts'
import { Dialer } from './dialer.ts'
import type { Fetched, FetchPurpose, HttpClient, ReadBody, ResolvedAddress } from './exchange.ts'
import { type HostHeaders, OwnHeaders } from './own-headers.ts'
import { PendingRequest, type RequestOwner, type TimeLimits } from './pending-request.ts'
import { Proxies, type ProxySettings } from './proxies.ts'
import { ProxyDialer } from './proxy-dialer.ts'
import { Routes } from './routes.ts'
import { securely } from './securely.ts'

export interface FetcherOptions extends TimeLimits {
  readonly userAgent: string
  /** Of a page, after decompression. */
  readonly maxBodyBytes: number
  /** CIDR; may be connected to although they aren't public. */
  readonly allowNetworks: readonly string[]
  readonly hostHeaders?: readonly HostHeaders[]
  readonly archiveSecrets?: boolean
  /** PEM; trusted besides those that Node trusts. */
  readonly ca?: readonly string[]
  readonly proxy?: ProxySettings | undefined
  readonly clock: Clock
  /** Keeps running while the computer sleeps; default: the system's. */
  readonly wallClock?: Clock
  /** Beyond it, idle connections are closed, longest idle first. Default 1,000. */
  readonly maxConnections?: number
}

const ACCEPT: Readonly<Record<FetchPurpose, string>> = {
  html: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
  robots: 'text/plain,*/*;q=0.5',
  sitemap: 'application/xml,text/xml,application/rss+xml,application/atom+xml,text/plain;q=0.9,*/*;q=0.5',
}

const MOST_CONNECTIONS = 1000

/** How often deadlines and idle connections are checked. */
const LONGEST_SWEEP_MS = 250
const SHORTEST_SWEEP_MS = 10

const VISIBLE = /^[ -~]+$/
const PATH = /^\/[!"$-~]*$/

/**
 * Fetches URLs, with one connection per origin, kept for the next request and closed when idle. Deadlines may be exceeded by a tenth of the
 * shortest, at most 250 ms. After a standstill of this process they move by the lost time, and failures because of it are `stopped`.
 */
export class Fetcher implements HttpClient {
  private readonly options: FetcherOptions
  private readonly guard: AddressGuard
  private readonly dialer: Dialer
  private readonly proxyDialer: ProxyDialer
  private readonly proxies: Proxies
  private readonly ownHeaders: OwnHeaders
  private readonly headerLines: Readonly<Record<FetchPurpose, string>>
  /** The least recently used connection comes first. */
  private readonly connections = new Map<string, HttpConnection>()
  private readonly maxConnections: number
  private readonly pending = new Set<PendingRequest>()
  private readonly standstill: Standstill
  private readonly owner: RequestOwner = {
    noticeStandstill: nowMs => this.noticeStandstill(nowMs),
    ended: request => this.release(request),
  }
  private readonly sweeper: NodeJS.Timeout
  private isClosed = false

  constructor(options: FetcherOptions) {
    if (!VISIBLE.test(options.userAgent)) throw badAgent(options.userAgent)
    this.options = options
    this.guard = new AddressGuard(options.allowNetworks)
    const tls = securely(options.ca)
    this.dialer = new Dialer(this.guard, new Routes(options.clock), tls)
    this.proxyDialer = new ProxyDialer(options.clock, tls)
    this.proxies = new Proxies(options.proxy)
    this.ownHeaders = new OwnHeaders(options.hostHeaders ?? [])
    this.maxConnections = options.maxConnections ?? MOST_CONNECTIONS
    this.headerLines = {
      html: headersFor('html', options),
      robots: headersFor('robots', options),
      sitemap: headersFor('sitemap', options),
    }
    const shortestMs = Math.min(options.timeoutMs, options.connectTimeoutMs, options.firstByteTimeoutMs)
    const sweepMs = Math.min(Math.max(shortestMs / 10, SHORTEST_SWEEP_MS), LONGEST_SWEEP_MS)
    this.standstill = new Standstill(options.clock(), options.wallClock ?? wallClock, sweepMs)
    this.sweeper = setInterval(() => this.sweep(), sweepMs).unref()
  }

  get(
    url: string,
    address: ResolvedAddress | undefined,
    wanted: FetchPurpose,
    conditions: readonly string[] = [],
    read: ReadBody = dropped,
  ): Promise<Fetched> {
    return new Promise((resolve, reject) => {
      if (this.isClosed) return resolve({ kind: 'failed', why: 'stopped', isSilent: false, sent: undefined, tookMs: 0 })
      const pathAt = url.indexOf('/', 8)
      const path = url.slice(pathAt)
      if (pathAt < 0 || !PATH.test(path)) return reject(badUrl(url))
      this.noticeStandstill(this.options.clock())
      const connection = this.connectionTo(url.slice(0, pathAt), address?.ip)
      if (connection === undefined) return resolve({ kind: 'refused', by: 'address' })
      const lines = this.headerLines[wanted] + linesOf(conditions)
      const secrets = this.options.archiveSecrets ? linesOf(connection.ownHeaders) : ''
      const requestHead = headOf(path, connection.host, lines + secrets)
      const details = { url, wanted, requestHead, maxBodyBytes: this.options.maxBodyBytes, read }
      const request = new PendingRequest(details, connection, this.options.clock, this.owner, resolve)
      connection.openRequests++
      this.pending.add(request)
      connection.send(this.sentHead(path, connection, lines, requestHead), request)
    })
  }

  async close(): Promise<void> {
    this.isClosed = true
    clearInterval(this.sweeper)
    for (const request of this.pending) request.fail('stopped')
    await Promise.all(Array.from(this.connections.values(), connection => connection.destroy()))
    this.connections.clear()
  }

  get openConnections(): number {
    return this.connections.size
  }

  /** Undefined when the guard refuses the address; an existing connection was allowed when it was made. */
  private connectionTo(origin: string, ip: string | undefined): HttpConnection | undefined {
    const known = this.connections.get(origin)
    if (known !== undefined && known.ip === (ip ?? '')) return known
    const way = ip === undefined ? this.proxied(origin) : this.direct(ip)
    if (way === undefined) return undefined
    if (known?.openRequests === 0) void known.destroy()
    const connection = new HttpConnection(origin, way, this.ownHeaders.of(origin), this.options.clock)
    if (this.connections.size >= this.maxConnections) this.dropIdle(this.options.clock())
    this.connections.set(origin, connection)
    return connection
  }

  private direct(ip: string): Way | undefined {
    return this.guard.isAllowed(ip) ? { kind: 'direct', ip, dialer: this.dialer } : undefined
  }

  private proxied(origin: string): Way | undefined {
    if (!URL.canParse(origin)) throw badUrl(origin)
    const proxy = this.proxies.of(origin)
    if (proxy === undefined) throw new Error('a request came without an address, and goes through no proxy')
    const isAllowed = this.guard.isNameAllowed(new URL(origin).hostname)
    return isAllowed ? { kind: 'proxied', proxy, dialer: this.proxyDialer } : undefined
  }

  /** As it is sent; `archived`: as the host gets it, without secrets and headers for a proxy. */
  private sentHead(path: string, connection: HttpConnection, lines: string, archived: string): string {
    const { origin, host, ownHeaders, asksProxy } = connection
    if (asksProxy === undefined && (ownHeaders.length === 0 || this.options.archiveSecrets)) return archived
    // RFC 9112 3.2.2: a proxy gets the whole URL.
    const target = asksProxy === undefined ? path : origin + path
    const login = asksProxy?.login === undefined ? '' : `Proxy-Authorization: ${asksProxy.login}\r\n`
    return headOf(target, host, lines + linesOf(ownHeaders) + login)
  }

  private release(request: PendingRequest): void {
    const { connection } = request
    this.pending.delete(request)
    connection.openRequests--
    connection.idleSinceMs = this.options.clock()
    if (this.connections.get(connection.origin) === connection) {
      this.connections.delete(connection.origin)
      if (!connection.isDestroyed) this.connections.set(connection.origin, connection)
    } else if (connection.openRequests === 0) void connection.destroy()
  }

  private sweep(): void {
    const nowMs = this.options.clock()
    this.noticeStandstill(nowMs)
    for (const request of this.pending) {
      const why = request.overdue(nowMs, this.options)
      if (why !== undefined) request.fail(why)
    }
    this.dropIdle(nowMs)
  }

  /** Idle connections are dropped after a standstill: the other side may have closed them long ago. */
  private noticeStandstill(nowMs: number): void {
    const lostMs = this.standstill.look(nowMs)
    if (lostMs === undefined) return
    for (const request of this.pending) request.forgive(lostMs)
    for (const connection of this.connections.values()) {
      if (connection.openRequests === 0) this.drop(connection)
    }
  }

  private dropIdle(nowMs: number): void {
    for (const connection of this.connections.values()) {
      if (connection.openRequests > 0) continue
      if (nowMs - connection.idleSinceMs < IDLE_MS && this.connections.size < this.maxConnections) return
      this.drop(connection)
    }
  }

  private drop(connection: HttpConnection): void {
    this.connections.delete(connection.origin)
    void connection.destroy()
  }
}

async function dropped(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of body) {
    // It isn't wanted.
  }
}

function badAgent(userAgent: string): EscalonaError {
  return new EscalonaError('FETCH_BAD_AGENT', { agent: userAgent.slice(0, 100) })
}

function headersFor(wanted: FetchPurpose, { userAgent }: FetcherOptions): string {
  return linesOf(['User-Agent', userAgent, 'Accept', ACCEPT[wanted], 'Accept-Encoding', 'gzip, deflate, br'])
}

function headOf(target: string, host: string, lines: string): string {
  return `GET ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n${lines}\r\n`
}

function linesOf(headers: readonly string[]): string {
  let lines = ''
  for (let i = 0; i < headers.length; i += 2) lines += `${headers[i]}: ${headers[i + 1]}\r\n`
  return lines
}

/** A thread that is merely busy is late by less than this. */
const LATE_MS = 2000

/**
 * Notices that this process stood still: stopped (SIGSTOP), asleep, or blocked by long work. Linux's clock stops during sleep, so the wall
 * clock is checked too; setting that one forward only forgives a few failures.
 */
export class Standstill {
  private readonly wallClock: Clock
  private readonly everyMs: number
  private lastMs: number
  private lastWallMs: number

  /** `everyMs`: the longest time between two calls of `look`. */
  constructor(nowMs: number, wallClock: Clock, everyMs: number) {
    this.wallClock = wallClock
    this.everyMs = everyMs
    this.lastMs = nowMs
    this.lastWallMs = wallClock()
  }

  /** Lost milliseconds since the last call, 0 if the clock slept too; undefined without a standstill. */
  look(nowMs: number): number | undefined {
    const nowWallMs = this.wallClock()
    const lostMs = nowMs - this.lastMs - this.everyMs
    const lostWallMs = nowWallMs - this.lastWallMs - this.everyMs
    this.lastMs = nowMs
    this.lastWallMs = nowWallMs
    return lostMs > LATE_MS || lostWallMs > LATE_MS ? Math.max(lostMs, 0) : undefined
  }
}
