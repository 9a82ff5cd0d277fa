// What an enemy would try. Nothing is executed, changed, leaked or slowed down.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { UiServer } from '../../src/server/ui-server.ts'
import { ask, codeOf, serveStandIn, TOKEN } from './ask-server.ts'
import { HOSTILE, StandInView } from './stand-in-view.ts'

const AUTH = { authorization: `Bearer ${TOKEN}` }

/** How long an ordinary question takes, in milliseconds. */
async function answerMs(port: number): Promise<number> {
  const begunMs = performance.now()
  assert.equal((await ask(port, '/api/crawl')).status, 200)
  return performance.now() - begunMs
}

test('attack: scripts, quotes, bidi marks and line ends in titles, URLs, hosts and headers arrive as JSON data', async t => {
  const { port } = await serveStandIn(t)
  const list = await ask(port, '/api/pages')
  assert.match(list.headers['content-type'] ?? '', /^application\/json/)
  const { items } = JSON.parse(list.text) as { items: { title: string }[] }
  assert.equal(items[0]!.title, HOSTILE)
  const details = JSON.parse((await ask(port, '/api/page?url=http://a.example/')).text) as {
    headers: string[][]
    html: string
  }
  assert.deepEqual(details.headers, [[HOSTILE, HOSTILE]])
  assert.equal(details.html.length, 1_000_000)
  const evil = encodeURIComponent('<script>alert(1)</script>\r\nset-cookie: a=b')
  for (const path of [`/api/hosts/${evil}`, `/api/page?url=${evil}`, `/api/hosts?${evil}=1`, `/${evil}`]) {
    const { status, headers } = await ask(port, path, { headers: { accept: 'text/html' } })
    assert.ok(status === 404 || status === 400, path)
    assert.match(headers['content-type'] ?? '', /^application\/json/, path)
    assert.equal(headers['set-cookie'], undefined)
  }
})

test('attack: a megabyte of URL, host or header is refused without being kept', async t => {
  const { port } = await serveStandIn(t)
  const long = 'a'.repeat(1 << 20)
  for (const [path, headers] of [
    [`/api/explain?url=${long}`, {}],
    [`/api/hosts/${long}`, {}],
    ['/api/crawl', { 'x-long': long }],
    ['/api/crawl', { cookie: long }],
  ] as const) {
    // The server may close before all of it was sent.
    const status = await ask(port, path, { headers }).then(
      answer => answer.status,
      (error: NodeJS.ErrnoException) => error.code,
    )
    assert.ok([431, 'ECONNRESET', 'EPIPE'].includes(status as never), String(status))
  }
  const within = await ask(port, `/api/explain?url=${'a'.repeat(50_000)}`)
  assert.equal(within.status, 200)
  assert.ok((await answerMs(port)) < 1000)
})

test('attack: no path leads to a file', async t => {
  const { port } = await serveStandIn(t)
  for (const path of [
    '/../package.json',
    '/..%2f..%2fpackage.json',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/....//etc/passwd',
    '//etc/passwd',
    '/api/../../../etc/passwd',
    '/page/../ui-thread.js',
    '/ui-thread.js',
    '/..%5c..%5cpackage.json',
    '/%00',
    '/constructor',
    '/__proto__',
    '/%',
  ]) {
    const answer = await ask(port, path)
    assert.ok([400, 404].includes(answer.status), `${path} ${answer.status}`)
    assert.ok(!/root:|"dependencies"/.test(answer.text), path)
  }
})

test('attack: a body of 1 GB is refused after 1 MiB, whatever it says about its length', async t => {
  const { port, view } = await serveStandIn(t)
  const piece = Buffer.alloc(256 * 1024, 'a')
  for (const [status, headers] of [
    [413, { ...AUTH, 'content-type': 'application/json', 'transfer-encoding': 'chunked' }],
    [413, { ...AUTH, 'content-type': 'application/json', 'content-length': String(1 << 30) }],
    [401, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }],
    [415, { ...AUTH, 'transfer-encoding': 'chunked' }],
  ] as const) {
    const out = request({ host: '127.0.0.1', port, path: '/api/seeds', method: 'POST', headers, agent: false })
    let sent = 0
    const answered = once(out, 'response') as Promise<[IncomingMessage]>
    const closed = new Promise<void>(resolve => {
      out.on('error', () => resolve())
      out.on('close', () => resolve())
    })
    const pump = () => {
      while (!out.destroyed && sent < 1 << 30) {
        sent += piece.length
        if (!out.write(piece)) return void out.once('drain', pump)
      }
    }
    pump()
    const [answer] = await answered
    answer.resume()
    assert.equal(answer.statusCode, status)
    await closed
    assert.ok(sent < 200 << 20, `${sent >> 20} MiB were taken`)
  }
  assert.deepEqual(view.acted, [])
  assert.ok((await answerMs(port)) < 1000)
})

/** Connects and sends this. */
async function connected(t: TestContext, port: number, text = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  if (text !== '') socket.write(text)
  return socket
}

