import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OwnHeaders, parseHost } from '../../src/fetch/own-headers.ts'
import { answered, fetcher, LOOPBACK } from './ask.ts'
import { proxyServer } from './proxy-server.ts'
import { page, rawServer } from './raw-server.ts'

const SECRET = 'sesame-9431'

test('headers: headers go to the named host and port, also for its robots.txt, and to nobody else', async t => {
  const server = await rawServer(t, socket => socket.write(page('<p>hello')))
  const other = await rawServer(t, socket => socket.write(page('<p>hello')))
  const headers = { 'X-Key': SECRET, Cookie: `id=${SECRET}` }
  const fetch = fetcher(t, { hostHeaders: [{ host: `http://a.example:${server.port}`, headers }] })
  const ask = async (origin: string, path: string, wanted: 'html' | 'robots') =>
    answered(await fetch.get(`http://${origin}${path}`, LOOPBACK, wanted))
  const asked = [
    await ask(`a.example:${server.port}`, '/', 'html'),
    await ask(`a.example:${server.port}`, '/robots.txt', 'robots'),
  ]
  for (const head of server.heads.splice(0)) {
    assert.match(head, new RegExp(`\r\nX-Key: ${SECRET}\r\n`))
    assert.match(head, new RegExp(`\r\nCookie: id=${SECRET}\r\n`))
  }
  for (const origin of [`b.example:${server.port}`, `sub.a.example:${server.port}`, `a.example:${other.port}`])
    asked.push(await ask(origin, '/', 'html'))
  assert.equal(server.heads.length + other.heads.length, 3)
  assert.doesNotMatch([...server.heads, ...other.heads].join(), /sesame|x-key|cookie/i)
  // Nothing that is handed on holds the secret.
  assert.doesNotMatch(JSON.stringify(asked), /sesame|x-key|cookie/i)
})

test('headers: headers of a host are archived only if somebody asks for it', async t => {
  const server = await rawServer(t, socket => socket.write(page('<p>hello')))
  const hostHeaders = [{ host: `127.0.0.1:${server.port}`, headers: { 'X-Key': SECRET } }]
  const kept = fetcher(t, { hostHeaders, archiveSecrets: true })
  const { requestHead } = answered(await kept.get(`${server.origin}/`, LOOPBACK, 'html'))
  assert.equal(requestHead, server.heads[0])
  assert.match(requestHead, new RegExp(`\r\nX-Key: ${SECRET}\r\n\r\n$`))
})

test('headers: through a proxy the headers reach the named host, and only that one', async t => {
  const server = await rawServer(t, socket => socket.write(page('<p>hello')))
  const proxy = await proxyServer(t)
  const hostHeaders = [{ host: `a.example:${server.port}`, headers: { 'X-Key': SECRET } }]
  const fetch = fetcher(t, { hostHeaders, proxy: { http: proxy.url, no: [] } })
  for (const host of ['a', 'b']) answered(await fetch.get(`http://${host}.example:${server.port}/`, undefined, 'html'))
  assert.match(server.heads[0]!, new RegExp(`\r\nX-Key: ${SECRET}\r\n`, 'i'))
  assert.doesNotMatch(server.heads[1]!, /x-key/i)
})

test('headers: Authorization and Cookie are sent over https, and over http only where the host was named with it', () => {
  const headers = { Authorization: 'Basic x', cookie: 'a=b', 'X-Key': 'k' }
  const plain = new OwnHeaders([{ host: 'a.example', headers }])
  assert.deepEqual(plain.of('https://a.example'), ['Authorization', 'Basic x', 'cookie', 'a=b', 'X-Key', 'k'])
  assert.deepEqual(plain.of('http://a.example'), ['X-Key', 'k'])
  const named = new OwnHeaders([{ host: 'http://a.example', headers }])
  assert.deepEqual(named.of('http://a.example'), ['Authorization', 'Basic x', 'cookie', 'a=b', 'X-Key', 'k'])
  assert.deepEqual(named.of('https://a.example'), [])
})

