import type { Socket } from 'node:net'
import type { Clock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { AnswerParser, type AnswerTaker, type WireHead } from './answer-parser.ts'
import type { Dialer, Receive, Then } from './dialer.ts'
import type { Failure } from './exchange.ts'
import { BadAnswer } from './framing.ts'
import type { HttpProxy } from './proxies.ts'
import type { ProxyDialer } from './proxy-dialer.ts'

export const IDLE_MS = 5000

/** Nothing is sent in the last second of a server's keep-alive: it may be closing. */
const KEEP_ALIVE_MARGIN_MS = 1000

export type Way =
  | { readonly kind: 'direct'; readonly ip: string; readonly dialer: Dialer }
  | { readonly kind: 'proxied'; readonly proxy: HttpProxy; readonly dialer: ProxyDialer }

/** Makes a request, and gets its answer. */
export interface Requester extends AnswerTaker {
  /** The request is being written. */
  sent(): void
  lost(why: Failure | 'address', isUnconnected: boolean): void
}

interface Request {
  readonly head: string
  readonly requester: Requester
}

/**
 * One connection to one origin, made at the first request and again after it was lost; for one request at a time, which can only be ended by
 * ending the connection.
 */
export class HttpConnection {
  readonly origin: string
  /** Empty through a proxy. */
  readonly ip: string
  readonly host: string
  /** Headers for this origin alone: name, value, … */
  readonly ownHeaders: readonly string[]
  /** For http through a proxy: the proxy gets the request itself. */
  readonly asksProxy: HttpProxy | undefined
  openRequests = 0
  idleSinceMs = 0
  /** While a connection is being made. */
  dialingSinceMs: number | undefined
  /** Since the last request was sent. */
  receivedBytes = 0
  isReachingProxy = false
  isDestroyed = false
  private readonly clock: Clock
  private readonly dial: (receive: Receive, then: Then) => Socket
  private readonly parser: AnswerParser
  /** The first one is under way, or waits for a connection. */
  private readonly requests: Request[] = []
  private isAsking = false
  private connecting: Socket | undefined
  private socket: Socket | undefined
  private isPaused = false
  /** After this, the server may be closing. */
  private usableUntilMs = Number.POSITIVE_INFINITY

  constructor(origin: string, way: Way, ownHeaders: readonly string[], clock: Clock) {
    this.origin = origin
    this.ip = way.kind === 'direct' ? way.ip : ''
    this.ownHeaders = ownHeaders
    this.clock = clock
    const url = URL.canParse(origin) ? new URL(origin) : undefined
    if (url === undefined || url.origin !== origin || !/^https?:$/.test(url.protocol)) throw badUrl(origin)
    const isSecure = url.protocol === 'https:'
    const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port)
    const secureName = isSecure ? url.hostname.replace(/^\[|\]$/g, '') : undefined
    this.host = url.host
    this.asksProxy = way.kind === 'proxied' && !isSecure ? way.proxy : undefined
    this.dial = (receive, then) => {
      if (way.kind === 'direct') return way.dialer.dial({ ip: way.ip, port, secureName }, receive, then)
      this.isReachingProxy = true
      const onReached = () => {
        this.isReachingProxy = false
      }
      return way.dialer.dial(way.proxy, { authority: `${url.hostname}:${port}`, secureName }, receive, onReached, then)
    }
    this.parser = new AnswerParser({
      head: (head, framing) => this.requests[0]!.requester.head(head, framing),
      piece: piece => this.requests[0]!.requester.piece(piece),
      end: () => this.answered(),
    })
  }

  /** As much of the head as came. */
  get answerBeginning(): WireHead | undefined {
    return this.parser.beginning
  }

  send(head: string, requester: Requester): void {
    this.requests.push({ head, requester })
    if (this.requests.length === 1) this.next()
  }

  /** What has been read is still passed on. */
  pause(): void {
    this.isPaused = true
    this.socket?.pause()
  }

  resume(): void {
    this.isPaused = false
    this.socket?.resume()
  }

  /** Ends all requests on it, too; resolves when the socket is closed. */
  destroy(): Promise<void> {
    const socket = this.connecting ?? this.socket
    this.isDestroyed = true
    this.disconnect()
    for (const { requester } of this.requests.splice(0)) requester.lost('reset', false)
    if (socket === undefined || socket.closed) return Promise.resolve()
    return new Promise(resolve => socket.once('close', () => resolve()))
  }

  private next(): void {
    if (this.socket === undefined) this.connect()
    // A close by the other side is noticed first.
    else setImmediate(() => this.ask())
  }

  private connect(): void {
    this.dialingSinceMs = this.clock()
    const connecting = this.dial(
      bytes => this.receive(bytes),
      (error, socket) => {
        if (this.connecting !== connecting) return
        this.connecting = undefined
        this.dialingSinceMs = undefined
        if (error !== null) return this.lose(error.why, true)
        this.attach(socket!)
        this.ask()
      },
    )
    this.connecting = connecting
  }

  private attach(socket: Socket): void {
    this.socket = socket
    this.usableUntilMs = Number.POSITIVE_INFINITY
    const onClose = () => {
      if (this.socket === socket) this.closed()
    }
    const onError = ({ code }: NodeJS.ErrnoException) => {
      if (this.socket !== socket) return
      // Some servers end an answer without a length this way.
      const isEnd = code === 'ECONNRESET' && this.endsWithConnection
      if (this.isAsking && !isEnd) this.lose('reset')
      else this.closed()
    }
    socket.on('end', onClose).on('close', onClose).on('error', onError)
  }

  private ask(): void {
    const [request] = this.requests
    if (request === undefined) return
    if (this.clock() >= this.usableUntilMs) this.disconnect()
    if (this.socket === undefined) {
      this.connect()
      return
    }
    this.isAsking = true
    this.receivedBytes = 0
    this.parser.begin()
    if (this.isPaused) this.resume()
    request.requester.sent()
    this.socket.write(request.head, 'latin1')
  }

  private receive(bytes: Buffer): void {
    if (this.socket === undefined) return
    this.receivedBytes += bytes.length
    try {
      // Unexpected bytes might be taken for the next answer.
      if (this.parser.feed(bytes) < bytes.length) this.disconnect()
    } catch (error) {
      if (!(error instanceof BadAnswer)) throw error
      this.lose(error.why)
    }
  }

  private answered(): void {
    const { requester } = this.requests.shift()!
    const { keepAliveMs } = this.parser.framing!
    this.isAsking = false
    if (!this.parser.isReusable) this.disconnect()
    // An end, or unexpected bytes, must be noticed before the next request.
    else if (this.isPaused) this.resume()
    this.usableUntilMs =
      keepAliveMs === undefined ? Number.POSITIVE_INFINITY : this.clock() + keepAliveMs - KEEP_ALIVE_MARGIN_MS
    requester.end()
    if (this.requests.length > 0) this.next()
  }

  private closed(): void {
    if (!this.isAsking) this.disconnect()
    else if (this.endsWithConnection) this.answered()
    else this.lose(this.parser.framing === undefined ? 'reset' : 'length')
  }

  private get endsWithConnection(): boolean {
    return this.isAsking && this.parser.framing?.bodyEnd.kind === 'close'
  }

  private lose(why: Failure | 'address', isUnconnected = false): void {
    this.disconnect()
    this.isAsking = false
    this.requests.shift()?.requester.lost(why, isUnconnected)
    if (this.requests.length > 0) this.next()
  }

  private disconnect(): void {
    const { socket, connecting } = this
    this.socket = undefined
    this.connecting = undefined
    this.dialingSinceMs = undefined
    this.parser.stop()
    socket?.destroy()
    connecting?.destroy()
  }
}

export function badUrl(url: string): EscalonaError {
  return new EscalonaError('FETCH_BAD_URL', { url: url.slice(0, 200) })
}
