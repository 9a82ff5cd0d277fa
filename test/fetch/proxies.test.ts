import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Proxies, parseProxy, shownProxy } from '../../src/fetch/proxies.ts'

test('proxy: each scheme has its own proxy, or none', () => {
  const proxies = new Proxies({ https: 'http://proxy.example:3128', no: [] })
  assert.equal(proxies.of('https://a.example')?.name, 'proxy.example')
  assert.equal(proxies.of('http://a.example'), undefined)
  assert.equal(new Proxies().of('https://a.example'), undefined)
})

test('proxy: NO_PROXY names hosts with their subdomains, ports, addresses and networks', () => {
  const isDirect = (no: string, url: string) =>
    new Proxies({ http: 'p:1', https: 'p:1', no: no.split(',') }).of(url) === undefined
  const rows: [no: string, url: string, isDirect: boolean][] = [
    ['', 'http://a.example', false],
    ['*', 'http://a.example', true],
    ['a.example', 'http://a.example', true],
    ['a.example', 'http://a.example./x', true],
    [' A.Example ', 'https://b.a.example:8443', true],
    ['.a.example', 'http://b.a.example', true],
    ['*.a.example', 'http://b.a.example', true],
    ['a.example', 'http://xa.example', false],
    ['a.example:8080', 'http://a.example:8080', true],
    ['a.example:8080', 'http://a.example', false],
    ['a.example:443', 'https://a.example', true],
    ['127.0.0.1', 'http://127.0.0.1:8080', true],
    ['10.0.0.0/8', 'http://10.1.2.3', true],
    ['10.0.0.0/8', 'http://11.1.2.3', false],
    ['10.0.0.0/8', 'http://10.example', false],
    ['::1', 'http://[::1]:8080', true],
    ['[::1]', 'http://[::1]', true],
    ['other.example,a.example', 'http://a.example', true],
  ]
  for (const [no, url, expected] of rows) assert.equal(isDirect(no, url), expected, `${no} ${url}`)
})

test('proxy: a proxy is written as a URL, and its password is never shown', () => {
  assert.deepEqual(parseProxy('proxy.example:3128'), {
    name: 'proxy.example',
    port: 3128,
    isSecure: false,
    login: undefined,
  })
  const full = parseProxy('https://me:s%3Acret@[::1]/')
  assert.deepEqual(full, {
    name: '::1',
    port: 443,
    isSecure: true,
    login: `Basic ${Buffer.from('me:s:cret').toString('base64')}`,
  })
  assert.equal(shownProxy('http://me:secret@proxy.example'), 'http://proxy.example:80')
  for (const bad of [
    '',
    'socks5://me:secret@a.example:1080',
    'http://',
    'http://me:secret@a b/',
    'http://me:secret@a.example/path',
    'http://me:%ff@a.example',
  ])
    assert.throws(
      () => parseProxy(bad),
      (error: Error & { code?: string }) => error.code === 'FETCH_BAD_PROXY' && !error.message.includes('secret'),
      bad,
    )
})