test('headers: a host is named with its port, and *. means all subdomains', () => {
  const of = (host: string, origin: string) => new OwnHeaders([{ host, headers: { A: '1' } }]).of(origin).length > 0
  const rows: [host: string, origin: string, isSent: boolean][] = [
    ['a.example', 'https://a.example', true],
    ['A.EXAMPLE', 'https://a.example', true],
    ['a.example', 'https://a.example:8443', false],
    ['a.example:8443', 'https://a.example:8443', true],
    ['a.example:443', 'https://a.example', true],
    ['a.example:443', 'http://a.example:443', true],
    ['a.example:443', 'http://a.example', false],
    ['*.a.example', 'https://b.a.example', true],
    ['*.a.example', 'https://c.b.a.example', true],
    ['*.a.example', 'https://a.example', false],
    ['*.a.example', 'https://xa.example', false],
    ['*.a.example', 'https://b.a.example:8443', false],
    ['*.a.example:8443', 'https://b.a.example:8443', true],
    ['https://a.example/', 'http://a.example', false],
    ['café.example', 'https://xn--caf-dma.example', true],
    ['[::1]:8080', 'http://[::1]:8080', true],
    ['a.example', 'https://a.example.evil.example', false],
  ]
  for (const [host, origin, isSent] of rows) assert.equal(of(host, origin), isSent, `${host} ${origin}`)
})

test('ours: of two headers of the same name the host’s own wins over that of its domain, then the later one', () => {
  const own = new OwnHeaders([
    { host: 'b.a.example', headers: { 'x-key': '1' } },
    { host: 'b.a.example', headers: { 'X-Key': '2' } },
    { host: '*.a.example', headers: { 'X-KEY': '3', Z: '4' } },
  ])
  assert.deepEqual(own.of('https://b.a.example'), ['X-Key', '2', 'Z', '4'])
  const cookies = new OwnHeaders(['a=1', 'b=2'].map(Cookie => ({ host: 'a.example', headers: { Cookie } })))
  assert.deepEqual(cookies.of('https://a.example'), ['Cookie', 'a=1; b=2'], 'cookies add up')
})

test('headers: headers that would break a request, or that are ours to set, are errors that do not show the value', () => {
  const bad: [name: string, value: string][] = [
    ['X-Key', `${SECRET}\r\nHost: evil.example`],
    ['X-Key', `${SECRET}\nA: b`],
    ['X-Key', `${SECRET}\0`],
    ['X-Key', `${SECRET}\u20ac`],
    ['X-Key', ` ${SECRET}`],
    ['X-Key', ''],
    ['X-Key', SECRET.repeat(1000)],
    ['X Key', SECRET],
    ['X-Key:', SECRET],
    ['X\r\nHost', SECRET],
    ['', SECRET],
    ...['Host', 'content-length', 'Connection', 'Transfer-Encoding', 'TE', 'Upgrade', 'Expect', 'Range'].map(
      (name): [string, string] => [name, SECRET],
    ),
    ...['User-Agent', 'Accept', 'Accept-Encoding', 'Proxy-Authorization', 'If-None-Match', 'Content-Type'].map(
      (name): [string, string] => [name, SECRET],
    ),
  ]
  for (const [name, value] of bad) {
    assert.throws(
      () => new OwnHeaders([{ host: 'a.example', headers: { [name]: value } }]),
      (error: Error & { code?: string }) =>
        error.code === 'FETCH_BAD_HEADER' && !error.message.includes('sesame') && /^[ -~]+$/.test(error.message),
      JSON.stringify([name, value.slice(0, 40)]),
    )
  }
})

test('headers: what is no host is an error', () => {
  for (const host of [
    '',
    '*',
    '*.',
    'a b',
    'ftp://a.example',
    'a.example/x',
    'user@a.example',
    'a.*.example',
    '*.1.2.3.4',
    'a:b',
  ])
    assert.throws(() => parseHost(host), { code: 'CRAWL_BAD_SETTING' }, host)
})
