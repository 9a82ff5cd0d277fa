import { createServer, type Server, type Socket } from 'node:net'
import { said } from '../../base/messages/message.ts'
import { reasonOf } from '../../base/system-error.ts'
import type { RunServer, ViewedRun } from '../../run/run-status.ts'
import { sourceOf } from '../questions/frontier-answers.ts'
import { ClientConnection, PacedAnswers } from './paced-answers.ts'
import { RunMemory } from './run-memory.ts'
import { type SocketPlace, socketElsewhere, socketIn } from './socket-path.ts'

/** Enough for a live page and a handful of commands; further ones read the files. */
const MOST_CONNECTIONS = 16

/** Answers questions about a running crawl over a socket in its folder. Never throws: the crawl continues without one. */
export async function serveRun(run: ViewedRun): Promise<RunServer> {
  const memory = new RunMemory(run)
  const answers = new PacedAnswers(sourceOf(run, memory.answers))
  const sockets = new Set<Socket>()
  const serve = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    new ClientConnection(socket, line => answers.answer(line))
  }
  const listening = await listen(run, serve)
  let isClosed = false
  return {
    hear: (happened, atMs) => memory.hear(happened, atMs),
    close: async () => {
      if (isClosed) return
      isClosed = true
      memory.close()
      listening?.server.close()
      await answers.close()
      // A client that asked the crawl to stop still gets its answer.
      for (const socket of sockets) socket.destroySoon()
      listening?.place.remove()
    },
  }
}

/** Undefined when no socket can be created. */
async function listen(
  run: ViewedRun,
  serve: (socket: Socket) => void,
): Promise<{ readonly server: Server; readonly place: SocketPlace } | undefined> {
  let reason = ''
  for (const placeIn of [socketIn, socketElsewhere]) {
    let place: SocketPlace | undefined
    try {
      place = placeIn(run.folder)
      return { server: await listenAt(place, serve), place }
    } catch (error) {
      // The file system may not support sockets, for example.
      place?.remove()
      reason = reasonOf(error)
    }
  }
  run.onTrouble(said('view/no-socket', { reason }))
  return undefined
}

async function listenAt(place: SocketPlace, serve: (socket: Socket) => void): Promise<Server> {
  const server = createServer(serve)
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
  return server
}
