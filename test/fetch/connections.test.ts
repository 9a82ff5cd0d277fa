import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../src/base/clock.ts'
import { answered, failure, fetcher, LOOPBACK } from './ask.ts'
import { page, rawServer } from './raw-server.ts'

test('ours: requests to an origin share one connection', async t => {
  const server = await rawServer(t, socket => socket.write(page('<p>x')))
  const fetch = fetcher(t)
  for (let i = 0; i < 20; i++) answered(await fetch.get(`${server.origin}/${i}`, LOOPBACK, 'html'))
  assert.equal(server.sockets.length, 1)
  assert.equal(server.heads.length, 20)
})

test('ours: even if asked for at once, an origin hears one request at a time, on one connection', async t => {
  let open = 0
  let most = 0
  const server = await rawServer(t, socket => {
    most = Math.max(most, ++open)
    setTimeout(() => {
      open--
      socket.write(page('<p>x'))
    }, 10)
  })
  const fetch = fetcher(t)
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, i) => fetch.get(`${server.origin}/${i}`, LOOPBACK, 'html')),
  )
  for (const fetched of all) answered(fetched)
  assert.deepEqual([most, server.sockets.length], [1, 1])
})

test('ours: a connection that the server closed while idle is made anew, without a lost request', async t => {
  const server = await rawServer(t, (socket, _head, n) => {
    socket.write(page('<p>x'))
    if (n === 0) setTimeout(() => socket.end(), 20)
  })
  const fetch = fetcher(t)
  answered(await fetch.get(`${server.origin}/1`, LOOPBACK, 'html'))
  await sleep(100)
  answered(await fetch.get(`${server.origin}/2`, LOOPBACK, 'html'))
  assert.deepEqual([server.sockets.length, server.heads.length], [2, 2])
})

test('ours: a request on a kept connection that is reset is a failure, not a second request', async t => {
  const server = await rawServer(t, (socket, _head, n) => {
    if (n === 0) socket.write(page('<p>x'))
    else socket.resetAndDestroy()
  })
  const fetch = fetcher(t)
  answered(await fetch.get(`${server.origin}/1`, LOOPBACK, 'html'))
  assert.equal(failure(await fetch.get(`${server.origin}/2`, LOOPBACK, 'html')), 'reset')
  await sleep(50)
  assert.deepEqual([server.sockets.length, server.heads.length], [1, 2])
})

test('ours: after an answer that was cut off nobody connects again by himself', async t => {
  const server = await rawServer(t, (socket, _head, n) =>
    n === 0
      ? socket.write('HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 99\r\n\r\n')
      : socket.write(page('<p>x')),
  )
  const fetch = fetcher(t)
  assert.equal(answered(await fetch.get(`${server.origin}/1`, LOOPBACK, 'html')).isHtml, false)
  await sleep(100)
  assert.equal(server.sockets.length, 1)
  assert.equal(server.sockets[0]!.destroyed, true)
  answered(await fetch.get(`${server.origin}/2`, LOOPBACK, 'html'))
  assert.equal(server.sockets.length, 2)
})

test('ours: a request that waits behind one that was cut off is a reset, and was never sent', async t => {
  const server = await rawServer(t, socket =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 99\r\n\r\n'),
  )
  const fetch = fetcher(t)
  const first = fetch.get(`${server.origin}/1`, LOOPBACK, 'html')
  const second = fetch.get(`${server.origin}/2`, LOOPBACK, 'html')
  assert.equal(answered(await first).isHtml, false)
  assert.equal(failure(await second), 'reset')
  assert.equal(server.heads.length, 1)
  assert.equal(fetch.openConnections, 0)
})

test('ours: a server’s word about how long it keeps a connection is believed, with a margin', async t => {
  const server = await rawServer(t, socket =>
    socket.write(page('<p>x', 'Content-Type: text/html', 'Keep-Alive: timeout=1')),
  )
  const fetch = fetcher(t)
  answered(await fetch.get(`${server.origin}/1`, LOOPBACK, 'html'))
  answered(await fetch.get(`${server.origin}/2`, LOOPBACK, 'html'))
  assert.equal(server.sockets.length, 2)
})

