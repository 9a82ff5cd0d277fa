// The engine on one Redis: what it returns, what it repeats, what it throws, and what it says.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server as NetServer, type Socket } from 'node:net'
import { after, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Engine } from '../../../src/frontier/redis/engine/engine.ts'
import { crc16, slotOf } from '../../../src/frontier/redis/engine/slot.ts'
import { parseWhere } from '../../../src/frontier/redis/engine/where.ts'
import { COUNT, Counting, scriptOf, tagsIn } from '../../redis/counting.ts'
import { startRedis, until } from '../../redis/servers.ts'

// It is killed: with a sync every second, one whose disk is busy may forget what it has acknowledged.
const redis = await startRedis({ after }, { flags: ['--appendfsync', 'always'] })

async function openEngine(t: TestContext, url = redis.url('x'), said: string[] = []): Promise<Engine> {
  const engine = await Engine.open({ where: parseWhere(url), onTrouble: message => said.push(message) })
  t.after(() => engine.close())
  return engine
}

const ECHO = scriptOf('echo', 'return {KEYS[1], KEYS[2], ARGV[1], 7, false, redis.status_reply("FINE"), {}}', false)

test('ours: slots are those of Redis', async () => {
  assert.equal(crc16(Buffer.from('123456789')), 0x31c3)
  assert.equal(crc16(Buffer.from('6789'), crc16(Buffer.from('12345'))), 0x31c3)
  assert.equal(slotOf('foo'), 12_182)
  assert.equal(slotOf('{foo}bar'), 12_182)
  assert.equal(slotOf('a{foo}{bar}'), 12_182)
  assert.equal(slotOf('{}foo'), crc16(Buffer.from('{}foo')) % 16_384)
  assert.equal(slotOf('a}{foo'), crc16(Buffer.from('a}{foo')) % 16_384)
})

test('Redis: a script gets the key of the counters and the key that never exists; bytes stay bytes', async t => {
  const engine = await openEngine(t)
  const bytes = Buffer.from([0, 255, 13, 10])
  const reply = await engine.run(ECHO, '{x1}', [bytes])
  assert.deepEqual(reply, [Buffer.from('{x1}m'), Buffer.from('{x1}never'), bytes, 7, null, Buffer.from('FINE'), []])
})

test('Redis: scripts are run again after a restart that has forgotten them', async t => {
  const engine = await openEngine(t)
  const counting = new Counting(engine, tagsIn(4))
  await sleep(100)
  await redis.restart()
  await redis.ask('SCRIPT', 'FLUSH')
  await sleep(100)
  await counting.stop()
  assert.deepEqual(await counting.complaints(engine), [])
})

test('ours: errors of scripts and commands are thrown at once, with the words of the server', async t => {
  const engine = await openEngine(t)
  const wrong = scriptOf('wrong', 'return redis.call("HGET", KEYS[1])', false)
  await assert.rejects(engine.run(wrong, '{x}', []), { code: 'FRONTIER_ENGINE_ERROR', message: /Wrong number of args/ })
  await engine.ask('{x}', ['SET', '{x}text', '1'], true)
  await assert.rejects(engine.ask('{x}', ['HGET', '{x}text', 'a']), {
    code: 'FRONTIER_ENGINE_ERROR',
    message: /WRONGTYPE/,
  })
  await assert.rejects(engine.ask('{x}', ['GET', 5 as unknown as string]), { code: 'FRONTIER_ENGINE_ERROR' })
})

