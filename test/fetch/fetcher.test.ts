import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { lastHeaderOf } from '../../src/base/words/raw-headers.ts'
import { answered, ask, fetcher, LOOPBACK } from './ask.ts'
import { noise } from './noise.ts'
import { page, rawServer } from './raw-server.ts'

test('ours: requestHead is exactly what went over the wire', async t => {
  const server = await rawServer(t, socket => socket.write(page('<p>hello')))
  const fetch = fetcher(t)
  const first = answered(await fetch.get(`${server.origin}/a/b?c=%20d`, LOOPBACK, 'html'))
  const second = answered(await fetch.get(`${server.origin}/robots.txt`, LOOPBACK, 'robots'))
  assert.deepEqual(server.heads, [first.requestHead, second.requestHead])
  assert.match(first.requestHead, /^GET \/a\/b\?c=%20d HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\n/)
  assert.match(first.requestHead, /\r\nUser-Agent: Escalona-test\/1 \(\+http:\/\/contact\.example\/\)\r\n/)
  assert.match(first.requestHead, /\r\nAccept-Encoding: gzip, deflate, br\r\n/)
  assert.doesNotMatch(first.requestHead, /cookie/i)
})

test('ours: an answer is told as it came', async t => {
  const server = await rawServer(t, socket =>
    socket.write(page('<p>h\xe9llo', 'X-A: 1', 'content-TYPE: text/html; charset=x', 'X-A: \xfc')),
  )
  const answer = answered(await ask(t, `${server.origin}/`))
  assert.equal(answer.url, `${server.origin}/`)
  assert.equal(answer.ip, '127.0.0.1')
  assert.equal(answer.status, 200)
  assert.equal(answer.statusText, 'OK')
  assert.deepEqual(answer.headers.slice(0, 6), ['X-A', '1', 'content-TYPE', 'text/html; charset=x', 'X-A', '\xfc'])
  assert.deepEqual(Buffer.from(answer.body), Buffer.from('<p>h\xe9llo'))
  assert.equal(answer.wireBytes, answer.body.length)
  assert.equal(answer.truncated, undefined)
  assert.equal(answer.isHtml, true)
  assert.ok(answer.tookMs >= 0 && answer.sentAtMs > 0)
})

