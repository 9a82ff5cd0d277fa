// A process that was stopped, or a computer that slept, blames nobody for it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { systemClock, wallClock } from '../../src/base/clock.ts'
import { Standstill } from '../../src/fetch/fetcher.ts'
import { answered, failure, fetcher, LOOPBACK } from './ask.ts'
import { page, rawServer } from './raw-server.ts'

/** Clocks that a test can set forward, together or one alone. */
function clocks() {
  const ahead = { ms: 0, wallMs: 0 }
  return { ahead, clock: () => systemClock() + ahead.ms, wallClock: () => wallClock() + ahead.wallMs }
}

test('ours: a late look is a standstill, an ordinary delay is none', () => {
  let [nowMs, nowWallMs] = [0, 1_000_000]
  const standstill = new Standstill(nowMs, () => nowWallMs, 250)
  const pass = (ms: number, wallMs = ms) => {
    nowMs += ms
    nowWallMs += wallMs
    return standstill.look(nowMs)
  }
  assert.equal(pass(250), undefined)
  assert.equal(pass(2250), undefined)
  assert.equal(pass(2251), 2001)
  assert.equal(pass(250), undefined)
  assert.equal(pass(60_250), 60_000)
  assert.equal(pass(250, 3_600_250), 0)
  assert.equal(pass(250, -3_600_000), undefined)
  assert.equal(pass(0), undefined)
})

test('ours: deadlines move by the time that was lost', async t => {
  const { ahead, clock, wallClock } = clocks()
  const server = await rawServer(t, socket => setTimeout(() => socket.write(page('<p>late')), 1200))
  const fetch = fetcher(t, { clock, wallClock, timeoutMs: 3000, connectTimeoutMs: 3000, firstByteTimeoutMs: 3000 })
  const open = fetch.get(`${server.origin}/`, LOOPBACK, 'html')
  await sleep(400)
  ahead.ms = 60_000
  const answer = answered(await open)
  assert.equal(answer.text, '<p>late')
  assert.ok(answer.tookMs > 500 && answer.tookMs < 5000, `${answer.tookMs} ms`)
})

test('ours: what a standstill broke is stopped, what breaks later is the host’s', async t => {
  const { ahead, clock, wallClock } = clocks()
  const server = await rawServer(t, (socket, head) => {
    if (head.startsWith('GET /reset')) socket.resetAndDestroy()
  })
  const fetch = fetcher(t, { clock, wallClock, firstByteTimeoutMs: 1500 })
  const get = (host: string, path: string) => fetch.get(`http://${host}:${server.port}${path}`, LOOPBACK, 'html')
  const cut = get('a.example', '/cut')
  while (server.heads.length < 1) await sleep(5)
  const silent = get('b.example', '/silent')
  while (server.heads.length < 2) await sleep(5)
  ahead.ms += 10_000
  // At once: no timer of the fetcher has noticed anything yet.
  server.sockets[0]!.resetAndDestroy()
  const [first, second] = await Promise.all([cut, silent])
  assert.deepEqual([failure(first), failure(second)], ['stopped', 'stopped'])
  assert.ok(second.kind === 'failed' && !second.isSilent && second.tookMs < 5000, JSON.stringify(second))
  assert.equal(failure(await get('c.example', '/reset')), 'reset')
})

test('ours: in sleep only the wall clock goes on; connections that were idle are not used again', async t => {
  const { ahead, clock, wallClock } = clocks()
  const server = await rawServer(t, (socket, _head, n) =>
    n === 0 ? socket.write(page('<p>x')) : setTimeout(() => socket.resetAndDestroy(), 300),
  )
  const fetch = fetcher(t, { clock, wallClock })
  answered(await fetch.get(`${server.origin}/1`, LOOPBACK, 'html'))
  ahead.wallMs = 3_600_000
  const open = fetch.get(`${server.origin}/2`, LOOPBACK, 'html')
  await sleep(100)
  assert.equal(server.sockets.length, 2)
  ahead.wallMs += 3_600_000
  assert.equal(failure(await open), 'stopped')
})

test('ours: a process that is stopped for seconds loses no request by it', {
  skip: process.platform === 'win32' ? 'needs SIGSTOP' : false,
}, async t => {
  const server = await rawServer(t, (socket, head) => {
    const afterMs = head.includes('late.example') ? 4500 : 1000
    setTimeout(
      () => (head.includes('reset.example') ? socket.resetAndDestroy() : socket.write(page('<p>fine'))),
      afterMs,
    )
  })
  const script = fileURLToPath(new URL('./ask-once.js', import.meta.url))
  const urls = ['fine.example', 'reset.example', 'late.example'].map(host => `http://${host}:${server.port}/`)
  const child = spawn(process.execPath, [script, '2500', ...urls], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  let text = ''
  child.stdout.on('data', data => (text += data))
  while (server.heads.length < 3) await sleep(10)
  child.kill('SIGSTOP')
  await sleep(4000)
  child.kill('SIGCONT')
  await once(child, 'close')
  assert.deepEqual(text.split('\n'), ['<p>fine', 'stopped', '<p>fine'])
})
