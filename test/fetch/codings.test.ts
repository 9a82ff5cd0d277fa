// Bodies that are coded as their headers say, or not: what browsers and curl read is read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as zlib from 'node:zlib'
import { answered, fetcher, LOOPBACK } from './ask.ts'
import { byCurl, NO_CURL } from './by-curl.ts'
import { rawServer } from './raw-server.ts'

const HTML = '<!doctype html><title>z</title><p>packed by zstd'
const LONG = `${HTML}${Array.from({ length: 60_000 }, (_, i) => (i * 7919) % 65_537).join(' ')}`
const ZSTD = Buffer.from('KLUv/SAwgQEAPCFkb2N0eXBlIGh0bWw+PHRpdGxlPno8L3RpdGxlPjxwPnBhY2tlZCBieSB6c3Rk', 'base64')
const GZIP = zlib.gzipSync(HTML)
const HAS_ZSTD = 'createZstdDecompress' in zlib

function named(gzip: Buffer): Buffer {
  // Flags: a header with a checksum that nobody checks, extra bytes, a name and a comment.
  const extra = Buffer.from('\x02\x00xyname\0comment\0', 'latin1')
  return Buffer.concat([gzip.subarray(0, 3), Buffer.from([4 | 8 | 16]), gzip.subarray(4, 10), extra, gzip.subarray(10)])
}

/** Headers, body, and what it is: its text, or a failure. */
const CASES: Readonly<Record<string, readonly [headers: string, body: Uint8Array | string, is: string]>> = {
  'none is no coding': ['Content-Encoding: none', HTML, HTML],
  'utf-8 is no coding': ['Content-Encoding: UTF-8', HTML, HTML],
  'binary is no coding': ['Content-Encoding: binary', HTML, HTML],
  'a list of what is no coding': ['Content-Encoding: none, 8bit', HTML, HTML],
  identity: ['Content-Encoding: identity', HTML, HTML],
  empty: ['Content-Encoding:', HTML, HTML],
  'gzip and what is no coding': ['Content-Encoding: gzip, utf-8', GZIP, HTML],
  gzip: ['Content-Encoding: gzip', GZIP, HTML],
  'gzip with a name': ['Content-Encoding: gzip', named(GZIP), HTML],
  'bytes after gzip': ['Content-Encoding: gzip', Buffer.concat([GZIP, Buffer.from('more')]), HTML],
  'bytes after gzip with a name': ['Content-Encoding: gzip', Buffer.concat([named(GZIP), Buffer.from('more')]), HTML],
  'a line end after gzip': ['Content-Encoding: gzip', Buffer.concat([GZIP, Buffer.from('\r\n')]), HTML],
  'zeros after gzip': ['Content-Encoding: gzip', Buffer.concat([GZIP, Buffer.alloc(100)]), HTML],
  'half a member after gzip': ['Content-Encoding: gzip', Buffer.concat([GZIP, GZIP.subarray(0, 30)]), HTML],
  'two members': ['Content-Encoding: gzip', Buffer.concat([GZIP, GZIP]), HTML + HTML],
  'bytes after two members': [
    'Content-Encoding: gzip',
    Buffer.concat([GZIP, GZIP, Buffer.from('<!-- -->')]),
    HTML + HTML,
  ],
  'bytes after a long gzip': [
    'Content-Encoding: gzip',
    Buffer.concat([zlib.gzipSync(LONG), Buffer.from('more')]),
    LONG,
  ],
  'bytes after deflate': [
    'Content-Encoding: deflate',
    Buffer.concat([zlib.deflateSync(HTML), Buffer.from('more')]),
    HTML,
  ],
  'half a gzip': ['Content-Encoding: gzip', GZIP.subarray(0, 40), 'encoding'],
  'gzip with a wrong checksum': [
    'Content-Encoding: gzip',
    Buffer.concat([GZIP.subarray(0, -8), Buffer.alloc(8, 1)]),
    'encoding',
  ],
  'wrong checksum and more': [
    'Content-Encoding: gzip',
    Buffer.concat([GZIP.subarray(0, -8), Buffer.alloc(12, 1)]),
    'encoding',
  ],
  'gzip that is none': ['Content-Encoding: gzip', HTML, 'encoding'],
  compress: ['Content-Encoding: compress', HTML, 'encoding'],
  'dictionary-compressed': ['Content-Encoding: dcb', HTML, 'encoding'],
  'three codings': ['Content-Encoding: gzip, gzip, gzip', zlib.gzipSync(zlib.gzipSync(GZIP)), 'encoding'],
  'an unknown transfer coding': ['Transfer-Encoding: odd', HTML, 'encoding'],
  zstd: ['Content-Encoding: zstd', ZSTD, HAS_ZSTD ? HTML : 'encoding'],
}

test('RFC 9110 8.4: what browsers and curl decode is decoded; what says nothing about a coding is ignored', async t => {
  const cases = Object.values(CASES)
  const server = await rawServer(t, (socket, head) => {
    const [headers, body] = cases[Number(/^GET \/(\d+)/.exec(head)![1])]!
    socket.end(
      Buffer.concat([
        Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${headers}\r\n\r\n`),
        Buffer.from(body),
      ]),
    )
  })
  const fetch = fetcher(t)
  const urls = cases.map((_, place) => `${server.origin}/${place}`)
  const curled = NO_CURL ? [] : await byCurl(urls, 'compressed')
  if (NO_CURL) t.diagnostic(`not compared with curl: ${NO_CURL}`)
  const onlyCurl: string[] = []
  for (const [place, [name, [, , is]]] of Object.entries(CASES).entries()) {
    const fetched = await fetch.get(urls[place]!, LOOPBACK, 'html')
    const seen = fetched.kind === 'failed' ? fetched.why : answered(fetched).text
    assert.equal(seen.slice(0, 200), is.slice(0, 200), name)
    assert.equal(seen.length, is.length, name)
    const curl = curled[place]
    if (curl !== undefined && curl !== 'failed' && is === 'encoding') onlyCurl.push(name)
  }
  t.diagnostic(`decoded by curl and not by us: ${onlyCurl.join(', ')}`)
  // Half of a body is not the body, and more than two codings are not meant well.
  const allowed = ['half a gzip', 'three codings', ...(HAS_ZSTD ? [] : ['zstd'])]
  assert.deepEqual(
    onlyCurl.filter(name => !allowed.includes(name)),
    [],
  )
})
