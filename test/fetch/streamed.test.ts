import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import type { ReadBody } from '../../src/fetch/exchange.ts'
import type { Fetcher } from '../../src/fetch/fetcher.ts'
import { answered, failure, fetcher, LOOPBACK } from './ask.ts'
import { page, rawServer } from './raw-server.ts'

const XML = 'Content-Type: application/xml'
const KEPT_BYTES = 64 << 10

/** Collects a body. */
function collector(): { readonly read: ReadBody; readonly pieces: Buffer[]; text(): string } {
  const pieces: Buffer[] = []
  const read: ReadBody = async body => {
    for await (const piece of body) pieces.push(Buffer.from(piece))
  }
  return { read, pieces, text: () => Buffer.concat(pieces).toString() }
}

function sitemap(asker: Fetcher, url: string, read: ReadBody) {
  return asker.get(url, LOOPBACK, 'sitemap', [], read)
}

test('sitemaps: the body of a sitemap comes while it arrives, decoded; its beginning is what is archived', async t => {
  const text = 'abcdefgh'.repeat(40_000)
  const codings: readonly [string, (text: string) => Uint8Array][] = [
    ['', text => Buffer.from(text)],
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['gzip, br', text => brotliCompressSync(gzipSync(text))],
  ]
  const server = await rawServer(t, (socket, _, n) => {
    const [name, code] = codings[n]!
    socket.write(page(code(text), XML, ...(name === '' ? [] : [`Content-Encoding: ${name}`])))
  })
  const asker = fetcher(t)
  for (const [name] of codings) {
    const body = collector()
    const exchange = answered(await sitemap(asker, `${server.origin}/sitemap.xml`, body.read))
    assert.equal(body.text(), text, name)
    assert.equal(exchange.text, text.slice(0, KEPT_BYTES))
    assert.equal(exchange.truncated, 'length')
  }
  assert.equal(server.sockets.length, 1, 'the connection is used again')
  assert.match(server.heads[0]!, /Accept: application\/xml/)
})

test('sitemaps: a short sitemap is archived whole, and a failure has no body to read', async t => {
  const server = await rawServer(t, (socket, _, n) => {
    if (n === 0) socket.write(page('<urlset/>', XML))
    else socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone')
  })
  const asker = fetcher(t)
  const body = collector()
  const exchange = answered(await sitemap(asker, `${server.origin}/`, body.read))
  assert.deepEqual([body.text(), exchange.text, exchange.truncated], ['<urlset/>', '<urlset/>', undefined])
  const other = collector()
  assert.equal(answered(await sitemap(asker, `${server.origin}/`, other.read)).status, 404)
  assert.deepEqual(other.pieces, [])
})

test('sitemaps: a reader that is slow slows the server down', async t => {
  let sent = 0
  const server = await rawServer(t, socket => void send(socket))
  async function send(socket: Socket) {
    socket.write(`HTTP/1.1 200 OK\r\n${XML}\r\n\r\n`)
    const piece = Buffer.alloc(1 << 16, 'x')
    while (!socket.destroyed && sent < 20 << 20) {
      sent += piece.length
      if (!socket.write(piece)) await new Promise(resolve => socket.once('drain', resolve))
    }
    socket.end()
  }
  let most = 0
  let readBytes = 0
  const fetched = await sitemap(fetcher(t, { timeoutMs: 20_000 }), `${server.origin}/`, async body => {
    for await (const piece of body) {
      readBytes += piece.length
      if (readBytes > 1 << 20) continue
      await wait(5)
      most = Math.max(most, sent - readBytes)
    }
  })
  assert.equal(answered(fetched).wireBytes, 20 << 20)
  assert.equal(readBytes, 20 << 20)
  // The buffers of both sockets.
  assert.ok(most < 12 << 20, `${most} bytes ahead`)
})