test('ours: another address means another connection', async t => {
  const asked: unknown[] = []
  const answer = (socket: Socket) => {
    asked.push(socket.localAddress)
    socket.write(page('<p>x'))
  }
  const server = await rawServer(t, answer, '0.0.0.0')
  const fetch = fetcher(t)
  const url = `http://a.example:${server.port}/`
  assert.equal(answered(await fetch.get(url, LOOPBACK, 'html')).ip, '127.0.0.1')
  assert.equal(answered(await fetch.get(url, { ...LOOPBACK, ip: '127.0.0.2' }, 'html')).ip, '127.0.0.2')
  assert.deepEqual(asked, ['127.0.0.1', '127.0.0.2'])
  await sleep(50)
  assert.equal(server.sockets[0]!.destroyed, true)
  const slow = fetch.get(url, { ...LOOPBACK, ip: '127.0.0.3' }, 'html')
  const fast = fetch.get(url, { ...LOOPBACK, ip: '127.0.0.4' }, 'html')
  assert.equal(answered(await slow).ip, '127.0.0.3')
  assert.equal(answered(await fast).ip, '127.0.0.4')
})

test('ours: idle connections are closed, and more hosts than connections leave nothing behind', async t => {
  let open = 0
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<p>x')
  })
  server.on('connection', socket => {
    open++
    socket.on('close', () => open--)
  })
  server.listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  let aheadMs = 0
  const fetch = fetcher(t, { clock: () => systemClock() + aheadMs, timeoutMs: 100_000 })
  let next = 0
  const worker = async () => {
    while (next < 1200) answered(await fetch.get(`http://h${next++}.example:${port}/`, LOOPBACK, 'html'))
  }
  await Promise.all(Array.from({ length: 24 }, worker))
  await sleep(50)
  assert.ok(open <= 1024, `${open} connections are open after 1200 hosts`)
  assert.ok(fetch.openConnections <= 1000 + 24)
  aheadMs = 5001
  await sleep(600)
  assert.deepEqual([open, fetch.openConnections], [0, 0])
})

test('ours: of more connections than allowed the one that was idle longest is closed first', async t => {
  const server = await rawServer(t, socket => socket.write(page('<p>x')))
  const fetch = fetcher(t, { maxConnections: 3 })
  for (let i = 0; i < 5; i++) answered(await fetch.get(`http://h${i}.example:${server.port}/`, LOOPBACK, 'html'))
  await sleep(50)
  assert.equal(fetch.openConnections, 3)
  assert.deepEqual(
    server.sockets.map(socket => socket.destroyed),
    [true, true, false, false, false],
  )
})

test('ours: closing ends requests under way, and everything after', async t => {
  const server = await rawServer(t, () => {})
  const fetch = fetcher(t)
  const waiting = fetch.get(`${server.origin}/`, LOOPBACK, 'html')
  await sleep(50)
  await fetch.close()
  assert.equal(failure(await waiting), 'stopped')
  assert.equal(failure(await fetch.get(`${server.origin}/`, LOOPBACK, 'html')), 'stopped')
  await sleep(50)
  assert.equal(server.sockets[0]!.destroyed, true)
})

