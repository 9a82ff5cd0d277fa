// Hosts that mean no good, each on an address of its own. They speak plain TCP, so that they can say what no HTTP library
// would let them.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

/** Writes an answer to a request for a path; what it throws only ends its connection. */
type Answer = (socket: Socket, path: string, port: number) => unknown

export interface HostileHost {
  readonly name: string
  readonly answer: Answer
  /** Where the name leads instead of to the server. */
  readonly address?: string
  /** The names that its end may be counted under; `page` when it is archived in spite of everything. */
  readonly ends: readonly string[]
}

export interface HostileServer {
  readonly port: number
  /** Addresses by name, as in a hosts file. */
  readonly hostsFile: string
  /** The bytes that each host could get rid of. */
  readonly sentBytes: ReadonlyMap<string, number>
  readonly paths: ReadonlyMap<string, readonly string[]>
  close(): Promise<void>
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
const ROBOTS_MISSING = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'
const PAGE = '<!doctype html><title>Page</title><p>words'
const MEGABYTE = Buffer.alloc(1 << 20, '<p>words</p>\n')
/** A gibibyte of blanks in a megabyte: many gzip members, one behind the other. */
const BOMB = Buffer.concat(Array.from({ length: 64 }, () => gzipSync(Buffer.alloc(16 << 20, ' '), { level: 1 })))
export const MANY_LINKS = 100_000

/** Answers /robots.txt with 404 and everything else as given. */
function site(name: string, ends: string | readonly string[], answer: Answer): HostileHost {
  const both: Answer = (socket, path, port) =>
    path === '/robots.txt' ? socket.write(ROBOTS_MISSING) : answer(socket, path, port)
  return { name, ends: typeof ends === 'string' ? [ends] : ends, answer: both }
}

function whole(head: string, body: string | Uint8Array): Answer {
  return socket => {
    socket.write(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`)
    socket.write(body)
  }
}

/** The same again and again, as fast as it is taken. */
async function forever(socket: Socket, part: string | Uint8Array): Promise<void> {
  const closed = once(socket, 'close')
  while (!socket.destroyed) if (!socket.write(part)) await Promise.race([once(socket, 'drain'), closed])
}

function drip(socket: Socket, text: string): void {
  let at = 0
  const timer = setInterval(() => (at < text.length ? socket.write(text[at++]!) : clearInterval(timer)), 1000)
  socket.on('close', () => clearInterval(timer))
}

/** A robots.txt of its own; the page behind it is there for those who may ask. */
function robots(name: string, ends: string, answer: Answer): HostileHost {
  return {
    name,
    ends: [ends],
    answer: (socket, path, port) =>
      path === '/robots.txt' ? answer(socket, path, port) : whole(OK, PAGE)(socket, path, port),
  }
}

export const HOSTILE_HOSTS: readonly HostileHost[] = [
  site('endless-body', 'page', async socket => {
    socket.write(`${OK}\r\n`)
    await forever(socket, MEGABYTE)
  }),
  site('endless-headers', 'headers', async socket => {
    socket.write(OK)
    await forever(socket, `X-More: ${'x'.repeat(500)}\r\n`)
  }),
  site('one-endless-header', 'headers', async socket => {
    socket.write(`${OK}X-More: `)
    await forever(socket, MEGABYTE.toString().replaceAll('\n', ' '))
  }),
  site('byte-a-second', 'timeout', socket => {
    socket.write(`${OK}Content-Length: 1000\r\n\r\n`)
    drip(socket, 'x'.repeat(1000))
  }),
  site('head-byte-a-second', 'timeout', socket => drip(socket, OK)),
  site('silence', 'timeout', () => undefined),
  site('gzip-bomb', 'page', whole(`${OK}Content-Encoding: gzip\r\n`, BOMB)),
  site('broken-gzip', 'encoding', whole(`${OK}Content-Encoding: gzip\r\n`, randomBytes(5000))),
  site('unknown-encoding', 'encoding', whole(`${OK}Content-Encoding: compress\r\n`, PAGE)),
  site('length-too-long', 'length', socket => socket.end(`${OK}Content-Length: 5000\r\n\r\n${PAGE}`)),
  site('length-too-short', 'page', socket => socket.write(`${OK}Content-Length: 20\r\n\r\n${PAGE}`)),
  site('length-twice', 'protocol', socket =>
    socket.write(`${OK}Content-Length: 5\r\nContent-Length: 6\r\n\r\n${PAGE}`),
  ),
  site('length-nonsense', 'protocol', socket => socket.write(`${OK}Content-Length: -5e3\r\n\r\n${PAGE}`)),
  site('chunk-nonsense', 'protocol', socket => socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n${PAGE}`)),
  site('chunk-cut', ['length', 'reset'], socket =>
    socket.end(`${OK}Transfer-Encoding: chunked\r\n\r\n4000\r\n${PAGE}`),
  ),
  site('reset', ['reset'], socket => {
    socket.write(`${OK}Content-Length: 100000\r\n\r\n${PAGE}`, () => setTimeout(() => socket.resetAndDestroy(), 50))
  }),
  site('closed-at-once', 'reset', socket => socket.end()),
  site('no-http', 'protocol', socket => socket.write('SSH-2.0-OpenSSH_9.2\r\n')),
  site('endless-continue', ['timeout', 'headers', 'protocol'], socket =>
    forever(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
  ),
  site('switching', ['protocol', 'status-101', 'timeout'], socket => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
  }),
  site('header-with-nul', 'protocol', socket => socket.write(`${OK}X: a\0b\r\nContent-Length: 2\r\n\r\nab`)),
  site('redirect-loop', 'redirect-to-known', (socket, path) => {
    socket.write(`HTTP/1.1 302 Found\r\nLocation: ${path === '/' ? '/b' : '/'}\r\nContent-Length: 0\r\n\r\n`)
  }),
  site('redirect-forever', 'too-many-redirects', (socket, path) => {
    const next = path === '/' ? 1 : Number(path.slice(1)) + 1
    socket.write(`HTTP/1.1 302 Found\r\nLocation: /${next}\r\nContent-Length: 0\r\n\r\n`)
  }),
  site('redirect-inside', 'address', socket => {
    socket.write('HTTP/1.1 302 Found\r\nLocation: http://10.0.0.7/admin\r\nContent-Length: 0\r\n\r\n')
  }),
  site('redirect-to-itself-mapped', 'address', (socket, _path, port) => {
    const target = `http://[::ffff:169.254.169.254]:${port}/`
    socket.write(`HTTP/1.1 302 Found\r\nLocation: ${target}\r\nContent-Length: 0\r\n\r\n`)
  }),
  { name: 'name-inside', ends: ['address'], address: '10.0.0.8', answer: () => undefined },
  { name: 'name-linklocal', ends: ['address'], address: '169.254.169.254', answer: () => undefined },
  { name: 'nobody-home', ends: ['robots-connect'], address: '127.30.255.1', answer: () => undefined },
  robots('robots-gigabyte', 'page', async socket => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1073741824\r\n\r\n')
    socket.write('User-agent: *\nDisallow: /private/\n')
    await forever(socket, MEGABYTE)
  }),
  robots('robots-404', 'page', socket => socket.write(ROBOTS_MISSING)),
  robots('robots-403', 'page', socket => socket.write(ROBOTS_MISSING.replace('404 Not Found', '403 Forbidden'))),
  robots('robots-500', 'robots-status-500', socket =>
    socket.write(ROBOTS_MISSING.replace('404 Not Found', '500 Oops')),
  ),
  robots('robots-timeout', 'robots-timeout', () => undefined),
  robots('robots-garbage', 'page', whole('HTTP/1.1 200 OK\r\n', randomBytes(400_000))),
  site('many-links', 'page', whole(OK, manyLinks())),
  site('nul-bytes', 'page', whole(OK, `<title>a\0b</title>\0\0<a href="/many/\0">\0</a>${'\0'.repeat(100_000)}`)),
  site(
    'invalid-utf-8',
    'page',
    whole(
      `${OK.trimEnd()}; charset=utf-8\r\n`,
      Buffer.from('ff fe fd c0 80 ed a0 80 f5'.repeat(3000).replaceAll(' ', ''), 'hex'),
    ),
  ),
  site('wrong-charset', 'page', whole(`${OK.trimEnd()}; charset=utf-16\r\n`, PAGE.repeat(999))),
  site('picture-as-html', 'page', whole(OK, randomBytes(300_000))),
  site('deep-tags', 'page', whole(OK, '<div>'.repeat(100_000))),
  site('unclosed-attribute', 'page', whole(OK, `<a href="${'x'.repeat(900_000)}`)),
  site('terminal-escapes', 'page', whole(OK, '<title>\x1b[2J\x1b]0;owned\x07\x9b31m red</title>')),
]

