import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import type { Fetched } from '../../src/fetch/exchange.ts'
import type { FetcherOptions } from '../../src/fetch/fetcher.ts'
import { answered, ask, failure, fetcher, LOOPBACK } from './ask.ts'
import { noise } from './noise.ts'
import { page, rawServer } from './raw-server.ts'

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'

/** Asks a server that answers in this way. */
async function outcome(
  t: TestContext,
  answer: string | Uint8Array | ((socket: Socket) => void),
  options: Partial<FetcherOptions> = {},
): Promise<Fetched> {
  const server = await rawServer(t, socket =>
    typeof answer === 'function' ? answer(socket) : void socket.write(answer),
  )
  const fetched = await ask(t, `${server.origin}/`, options)
  assert.equal(server.heads.length, 1, 'asked once')
  return fetched
}

/** Writes without end, as fast as it is read. */
function pour(socket: Socket, piece: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', more)
  more()
}

/** Writes a byte every few milliseconds. */
function drip(socket: Socket, byte: string): void {
  const timer = setInterval(() => socket.write(byte), 30)
  socket.on('close', () => clearInterval(timer))
}

test('rule 5.8: an endless body is cut at the limit', async t => {
  const answer = answered(
    await outcome(t, socket => {
      socket.write(`${HEAD}\r\n`)
      pour(socket, Buffer.alloc(65_536, 'e'))
    }),
  )
  assert.deepEqual([answer.body.length, answer.truncated, answer.isHtml], [1 << 20, 'length', true])
})

test('ours: endless headers are a failure', async t => {
  const endless = await outcome(t, socket => {
    socket.write('HTTP/1.1 200 OK\r\n')
    pour(socket, Buffer.from('X-Header: value\r\n'.repeat(100)))
  })
  assert.equal(failure(endless), 'headers')
  assert.equal(failure(await outcome(t, `${HEAD}X: ${'y'.repeat(100_000)}\r\n\r\n`)), 'headers')
  const oneName = await outcome(t, socket => {
    socket.write('HTTP/1.1 200 OK\r\n')
    pour(socket, Buffer.alloc(10_000, 'n'))
  })
  assert.equal(failure(oneName), 'headers')
  const tiny = await outcome(t, socket => {
    socket.write('HTTP/1.1 200 OK\r\n')
    pour(socket, Buffer.from('a:\r\n'.repeat(1000)))
  })
  assert.equal(failure(tiny), 'headers')
})

test('HTTP client: an endless status line, endless early hints and endless trailers are too much head', async t => {
  const line = await outcome(t, socket => {
    socket.write('HTTP/1.1 200 ')
    pour(socket, Buffer.alloc(10_000, 's'))
  })
  assert.equal(failure(line), 'headers')
  const hints = await outcome(t, socket => pour(socket, Buffer.from('HTTP/1.1 103 Hint\r\nA: b\r\n\r\n'.repeat(99))))
  assert.equal(failure(hints), 'headers')
  const trailers = await outcome(t, socket => {
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n0\r\n`)
    pour(socket, Buffer.from('A: b\r\n'.repeat(99)))
  })
  assert.equal(failure(trailers), 'headers')
  const extension = await outcome(t, socket => {
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n3;`)
    pour(socket, Buffer.alloc(10_000, 'e'))
  })
  assert.equal(failure(extension), 'headers')
})

test('rule 5.8: a byte now and then does not buy time, in the headers or in the body', async t => {
  const options = { timeoutMs: 300 }
  for (const start of ['', 'HTTP/1.1 200 OK\r\nX: ', `${HEAD}Content-Length: 1000\r\n\r\n`]) {
    const startedMs = process.uptime() * 1000
    const fetched = await outcome(
      t,
      socket => {
        socket.write(start)
        drip(socket, start === '' ? '' : 'x')
      },
      options,
    )
    const tookMs = process.uptime() * 1000 - startedMs
    assert.equal(failure(fetched), 'timeout')
    assert.ok(fetched.kind === 'failed' && fetched.tookMs >= 300 && fetched.tookMs < 4000)
    assert.ok(tookMs >= 295 && tookMs < 5000, `${tookMs} ms`)
  }
})