test('ours: headers keep their order, their case and their bytes, however many of a name there are', async t => {
  const sent = [
    'Refresh',
    '0; url=/x',
    'X-b',
    '1',
    '2',
    'a',
    'x-B',
    '',
    '1',
    '\xff\x80',
    'X-B',
    'a\tb',
    'Set-Cookie',
    'c=d',
  ]
  const lines = sent.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${sent[i + 1]}`] : []))
  const server = await rawServer(t, socket => {
    const answer = page('<p>x', ...lines, 'Content-Type: text/html')
    // In two pieces that meet inside of a header.
    socket.write(answer.subarray(0, 30))
    setTimeout(() => socket.write(answer.subarray(30)), 20)
  })
  const { headers } = answered(await ask(t, `${server.origin}/`))
  assert.deepEqual(headers, [...sent, 'Content-Type', 'text/html', 'Content-Length', '4'])
})

test('Fetch 2.2.2: of several types the last one decides', async t => {
  const server = await rawServer(t, (socket, head) => {
    const types = ['Content-Type: image/png', 'content-type: text/html; charset=x']
    socket.write(page('<p>x', ...(head.startsWith('GET /html') ? types : types.toReversed())))
  })
  const got = async (path: string) => answered(await ask(t, `${server.origin}/${path}`))
  const html = await got('html')
  assert.deepEqual([html.isHtml, lastHeaderOf(html.headers, 'content-type')], [true, 'text/html; charset=x'])
  const image = await got('image')
  assert.deepEqual([image.isHtml, lastHeaderOf(image.headers, 'content-type')], [false, 'image/png'])
  assert.equal(lastHeaderOf(html.headers, 'refresh'), undefined)
})

const HTML = 'Content-Type: text/html'

test('rule 5.1: a body of another type is not downloaded; the connection ends at the headers', async t => {
  let sent = 0
  const closed = new Promise<void>(resolve => {
    void rawServer(t, socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 100000000\r\n\r\n')
      const timer = setInterval(() => {
        socket.write('x')
        sent++
      }, 20)
      socket.on('close', () => {
        clearInterval(timer)
        resolve()
      })
    }).then(async server => {
      const answer = answered(await ask(t, `${server.origin}/`))
      assert.equal(answer.isHtml, false)
      assert.equal(answer.body.length, 0)
      assert.equal(answer.truncated, 'length')
      assert.equal(answer.status, 200)
    })
  })
  await closed
  assert.ok(sent < 20, `${sent} bytes were sent before the connection ended`)
})

test('rule 5.1: a missing type is decided by the first bytes, and what is not HTML is cut there', async t => {
  const server = await rawServer(t, (socket, head) => {
    if (head.startsWith('GET /short ')) socket.write(page('  <!doctype html><p>x', 'X: y'))
    else if (head.startsWith('GET /text ')) socket.write(page('just text', 'X: y'))
    else if (head.startsWith('GET /empty ')) socket.write(page('', 'X: y'))
    else if (head.startsWith('GET /zip '))
      socket.write(page(gzipSync(`<html>${noise(40_000)}`), 'Content-Encoding: gzip'))
    else if (head.startsWith('GET /long ')) socket.write(page(`<html>${'x'.repeat(100_000)}`, 'Content-Type:'))
    else {
      const coding = head.startsWith('GET /zipped') ? 'Content-Encoding: gzip\r\n' : ''
      socket.write(`HTTP/1.1 200 OK\r\n${coding}Content-Length: 900000000\r\n\r\n`)
      socket.write(coding === '' ? 'x'.repeat(2000) : gzipSync(noise(9000)).subarray(0, 4000))
    }
  })
  const got = async (path: string) => answered(await ask(t, `${server.origin}/${path}`))
  assert.equal((await got('short')).isHtml, true)
  assert.equal((await got('short')).text, '  <!doctype html><p>x')
  assert.equal((await got('long')).body.length, 100_006)
  assert.equal((await got('zip')).body.length, 40_006)
  for (const path of ['text', 'empty', 'endless', 'zipped']) {
    const answer = await got(path)
    assert.equal(answer.isHtml, false, path)
    assert.equal(answer.body.length, 0, path)
    assert.equal(answer.truncated, path === 'empty' ? undefined : 'length', path)
  }
})

test('ours: a redirect keeps a short body, and a long one is cut', async t => {
  const server = await rawServer(t, (socket, head) => {
    const status = /\/(\d+)/.exec(head)![1]!
    const body = head.includes('long') ? 'y'.repeat(100_000) : 'moved'
    socket.write(`HTTP/1.1 ${status} Go\r\nLocation: /x\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  })
  const fetch = fetcher(t)
  for (const status of [301, 302, 303, 307, 308]) {
    const answer = answered(await fetch.get(`${server.origin}/${status}`, LOOPBACK, 'html'))
    assert.equal(answer.status, status)
    assert.equal(answer.isHtml, false)
    assert.equal(answer.text, 'moved')
    assert.deepEqual(answer.headers.slice(0, 2), ['Location', '/x'])
  }
  assert.equal(server.sockets.length, 1)
  const long = answered(await fetch.get(`${server.origin}/301?long`, LOOPBACK, 'html'))
  assert.equal(long.body.length, 65_536)
  assert.equal(long.truncated, 'length')
})

test('archive: of the body of a failure 64 KiB are kept; a longer one ends the connection', async t => {
  const server = await rawServer(t, (socket, head) => {
    const length = Number(/\/(\d+)/.exec(head)![1])
    socket.write(`HTTP/1.1 404 No\r\n${HTML}\r\nContent-Length: ${length}\r\n\r\n`)
    socket.write('z'.repeat(Math.min(length, 100_000)))
  })
  const fetch = fetcher(t)
  for (const length of [10, 60_000, 900_000_000, 20]) {
    const answer = answered(await fetch.get(`${server.origin}/${length}`, LOOPBACK, 'html'))
    const cut = length > 65_536 ? 'length' : undefined
    const kept = Math.min(length, 65_536)
    assert.deepEqual([answer.status, answer.isHtml, answer.body.length, answer.truncated], [404, false, kept, cut])
  }
  assert.equal(server.sockets.length, 2)
})

test('archive: a failure whose body never comes, or ends early, is that failure still', async t => {
  const server = await rawServer(t, (socket, head) => {
    socket.write(`HTTP/1.1 404 No\r\n${HTML}\r\nContent-Length: 1000\r\n\r\nonly this`)
    if (head.startsWith('GET /short ')) socket.end()
  })
  for (const [path, missing] of [
    ['short', 'disconnect'],
    ['slow', 'time'],
  ]) {
    const answer = answered(await ask(t, `${server.origin}/${path}`, { timeoutMs: 300 }))
    assert.deepEqual([answer.status, answer.text, answer.truncated], [404, 'only this', missing], path)
  }
})

