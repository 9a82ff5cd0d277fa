import { createServer, type Server } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { systemClock } from '../base/clock.ts'
import { EscalonaError } from '../base/errors.ts'
import { unguessable } from '../base/random.ts'
import { reasonOf } from '../base/system-error.ts'
import { ReadingRoom } from '../replay/reading-room.ts'
import type { View } from '../view/questions/questions.ts'
import type { Answer } from './answers-of.ts'
import type { Shown } from './app.ts'
import { Connections } from './connections.ts'
import { EventStreams } from './event-streams.ts'
import { serverWords } from './messages.ts'
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

/** The live page and its API, on one port. It has something to show once it has a view. */
export class UiServer {
  /** The address of the page, with its token. */
  readonly url: string
  private readonly server: Server
  private readonly connections = new Connections()
  private shown: Shown | undefined

  /** `onTrouble` hears of answers that failed for no known reason. Throws when the port is taken, or the address is not this machine's. */
  static async listen(options: UiOptions, onTrouble: (message: string) => void): Promise<UiServer> {
    const { port: wanted, bind, token = unguessable() } = options
    const server = createServer(LIMITS)
    const port = await listening(server, wanted, bind)
    return new UiServer(server, { port, bind, token }, onTrouble)
  }

  private constructor(server: Server, open: OpenAt, onTrouble: (message: string) => void) {
    const { port, bind, token } = open
    this.url = `http://${hostIn(shownAddress(bind))}:${port}/?token=${encodeURIComponent(token)}`
    this.server = server
    let answers: Promise<Answer> | undefined
    server.setTimeout(LONGEST_SILENCE_MS)
    server.on('connection', socket => this.connections.add(socket))
    server.on('request', async (incoming, outgoing) => {
      answers ??= this.loadAnswers(open, onTrouble).catch(error => notLoaded(error, onTrouble))
      const answer = await answers
      await answer(incoming, outgoing)
    })
  }

  /** From now on, this crawl is shown. The view stays the caller's to close, after the server. */
  show(view: View): void {
    this.shown = { view, room: new ReadingRoom(view.folder), streams: new EventStreams(view) }
  }

  async close(): Promise<void> {
    const closed = new Promise(resolve => this.server.close(resolve))
    this.shown?.streams.close()
    this.connections.endAll()
    await closed
  }

  /** The packages take a while to load, and a crawl that is not looked at does not need them. */
  private async loadAnswers({ port, bind, token }: OpenAt, onTrouble: (message: string) => void): Promise<Answer> {
    const { answersOf } = await import('./answers-of.ts')
    return answersOf({
      token: new Token(token, unguessable(), systemClock),
      connections: this.connections,
      bind,
      port,
      shown: () => this.shown,
      onTrouble,
    })
  }
}

/**
 * The answer to everything when the packages could not be loaded, for want of file descriptors, for example. It stays so: Node keeps
 * a failed import.
 */
function notLoaded(error: unknown, onTrouble: (message: string) => void): Answer {
  const message = serverWords().notLoaded(reasonOf(error))
  onTrouble(message)
  const body = JSON.stringify({ error: { code: 'UI_NOT_LOADED', message } })
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', connection: 'close' }
  return async (_, outgoing) => void outgoing.writeHead(503, headers).end(body)
}

type OpenAt = UiOptions & { readonly token: string }

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
