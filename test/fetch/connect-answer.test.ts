// What a proxy says to CONNECT, and what comes right behind it, by real sockets.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { Fetched } from '../../src/fetch/exchange.ts'
import { answered, failure, fetcher } from './ask.ts'
import { certificate, NO_OPENSSL } from './certificate.ts'
import { rawServer } from './raw-server.ts'

const OPEN = 'HTTP/1.1 200 Connection established\r\n\r\n'
const BANNERS = {
  SMTP: '220 mail.example ESMTP Postfix\r\n',
  SSH: 'SSH-2.0-OpenSSH_9.2p1\r\n',
  'a TLS alert': Buffer.from('15030300020228', 'hex'),
  'a flood': Buffer.alloc(1 << 20, 'x'),
}

/** Asks for an https page through a proxy that answers CONNECT in this way. */
async function askThrough(t: TestContext, answer: (socket: Socket) => void): Promise<Fetched> {
  const proxy = await rawServer(t, answer)
  const fetched = await fetcher(t, { proxy: { https: proxy.origin, no: [] } }).get(
    'https://a.example/',
    undefined,
    'html',
  )
  assert.equal(proxy.heads.length, 1, 'asked once')
  return fetched
}

for (const [name, banner] of Object.entries(BANNERS))
  test(`RFC 9110 9.3.6: bytes right behind the answer to CONNECT are the host's: ${name}`, async t => {
    const before = process.memoryUsage().rss
    const glued = await askThrough(t, socket => socket.write(Buffer.concat([Buffer.from(OPEN), Buffer.from(banner)])))
    assert.equal(failure(glued), 'tls')
    assert.ok(process.memoryUsage().rss - before < 64 << 20, 'bounded memory')
  })

test('RFC 9110 9.3.6: the answer to CONNECT may be cut anywhere, and a tunnel still opens', {
  skip: NO_OPENSSL,
}, async t => {
  const host = certificate(t, 'a.example')
  const server = createSecureServer(host, (_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<p>secure')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const heads = [OPEN, 'HTTP/1.0 200\nContent-Length: 5\n\n', `HTTP/1.1 100 Continue\r\n\r\n${OPEN}`]
  for (const head of heads) {
    for (let cut = 0; cut < head.length; cut += head === OPEN ? 1 : 5) {
      const proxy = await rawServer(t, socket => {
        socket.removeAllListeners('data')
        const upstream = connect(port, '127.0.0.1', () => {
          if (cut > 0) socket.write(head.slice(0, cut))
          setImmediate(() => {
            socket.write(head.slice(cut))
            socket.pipe(upstream).pipe(socket)
          })
        })
        upstream.on('error', () => {})
      })
      const fetch = fetcher(t, { ca: [String(host.cert)], proxy: { https: proxy.origin, no: [] } })
      assert.equal(
        answered(await fetch.get('https://a.example/', undefined, 'html')).text,
        '<p>secure',
        `cut at ${cut}`,
      )
      await fetch.close()
    }
  }
})

test('RFC 9110 9.3.6: the head of the answer to CONNECT is bounded, and one of exactly 32 KiB is read', async t => {
  const headOf = (bytes: number) => `HTTP/1.1 403 No\r\nX: ${'y'.repeat(bytes - 24)}\r\n\r\n`
  assert.equal(headOf(32 << 10).length, 32 << 10)
  const refused = await askThrough(t, socket => socket.write(headOf(32 << 10)))
  assert.equal(failure(refused), 'proxy-refused')
  const opened = await askThrough(t, socket => socket.write(`${headOf(32 << 10).replace('403', '200')}220 mail\r\n`))
  assert.equal(failure(opened), 'tls', 'the tunnel was opened')
  const endless = await askThrough(t, socket => {
    const more = () => {
      while (!socket.destroyed && socket.write('X-Header: value\r\n'.repeat(100)));
    }
    socket.on('drain', more).write('HTTP/1.1 200 OK\r\n')
    more()
  })
  assert.equal(failure(endless), 'proxy-refused')
  assert.equal(failure(await askThrough(t, socket => socket.write('SSH-2.0-OpenSSH_9.2p1\r\n'))), 'proxy-refused')
  assert.equal(failure(await askThrough(t, socket => socket.end('HTTP/1.1 200 OK\r\n'))), 'connect')
})