test('rule 5.8: a bomb costs no more memory than a long page', async t => {
  const zeros = Buffer.alloc(1 << 20)
  const bombs = { gzip: gzipSync(zeros, { level: 9 }), deflate: deflateSync(zeros), br: brotliCompressSync(zeros) }
  // A gzip stream of 1 GiB: a thousand members of a mebibyte each, about 1 MB on the wire.
  const gigabyte = Buffer.concat(Array<Buffer>(1024).fill(bombs.gzip))
  assert.ok(gigabyte.length > 1_000_000 && gigabyte.length < 1_200_000)
  const before = process.memoryUsage().rss
  const maxBodyBytes = 8 << 20
  const answer = answered(
    await outcome(t, page(gigabyte, 'Content-Type: text/html', 'Content-Encoding: gzip'), { maxBodyBytes }),
  )
  assert.deepEqual([answer.body.length, answer.truncated], [maxBodyBytes, 'length'])
  const grown = process.memoryUsage().rss - before
  assert.ok(grown < 100 << 20, `memory grew by ${grown >> 20} MiB`)
  for (const [coding, bomb] of Object.entries(bombs)) {
    const small = await outcome(t, page(bomb, 'Content-Type: text/html', `Content-Encoding: ${coding}`), {
      maxBodyBytes: 1000,
    })
    assert.deepEqual([answered(small).body.length, answered(small).truncated], [1000, 'length'], coding)
  }
})

test('ours: a bomb inside of a bomb is bounded at each step', async t => {
  const twice = gzipSync(gzipSync(Buffer.alloc(64 << 20)))
  const fetched = await outcome(t, page(twice, 'Content-Type: text/html', 'Content-Encoding: gzip, gzip'))
  assert.deepEqual([answered(fetched).body.length, answered(fetched).truncated], [1 << 20, 'length'])
})

test('ours: a compressed body that never ends and says nothing is cut on the wire', async t => {
  const empty = Buffer.from([0, 0, 0, 0xff, 0xff])
  const opening = gzipSync('<p>hello').subarray(0, 10)
  const blocks = Buffer.concat(Array<Buffer>(10_000).fill(empty))
  const answer = answered(
    await outcome(t, socket => {
      socket.write(`${HEAD}Content-Encoding: gzip\r\n\r\n`)
      socket.write(opening)
      pour(socket, blocks)
    }),
  )
  assert.deepEqual([answer.body.length, answer.truncated], [0, 'length'])
})

