import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { systemClock } from '../../src/base/clock.ts'
import { AddressGuard } from '../../src/fetch/address-guard.ts'
import { Dialer } from '../../src/fetch/dialer.ts'
import { Routes } from '../../src/fetch/routes.ts'

/** A server in another thread that resets a connection when it is told to, and says when it has. */
const SERVER = `
  const { createServer } = require('node:net')
  const { parentPort, workerData } = require('node:worker_threads')
  const state = new Int32Array(workerData)
  const server = createServer(socket => {
    Atomics.wait(state, 0, 0)
    socket.on('error', () => {}).resetAndDestroy()
    socket.on('close', () => { Atomics.store(state, 1, 1); Atomics.notify(state, 1) })
  }).listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

test('connections: one that is reset before its address can be read is a reset, not a forbidden address', async t => {
  const memory = new SharedArrayBuffer(8)
  const worker = new Worker(SERVER, { eval: true, workerData: memory })
  t.after(() => worker.terminate())
  const [port] = (await once(worker, 'message')) as [number]
  const dialer = new Dialer(new AddressGuard(['127.0.0.0/8']), new Routes(systemClock))
  const why = await new Promise(resolve => {
    const socket = dialer.dial(
      { ip: '127.0.0.1', port, secureName: undefined },
      () => {},
      error => resolve(error?.why),
    )
    // Before the dialer learns that the connection was made, it is gone: the kernel knows no address of the other side any more.
    socket.prependOnceListener('connect', () => {
      const state = new Int32Array(memory)
      Atomics.store(state, 0, 1)
      Atomics.notify(state, 0)
      Atomics.wait(state, 1, 0, 10_000)
    })
  })
  assert.equal(why, 'reset')
})
