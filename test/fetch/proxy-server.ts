// A small real proxy: absolute form and CONNECT. Every name leads to 127.0.0.1.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import type { Certificate } from './certificate.ts'

export interface ProxyServer {
  /** `http://127.0.0.1:port` */
  readonly url: string
  readonly port: number
  /** `GET http://a.example/x`, `CONNECT a.example:443`, in the order in which they came. */
  readonly asked: string[]
  /** The headers that came with them. */
  readonly headers: IncomingMessage['headers'][]
  close(): Promise<void>
}

export interface ProxyManners {
  /** `user:password` that it asks for. */
  readonly login?: string
  /** It is spoken to over TLS. */
  readonly certificate?: Certificate
  /** What it answers to a request for this host, instead of doing it. */
  readonly refuses?: (host: string) => number | undefined
  /** Where the ports of hosts lead, if not to themselves. */
  readonly port?: number
}

/** `at`: the port; 0 when any will do. */
export async function proxyServer(t: TestContext, manners: ProxyManners = {}, at = 0): Promise<ProxyServer> {
  const { login, certificate, refuses } = manners
  const asked: string[] = []
  const headers: IncomingMessage['headers'][] = []
  const sockets = new Set<Socket>()
  const server: Server = certificate === undefined ? createServer() : createSecureServer(certificate)
  const wanted = login && `Basic ${Buffer.from(login).toString('base64')}`
  const refusal = (message: IncomingMessage, host: string): number | undefined => {
    asked.push(`${message.method} ${message.url}`)
    headers.push(message.headers)
    return message.headers['proxy-authorization'] === wanted ? refuses?.(host) : 407
  }
  server.on('connection', (socket: Socket) => void sockets.add(socket))
  server.on('request', (message, response) => {
    const url = new URL(message.url!)
    const status = refusal(message, url.hostname)
    if (status !== undefined) return void response.writeHead(status).end()
    const { 'proxy-authorization': _, ...rest } = message.headers
    const port = manners.port ?? url.port
    request({ host: '127.0.0.1', port, path: url.pathname + url.search, headers: rest }, answer => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
      .on('error', () => response.writeHead(502).end())
      .end()
  })
  server.on('connect', (message: IncomingMessage, client: Socket) => {
    const [host = '', port] = message.url!.split(':')
    const status = refusal(message, host)
    if (status !== undefined) return void client.end(`HTTP/1.1 ${status} No\r\n\r\n`)
    const upstream = connect(manners.port ?? Number(port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      client.pipe(upstream).pipe(client)
    })
    sockets.add(upstream)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
  })
  server.listen(at, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise(resolve => server.close(resolve))
  }
  t.after(close)
  return { url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`, port, asked, headers, close }
}
