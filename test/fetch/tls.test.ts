import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { failure, fetcher, LOOPBACK } from './ask.ts'
import { certificate, NO_OPENSSL } from './certificate.ts'
import { rawServer } from './raw-server.ts'

/** An https server whose certificate, signed by itself, is for this name; and the path of the certificate. */
async function secureServer(t: TestContext, name: string): Promise<{ port: number; path: string; names: string[] }> {
  const { key, cert, path } = certificate(t, name)
  const names: string[] = []
  const server: Server = createServer({ key, cert }, (_request, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<p>secure')
  })
  server.on('secureConnection', socket => names.push(String(socket.servername)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, path, names }
}

test('SPEC 5: a certificate that nobody vouches for is a failure', { skip: NO_OPENSSL }, async t => {
  const { port, names } = await secureServer(t, 'secure.example')
  const fetched = await fetcher(t).get(`https://secure.example:${port}/`, LOOPBACK, 'html')
  assert.ok(fetched.kind === 'failed' && fetched.why === 'tls' && !fetched.isSilent, JSON.stringify(fetched))
  assert.ok(names.length <= 1)
})

test('ours: a server that does not speak TLS is a failure', async t => {
  const server = await rawServer(t, () => {})
  server.heads.length = 0
  const fetched = fetcher(t, { timeoutMs: 500 }).get(`https://a.example:${server.port}/`, LOOPBACK, 'html')
  while (server.sockets.length === 0) await new Promise(resolve => setTimeout(resolve, 5))
  server.sockets[0]!.write('HTTP/1.1 400 Bad Request\r\n\r\n')
  assert.equal(failure(await fetched), 'tls')
  const silent = fetcher(t, { timeoutMs: 200 }).get(`https://b.example:${server.port}/`, LOOPBACK, 'html')
  assert.equal(failure(await silent), 'timeout')
  const closed = fetcher(t).get(`https://c.example:${server.port}/`, LOOPBACK, 'html')
  while (server.sockets.length < 3) await new Promise(resolve => setTimeout(resolve, 5))
  server.sockets[2]!.destroy()
  assert.equal(failure(await closed), 'reset')
})

/** What a process that trusts this certificate gets; a certificate is trusted from a process's start. */
async function askTrusting(certificate: string, url: string): Promise<string> {
  const script = fileURLToPath(new URL('./ask-once.js', import.meta.url))
  const child = spawn(process.execPath, [script, '5000', url], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate },
  })
  let text = ''
  child.stdout.on('data', data => (text += data))
  await once(child, 'close')
  return text
}

test('SPEC 5: a certificate must be for the name, or for the address where that is the name', {
  skip: NO_OPENSSL,
}, async t => {
  const named = await secureServer(t, 'secure.example')
  assert.equal(await askTrusting(named.path, `https://secure.example:${named.port}/`), '<p>secure')
  assert.equal(await askTrusting(named.path, `https://secure.example.:${named.port}/`), '<p>secure')
  assert.equal(await askTrusting(named.path, `https://other.example:${named.port}/`), 'tls')
  assert.equal(await askTrusting(named.path, `https://127.0.0.1:${named.port}/`), 'tls')
  assert.deepEqual(named.names.slice(0, 2), ['secure.example', 'secure.example'])
  const numbered = await secureServer(t, '127.0.0.1')
  assert.equal(await askTrusting(numbered.path, `https://127.0.0.1:${numbered.port}/`), '<p>secure')
})
