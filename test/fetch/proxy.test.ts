import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { answered, failure, fetcher } from './ask.ts'
import { certificate, NO_OPENSSL } from './certificate.ts'
import { proxyServer } from './proxy-server.ts'
import { page, rawServer } from './raw-server.ts'

const NO: readonly string[] = []

test('RFC 9112 3.2.2: over http a proxy is given the whole URL; the host gets its own Host', async t => {
  const server = await rawServer(t, socket => socket.write(page('<p>hello')))
  const proxy = await proxyServer(t)
  const fetch = fetcher(t, { proxy: { http: proxy.url, no: NO } })
  const url = `http://a.example:${server.port}/x?y`
  const first = answered(await fetch.get(url, undefined, 'html'))
  assert.equal(first.text, '<p>hello')
  assert.equal(first.ip, '')
  assert.equal(answered(await fetch.get(`http://a.example:${server.port}/robots.txt`, undefined, 'robots')).status, 200)
  assert.deepEqual(proxy.asked, [`GET ${url}`, `GET http://a.example:${server.port}/robots.txt`])
  assert.equal(proxy.headers[0]!.host, `a.example:${server.port}`)
  assert.match(first.requestHead, /^GET \/x\?y HTTP\/1\.1\r\nhost: a\.example:\d+\r\n/)
  assert.equal(fetch.openConnections, 1)
})

test('proxy: user and password go to the proxy, and not to the host or into the archive', async t => {
  const server = await rawServer(t, socket => socket.write(page('<p>hello')))
  const proxy = await proxyServer(t, { login: 'me:p@ss wörd' })
  const withLogin = proxy.url.replace('//', '//me:p%40ss%20w%C3%B6rd@')
  const url = `http://a.example:${server.port}/`
  const fetch = fetcher(t, { proxy: { http: withLogin, no: NO }, archiveSecrets: true })
  const { requestHead } = answered(await fetch.get(url, undefined, 'html'))
  assert.ok(proxy.headers[0]!['proxy-authorization']!.startsWith('Basic '))
  assert.doesNotMatch(requestHead + server.heads[0], /proxy-/i)
  const wrong = fetcher(t, { proxy: { http: proxy.url, no: NO } })
  const fetched = await wrong.get(url, undefined, 'html')
  assert.ok(fetched.kind === 'failed' && fetched.why === 'proxy-login' && !fetched.isSilent, JSON.stringify(fetched))
})

test('proxy: what a proxy says to CONNECT decides whose fault it is', async t => {
  const statuses: Record<string, number> = { 'down.example': 503, 'no.example': 403 }
  const proxy = await proxyServer(t, { login: 'a:b', refuses: host => statuses[host] })
  const fetch = fetcher(t, { proxy: { https: proxy.url.replace('//', '//a:b@'), no: NO } })
  const down = await fetch.get('https://down.example/', undefined, 'html')
  assert.ok(down.kind === 'failed' && down.why === 'connect' && down.isSilent, JSON.stringify(down))
  const refused = await fetch.get('https://no.example/', undefined, 'html')
  assert.ok(refused.kind === 'failed' && refused.why === 'proxy-refused' && !refused.isSilent, JSON.stringify(refused))
  const stranger = fetcher(t, { proxy: { https: proxy.url, no: NO } })
  assert.equal(failure(await stranger.get('https://a.example/', undefined, 'html')), 'proxy-login')
  assert.deepEqual(proxy.asked, ['CONNECT down.example:443', 'CONNECT no.example:443', 'CONNECT a.example:443'])
})

