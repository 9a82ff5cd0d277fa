import { createServer, type Server } from 'node:http'
import { type AddressInfo, isIPv6, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { EscalonaError } from '../base/errors.ts'
import { said } from '../base/messages/message.ts'
import { unguessable } from '../base/random.ts'
import { whyOf } from '../base/system-error.ts'
import type { View } from '../view/questions/questions.ts'
import type { RequestHandler } from './app.ts'
import { OneCrawl, type ShownCrawls } from './shown-crawls.ts'

/** Where to serve the live page, and who may see it. */
export interface UiOptions {
  /** 0: any free port. */
  readonly port: number
  readonly bind: string
  /** Undefined: a new one. */
  readonly token: string | undefined
}

const LIMITS = {
  maxHeaderSize: 64 * 1024,
  /** How long the head of a request, and the whole of it, may take to arrive. */
  headersTimeout: 5_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 10_000,
}
/** A connection on which nothing moves for this long is ended; event streams move every second. */
const LONGEST_SILENCE_MS = 60_000

/** The live page and its API, on one port. It has something to show once it has a view. */
export class UiServer {
  /** The address of the page, with its token. */
  readonly url: string
  private readonly server: Server
  private readonly connections = new Connections()
  private shown: ShownCrawls | undefined

  /** `onTrouble` is told about answers that failed for no known reason. Throws when the port is taken, or the address is not this machine's. */
  static async listen(options: UiOptions, onTrouble: (message: string) => void): Promise<UiServer> {
    const { port: wanted, bind, token = unguessable() } = options
    const server = createServer(LIMITS)
    const port = await listening(server, wanted, bind)
    return new UiServer(server, { port, bind, token }, onTrouble)
  }

  private constructor(server: Server, open: OpenAt, onTrouble: (message: string) => void) {
    const { port, bind, token } = open
    const { connections } = this
    this.url = `http://${hostIn(shownAddress(bind))}:${port}/?token=${encodeURIComponent(token)}`
    this.server = server
    let handler: Promise<RequestHandler> | undefined
    server.setTimeout(LONGEST_SILENCE_MS)
    server.on('connection', socket => connections.add(socket))
    server.on('request', async (incoming, outgoing) => {
      // The packages take a while to load, and a crawl that is not looked at does not need them.
      handler ??= import('./app.ts')
        .then(({ requestHandler }) => requestHandler({ ...open, connections, shown: () => this.shown, onTrouble }))
        .catch(error => notLoaded(error, onTrouble))
      await (await handler)(incoming, outgoing)
    })
  }

  /** From now on, this crawl is shown. The view stays the caller's to close, after the server. */
  show(view: View): void {
    this.shown = new OneCrawl(view)
  }

  /** From now on, these crawls are shown. The server closes them. */
  showAll(crawls: ShownCrawls): void {
    this.shown = crawls
  }

  /** The crawl has ended, and its view knows: those who watch it hear of it before the server closes. */
  async end(): Promise<void> {
    await this.shown?.end()
  }

  async close(): Promise<void> {
    const closed = new Promise(resolve => this.server.close(resolve))
    await this.shown?.close()
    this.connections.endAll()
    await closed
  }
}

/**
 * The answer to everything when the packages could not be loaded, for want of file descriptors, for example. It stays so: Node keeps
 * a failed import.
 */
function notLoaded(error: unknown, onTrouble: (message: string) => void): RequestHandler {
  const message = said('server/not-loaded', { reason: whyOf(error) })
  onTrouble(message)
  const body = JSON.stringify({ error: { code: 'UI_NOT_LOADED', message } })
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', connection: 'close' }
  return async (_, outgoing) => void outgoing.writeHead(503, headers).end(body)
}

type OpenAt = UiOptions & { readonly token: string }

async function listening(server: Server, port: number, bind: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', error => {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      const address = `${hostIn(bind)}:${port}`
      reject(
        isTaken
          ? new EscalonaError('UI_PORT_TAKEN', { port }, { cause: error })
          : new EscalonaError('UI_CANNOT_LISTEN', { address, reason: whyOf(error) }, { cause: error }),
      )
    })
    server.listen({ port, host: bind }, () => resolve((server.address() as AddressInfo).port))
  })
}

/** An address that others can open: of all addresses of the machine, one that is not only its own. */
function shownAddress(bind: string): string {
  if (bind !== '0.0.0.0' && bind !== '::') return bind
  const all = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? [])
  return all.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1'
}

function hostIn(address: string): string {
  return isIPv6(address) ? `[${address}]` : address
}

/** How many connections without, and with, the token may be open at once. */
const MOST_STRANGERS = 256
const MOST_KNOWN = 256

/**
 * The open connections. Those that have not shown the token are strangers: when there are too many, the oldest is ended, so that
 * a crowd that connects and says nothing cannot keep others out.
 */
export class Connections {
  private readonly strangers = new Set<Socket>()
  private readonly known = new Set<Socket>()

  add(socket: Socket): void {
    this.strangers.add(socket)
    socket.once('close', () => {
      this.strangers.delete(socket)
      this.known.delete(socket)
    })
    if (this.strangers.size > MOST_STRANGERS) this.strangers.values().next().value!.destroy()
  }

  /** The connection has shown the token. */
  welcome(socket: Socket): void {
    if (this.known.has(socket) || this.known.size >= MOST_KNOWN || !this.strangers.delete(socket)) return
    this.known.add(socket)
  }

  endAll(): void {
    for (const socket of [...this.strangers, ...this.known]) socket.destroy()
  }
}
