// How long each part of a request may take, and whether anything came back from the other side.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fetched } from '../../src/fetch/exchange.ts'
import type { FetcherOptions } from '../../src/fetch/fetcher.ts'
import { answered, ask, fetcher, LOOPBACK } from './ask.ts'
import { page, rawServer } from './raw-server.ts'

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'

/** What went wrong, and whether the other side was silent. */
function verdict(fetched: Fetched): [string, boolean] {
  return fetched.kind === 'failed' ? [fetched.why, fetched.isSilent] : [fetched.kind, false]
}

function tookMs(fetched: Fetched): number {
  return fetched.kind === 'failed' ? fetched.tookMs : Number.NaN
}

/** Asks a server that does this with a request. */
async function asked(t: TestContext, answer: (socket: Socket) => void, options: Partial<FetcherOptions> = {}) {
  const server = await rawServer(t, answer)
  return ask(t, `${server.origin}/`, options)
}

/** A port where connections are neither accepted nor refused: a stopped process listens there, and its queue is full. */
async function fullPort(t: TestContext): Promise<number> {
  const code = `require('net').createServer().listen({ host: '127.0.0.1', port: 0, backlog: 1 }, function () {
    console.log(this.address().port)
  })`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const port = Number(line)
  child.kill('SIGSTOP')
  await sleep(50)
  const sockets = Array.from({ length: 6 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  await sleep(100)
  return port
}

test('ours: a connection that nobody accepts has its own, shorter time', async t => {
  const port = await fullPort(t)
  const fetched = await ask(t, `http://127.0.0.1:${port}/`, { connectTimeoutMs: 300 })
  assert.deepEqual(verdict(fetched), ['connect', true])
  assert.ok(tookMs(fetched) >= 300 && tookMs(fetched) < 2000, `${tookMs(fetched)} ms`)
})

test('ours: TLS belongs to the connection', async t => {
  const server = await rawServer(t, () => {})
  const fetched = await ask(t, `https://127.0.0.1:${server.port}/`, { connectTimeoutMs: 300 })
  assert.deepEqual(verdict(fetched), ['connect', true])
  assert.ok(tookMs(fetched) >= 300 && tookMs(fetched) < 2000, `${tookMs(fetched)} ms`)
  await sleep(50)
  assert.equal(server.sockets[0]!.destroyed, true)
})

test('ours: the first byte has its own time, and any byte will do', async t => {
  const silent = await asked(t, () => {}, { firstByteTimeoutMs: 200 })
  assert.deepEqual(verdict(silent), ['timeout', true])
  assert.ok(tookMs(silent) >= 200 && tookMs(silent) < 2000, `${tookMs(silent)} ms`)
  const stuck = await asked(t, socket => socket.write('H'), { firstByteTimeoutMs: 200, timeoutMs: 700 })
  assert.deepEqual(verdict(stuck), ['timeout', false])
  assert.ok(tookMs(stuck) >= 700)
  const slow = await asked(
    t,
    socket => {
      socket.write('HTTP/1.1 103 Early Hints\r\n\r\n')
      setTimeout(() => socket.write(page('<p>x')), 600)
    },
    { firstByteTimeoutMs: 200 },
  )
  assert.equal(answered(slow).text, '<p>x')
})

test('ours: the first byte is awaited anew on a connection that is used again', async t => {
  const server = await rawServer(t, (socket, _head, n) => n === 0 && socket.write(page('<p>x')))
  const fetch = fetcher(t, { firstByteTimeoutMs: 200 })
  answered(await fetch.get(`${server.origin}/1`, LOOPBACK, 'html'))
  assert.deepEqual(verdict(await fetch.get(`${server.origin}/2`, LOOPBACK, 'html')), ['timeout', true])
  assert.equal(server.sockets.length, 1)
})

test('ours: silence is told apart from a bad answer', async t => {
  assert.deepEqual(verdict(await asked(t, socket => socket.resetAndDestroy())), ['reset', true])
  assert.deepEqual(verdict(await asked(t, socket => socket.end())), ['reset', true])
  assert.deepEqual(verdict(await asked(t, socket => socket.end('HTTP/1.1 200 OK\r\nX: y'))), ['reset', false])
  assert.deepEqual(verdict(await asked(t, socket => socket.end('garbage\r\n\r\n'))), ['protocol', false])
  assert.deepEqual(verdict(await asked(t, socket => socket.end(`${HEAD}Content-Length: 9\r\n\r\n<`))), [
    'length',
    false,
  ])
  const server = await rawServer(t, (socket, _head, n) =>
    n === 0 ? socket.write(page('<p>x')) : socket.resetAndDestroy(),
  )
  const fetch = fetcher(t)
  answered(await fetch.get(`${server.origin}/1`, LOOPBACK, 'html'))
  assert.deepEqual(verdict(await fetch.get(`${server.origin}/2`, LOOPBACK, 'html')), ['reset', true])
})

test('ours: nobody listening is silence, closing the fetcher is not', async t => {
  const server = await rawServer(t, () => {})
  const fetch = fetcher(t)
  const open = fetch.get(`${server.origin}/`, LOOPBACK, 'html')
  await sleep(50)
  await fetch.close()
  assert.deepEqual(verdict(await open), ['stopped', false])
  const port = await fullPort(t)
  const refused = fetcher(t).get(`http://127.0.0.1:${port}/`, { ...LOOPBACK, ip: '127.0.0.2' }, 'html')
  assert.deepEqual(verdict(await refused), ['connect', true])
})

test('ours: a request that waited for its turn and was never sent says nothing about silence', async t => {
  const server = await rawServer(t, socket =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 99\r\n\r\n'),
  )
  const fetch = fetcher(t)
  const first = fetch.get(`${server.origin}/1`, LOOPBACK, 'html')
  const second = fetch.get(`${server.origin}/2`, LOOPBACK, 'html')
  answered(await first)
  assert.deepEqual(verdict(await second), ['reset', false])
})
