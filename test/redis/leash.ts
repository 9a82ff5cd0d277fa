import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Owner } from './servers.ts'

export interface LeashOptions {
  /** How long everything takes, in each direction. */
  readonly delayMs?: number
  /** What becomes of the answers. */
  readonly answer?: (data: Buffer) => Buffer
}

/** A way to a server that can be cut: nothing passes any more in either direction, and nobody hears of it. */
export class Leash {
  readonly port: number
  private readonly sockets: Set<Socket>

  private constructor(port: number, sockets: Set<Socket>) {
    this.port = port
    this.sockets = sockets
  }

  static async to(
    owner: Owner,
    port: number,
    { delayMs = 0, answer = data => data }: LeashOptions = {},
  ): Promise<Leash> {
    const sockets = new Set<Socket>()
    const server = createServer(near => {
      const far = connect(port, '127.0.0.1')
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(socket)
        socket.on('error', () => {})
        const pass = (data: Buffer) => other.write(socket === far ? answer(data) : data)
        socket.on('data', data => (delayMs === 0 ? pass(data) : setTimeout(pass, delayMs, data)))
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
