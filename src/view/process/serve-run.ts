import { createServer, type Server, type Socket } from 'node:net'
import { reasonOf } from '../../base/system-error.ts'
import { catalogue } from '../../base/words/language.ts'
import type { CrawlHappening } from '../../crawl/events.ts'
import type { RunServer, ViewedRun } from '../../crawl/viewed-run.ts'
import { Connection } from './connection.ts'
import { Answering } from './paced-answers.ts'
import { RunningDesk } from './run-answers.ts'
import { type DeskPlace, deskPlace, elsewhere } from './socket-path.ts'

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

/** Answers questions about a running crawl over a socket in its folder. Never throws: the crawl continues without one. */
export async function serveRun(run: ViewedRun): Promise<RunServer> {
  const counter = new DeskCounter(run)
  let reason = ''
  for (const placeIn of [deskPlace, elsewhere]) {
    let place: DeskPlace | undefined
    try {
      place = placeIn(run.folder)
      await counter.listen(place)
      return counter
    } catch (error) {
      // The file system may not support sockets, for example.
      place?.remove()
      reason = reasonOf(error)
    }
  }
  run.onTrouble(words().noDesk(reason))
  return counter
}

class DeskCounter implements RunServer {
  private readonly desk: RunningDesk
  private readonly answering: Answering
  private readonly sockets = new Set<Socket>()
  private server: Server | undefined
  private place: DeskPlace | undefined
  private isClosed = false

  constructor(run: ViewedRun) {
    this.desk = new RunningDesk(run)
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
