import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { certificatesIn } from '../../src/fetch/securely.ts'
import { answered, failure, fetcher, LOOPBACK } from './ask.ts'
import { authority, type Certificate, certificate, NO_OPENSSL } from './certificate.ts'
import { rawServer } from './raw-server.ts'

/** An https server with this certificate. */
async function secureServer(t: TestContext, { key, cert }: Certificate): Promise<{ port: number; names: string[] }> {
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
  return { port: (server.address() as AddressInfo).port, names }
}

test('rule 5.9: a failure says which fault a certificate has', { skip: NO_OPENSSL }, async t => {
  const ca = authority(t)
  const trusting = fetcher(t, { ca: [ca.cert] })
  const outcomeOf = async (cert: Certificate, fetch = trusting) => {
    const { port } = await secureServer(t, cert)
    const fetched = await fetch.get(`https://secure.example:${port}/`, LOOPBACK, 'html')
    assert.ok(fetched.kind === 'answer' || (fetched.kind === 'failed' && !fetched.isSilent), JSON.stringify(fetched))
    return fetched.kind === 'answer' ? answered(fetched).text : failure(fetched)
  }
  assert.equal(await outcomeOf(ca.issue('secure.example')), '<p>secure')
  assert.equal(await outcomeOf(ca.issue('secure.example', '20200101000000Z', '20210101000000Z')), 'tls-expired')
  assert.equal(await outcomeOf(ca.issue('secure.example', '20480101000000Z')), 'tls-not-yet-valid')
  assert.equal(await outcomeOf(ca.issue('other.example')), 'tls-wrong-name')
  assert.equal(await outcomeOf(ca.issue('secure.example'), fetcher(t)), 'tls-unknown-issuer')
  assert.equal(await outcomeOf(certificate(t, 'secure.example')), 'tls-self-signed')
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

test('rule 5.9: a certificate must be for the name, or for the address where that is the name', {
  skip: NO_OPENSSL,
}, async t => {
  const [named, numbered] = [certificate(t, 'secure.example'), certificate(t, '127.0.0.1')]
  const fetch = fetcher(t, { ca: [`${named.cert}and one more:\n${numbered.cert}`] })
  const { port, names } = await secureServer(t, named)
  const ask = (name: string, at = port) => fetch.get(`https://${name}:${at}/`, LOOPBACK, 'html')
  assert.equal(answered(await ask('secure.example')).text, '<p>secure')
  assert.equal(answered(await ask('secure.example.')).text, '<p>secure')
  assert.equal(failure(await ask('other.example')), 'tls-wrong-name')
  assert.equal(failure(await ask('127.0.0.1')), 'tls-wrong-name')
  assert.deepEqual(names.slice(0, 2), ['secure.example', 'secure.example'])
  assert.equal(answered(await ask('127.0.0.1', (await secureServer(t, numbered)).port)).text, '<p>secure')
})

test('tls: of a PEM text only the certificates are taken, and what is not one is an error', {
  skip: NO_OPENSSL,
}, t => {
  const { key, cert } = certificate(t, 'a.example')
  const pem = cert.toString().trim()
  assert.deepEqual(certificatesIn(`# mine\r\n${key}\n${pem}\r\n${pem}`), [pem, pem])
  for (const text of ['', 'not one', key.toString(), pem.replace('END', 'FIN')])
    assert.throws(() => certificatesIn(text), { code: 'FETCH_BAD_CA', message: /no certificate/ })
  assert.throws(() => certificatesIn(`${pem}\n${pem.replace(/M/g, 'N')}`), { message: /certificate 2 .* damaged/ })
})
