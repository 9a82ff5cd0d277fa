import { connect, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import type { AddressGuard } from './address-guard.ts'
import type { Failure } from './exchange.ts'
import type { Routes } from './routes.ts'
import { type Securely, securely, whyInsecure } from './securely.ts'

export class NotConnected extends Error {
  readonly why: Failure | 'address'

  constructor(why: Failure | 'address', options?: ErrorOptions) {
    super(`no connection: ${why}`, options)
    this.why = why
  }
}

export interface Target {
  readonly ip: string
  readonly port: number
  /** The host name in the certificate, an address without brackets; undefined: no TLS. */
  readonly secureName: string | undefined
}

/** The bytes are valid during the call only. */
export type Receive = (bytes: Buffer) => void

export type Then = (error: NotConnected | null, socket: Socket | null) => void

export const READ_BYTES = 64 << 10

/** What comes on plain connections, one at a time. */
const readBuffer = Buffer.allocUnsafeSlow(READ_BYTES)

/** No file descriptor, port or memory is left. */
export const OUT_OF_FILES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EAGAIN'])

/** According to our own kernel or a router on the way. */
const NO_WAY: ReadonlySet<string> = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EHOSTDOWN', 'EAFNOSUPPORT'])

/** Connects to exactly the given addresses, if the guard allows them. */
export class Dialer {
  private readonly guard: AddressGuard
  private readonly routes: Routes
  private readonly securely: Securely

  constructor(guard: AddressGuard, routes: Routes, tls = securely()) {
    this.guard = guard
    this.routes = routes
    this.securely = tls
  }

  /** Calls `then` once. A caller that gives up waiting destroys the socket. */
  dial(target: Target, receive: Receive, then: Then): Socket {
    const { secureName } = target
    const socket = secureName === undefined ? plain(target, receive) : this.secure(target, secureName, receive)
    let isConnected = false
    const fail = (why: Failure | 'address', cause?: unknown) => {
      socket.removeAllListeners(ready).destroy()
      then(new NotConnected(why, { cause }), null)
    }
    const onError = (error: NodeJS.ErrnoException) => {
      if (!isConnected) void this.whyUnconnected(error.code ?? '', target).then(why => fail(why, error))
      else fail(whyInsecure(error), error)
    }
    const ready = secureName === undefined ? 'connect' : 'secureConnect'
    socket.on('error', ignore).once('error', onError)
    // Before the TLS handshake, and on the address that really answered.
    socket.prependOnceListener('connect', () => {
      isConnected = true
      const { remoteAddress } = socket
      if (remoteAddress !== undefined && this.guard.isAllowed(remoteAddress)) return
      socket.off('error', onError)
      // A connection that was reset since then has no address.
      fail(remoteAddress === undefined ? 'reset' : 'address')
    })
    socket.once(ready, () => {
      socket.off('error', onError)
      then(null, socket)
    })
    return socket
  }

  private secure({ ip, port }: Target, secureName: string, receive: Receive): Socket {
    // RFC 6066 3: an address is not a server name; the certificate is then checked against the address itself.
    const servername = secureName === ip ? '' : secureName
    return connectSecurely({ host: ip, port, ...this.securely(servername) })
      .setNoDelay(true)
      .on('data', receive)
  }

  /** "No route" is our fault only if this machine has no route to anywhere: otherwise a router far away said it, or the host has only IPv6. */
  private async whyUnconnected(code: string, { ip, port }: Target): Promise<Failure> {
    if (OUT_OF_FILES.has(code)) return 'files'
    if (code === 'ENETDOWN') return 'network'
    // No port is left; but some systems also say this of port 0, and of an IPv6 address without IPv6.
    const isOutOfPorts = code === 'EADDRNOTAVAIL' && port !== 0
    if (!isOutOfPorts && !NO_WAY.has(code)) return 'connect'
    if (await this.routes.hasWayTo(ip)) return isOutOfPorts ? 'files' : 'connect'
    return (await this.routes.isOnline()) ? 'connect' : 'network'
  }
}

function plain({ ip, port }: Target, receive: Receive): Socket {
  const callback = (bytes: number) => {
    receive(readBuffer.subarray(0, bytes))
    return true
  }
  return connect({ host: ip, port, noDelay: true, onread: { buffer: readBuffer, callback } })
}

/** A socket without a listener for errors would end the process. */
export function ignore(): void {}