test('RFC 9112 9.3: which answers leave a connection for the next request', async t => {
  const cases: [isKept: boolean, answer: string][] = [
    [true, 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\n<p>'],
    [true, 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: x, y\r\nContent-Length: 3\r\n\r\n<p>'],
    [true, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a="b"\r\n<p>\r\n0\r\nX-Trailer: a\r\n\r\n'],
    [true, 'HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 3\r\n\r\n<p>'],
    [true, 'HTTP/1.1 304 Same\r\nContent-Length: 1000\r\n\r\n'],
    [true, 'HTTP/1.1 204 None\r\nTransfer-Encoding: chunked\r\n\r\n'],
    [true, 'HTTP/1.1 103 Hint\r\nConnection: close\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    [true, '\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    [false, 'HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\n<p>'],
    [false, 'HTTP/1.1 200 OK\r\nConnection: x\r\nConnection: Close\r\nContent-Length: 3\r\n\r\n<p>'],
    [false, 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n\r\n'],
    [false, 'HTTP/1.1 200 OK\r\nKeep-Alive: max=3, timeout=0\r\nContent-Length: 0\r\n\r\n'],
  ]
  for (const [isKept, answer] of cases) {
    const whole = await rawServer(t, socket => socket.write(answer))
    const fetch = fetcher(t)
    for (const path of ['1', '2']) answered(await fetch.get(`${whole.origin}/${path}`, LOOPBACK, 'html'))
    assert.equal(whole.sockets.length, isKept ? 1 : 2, JSON.stringify(answer))
  }
})

test('HTTP client: an answer that comes byte by byte is the same answer', async t => {
  const head = 'HTTP/1.1 103 Hint\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
  const body = 'Transfer-Encoding: chunked\r\n\r\n1\r\n<\r\n002;x\r\np>\r\n0\r\nA: b\r\n\r\n'
  const server = await rawServer(t, async socket => {
    for (const byte of head + body) {
      socket.write(byte)
      await sleep(1)
    }
  })
  const fetch = fetcher(t)
  for (const path of ['1', '2']) {
    const { status, headers, text } = answered(await fetch.get(`${server.origin}/${path}`, LOOPBACK, 'html'))
    assert.deepEqual([status, text], [200, '<p>'])
    assert.deepEqual(headers, ['Content-Type', 'text/html', 'Transfer-Encoding', 'chunked'])
  }
  assert.equal(server.sockets.length, 1)
})

test('HTTP client: an answer without a length may end with a reset, and a waiting request is not lost with the connection', async t => {
  const server = await rawServer(t, (socket, _head, n) => {
    if (n > 0) return socket.write(page('<p>second'))
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>first')
    return setTimeout(() => socket.resetAndDestroy(), 30)
  })
  const fetch = fetcher(t)
  const both = ['1', '2'].map(path => fetch.get(`${server.origin}/${path}`, LOOPBACK, 'html'))
  const [first, second] = await Promise.all(both)
  assert.deepEqual([answered(first!).text, answered(second!).text], ['<p>first', '<p>second'])
  assert.equal(server.sockets.length, 2)
})

test('ours: after a streamed body the idle connection is watched: an end is heard of, and what nobody asked for is no answer', async t => {
  for (const after of ['end', 'extra'] as const) {
    const server = await rawServer(t, (socket, _head, n) => {
      socket.write(page(n === 0 ? '<urlset/>' : '<p>right'))
      if (n === 0) setTimeout(() => (after === 'end' ? socket.end() : socket.write(page('<p>wrong'))), 20)
    })
    const fetch = fetcher(t)
    answered(await fetch.get(`${server.origin}/sitemap.xml`, LOOPBACK, 'sitemap'))
    await sleep(100)
    assert.equal(answered(await fetch.get(`${server.origin}/`, LOOPBACK, 'html')).text, '<p>right', after)
    assert.equal(server.sockets.length, 2)
  }
})

test('RFC 9112 2.2 and 5.2: an answer that is not well-formed is read, and its connection is not used again', async t => {
  const forms = [
    'HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: 4\n\n<p>x',
    'HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>x',
    'HTTP/1.1 200 OK\r\nX Y: a\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>x',
    'HTTP/1.1 200 OK\r\nX: a\x01b\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>x',
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n4\n<p>x\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n<p>x\r\n0\r\nX Y: z\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked,\r\n\r\n4\r\n<p>x\r\n0\r\n\r\n',
    'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n<p>x\r\n0\r\n\r\n',
  ]
  for (const form of forms) {
    const server = await rawServer(t, socket => socket.write(form))
    const fetch = fetcher(t)
    for (let i = 0; i < 2; i++) {
      const { text, headers } = answered(await fetch.get(`${server.origin}/${i}`, LOOPBACK, 'html'))
      assert.equal(text, '<p>x', form)
      assert.ok(!headers.includes('X') || headers.includes('a b'), form)
    }
    assert.equal(server.sockets.length, 2, form)
  }
})

test('RFC 9110 8.6 and 15.2: a length given twice and an unasked 100 leave no doubt, and the connection is kept', async t => {
  const answer =
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\nContent-Length: 4, 4\r\n\r\n<p>x'
  const server = await rawServer(t, socket => socket.write(answer))
  const fetch = fetcher(t)
  for (let i = 0; i < 3; i++)
    assert.equal(answered(await fetch.get(`${server.origin}/${i}`, LOOPBACK, 'html')).text, '<p>x')
  assert.equal(server.sockets.length, 1)
})