test('sitemaps: a reader that has enough ends the download; so does a body of more than 50 MiB', async t => {
  const server = await rawServer(t, socket => {
    socket.write(`HTTP/1.1 200 OK\r\n${XML}\r\n\r\n`)
    const piece = Buffer.alloc(1 << 20, 'x')
    const more = () => {
      while (!socket.destroyed && socket.write(piece)) {
        // Until it is full.
      }
    }
    socket.on('drain', more)
    more()
  })
  const asker = fetcher(t, { timeoutMs: 20_000 })
  const exchange = answered(
    await sitemap(asker, `${server.origin}/`, async body => {
      for await (const _ of body) return
    }),
  )
  assert.deepEqual([exchange.truncated, exchange.wireBytes < 4 << 20], ['length', true])
  let readBytes = 0
  const long = answered(
    await sitemap(asker, `${server.origin}/`, async body => {
      for await (const piece of body) readBytes += piece.length
    }),
  )
  assert.equal(readBytes, 50 << 20)
  assert.equal(long.truncated, 'length')
})

test('sitemaps: a bomb in the coding ends at 50 MiB', async t => {
  const bomb = gzipSync(Buffer.alloc(60 << 20, ' '), { level: 1 })
  const server = await rawServer(t, socket => socket.write(page(bomb, XML, 'Content-Encoding: gzip')))
  let readBytes = 0
  const fetched = await sitemap(fetcher(t, { timeoutMs: 20_000 }), `${server.origin}/`, async body => {
    for await (const piece of body) readBytes += piece.length
  })
  assert.equal(answered(fetched).truncated, 'length')
  assert.equal(readBytes, 50 << 20)
})

test('sitemaps: bytes after the gzip of a body are ignored, whatever they are and however they come', async t => {
  const text = 'abcdefgh'.repeat(40_000)
  const packed = gzipSync(text)
  const rests = ['more', '\r\n', '\0\0\0\0', packed.subarray(0, 4), packed.subarray(0, 12)]
  const server = await rawServer(t, async (socket, _, n) => {
    const whole = page(Buffer.concat([packed, Buffer.from(rests[n >> 1]!)]), XML, 'Content-Encoding: gzip')
    const at = n % 2 === 0 ? 200 : whole.length - Buffer.from(rests[n >> 1]!).length - 3
    socket.write(whole.subarray(0, at))
    await wait(20)
    socket.write(whole.subarray(at))
  })
  const asker = fetcher(t)
  for (let n = 0; n < 2 * rests.length; n++) {
    const body = collector()
    answered(await sitemap(asker, `${server.origin}/sitemap.xml`, body.read))
    assert.equal(body.text(), text, `answer ${n}`)
  }
})

test('sitemaps: a gzip body whose checksum is wrong is a failure', async t => {
  const packed = Buffer.from(gzipSync('<urlset/>'))
  packed[packed.length - 6]! ^= 1
  const server = await rawServer(t, socket => void socket.write(page(packed, XML, 'Content-Encoding: gzip')))
  assert.equal(failure(await sitemap(fetcher(t), `${server.origin}/`, collector().read)), 'encoding')
})

test('sitemaps: what breaks off is a failure, after its reader has ended', async t => {
  const server = await rawServer(t, (socket, _, n) => {
    if (n === 0) socket.end(`HTTP/1.1 200 OK\r\n${XML}\r\nContent-Length: 100\r\n\r\n<urlset>`)
    else if (n === 1) socket.write(page('this is not gzip at all', XML, 'Content-Encoding: gzip'))
    else if (n === 2) socket.write(page('x', XML, 'Content-Encoding: compress'))
    else socket.write(`HTTP/1.1 200 OK\r\n${XML}\r\nContent-Length: 100\r\n\r\n<urlset>`)
  })
  const asker = fetcher(t, { timeoutMs: 300 })
  for (const why of ['length', 'encoding', 'encoding', 'timeout']) {
    let hasEnded = why === 'encoding'
    const fetched = await sitemap(asker, `${server.origin}/`, async body => {
      for await (const _ of body) await wait(1)
      await wait(20)
      hasEnded = true
    })
    assert.deepEqual([failure(fetched), hasEnded], [why, true])
  }
})
