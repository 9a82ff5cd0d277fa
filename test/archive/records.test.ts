import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { warcinfo } from '../../src/archive/archive-writer.ts'
import { archiveRecords, type Recordable } from '../../src/archive/records.ts'
import { scanFile } from '../../src/archive/scan.ts'
import { crawlFolder, exchange, PAGE } from './sample.ts'
import { fieldOf, readByWarcio, type Seen, slowSha1 } from './with-warcio.ts'

/** Both records of an exchange, read by warcio; every digest and length is checked. */
async function recorded(changes: Partial<Recordable> = {}): Promise<[response: Seen, request: Seen, http: string[]]> {
  const { bytes, responseBytes, payloadDigest } = archiveRecords(exchange(changes), PAGE)
  const [response, request, ...more] = await readByWarcio(bytes)
  assert.ok(response && request && more.length === 0)
  assert.equal(request.offset, responseBytes)
  for (const [seen, member] of [
    [response, bytes.subarray(0, responseBytes)],
    [request, bytes.subarray(responseBytes)],
  ] as const) {
    const plain = gunzipSync(member)
    const block = plain.subarray(plain.indexOf('\r\n\r\n') + 4, -4)
    assert.equal(fieldOf(seen, 'Content-Length'), String(block.length))
    assert.equal(fieldOf(seen, 'WARC-Block-Digest'), `sha1:${slowSha1(block)}`)
    assert.equal(plain.subarray(-4).toString(), '\r\n\r\n')
  }
  assert.equal(fieldOf(response, 'WARC-Payload-Digest'), `sha1:${slowSha1(response.payload)}`)
  assert.equal(payloadDigest, slowSha1(response.payload))
  const plain = gunzipSync(bytes).toString('latin1')
  return [response, request, plain.split('\r\n\r\n')[1]!.split('\r\n')]
}

test('WARC 1.1 5: a response and its request, each with the fields of its kind', async () => {
  const [response, request] = await recorded()
  assert.match(fieldOf(response, 'WARC-Record-ID'), /^<urn:uuid:[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}>$/)
  assert.notEqual(fieldOf(response, 'WARC-Record-ID'), fieldOf(request, 'WARC-Record-ID'))
  assert.equal(fieldOf(response, 'WARC-Concurrent-To'), fieldOf(request, 'WARC-Record-ID'))
  assert.equal(fieldOf(request, 'WARC-Concurrent-To'), fieldOf(response, 'WARC-Record-ID'))
  for (const seen of [response, request]) {
    assert.equal(fieldOf(seen, 'WARC-Date'), '2026-01-02T03:04:05.678Z')
    assert.equal(fieldOf(seen, 'WARC-Target-URI'), 'http://example.com/a/page.html?q=1')
    assert.equal(fieldOf(seen, 'WARC-IP-Address'), '192.0.2.7')
  }
  assert.equal(fieldOf(response, 'WARC-Type'), 'response')
  assert.equal(fieldOf(response, 'Content-Type'), 'application/http; msgtype=response')
  assert.equal(fieldOf(request, 'WARC-Type'), 'request')
  assert.equal(fieldOf(request, 'Content-Type'), 'application/http; msgtype=request')
  assert.equal(response.startLine, 'HTTP/1.1 200 OK')
  assert.equal(request.startLine, 'GET /a/page.html?q=1 HTTP/1.1')
  assert.deepEqual(response.payload, Buffer.from(exchange().body))
  assert.equal(response.fields['WARC-Truncated'], undefined)
})

test('ours: the same exchange gives the same bytes, another moment other ids', () => {
  const ids = (dateMs: number) => {
    const plain = gunzipSync(archiveRecords(exchange(), { isPage: true, dateMs }).bytes).toString('latin1')
    return plain.match(/(?<=WARC-Record-ID: )\S+/g)!
  }
  assert.deepEqual(archiveRecords(exchange(), PAGE), archiveRecords(exchange(), PAGE))
  assert.equal(new Set([...ids(1), ...ids(2)]).size, 4)
})

test('ours: a page is marked, and nothing else is', () => {
  const text = (isPage: boolean) => gunzipSync(archiveRecords(exchange(), { ...PAGE, isPage }).bytes).toString('latin1')
  assert.match(text(true), /\r\nEscalona-Page: yes\r\n/)
  assert.doesNotMatch(text(false), /Escalona-Page/)
})