function manyLinks(): string {
  return Array.from({ length: MANY_LINKS }, (_, n) => `<a href="/many/${n}">x</a>`).join('\n')
}

/** Serves them all on one port, each at 127.30.0.n. */
export async function serveHostile(): Promise<HostileServer> {
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  const sentBytes = new Map<string, number>()
  const paths = new Map<string, string[]>()
  const lines: string[] = []
  let port = 0
  for (const [n, { name, address, answer }] of HOSTILE_HOSTS.entries()) {
    lines.push(`${address ?? `127.30.0.${n + 1}`} ${name}.hostile.test\n`)
    if (address !== undefined) continue
    paths.set(name, [])
    const server = createServer(socket => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        sentBytes.set(name, (sentBytes.get(name) ?? 0) + socket.bytesWritten)
      })
      let text = ''
      socket.once('data', first => {
        if (!String(first).startsWith('GET ')) socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
      })
      socket.setEncoding('latin1').on('data', part => {
        text += part
        for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
          const path = text.split(' ', 2)[1] ?? ''
          text = text.slice(end + 4)
          paths.get(name)!.push(path)
          Promise.resolve(answer(socket, path, port)).catch(() => socket.destroy())
        }
      })
    })
    await once(server.listen(port, `127.30.0.${n + 1}`), 'listening')
    port = (server.address() as { port: number }).port
    servers.push(server)
  }
  const close = async () => {
    for (const server of servers) server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { port, hostsFile: lines.join(''), sentBytes, paths, close }
}
