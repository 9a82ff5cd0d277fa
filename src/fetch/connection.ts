import type { Socket } from 'node:net'
import { Client, type Dispatcher } from 'undici'
import type { Clock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { printable } from '../base/words/printable.ts'
import type { Dialer } from './dialer.ts'

export const MOST_HEADER_BYTES = 32 << 10
export const IDLE_MS = 5000

/** A server that says how long it keeps a connection is asked nothing in its last second: it may be closing. */
const KEEP_ALIVE_MARGIN_MS = 1000

/**
 * One connection to one origin at one address, made at the first request and again when it was lost, used by one request
 * at a time.
 *
 * A request can only be ended by ending the connection, and that must be `destroy`: after a mere abort, undici connects
 * once more before it notices that there is nothing left to ask.
 */
export class Connection {
  readonly origin: string
  readonly ip: string
  /** The value of the header `host`. */
  readonly host: string
  openRequests = 0
  idleSinceMs = 0
  /** When the connection that is being made was begun; undefined when none is being made. */
  dialingSinceMs: number | undefined
  /** The connection that was made last; it may have ended. */
  socket: Socket | undefined
  private destroying: Promise<void> | undefined
  private readonly client: Client
  private connecting: Socket | undefined

  constructor(origin: string, ip: string, dialer: Dialer, clock: Clock) {
    this.origin = origin
    this.ip = ip
    const url = URL.canParse(origin) ? new URL(origin) : undefined
    if (url === undefined || url.origin !== origin || !/^https?:$/.test(url.protocol)) throw badUrl(origin)
    const isSecure = url.protocol === 'https:'
    const target = {
      ip,
      port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
      secureName: isSecure ? url.hostname.replace(/^\[|\]$/g, '') : undefined,
    }
    this.host = url.host
    this.client = new Client(origin, {
      connect: (_options, then) => {
        this.dialingSinceMs = clock()
        this.connecting = dialer.dial(target, (error, socket) => {
          this.connecting = undefined
          this.dialingSinceMs = undefined
          if (error !== null) return then(error, null)
          this.socket = socket!
          then(null, socket!)
        })
      },
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: MOST_HEADER_BYTES,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
      // The fetcher watches all times itself.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  dispatch(path: string, headers: string[], handler: Dispatcher.DispatchHandler): void {
    this.client.dispatch({ path, method: 'GET', headers }, handler)
  }

  /** Ends the connection at once, with all that goes on in it; resolves when the socket is closed. */
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
  return new EscalonaError(
    'FETCH_BAD_URL',
    `cannot ask for ${printable(url.slice(0, 200))}; hand in a canonical http or https URL, as webUrl makes them`,
  )
}
