import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

export interface RawServer {
  /** `http://127.0.0.1:port` */
  readonly origin: string
  readonly port: number
  /** Every request head, as it came over the wire. */
  readonly heads: string[]
  readonly sockets: Socket[]
}

/** Answers a request: the socket, the request's head, and its number from 0. */
export type Answer = (socket: Socket, head: string, n: number) => void

/** A server that says exactly what it is told, right or wrong, and is gone with its test. */
export async function rawServer(t: TestContext, answer: Answer, host = '127.0.0.1'): Promise<RawServer> {
  const heads: string[] = []
  const sockets: Socket[] = []
  const server = createServer({ allowHalfOpen: false }, socket => {
    sockets.push(socket)
    let text = ''
    socket.on('error', () => {})
    socket.on('data', data => {
      text += data.toString('latin1')
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end + 4)
        text = text.slice(end + 4)
        answer(socket, head, heads.push(head) - 1)
      }
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { origin: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, port, heads, sockets }
}

/** A whole answer with its length. */
export function page(body: string | Uint8Array, ...headers: string[]): Buffer {
  const lines = headers.length > 0 ? headers : ['Content-Type: text/html']
  const bytes = Buffer.from(body)
  const head = ['HTTP/1.1 200 OK', ...lines, `Content-Length: ${bytes.length}`, '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes])
}
