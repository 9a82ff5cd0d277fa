import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import type { Clock } from '../base/clock.ts'
import { AnswerParser } from './answer-parser.ts'
import { ignore, NotConnected, OUT_OF_FILES, READ_BYTES, type Receive, type Then } from './dialer.ts'
import type { Failure } from './exchange.ts'
import { BadAnswer } from './framing.ts'
import type { HttpProxy } from './proxies.ts'
import { type Securely, securely, whyInsecure } from './securely.ts'

export interface Beyond {
  /** `example.org:443` */
  readonly authority: string
  /** In the certificate; undefined: no TLS, and the proxy itself is asked. */
  readonly secureName: string | undefined
}

const KEPT_MS = 30_000

/** Opens connections to proxies and, for https, through them to hosts (RFC 9110 9.3.6). */
export class ProxyDialer {
  private readonly names: KeptNames
  private readonly securely: Securely

  constructor(clock: Clock, tls = securely()) {
    this.names = new KeptNames(clock)
    this.securely = tls
  }

  /** Calls `onReached` when connected to the proxy, and `then` once. A caller that gives up waiting destroys the socket. */
  dial(
    proxy: HttpProxy,
    { authority, secureName }: Beyond,
    receive: Receive,
    onReached: () => void,
    then: Then,
  ): Socket {
    const socket = this.reach(proxy)
    const fail = (why: Failure, cause?: unknown) => {
      socket.off('error', onError).destroy()
      then(new NotConnected(why, { cause }), null)
    }
    const onError = (error: NodeJS.ErrnoException) =>
      fail(OUT_OF_FILES.has(error.code ?? '') ? 'files' : 'proxy', error)
    socket.on('error', ignore).once('error', onError)
    socket.once(proxy.isSecure ? 'secureConnect' : 'connect', () => {
      onReached()
      socket.off('error', onError)
      if (secureName === undefined) {
        socket.on('data', receive)
        return then(null, socket)
      }
      tunnel(socket, authority, proxy.login, why => {
        if (why !== undefined) return fail(why)
        this.secureThrough(socket, secureName, receive, then)
      })
    })
    return socket
  }

  private secureThrough(socket: Socket, secureName: string, receive: Receive, then: Then): void {
    const options = { socket, ...this.securely(isIP(secureName) === 0 ? secureName : '') }
    // There is no address to compare a certificate with, so the name is passed even where it is an address.
    const secure = connectSecurely({ ...options, host: secureName })
    const onError = (error: NodeJS.ErrnoException) => {
      secure.destroy()
      socket.destroy()
      then(new NotConnected(whyInsecure(error), { cause: error }), null)
    }
    secure.on('error', ignore).once('error', onError)
    secure.once('secureConnect', () => {
      secure.off('error', onError).on('data', receive)
      then(null, secure)
    })
  }

  private reach({ name, port, isSecure }: HttpProxy): Socket {
    const to = { host: name, port, lookup: this.names.lookup, noDelay: true, highWaterMark: READ_BYTES }
    return isSecure ? connectSecurely({ ...to, ...this.securely(isIP(name) === 0 ? name : '') }) : connect(to)
  }
}

/** Reports why there is no tunnel, or undefined. */
function tunnel(
  socket: Socket,
  authority: string,
  login: string | undefined,
  then: (why: Failure | undefined) => void,
) {
  const end = (why: Failure | undefined) => {
    parser.stop()
    socket.off('data', onData).off('close', onClose)
    then(why)
  }
  const onClose = () => end('connect')
  let why: Failure | undefined
  // RFC 9110 9.3.6: an answer that opens a tunnel has no body, and one that refuses it is not read further.
  const parser = new AnswerParser({
    head: ({ status }) => {
      why = whyRefused(status)
      parser.stop()
    },
    piece: ignore,
    end: ignore,
  })
  const onData = (data: Buffer) => {
    try {
      const headBytes = parser.feed(data)
      if (!parser.isOver) return
      // What follows is the host's. A flowing socket would hand it to `onData` again, so it is paused until TLS reads it.
      socket.pause()
      if (headBytes < data.length) socket.unshift(data.subarray(headBytes))
    } catch (error) {
      if (!(error instanceof BadAnswer)) throw error
      why = 'proxy-refused'
    }
    end(why)
  }
  parser.begin()
  socket.on('data', onData).once('close', onClose)
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`]
  if (login !== undefined) lines.push(`Proxy-Authorization: ${login}`)
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
}

/** 5xx: the proxy could not reach the host, which says something about the host. */
function whyRefused(status: number): Failure | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status === 407) return 'proxy-login'
  return status >= 500 ? 'connect' : 'proxy-refused'
}

/** Addresses of proxies by the system's lookup, since their names are often local. Kept for a while: lookups run in the threads that read files. */
class KeptNames {
  private readonly clock: Clock
  private readonly known = new Map<string, { readonly addresses: Promise<LookupAddress[]>; readonly untilMs: number }>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  readonly lookup: LookupFunction = (name, options, then) => {
    this.addresses(name).then(
      addresses => {
        if (options.all) return then(null, addresses)
        then(null, addresses[0]!.address, addresses[0]!.family)
      },
      error => then(error as NodeJS.ErrnoException, ''),
    )
  }

  private addresses(name: string): Promise<LookupAddress[]> {
    const known = this.known.get(name)
    if (known !== undefined && known.untilMs > this.clock()) return known.addresses
    const addresses = lookup(name, { all: true })
    addresses.catch(() => this.known.delete(name))
    this.known.set(name, { addresses, untilMs: this.clock() + KEPT_MS })
    return addresses
  }
}
