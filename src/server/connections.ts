import type { Socket } from 'node:net'

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