test('archive: the HTTP version of an answer is the one in its status line', async t => {
  const server = await rawServer(t, async (socket, head) => {
    if (head.startsWith('GET /old ')) socket.end(`HTTP/1.0 200 OK\r\n${HTML}\r\n\r\n<p>HTTP/1.1 200 OK`)
    else if (head.startsWith('GET /early '))
      socket.write(`HTTP/1.1 103 Early\r\nLink: </a>\r\n\r\nHTTP/1.0 200 OK\r\n${HTML}\r\nContent-Length: 1\r\n\r\nx`)
    else if (head.startsWith('GET /bits ')) {
      for (const bit of `HTTP/1.0 200 OK\r\n${HTML}\r\nContent-Length: 1\r\n\r\nx`) {
        socket.write(bit)
        await new Promise(setImmediate)
      }
    } else socket.write(page('HTTP/1.0 200 OK'))
  })
  const fetch = fetcher(t)
  const got = []
  for (const path of ['new', 'new', 'old', 'early', 'new', 'bits', 'new'])
    got.push(answered(await fetch.get(`${server.origin}/${path}`, LOOPBACK, 'html')).httpVersion)
  assert.deepEqual(got, ['1.1', '1.1', '1.0', '1.0', '1.1', '1.0', '1.1'])
})

test('archive: transfer codings are undone, before those of the content', async t => {
  const text = '<p>coded twice'
  const zipped = gzipSync(text)
  const chunked = (body: Uint8Array) =>
    Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])
  const server = await rawServer(t, (socket, head) => {
    const start = `HTTP/1.1 200 OK\r\n${HTML}\r\n`
    if (head.startsWith('GET /gzip ')) socket.write(`${start}Transfer-Encoding: gzip, chunked\r\n\r\n`)
    else if (head.startsWith('GET /two '))
      socket.write(`${start}Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n`)
    else if (head.startsWith('GET /twice '))
      socket.write(`${start}Content-Encoding: br\r\nTransfer-Encoding: GZIP , chunked\r\n\r\n`)
    else socket.write(`${start}Transfer-Encoding: chunked\r\n\r\n`)
    const inner = head.startsWith('GET /twice ') ? gzipSync(brotliCompressSync(text)) : zipped
    socket.write(chunked(head.startsWith('GET /plain ') ? Buffer.from(text) : inner))
  })
  for (const path of ['gzip', 'two', 'twice', 'plain'])
    assert.equal(answered(await ask(t, `${server.origin}/${path}`)).text, text, path)
})

test('RFC 9309 2.5: robots.txt of any type and status is kept up to 500 KiB and a byte', async t => {
  const server = await rawServer(t, (socket, head) => {
    const [, status, length] = /\/(\d+)\/(\d+)/.exec(head)!
    socket.write(`HTTP/1.1 ${status} X\r\nContent-Type: image/png\r\nContent-Length: ${length}\r\n\r\n`)
    socket.write('#'.repeat(Number(length)))
  })
  const got = async (path: string) => answered(await ask(t, `${server.origin}/${path}`, { maxBodyBytes: 10 }, 'robots'))
  const short = await got('200/1000')
  assert.deepEqual([short.body.length, short.truncated, short.isHtml], [1000, undefined, false])
  const error = await got('500/20')
  assert.deepEqual([error.status, error.text], [500, '#'.repeat(20)])
  const whole = await got(`200/${500 * 1024 + 1}`)
  assert.deepEqual([whole.body.length, whole.truncated], [512_001, undefined])
  const long = await got('200/2000000')
  assert.deepEqual([long.body.length, long.truncated], [512_001, 'length'])
})

test('rule 5.8: a body over the limit is cut and says so', async t => {
  const server = await rawServer(t, (socket, head) => {
    const length = Number(/\/(\d+)/.exec(head)![1])
    socket.write(page('w'.repeat(length), HTML))
  })
  const got = async (length: number) => answered(await ask(t, `${server.origin}/${length}`, { maxBodyBytes: 100_000 }))
  const exact = await got(100_000)
  assert.deepEqual([exact.body.length, exact.truncated, exact.isHtml], [100_000, undefined, true])
  const long = await got(100_001)
  assert.deepEqual([long.body.length, long.truncated, long.isHtml], [100_000, 'length', true])
  assert.equal((await got(5_000_000)).text, 'w'.repeat(100_000))
})

