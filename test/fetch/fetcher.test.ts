import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answered, ask, fetcher, LOOPBACK } from './ask.ts'
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