test('proxy: a proxy that is away, or does not let itself be connected to, is a failure of the proxy', async t => {
  const proxy = await proxyServer(t)
  await proxy.close()
  const fetch = fetcher(t, { proxy: { http: proxy.url, https: proxy.url, no: NO } })
  for (const url of ['http://a.example/', 'https://a.example/']) {
    const fetched = await fetch.get(url, undefined, 'html')
    assert.ok(fetched.kind === 'failed' && fetched.why === 'proxy' && !fetched.isSilent, JSON.stringify(fetched))
  }
  const unknown = fetcher(t, { proxy: { http: 'http://no-such-proxy.invalid:3128', no: NO } })
  assert.equal(failure(await unknown.get('http://a.example/', undefined, 'html')), 'proxy')
  // It speaks TLS to a server that never answers: the proxy was not reached in time.
  const mute = createServer(() => {}).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  t.after(() => mute.close())
  const { port } = mute.address() as AddressInfo
  const limits = { connectTimeoutMs: 150, firstByteTimeoutMs: 5000 }
  const secure = fetcher(t, { ...limits, proxy: { http: `https://127.0.0.1:${port}`, no: NO } })
  assert.equal(failure(await secure.get('http://a.example/', undefined, 'html')), 'proxy')
  // A proxy that takes CONNECT and never answers it may be waiting for the host.
  const plain = fetcher(t, { ...limits, proxy: { https: `http://127.0.0.1:${port}`, no: NO } })
  assert.equal(failure(await plain.get('https://a.example/', undefined, 'html')), 'connect')
})

test('proxy: through a proxy the guard judges addresses and names that only private networks have', async t => {
  const proxy = await proxyServer(t, { refuses: () => 404 })
  const through = { proxy: { http: proxy.url, no: NO } }
  const refused = fetcher(t, { ...through, allowNetworks: [] })
  for (const name of [
    '127.0.0.1',
    '10.1.2.3',
    '[::1]',
    'localhost',
    'x.localhost',
    'localhost.',
    'printer',
    'a.internal',
    'a.local',
    'a.home.arpa',
    'nas.lan',
    'wiki.corp',
    'a.b.home',
    'hr.intranet',
    'x.private',
    'db.default.svc',
    'db.default.svc.cluster.local',
    'nas.lan.',
  ]) {
    const fetched = await refused.get(`http://${name}/`, undefined, 'html')
    assert.deepEqual(fetched, { kind: 'refused', by: 'address' }, name)
  }
  assert.deepEqual(proxy.asked, [])
  assert.equal(answered(await refused.get('http://a.example/', undefined, 'html')).status, 404)
  assert.equal(answered(await refused.get('http://8.8.8.8/', undefined, 'html')).status, 404)
  const allowed = fetcher(t, { ...through, allowNetworks: ['127.0.0.0/8'] })
  for (const name of ['127.0.0.1', 'localhost', 'printer'])
    assert.equal(answered(await allowed.get(`http://${name}/`, undefined, 'html')).status, 404)
  assert.deepEqual(await allowed.get('http://10.1.2.3/', undefined, 'html'), { kind: 'refused', by: 'address' })
})

test('RFC 9110 9.3.6: https goes through a tunnel, with the certificate of the host, also when the proxy itself is https', {
  skip: NO_OPENSSL,
}, async t => {
  const [host, ofProxy] = [certificate(t, 'secure.example'), certificate(t, '127.0.0.1')]
  const server = createSecureServer(host, (request, response) => {
    if (request.url === '/') response.setHeader('Content-Type', 'text/html').end('<p>secure')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  for (const proxy of [await proxyServer(t, { port }), await proxyServer(t, { port, certificate: ofProxy })]) {
    const ca = [host, ofProxy].map(({ cert }) => String(cert))
    const fetch = fetcher(t, { ca, timeoutMs: 1000, proxy: { https: proxy.url, no: NO } })
    const ask = (url: string) => fetch.get(url, undefined, 'html')
    assert.equal(answered(await ask('https://secure.example/')).text, '<p>secure')
    assert.equal(failure(await ask('https://other.example/')), 'tls-wrong-name')
    assert.equal(failure(await ask('https://secure.example/silent')), 'timeout')
    assert.deepEqual(
      proxy.asked,
      ['secure.example', 'other.example'].map(name => `CONNECT ${name}:443`),
    )
  }
})
