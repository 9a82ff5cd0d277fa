import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { getSurt } from 'warcio/utils'
import { mimeOf } from '../../src/archive/cdx-line.ts'
import { surt } from '../../src/archive/surt.ts'

const LIST = fileURLToPath(new URL('../../../test/archive/surt-keys.txt', import.meta.url))

test('ours: the key of a URL in an index', () => {
  for (const [url, key] of [
    ['http://example.com/', 'com,example)/'],
    ['https://www.example.com/', 'com,example)/'],
    ['http://www34.example.com/a', 'com,example)/a'],
    ['http://wwwx.example.com/a', 'com,example,wwwx)/a'],
    ['http://a.b.example.co.uk:8080/x/Y.html?B=2&a=1', 'uk,co,example,b,a:8080)/x/y.html?a=1&b=2'],
    ['http://127.0.0.1:8085/s1/', '1,0,0,127:8085)/s1'],
    ['http://[2001:db8::1]:81/x', '2001:db8::1:81)/x'],
    ['http://example.com/a//', 'com,example)/a'],
    ['http://example.com//a///b', 'com,example)/a/b'],
    ['http://example.com//', 'com,example)/'],
    ['http://example.com/a/?q', 'com,example)/a?q'],
    ['http://example.com/?a=http://b.com/?c', 'com,example)/?a=http://b.com/?c'],
    ['http://example.com/?x=2&x=1&x&a-b=1&a=3', 'com,example)/?a=3&a-b=1&x&x=1&x=2'],
    ['http://localhost/', 'localhost)/'],
  ] as const) {
    assert.equal(surt(url), key, url)
  }
})

test('index keys: keys are those of cdxj-indexer', () => {
  // Made by `node scripts/outside/keys.mjs --list test/archive/surt-keys.txt`.
  const lines = readFileSync(LIST, 'utf8').trimEnd().split('\n')
  assert.ok(lines.length > 400)
  for (const line of lines) {
    const [url = '', key] = line.split(' ')
    assert.equal(surt(url), key, url)
  }
})

test('index keys: an escape of an escape of an escape costs no more than its length', () => {
  const startMs = performance.now()
  assert.equal(surt(`http://a.com/%${'25'.repeat(500_000)}41`), 'com,a)/a')
  assert.ok(performance.now() - startMs < 5000)
})

test('ours: keys are those of warcio, but for a slash at the end', () => {
  for (const url of [
    'http://example.com/',
    'https://www2.Example.org/a/b.html',
    'http://x.y.z.example:8080/path?q=1&b=2&a=3',
    'http://10.0.0.1/a%20b',
    'https://xn--bcher-kva.example/A?B=C',
  ]) {
    assert.equal(surt(new URL(url).href), getSurt(url), url)
  }
})

test('ours: a type that is none is unknown', () => {
  assert.equal(mimeOf(['x', 'y', 'CONTENT-type', ' Text/HTML ; charset=x']), 'text/html')
  assert.equal(mimeOf(['Content-Type', 'application/xhtml+xml']), 'application/xhtml+xml')
  for (const value of ['', 'html', 'text/html"}', 'a b/c', 'text/\u001b[2J', `text/${'x'.repeat(200)}`]) {
    assert.equal(mimeOf(['Content-Type', value]), 'unk', value)
  }
  assert.equal(mimeOf([]), 'unk')
})