test('RFC 9112 6.3: a body ends with its chunks, its connection or its length; some answers have none', async t => {
  const answers: Record<string, string> = {
    chunked: `HTTP/1.1 200 OK\r\n${HTML}\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n3\r\n<p>\r\n5;x=y\r\nhello\r\n0\r\nX-T: 1\r\n\r\n`,
    old: `HTTP/1.0 200 OK\r\n${HTML}\r\n\r\n<p>hello`,
    close: `HTTP/1.1 200 OK\r\n${HTML}\r\nConnection: close\r\n\r\n<p>hello`,
    hints: `HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 102 Wait\r\n\r\nHTTP/1.1 200 OK\r\n${HTML}\r\nContent-Length: 8\r\n\r\n<p>hello`,
    none: `HTTP/1.1 200 OK\r\n${HTML}\r\nContent-Length: 0\r\n\r\n`,
    gone: `HTTP/1.1 204 No Content\r\n${HTML}\r\n\r\n`,
    reset: `HTTP/1.1 205 Reset\r\n${HTML}\r\nContent-Length: 0\r\n\r\n`,
    same: `HTTP/1.1 304 Not Modified\r\n${HTML}\r\nContent-Length: 500\r\n\r\n`,
  }
  const server = await rawServer(t, (socket, head) => {
    const name = /\/(\w+)/.exec(head)![1]!
    socket.write(answers[name]!)
    if (name === 'old' || name === 'close') socket.end()
  })
  const got = async (path: string) => answered(await ask(t, `${server.origin}/${path}`))
  for (const path of ['chunked', 'old', 'close', 'hints']) {
    const answer = await got(path)
    assert.deepEqual([answer.status, answer.text, answer.isHtml], [200, '<p>hello', true], path)
  }
  const none = await got('none')
  assert.deepEqual([none.body.length, none.isHtml], [0, true])
  for (const path of ['gone', 'reset', 'same']) {
    const answer = await got(path)
    assert.deepEqual([answer.body.length, answer.isHtml], [0, false], path)
  }
})

test('rule 5.9: addresses that are not public are refused before anything is sent', async t => {
  const server = await rawServer(t, socket => socket.write(page('<p>secret')))
  const fetch = fetcher(t, { allowNetworks: [] })
  for (const ip of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', '169.254.169.254', '0.0.0.0', 'nonsense']) {
    for (const wanted of ['html', 'robots'] as const) {
      const fetched = await fetch.get(`http://public.example:${server.port}/`, { ...LOOPBACK, ip }, wanted)
      assert.deepEqual(fetched, { kind: 'refused', by: 'address' }, ip)
    }
  }
  assert.equal(server.sockets.length, 0)
})

test('rule 5.9: the address that really answered is checked too', async t => {
  const server = await rawServer(t, socket => socket.write(page('<p>secret')))
  // To connect to 0.0.0.0 leads to loopback.
  const fetch = fetcher(t, { allowNetworks: ['0.0.0.0'] })
  const fetched = await fetch.get(`http://a.example:${server.port}/`, { ...LOOPBACK, ip: '0.0.0.0' }, 'html')
  assert.deepEqual(fetched, { kind: 'refused', by: 'address' })
  assert.deepEqual(server.heads, [])
})

test('rule 5.9: the address decides, whatever the name; allowed is allowed', async t => {
  const server = await rawServer(t, socket => socket.write(page('<p>x')))
  const fetch = fetcher(t, { allowNetworks: ['127.0.0.0/8'] })
  const answer = answered(await fetch.get(`http://name.example:${server.port}/`, LOOPBACK, 'html'))
  assert.match(answer.requestHead, /\r\nhost: name\.example:\d+\r\n/)
  assert.deepEqual(server.heads, [answer.requestHead])
  const mapped = { ip: '::ffff:127.0.0.1', family: 6, untilMs: 0 } as const
  assert.equal(answered(await fetch.get(`http://name.example:${server.port}/`, mapped, 'html')).ip, '::ffff:127.0.0.1')
})

test('ours: IPv6', async t => {
  const server = await rawServer(t, socket => socket.write(page('<p>six')), '::1')
  const answer = answered(await fetcher(t).get(`${server.origin}/`, { ip: '::1', family: 6, untilMs: 0 }, 'html'))
  assert.equal(answer.text, '<p>six')
  assert.deepEqual(server.heads, [answer.requestHead])
})

test('ours: a URL or an agent that is not proper is the caller’s mistake', async t => {
  const fetch = fetcher(t)
  for (const url of [
    'ftp://a.example/',
    'http://a.example',
    'HTTP://a.example/',
    'http://u:p@a.example/',
    'http://a.example/ x',
    'http://a.example/#f',
    'http://a.example/\r\nX: y',
    'http://A.example/',
    '',
  ]) {
    await assert.rejects(fetch.get(url, LOOPBACK, 'html'), { code: 'FETCH_BAD_URL' }, url)
  }
  assert.throws(() => fetcher(t, { userAgent: 'a\r\nb: c' }), { code: 'FETCH_BAD_AGENT' })
  assert.throws(() => fetcher(t, { userAgent: '' }), { code: 'FETCH_BAD_AGENT' })
})