test('attack: a thousand idle event streams: some are served, the others turned away, and questions are answered', async t => {
  const { port } = await serveStandIn(t)
  const statuses = new Map<number, number>()
  const streams: IncomingMessage[] = []
  t.after(() => {
    for (const stream of streams) stream.destroy()
  })
  const open = () =>
    new Promise<void>(resolve => {
      const out = get({ host: '127.0.0.1', port, path: '/api/events', headers: AUTH, agent: false }, answer => {
        statuses.set(answer.statusCode!, (statuses.get(answer.statusCode!) ?? 0) + 1)
        answer.on('error', () => undefined)
        if (answer.statusCode === 200) streams.push(answer.pause())
        else answer.resume()
        resolve()
      })
      out.on('error', () => resolve())
    })
  for (let n = 0; n < 20; n++) await Promise.all(Array.from({ length: 50 }, open))
  assert.deepEqual(Object.fromEntries(statuses), { 200: 100, 503: 900 })
  assert.ok((await answerMs(port)) < 1000)
  for (const stream of streams.splice(0, 10)) stream.destroy()
  await wait(100)
  assert.equal((await ask(port, '/api/events', { method: 'HEAD' })).status, 200, 'a HEAD takes no place')
  await open()
  assert.equal(statuses.get(200), 101, 'a place that was given up is free again')
})

test('attack: a crowd that connects and says nothing, or half a request, keeps nobody out', async t => {
  const { port } = await serveStandIn(t)
  for (let n = 0; n < 10; n++) {
    await Promise.all(Array.from({ length: 30 }, () => connected(t, port)))
    await Promise.all(Array.from({ length: 30 }, () => connected(t, port, 'POST /api/seeds HTTP/1.1\r\nHost: local')))
  }
  assert.ok((await answerMs(port)) < 1000)
})

// They wait most of the time.
suite('attack: slow clients', { concurrency: true }, () => {
  test('attack: a request that arrives too slowly is ended', async t => {
    const { port, view } = await serveStandIn(t)
    const head = `POST /api/seeds HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\n`
    const slow = await connected(t, port, head)
    const begunMs = performance.now()
    const timer = setInterval(() => slow.write('x: y\r\n'), 200)
    t.after(() => clearInterval(timer))
    slow.resume()
    await once(slow, 'close')
    const tookMs = performance.now() - begunMs
    assert.ok(tookMs > 3_000 && tookMs < 20_000, `${tookMs} ms`)
    assert.deepEqual(view.acted, [])
  })

  test('attack: a listener that does not read is let go before it costs memory', async t => {
    const { port, view } = await serveStandIn(t)
    const socket = await connected(
      t,
      port,
      `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
    )
    await once(socket, 'readable')
    socket.pause()
    let isClosed = false
    socket.on('close', () => {
      isClosed = true
    })
    for (let n = 0; n < 100 && !isClosed; n++) {
      for (let one = 0; one < 200; one++) view.happen('x'.repeat(1900))
      await wait(100)
      if (n > 40) socket.resume()
    }
    assert.ok(isClosed)
    assert.ok((await answerMs(port)) < 1000)
  })
})

test('attack: broken requests get 400 and no more', async t => {
  const { port } = await serveStandIn(t)
  for (const text of [
    'GET /api/crawl HTTP/1.1\r\n\r\n',
    'GET /api/crawl HTTP/1.1\r\nHost: a b\r\n\r\n',
    'GET /api/crawl HTTP/1.1\r\nHost: 127.0.0.1@evil.example\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00',
    'GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n',
  ]) {
    const socket = await connected(t, port, text)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    assert.match(answer.toString(), /^HTTP\/1\.1 4(?:00|21) /, text)
    socket.destroy()
  }
  const nothing = await ask(port, '/api/nothing')
  assert.equal(codeOf(nothing), 'UI_NO_SUCH_ROUTE')
})

test('ours: a client that breaks off, wherever it is, is no defect of ours', async t => {
  const said: string[] = []
  const original = { ...console }
  for (const name of ['info', 'log', 'warn', 'error'] as const)
    console[name] = (...parts) => void said.push(String(parts))
  t.after(() => Object.assign(console, original))
  const server = await UiServer.listen({ port: 0, bind: '127.0.0.1', token: TOKEN }, message => void said.push(message))
  t.after(() => server.close())
  server.show(new StandInView())
  const port = Number(new URL(server.url).port)
  const head = (line: string, ...more: string[]) =>
    [`${line} HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Authorization: Bearer ${TOKEN}`, ...more, '', ''].join('\r\n')
  const json = 'Content-Type: application/json'
  const requests = [
    `${head('POST /api/seeds', json, 'Content-Length: 100')}{"urls":`,
    `${head('POST /api/seeds', json, 'Transfer-Encoding: chunked')}8\r\n{"urls":`,
    head('POST /api/seeds', json, 'Content-Length: 100', 'Expect: 100-continue'),
    head('GET /api/page?url=http://a.example/'),
    head('GET /api/page?url=http://a.example/').repeat(5),
    head('GET /metrics'),
    head('GET /'),
    head('GET /api/events'),
    'GET / HT',
  ]
  await ask(port, '/api/crawl')
  for (const text of requests)
    for (const pauseMs of [0, 1, 5, 20]) {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.on('error', () => undefined).pause()
      socket.write(text)
      await wait(pauseMs)
      socket.resetAndDestroy()
    }
  await wait(100)
  assert.equal((await ask(port, '/api/crawl')).status, 200)
  assert.deepEqual(said, [])
})
