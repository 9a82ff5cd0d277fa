import { createServer, type Server, type Socket } from 'node:net'
import { reasonOf } from '../../base/system-error.ts'
import { catalogue } from '../../base/words/language.ts'
import type { CrawlHappening } from '../../settings/events.ts'
import { Answering } from './answering.ts'
import { Connection } from './connection.ts'
import { type DeskPlace, deskPlace, elsewhere } from './desk-socket.ts'
import { RunningDesk, type RunRooms } from './running-desk.ts'

export interface DeskOptions extends RunRooms {
  /** The crawl's folder; this process holds its lock. */
  readonly folder: string
  /** Called with a sentence when no socket could be created. */
  onTrouble(message: string): void
}

/** The desk of a running crawl, open. */
export interface OpenDesk {
  /** Something happened in the crawl. */
  hear(happened: CrawlHappening, atMs: number): void
  /** Closes all connections. The frontier is not called any more afterwards. */
  close(): Promise<void>
}

/** Enough for a live page and a handful of commands; further ones read the files. */
const MOST_CONNECTIONS = 16

const words = catalogue({
  en: {
    noDesk: (reason: string) =>
      `cannot create a socket for commands such as escalona status, which read the files instead: ${reason}`,
  },
  pt: {
    noDesk: (reason: string) =>
      `não é possível criar um socket para comandos como escalona status, que leem os arquivos em vez disso: ${reason}`,
  },
})

/** Serves the desk of a running crawl in its folder. Never throws: the crawl continues without a desk. */
export async function openDesk(options: DeskOptions): Promise<OpenDesk> {
  const counter = new DeskCounter(options)
  let reason = ''
  for (const placeIn of [deskPlace, elsewhere]) {
    let place: DeskPlace | undefined
    try {
      place = placeIn(options.folder)
      await counter.listen(place)
      return counter
    } catch (error) {
      // The file system may not support sockets, for example.
      place?.remove()
      reason = reasonOf(error)
    }
  }
  options.onTrouble(words().noDesk(reason))
  return counter
}

class DeskCounter implements OpenDesk {
  private readonly desk: RunningDesk
  private readonly answering: Answering
  private readonly sockets = new Set<Socket>()
  private server: Server | undefined
  private place: DeskPlace | undefined
  private isClosed = false

  constructor(options: DeskOptions) {
    this.desk = new RunningDesk(options)
    this.answering = new Answering(this.desk)
  }

  hear(happened: CrawlHappening, atMs: number): void {
    this.desk.hear(happened, atMs)
  }

  async listen(place: DeskPlace): Promise<void> {
    const server = createServer(socket => this.serve(socket))
    server.maxConnections = MOST_CONNECTIONS
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(place.path, resolve)
      // The socket exists at once, but no connection is accepted before this turn of the event loop ends.
      if (server.listening) place.protect()
    })
    server.removeAllListeners('error')
    server.on('error', () => {})
    server.unref()
    this.server = server
    this.place = place
  }

  async close(): Promise<void> {
    if (this.isClosed) return
    this.isClosed = true
    this.desk.close()
    this.server?.close()
    await this.answering.close()
    // Whoever asked the crawl to stop is still answered.
    for (const socket of this.sockets) socket.destroySoon()
    this.place?.remove()
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket)
    socket.on('close', () => this.sockets.delete(socket))
    new Connection(socket, line => this.answering.answer(line))
  }
}