test('ours: a million chunks of a byte cost about a megabyte', async t => {
  const chunks = Buffer.from('1\r\nx\r\n'.repeat(10_000))
  const before = process.memoryUsage().rss
  const answer = answered(
    await outcome(
      t,
      socket => {
        socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`)
        pour(socket, chunks)
      },
      { timeoutMs: 60_000 },
    ),
  )
  assert.deepEqual([answer.body.length, answer.truncated], [1 << 20, 'length'])
  const grown = process.memoryUsage().rss - before
  assert.ok(grown < 100 << 20, `memory grew by ${grown >> 20} MiB`)
})

test('RFC 9110 8.4: codings are undone, also raw deflate and two of them', async t => {
  const text = `<p>${'hello '.repeat(5000)}`
  const cases: [string, Uint8Array][] = [
    ['gzip', gzipSync(text)],
    ['X-GZip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['br,gzip', gzipSync(brotliCompressSync(text))],
    ['gzip\r\nContent-Encoding: deflate', deflateSync(gzipSync(text))],
    ['gzip', Buffer.concat([gzipSync(text.slice(0, 100)), gzipSync(text.slice(100))])],
  ]
  for (const [coding, bytes] of cases) {
    const answer = answered(await outcome(t, page(bytes, 'Content-Type: text/html', `Content-Encoding: ${coding}`)))
    assert.equal(answer.text, text, coding)
    assert.equal(answer.wireBytes, bytes.length, coding)
    assert.equal(answer.truncated, undefined, coding)
  }
  const empty = answered(await outcome(t, page('', 'Content-Type: text/html', 'Content-Encoding: gzip')))
  assert.equal(empty.body.length, 0)
})

test('ours: a long compressed body is decoded as well as a short one', async t => {
  const long = Buffer.from(noise(900_000))
  for (const [coding, bytes] of [
    ['gzip', gzipSync(long)],
    ['br', brotliCompressSync(long)],
  ] as const) {
    assert.ok(bytes.length > 128 << 10, `${coding} ${bytes.length}`)
    const answer = answered(await outcome(t, page(bytes, 'Content-Type: text/html', `Content-Encoding: ${coding}`)))
    assert.ok(long.equals(answer.body), coding)
  }
})

test('ours: what can’t be decoded is a failure', async t => {
  const whole = gzipSync(`<p>${'hello '.repeat(5000)}`)
  const long = gzipSync(Buffer.from(noise(900_000)))
  const cases: [string, Uint8Array][] = [
    ['gzip', Buffer.from('<p>not compressed at all')],
    ['gzip', whole.subarray(0, whole.length - 20)],
    ['gzip', long.subarray(0, long.length - 20)],
    ['gzip', Buffer.concat([whole.subarray(0, 30), Buffer.alloc(60, 0xff)])],
    ['br', whole],
    ['deflate', Buffer.from('<p>')],
    ['compress', whole],
    ['gzip,gzip,gzip', gzipSync(gzipSync(whole))],
  ]
  for (const [coding, bytes] of cases) {
    const fetched = await outcome(t, page(bytes, 'Content-Type: text/html', `Content-Encoding: ${coding}`))
    assert.equal(failure(fetched), 'encoding', coding)
  }
})

test('ours: a redirect counts even when its body can’t be decoded', async t => {
  for (const coding of ['gzip', 'zstd']) {
    const head = `HTTP/1.1 301 Go\r\nLocation: /x\r\nContent-Encoding: ${coding}\r\nContent-Length: 7\r\n\r\n`
    const answer = answered(await outcome(t, `${head}garbage`))
    assert.deepEqual([answer.status, answer.body.length, answer.truncated], [301, 0, 'length'])
  }
})

test('ours: a body that ends before its length is a failure', async t => {
  const short = [
    'Content-Length: 100',
    'Connection: close\r\nContent-Length: 100',
    'Transfer-Encoding: chunked',
    'Connection: close\r\nTransfer-Encoding: chunked',
  ]
  for (const header of short) {
    const fetched = await outcome(t, socket => void socket.end(`${HEAD}${header}\r\n\r\n6\r\n<p>`))
    assert.equal(failure(fetched), 'length', header)
  }
})

test('ours: what comes behind the length is nobody’s answer', async t => {
  const server = await rawServer(t, (socket, _head, n) =>
    socket.write(
      n === 0
        ? `${HEAD}Content-Length: 3\r\n\r\n<p>HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong`
        : page('<b>right'),
    ),
  )
  const fetch = fetcher(t)
  assert.equal(answered(await fetch.get(`${server.origin}/1`, LOOPBACK, 'html')).text, '<p>')
  assert.equal(answered(await fetch.get(`${server.origin}/2`, LOOPBACK, 'html')).text, '<b>right')
  assert.equal(server.sockets.length, 2)
})

test('ours: a connection that is reset or closed is a failure', async t => {
  assert.equal(failure(await outcome(t, socket => void socket.resetAndDestroy())), 'reset')
  assert.equal(failure(await outcome(t, socket => void socket.end())), 'reset')
  assert.equal(failure(await outcome(t, socket => void socket.end('HTTP/1.1 200 OK\r\nX: y'))), 'reset')
  const middle = await outcome(t, socket => {
    socket.write(`${HEAD}Content-Length: 1000\r\n\r\n<p>`)
    setTimeout(() => socket.resetAndDestroy(), 30)
  })
  assert.equal(failure(middle), 'reset')
})

test('ours: what is not HTTP is a failure', async t => {
  const answers = [
    'garbage\r\n\r\n',
    '<html><p>no headers at all</html>\r\n\r\n',
    'SSH-2.0-OpenSSH_9.2\r\n',
    'HTTP/1.1 20x OK\r\n\r\n',
    'HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\n<!doctype html>\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n<p>abc',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    `${HEAD}Transfer-Encoding: chunked\r\n\r\nnothex\r\n`,
    'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    Buffer.alloc(1000, 0),
  ]
  for (const answer of answers) {
    assert.equal(failure(await outcome(t, answer)), 'protocol', JSON.stringify(answer.toString().slice(0, 60)))
  }
})

test('ours: a status text has no escapes and no end', async t => {
  const odd = answered(await outcome(t, 'HTTP/1.1 404 No\x1b[31m \xe2\x82\xac\r\nContent-Length: 0\r\n\r\n'))
  assert.match(odd.statusText, /^No\?\[31m [ -~\xa0-\xff]+$/)
  const long = answered(await outcome(t, `HTTP/1.1 404 ${'n'.repeat(20_000)}\r\nContent-Length: 0\r\n\r\n`))
  assert.equal(long.statusText.length, 200)
  const none = answered(await outcome(t, 'HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n'))
  assert.equal(none.statusText, '')
})

test('ours: nobody there is a failure', async t => {
  const server = await rawServer(t, () => {})
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => taken.once('listening', resolve))
  const { port } = taken.address() as { port: number }
  await new Promise(resolve => taken.close(resolve))
  assert.equal(failure(await ask(t, `http://127.0.0.1:${port}/`)), 'connect')
  assert.equal(failure(await ask(t, `${server.origin}/`, { timeoutMs: 200 })), 'timeout')
})

test('ours: a line of blanks takes no longer to read than any other', async t => {
  const blanks = `X:${' '.repeat(32_000)}\0\r\n`
  for (const answer of [blanks, `Transfer-Encoding: chunked\r\n\r\n0\r\n${blanks}`]) {
    const server = await rawServer(t, socket => socket.write(`HTTP/1.1 200 OK\r\n${answer}\r\n`))
    const before = process.cpuUsage()
    assert.equal(failure(await ask(t, `${server.origin}/`)), 'protocol')
    const usedMs = process.cpuUsage(before).user / 1000
    assert.ok(usedMs < 500, `${usedMs} ms`)
  }
})

test('ours: a chunk that is longer than its size is a failure at once, also without an end of line', async t => {
  const server = await rawServer(t, socket =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n<p>more'),
  )
  assert.equal(failure(await ask(t, `${server.origin}/`, { timeoutMs: 1000 })), 'protocol')
})

test('ours: a head of almost 32 KiB leaves the chunks their own room', async t => {
  const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX: ${'y'.repeat(32_600)}\r\nTransfer-Encoding: chunked\r\n\r\n`
  const chunks = `3;${'e'.repeat(30_000)}\r\n<p>\r\n0\r\n\r\n`
  const server = await rawServer(t, socket => socket.write(head + chunks))
  assert.equal(answered(await ask(t, `${server.origin}/`)).text, '<p>')
})

test('RFC 9112 7.1: what is around the chunks of a body counts, too: no answer is read without end', async t => {
  const around = {
    'an extension': `1;${'e'.repeat(30_000)}\r\nx\r\n`,
    zeros: `${'0'.repeat(30_000)}1\r\nx\r\n`,
    'chunks of a byte': '1\r\nx\r\n'.repeat(10_000),
  }
  for (const [name, chunks] of Object.entries(around)) {
    let socket: Socket | undefined
    const fetched = await outcome(
      t,
      opened => {
        socket = opened
        opened.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`)
        pour(opened, Buffer.from(chunks))
      },
      { maxBodyBytes: 10 << 20, timeoutMs: 60_000 },
    )
    const { truncated, wireBytes } = answered(fetched)
    assert.equal(truncated, 'length', name)
    assert.ok(wireBytes < 4 << 20, `${name}: ${wireBytes}`)
    // What the kernel holds for either side was sent, and is not read.
    assert.ok(socket!.bytesWritten < 48 << 20, `${name}: ${socket!.bytesWritten}`)
  }
})
