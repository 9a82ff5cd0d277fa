// Loaded before the command: a worker thread ends, or runs out of memory, when the answer to a deadly path comes. It stands for
// a page that our parser, or Node itself, can't survive; none is known.
import { syncBuiltinESMExports } from 'node:module'
import net, { type NetConnectOpts, type OnReadOpts, type Socket } from 'node:net'
import { isMainThread } from 'node:worker_threads'

if (!isMainThread) {
  const connect = net.connect as (options: NetConnectOpts) => Socket
  const connectWatched = (options: NetConnectOpts & { readonly onread: OnReadOpts }): Socket => {
    let request = ''
    const callback: OnReadOpts['callback'] = (bytes, buffer) => {
      if (request.startsWith('GET /deadly/exit')) process.exit(7)
      if (request.startsWith('GET /deadly/memory')) fillMemory()
      return options.onread.callback(bytes, buffer)
    }
    const socket = connect({ ...options, onread: { ...options.onread, callback } })
    const write = socket.write.bind(socket) as (text: string, encoding: BufferEncoding) => boolean
    socket.write = (text: string, encoding: unknown) => {
      request = text
      return write(text, encoding as BufferEncoding)
    }
    return socket
  }
  Object.assign(net, { connect: connectWatched })
  syncBuiltinESMExports()
}

function fillMemory(): void {
  const kept: unknown[] = []
  // Piece by piece: one huge piece would end the whole process, and Node offers no way around that.
  for (;;) kept.push(new Array(2000).fill(kept.length + 0.5))
}