test('ours: the hops of a page are read back', context => {
  const { bytes } = archiveRecords(exchange(), { ...PAGE, hops: 7 })
  const info = warcinfo('a.warc.gz', { software: 'test', userAgent: 'test', crawlId: 'a1b2c3d4' }, 0, 'x')
  const path = join(crawlFolder(context), 'a.warc.gz')
  writeFileSync(path, Buffer.concat([info, bytes]))
  assert.equal(scanFile(path, 'a.warc.gz').archived[0]!.hops, 7)
})

test('rule 5.11: a body that was cut is marked', async () => {
  const [response, request] = await recorded({ truncated: 'length' })
  assert.equal(fieldOf(response, 'WARC-Truncated'), 'length')
  assert.equal(request.fields['WARC-Truncated'], undefined)
})

test('ours: the body is stored decoded, and its headers say so', async () => {
  const headers = [
    ...['Content-Type', 'text/html', 'content-encoding', 'br', 'Transfer-Encoding', 'chunked'],
    ...['Content-Length', '17', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'],
  ]
  const [, , http] = await recorded({ headers, body: Buffer.from('decoded') })
  assert.deepEqual(http, [
    'HTTP/1.1 200 OK',
    'Content-Type: text/html',
    'X-Crawler-content-encoding: br',
    'X-Crawler-Transfer-Encoding: chunked',
    'X-Crawler-Content-Length: 17',
    'Set-Cookie: a=1',
    'Set-Cookie: b=2',
    'Content-Length: 7',
  ])
})

test('ours: a length that holds stays as it is', async () => {
  const [, , http] = await recorded({ headers: ['content-length', '4'], body: Buffer.from('four') })
  assert.deepEqual(http, ['HTTP/1.1 200 OK', 'content-length: 4'])
})

test('ours: an empty body, and an answer without headers or words', async () => {
  const empty = { status: 301, statusText: '', headers: [], body: new Uint8Array(0), ip: '' }
  const [response, , http] = await recorded(empty)
  assert.equal(response.payload.length, 0)
  assert.deepEqual(http, ['HTTP/1.1 301 ', 'Content-Length: 0'])
  assert.equal(response.fields['WARC-IP-Address'], undefined)
})

test('ours: no header breaks out of its line', async () => {
  // The letters beyond latin-1 end in the bytes of CR and LF.
  const evil = ['\r\n\r\nWARC/1.1', 'a\nb', 'nul\0nul', 'wide\u010d\u010a\u200dtext', '\r\n\r\n<html>']
  const headers = evil.flatMap(text => [`X${text}: name`, text, '', text])
  const hostile = { headers, statusText: 'OK\r\nX-Evil: 1', url: 'http://a.com/\r\nX: y z' }
  const [response, request, http] = await recorded(hostile)
  assert.equal(http.length, headers.length / 2 + 2)
  assert.equal(http[0], 'HTTP/1.1 200 OK  X-Evil: 1')
  for (const line of http.slice(1)) assert.match(line, /^[\x21-\x39\x3b-\x7e]+: [^\0\r\n]*$/)
  assert.equal(fieldOf(response, 'WARC-Target-URI'), 'http://a.com/%0D%0AX:%20y%20z')
  assert.equal(fieldOf(request, 'WARC-Target-URI'), 'http://a.com/%0D%0AX:%20y%20z')
  assert.deepEqual(response.payload, Buffer.from(exchange().body))
})

test('ours: bytes that are no text are kept as they are', async () => {
  const body = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7) & 255))
  const [response] = await recorded({ body, headers: ['X-Latin', 'caf\u00e9 \u0080'] })
  assert.deepEqual(response.payload, body)
  const plain = gunzipSync(archiveRecords(exchange({ headers: ['X-Latin', 'caf\u00e9 \u0080'] }), PAGE).bytes)
  assert.ok(plain.includes(Buffer.from('X-Latin: caf\u00e9 \u0080\r\n', 'latin1')))
})

test('rule 5.11: a body of 10 MiB', async () => {
  const body = Buffer.alloc(10 << 20, 'All work and no play. ')
  const [response] = await recorded({ body, truncated: 'length' })
  assert.ok(response.payload.equals(body))
})

test('ours: the records own their memory, so another thread can have it', () => {
  const { bytes } = archiveRecords(exchange(), PAGE)
  assert.equal(bytes.buffer.byteLength, bytes.length)
  const moved = structuredClone(bytes, { transfer: [bytes.buffer] })
  assert.ok(gunzipSync(moved).length > 0)
})
