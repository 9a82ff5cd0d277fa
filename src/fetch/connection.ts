import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import Client from 'undici/lib/dispatcher/client.js'
import type { Clock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { printable } from '../base/words/printable.ts'
import { AnswerStart } from './answer-start.ts'
import type { Dialer, NotConnected } from './dialer.ts'
import { words } from './messages.ts'
import type { HttpProxy } from './proxies.ts'
import type { ProxyDialer } from './proxy-dialer.ts'

export const MOST_HEADER_BYTES = 32 << 10
export const IDLE_MS = 5000

/** If a server says how long it keeps a connection, nothing is sent in the last second: it may be closing. */
const KEEP_ALIVE_MARGIN_MS = 1000

/** How to connect to an origin: at an address, or through a proxy that finds it. */
export type Way =
  | { readonly kind: 'direct'; readonly ip: string; readonly dialer: Dialer }
  | { readonly kind: 'proxied'; readonly proxy: HttpProxy; readonly dialer: ProxyDialer }

/**
 * One connection to one origin in one way, made at the first request and again after it was lost; used by one request at a
 * time.
 *
 * A request can only be ended by ending the connection, and that must be `destroy`: after a mere abort, undici connects
 * once more before it notices that there is nothing left to ask.
 */
export class Connection {
  readonly origin: string
  /** The address; empty through a proxy. */
  readonly ip: string
  /** The value of the header `host`. */
  readonly host: string
  /** Headers for this origin alone: name, value, … */
  readonly ownHeaders: readonly string[]
  /** The proxy that gets the request itself, for http through a proxy; undefined otherwise. */
  readonly asksProxy: HttpProxy | undefined
  openRequests = 0
  idleSinceMs = 0
  /** Since when a connection is being made; undefined when none is. */
  dialingSinceMs: number | undefined
  /** The connection that was made last; it may have ended. */
  socket: Socket | undefined
  /** What comes back first, for those who ask. */
  readonly answerStart = new AnswerStart()
  /** Whether a proxy is being connected to and has not been reached yet. */
  isReachingProxy = false
  private destroying: Promise<void> | undefined
  private readonly client: Client
  private connecting: Socket | undefined

  constructor(origin: string, way: Way, ownHeaders: readonly string[], clock: Clock) {
    this.origin = origin
    this.ip = way.kind === 'direct' ? way.ip : ''
    this.ownHeaders = ownHeaders
    const url = URL.canParse(origin) ? new URL(origin) : undefined
    if (url === undefined || url.origin !== origin || !/^https?:$/.test(url.protocol)) throw badUrl(origin)
    const isSecure = url.protocol === 'https:'
    const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port)
    const secureName = isSecure ? url.hostname.replace(/^\[|\]$/g, '') : undefined
    this.host = url.host
    this.asksProxy = way.kind === 'proxied' && !isSecure ? way.proxy : undefined
    const dial = (then: (error: NotConnected | null, socket: Socket | null) => void): Socket => {
      if (way.kind === 'direct') return way.dialer.dial({ ip: way.ip, port, secureName }, then)
      this.isReachingProxy = true
      const onReached = () => {
        this.isReachingProxy = false
      }
      return way.dialer.dial(way.proxy, { authority: `${url.hostname}:${port}`, secureName }, onReached, then)
    }
    this.client = new Client(origin, {
      connect: (_options, then) => {
        this.dialingSinceMs = clock()
        this.connecting = dial((error, socket) => {
          this.connecting = undefined
          this.dialingSinceMs = undefined
          if (error !== null) return then(error, null)
          this.socket = socket!
          this.answerStart.watch(socket!)
          then(null, socket!)
        })
      },
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: MOST_HEADER_BYTES,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
      // The fetcher watches all deadlines itself.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  /** RFC 9112 3.2.2: a proxy gets the whole URL. */
  dispatch(pathInOrigin: string, headers: string[], handler: Dispatcher.DispatchHandler): void {
    const path = this.asksProxy === undefined ? pathInOrigin : this.origin + pathInOrigin
    this.client.dispatch({ path, method: 'GET', headers }, handler)
  }

  /** Ends the connection at once, with any request on it; resolves when the socket is closed. */
  destroy(): Promise<void> {
    this.connecting?.destroy()
    this.destroying ??= this.client.destroy()
    return this.destroying
  }

  get isDestroyed(): boolean {
    return this.destroying !== undefined
  }
}

export function badUrl(url: string): EscalonaError {
  return new EscalonaError('FETCH_BAD_URL', words().badUrl(printable(url.slice(0, 200))))
}
