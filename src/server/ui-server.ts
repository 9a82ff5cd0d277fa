import { createServer, type Server } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { getRequestListener } from '@hono/node-server'
import { systemClock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { unguessable } from '../base/random.ts'
import { reasonOf } from '../base/system-error.ts'
import { excerpt } from '../base/words/printable.ts'
import type { FrontDesk } from '../crawl/desk/front-desk.ts'
import { createApp, type Shown } from './app.ts'
import { Connections } from './connections.ts'
import { EventStreams } from './event-streams.ts'
import { Gate, HEADERS } from './gate.ts'
import { serverWords } from './messages.ts'
import { Metrics } from './metrics.ts'
import { PageFiles } from './page-files.ts'
import { Token } from './token.ts'

/** Where to serve the live page, and who may see it. */
export interface UiOptions {
  /** 0: any free port. */
  readonly port: number
  /** The address to listen on. */
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
/** A connection on which nothing moves for so long is ended; event streams move every second. */
const LONGEST_SILENCE_MS = 60_000

/** How many different defects are reported. */
const MOST_TROUBLES = 10

/** The live page and its API, on one port. It has something to show once it has a desk. */
export class UiServer {
  /** The address of the page, with its token. */
  readonly url: string
  private readonly server: Server
  private readonly connections: Connections
  private readonly setShown: (shown: Shown) => void
  private shown: Shown | undefined

  private constructor(server: Server, url: string, connections: Connections, setShown: (shown: Shown) => void) {
    this.server = server
    this.url = url
    this.connections = connections
    this.setShown = setShown
  }

  /** `onTrouble` hears of answers that failed for no known reason. Throws when the port is taken, or the address is not this machine's. */
  static async listen(
    { port: wanted, bind, token: given = unguessable() }: UiOptions,
    onTrouble: (message: string) => void,
  ): Promise<UiServer> {
    const connections = new Connections()
    const token = new Token(given, unguessable(), systemClock)
    let port = wanted
    let shown: Shown | undefined
    const gate = new Gate({ token, connections, bind, port: () => port })
    const app = createApp({
      gate,
      files: new PageFiles(),
      metrics: new Metrics(),
      shown: () => shown,
      onDefect: firstOf(onTrouble),
    })
    const answer = getRequestListener(app.fetch as never, { overrideGlobalObjects: false })
    const server = createServer(LIMITS, (incoming, outgoing) => {
      for (const [name, value] of Object.entries(HEADERS)) outgoing.setHeader(name, value)
      void answer(incoming, outgoing)
    })
    server.setTimeout(LONGEST_SILENCE_MS)
    server.on('connection', socket => connections.add(socket))
    port = await listening(server, wanted, bind)
    const url = `http://${hostIn(shownAddress(bind))}:${port}/?token=${encodeURIComponent(given)}`
    return new UiServer(server, url, connections, now => {
      shown = now
    })
  }

  /** From now on, this crawl is shown. The desk stays the caller's to close, after the server. */
  show(desk: FrontDesk): void {
    this.shown = { desk, streams: new EventStreams(desk) }
    this.setShown(this.shown)
  }

  async close(): Promise<void> {
    const closed = new Promise(resolve => this.server.close(resolve))
    this.shown?.streams.close()
    this.connections.endAll()
    await closed
  }
}

async function listening(server: Server, port: number, bind: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', error => {
      const words = serverWords()
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      const message = isTaken ? words.portTaken(port) : words.cannotBind(`${hostIn(bind)}:${port}`, reasonOf(error))
      reject(new EscalonaError(isTaken ? 'UI_PORT_TAKEN' : 'UI_CANNOT_LISTEN', message, { cause: error }))
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

/** Passes on what has not been said before; a defect may repeat with every request. */
function firstOf(onTrouble: (message: string) => void): (error: unknown) => void {
  const said = new Set<string>()
  return error => {
    const message = serverWords().answerFailed(excerpt(String(error)))
    if (said.has(message) || said.size >= MOST_TROUBLES) return
    said.add(message)
    onTrouble(message)
  }
}
