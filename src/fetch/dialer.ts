import { connect, type Socket } from 'node:net'
import { connect as connectSecurely, createSecureContext, type SecureContext } from 'node:tls'
import type { AddressGuard } from './address-guard.ts'
import type { Failure } from './exchange.ts'

/** Why there is no connection. */
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
  /** The host name that the certificate must show; undefined: no TLS. An address is written without brackets. */
  readonly secureName: string | undefined
}

const READ_BYTES = 64 << 10

/** Opens connections to exactly the addresses it is told, if the guard allows them. */
export class Dialer {
  private readonly guard: AddressGuard
  /** The roots are loaded once, and not before they are needed: that takes milliseconds. */
  private secureContext: SecureContext | undefined

  constructor(guard: AddressGuard) {
    this.guard = guard
  }

  /** Whoever gives up waiting destroys the socket; then nothing is called any more. */
  dial(target: Target, then: (error: NotConnected | null, socket: Socket | null) => void): Socket {
    const { secureName } = target
    const socket = secureName === undefined ? plain(target) : this.secure(target, secureName)
    let isConnected = false
    const fail = (why: Failure | 'address', cause?: unknown) => {
      socket.removeAllListeners(ready).destroy()
      then(new NotConnected(why, { cause }), null)
    }
    const onError = (error: NodeJS.ErrnoException) => {
      if (!isConnected) fail('connect', error)
      else fail(error.code === 'ECONNRESET' || error.code === 'EPIPE' ? 'reset' : 'tls', error)
    }
    const ready = secureName === undefined ? 'connect' : 'secureConnect'
    socket.on('error', ignore).once('error', onError)
    // Before the TLS handshake begins, and on the address that really answered, whatever led there.
    socket.prependOnceListener('connect', () => {
      isConnected = true
      if (this.guard.isAllowed(socket.remoteAddress ?? '')) return
      socket.off('error', onError)
      fail('address')
    })
    socket.once(ready, () => {
      socket.off('error', onError)
      then(null, socket)
    })
    return socket
  }

  private secure({ ip, port }: Target, secureName: string): Socket {
    this.secureContext ??= createSecureContext()
    return connectSecurely({
      host: ip,
      port,
      // RFC 6066 3: an address is no server name; the certificate is then checked against the address itself.
      servername: secureName === ip ? '' : secureName.replace(/\.$/, ''),
      secureContext: this.secureContext,
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
    }).setNoDelay(true)
  }
}

function plain({ ip, port }: Target): Socket {
  const options = { host: ip, port, noDelay: true, highWaterMark: READ_BYTES }
  return connect(options)
}

function ignore(): void {}
