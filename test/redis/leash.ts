import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Owner } from './servers.ts'

/** A way to a server that can be cut: nothing passes any more in either direction, and nobody hears of it. */
export class Leash {
  readonly port: number
  private readonly sockets: Set<Socket>

  private constructor(port: number, sockets: Set<Socket>) {
    this.port = port
    this.sockets = sockets
  }

  static async to(owner: Owner, port: number): Promise<Leash> {
    const sockets = new Set<Socket>()
    const server = createServer(near => {
      const far = connect(port, '127.0.0.1')
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.on('data', data => other.write(data))
        socket.on('close', () => {
          sockets.delete(socket)
          other.destroy()
        })
      }
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    owner.after(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    return new Leash((server.address() as { port: number }).port, sockets)
  }

  cut(): void {
    for (const socket of this.sockets) socket.pause()
  }

  mend(): void {
    for (const socket of this.sockets) socket.resume()
  }
}