test('Redis: a server that is away is waited for, which is said once, and again when it is back', async t => {
  const said: string[] = []
  const engine = await openEngine(t, redis.url('x'), said)
  await redis.kill()
  const counting = new Counting(engine, tagsIn(3))
  await sleep(1_400)
  assert.equal(engine.isInTrouble, true)
  assert.match(said.join('|'), /^the frontier's engine at 127\.0\.0\.1:\d+ does not answer; waiting until it does$/)
  await redis.start()
  await until('the end of the trouble', 5_000, () => !engine.isInTrouble)
  await counting.stop()
  assert.equal(said.length, 2)
  assert.match(said[1]!, /^the frontier's engine works again after [1-4]\.\d s$/)
})

test('Redis: full memory is waited for, which is said; what needs no memory goes on', async t => {
  const said: string[] = []
  const engine = await openEngine(t, redis.url('x'), said)
  await engine.ask('{x}', ['SET', '{x}a', '1'], true)
  await redis.ask('CONFIG', 'SET', 'maxmemory', '1')
  t.after(() => redis.ask('CONFIG', 'SET', 'maxmemory', '0'))
  let isDone = false
  const waiting = engine.ask('{x}', ['SET', '{x}a', '2'], true).then(() => (isDone = true))
  await sleep(1_300)
  assert.equal(isDone, false)
  assert.match(said.join('|'), /^the memory of the frontier's engine at .* is full; waiting until there is room$/)
  assert.equal(String(await engine.ask('{x}', ['GET', '{x}a'])), '1')
  await redis.ask('CONFIG', 'SET', 'maxmemory', '0')
  await waiting
  assert.deepEqual([said.length, engine.isInTrouble], [2, false])
})

test('ours: a password that is wrong or missing is an error at once', async t => {
  const locked = await startRedis(t, { password: 's3cret' })
  const url = (login: string) => `redis://${login}127.0.0.1:${locked.port}/x`
  const startMs = performance.now()
  for (const login of ['', ':wrong@', 'ada:s3cret@']) {
    await assert.rejects(openEngine(t, url(login)), { code: 'FRONTIER_NOT_ALLOWED' }, login)
  }
  await assert.rejects(openEngine(t, `redis://:s3cret@127.0.0.1:${redis.port}/x`), {
    code: 'FRONTIER_NOT_ALLOWED',
    message: /without any password configured/,
  })
  assert.ok(performance.now() - startMs < 10_000)
  const engine = await openEngine(t, url(':s3cret@'))
  assert.equal(String(await engine.ask('{x}', ['PING'])), 'PONG')
  await locked.ask('ACL', 'SETUSER', 'bob', 'on', '>pw', '~*', '+@all', '-get')
  const bob = await openEngine(t, url('bob:pw@'))
  await assert.rejects(bob.ask('{x}', ['GET', '{x}a']), { code: 'FRONTIER_NOT_ALLOWED', message: /permissions/ })
})

describe('what takes seconds', { concurrency: true }, () => {
  test('Redis: a server that is silent for 3 s is asked again over another connection; a pause of 1 s is none', async t => {
    const frozen = await startRedis(t)
    const engine = await openEngine(t, frozen.url('x'))
    const connection = () => engine.ask('{x}', ['CLIENT', 'ID'])
    const counting = new Counting(engine, tagsIn(3))
    const first = await connection()
    frozen.freeze()
    await sleep(1_000)
    frozen.thaw()
    assert.equal(await connection(), first)
    frozen.freeze()
    await sleep(4_700)
    frozen.thaw()
    await counting.stop()
    assert.notEqual(await connection(), first)
    // What was asked before the silence is done as well, by the server that thawed: it counts once.
    assert.deepEqual(await counting.complaints(engine), [])
  })

  test('Redis: a connection with nothing to say stays', async t => {
    const engine = await openEngine(t)
    const first = await engine.ask('{x}', ['CLIENT', 'ID'])
    await sleep(3_600)
    assert.equal(await engine.ask('{x}', ['CLIENT', 'ID']), first)
  })

  test('ours: an engine that cannot be reached is an error after about 5 s; something else on its port too', async t => {
    const sockets: Socket[] = []
    const strange = createServer(socket => {
      sockets.push(socket)
      socket.on('error', () => {})
      socket.on('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))
    }).listen(0, '127.0.0.1')
    t.after(() => {
      strange.close()
      for (const socket of sockets) socket.destroy()
    })
    await once(strange, 'listening')
    const startMs = performance.now()
    const replica = await startRedis(t, { flags: ['--replicaof', `127.0.0.1 ${redis.port}`] })
    await Promise.all([
      assert.rejects(openEngine(t, 'redis://127.0.0.1:1/x'), {
        code: 'FRONTIER_UNREACHABLE',
        message: /127\.0\.0\.1:1: it does not answer \(connect ECONNREFUSED/,
      }),
      assert.rejects(openEngine(t, `redis://127.0.0.1:${portOf(strange)}/x`), { code: 'FRONTIER_UNREACHABLE' }),
      assert.rejects(openEngine(t, replica.url('x')), { code: 'FRONTIER_UNREACHABLE', message: /it is a replica/ }),
    ])
    const tookMs = performance.now() - startMs
    assert.ok(tookMs > 4_500 && tookMs < 20_000, `${tookMs} ms`)
  })
})

function portOf(server: NetServer): number {
  return (server.address() as { port: number }).port
}

test('ours: closing rejects what is still asked, and says nothing', async t => {
  const said: string[] = []
  const alone = await startRedis(t)
  const engine = await openEngine(t, alone.url('x'), said)
  await engine.ask('{x}', ['PING'])
  await alone.kill()
  const asked = assert.rejects(engine.ask('{x}', ['PING']), { code: 'FRONTIER_CLOSED' })
  await sleep(1_200)
  assert.equal(said.length, 1)
  await engine.close()
  await asked
  await assert.rejects(engine.ask('{x}', ['PING']), { code: 'FRONTIER_CLOSED' })
  assert.equal(said.length, 1)
})

test('Redis: a change is acknowledged once a replica of a single Redis has it, also when it is repeated', async t => {
  const primary = await startRedis(t)
  const replica = await startRedis(t, { flags: ['--replicaof', `127.0.0.1 ${primary.port}`] })
  const isOnline = async () => (await primary.info('replication')).slave0?.includes('state=online') ?? false
  await until('the replica to be online', 5_000, isOnline)
  const engine = await openEngine(t, primary.url('x'))
  await engine.run(COUNT, '{x}', ['1'])
  replica.freeze()
  let isDone = false
  const late = engine.run(COUNT, '{x}', ['2']).then(() => (isDone = true))
  await sleep(300)
  assert.equal(await primary.ask('HGET', '{x}m', 'last'), '2')
  // The connection breaks: the call is repeated, and finds that there is nothing to do. It is not acknowledged for that.
  await primary.ask('CLIENT', 'KILL', 'TYPE', 'normal')
  await sleep(700)
  assert.equal(isDone, false)
  replica.thaw()
  await late
  assert.equal(await replica.ask('HGET', '{x}m', 'last'), '2')
})
