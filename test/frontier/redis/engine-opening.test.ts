// Opening an engine: what is waited for and what is an error at once, and what is said about its settings.
import assert from 'node:assert/strict'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { Engine, type EngineOptions } from '../../../src/frontier/redis/engine/engine.ts'
import { parseWhere } from '../../../src/frontier/redis/engine/where.ts'
import { openRedis } from '../../../src/frontier/redis/open.ts'
import { COUNT } from '../../redis/counting.ts'
import { REDIS, testOnEngines } from '../../redis/engines.ts'
import { Leash } from '../../redis/leash.ts'
import { makeServers, type ServerOptions, startRedis, until } from '../../redis/servers.ts'

/** Opens an engine as a crawler does; `said` and `advised` collect what it says. */
async function open(t: TestContext, url: string, options: Partial<EngineOptions> = {}) {
  const [said, advised]: [string[], string[]] = [[], []]
  const opening = Engine.open({
    where: parseWhere(url),
    onTrouble: message => said.push(message),
    onAdvice: message => advised.push(message),
    ...options,
  })
  opening.then(
    engine => t.after(() => engine.close()),
    () => {},
  )
  return { opening, said, advised }
}

test('opening: a process that hardly gets to run, because many start at once, does not take its own lateness for silence', async t => {
  const server = await startRedis(t)
  const { opening } = await open(t, server.url('x'), { onAdvice: undefined })
  let isOver = false
  const over = opening.finally(() => (isOver = true))
  over.catch(() => {})
  const held = new Int32Array(new SharedArrayBuffer(4))
  for (let turns = 0; turns < 60 && !isOver; turns++) {
    Atomics.wait(held, 0, 0, 400)
    await turn()
  }
  await over
})

/** What a crawler is told about an engine with these settings. */
async function advice(t: TestContext, options: ServerOptions, query = '', login = ''): Promise<readonly string[]> {
  const server = await startRedis(t, options)
  await server.ask('ACL', 'SETUSER', 'ada', 'on', '>pw', '~*', '+@all', '-config')
  await server.ask('ACL', 'SETUSER', 'bob', 'on', '>pw', '~*', '+@all', '-config', '-info')
  const advised: string[] = []
  const where = parseWhere(`redis://${login}127.0.0.1:${server.port}/x${query}`)
  const frontier = await openRedis({ where, crawler: 'a', onAdvice: message => advised.push(message) })
  await frontier.close()
  return advised
}

describe('side by side, since they mostly wait', { concurrency: true }, () => {
  testOnEngines('opening: an engine that takes 1.4 s for each answer is opened', async (t, program) => {
    const server = await startRedis(t, { program })
    const leash = await Leash.to(t, server.port, { delayMs: 700 })
    const { opening } = await open(t, `redis://127.0.0.1:${leash.port}/x`, { onAdvice: undefined })
    const engine = await opening
    assert.equal(String(await engine.ask('{x}', ['PING'])), 'PONG')
  })

  test('opening: a crawler waits for an engine that starts later, and says so', async t => {
    const [server] = await makeServers(t, 1, {}, [])
    const { opening, said } = await open(t, server!.url('x'))
    // Longer than one who only looks waits.
    await sleep(5_500)
    await server!.start()
    await opening
    assert.equal(said.length, 2)
    assert.match(
      said[0]!,
      /^waiting for the frontier's engine at 127\.0\.0\.1:\d+: it does not answer \(connect ECONNREFUSED/,
    )
    assert.match(said[1]!, /works again after \d/)
  })

  test('opening: Ctrl-C ends it at once, also while a connection is being made', async t => {
    const server = await startRedis(t)
    server.freeze()
    const stop = new AbortController()
    const { opening } = await open(t, server.url('x'), { signal: stop.signal })
    await sleep(1_500)
    const startMs = performance.now()
    stop.abort()
    await assert.rejects(opening, { code: 'FRONTIER_CLOSED' })
    assert.ok(performance.now() - startMs < 2_000)
    const late = await open(t, server.url('x'), { signal: stop.signal })
    await assert.rejects(late.opening, { code: 'FRONTIER_CLOSED' })
  })

  test('opening: what waiting does not mend is an error at once: an unknown name, a port of something else', async t => {
    const sockets: Socket[] = []
    const web = createServer(socket => {
      sockets.push(socket)
      socket.on('error', () => {})
      socket.on('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))
    }).listen(0, '127.0.0.1')
    t.after(() => {
      web.close()
      for (const socket of sockets) socket.destroy()
    })
    await once(web, 'listening')
    const { port } = web.address() as { port: number }
    const isUnknown = await lookup('no-such-name.invalid').catch(({ code }) => code === 'ENOTFOUND')
    for (const [url, why] of [
      // Without any DNS server the name may be a good one.
      ...(isUnknown ? [['redis://no-such-name.invalid/x', /ENOTFOUND/] as const] : []),
      [`redis://127.0.0.1:${port}/x`, /does not answer as Redis or Valkey does/],
      [`rediss://127.0.0.1:${port}/x`, /127\.0\.0\.1/],
    ] as const) {
      const { opening, said } = await open(t, url)
      await assert.rejects(opening, { code: 'FRONTIER_UNREACHABLE', message: why }, url)
      assert.deepEqual(said, [], url)
    }
  })

  testOnEngines('engine settings: each that puts a crawl at risk is said, with what to set', async (t, program) => {
    assert.deepEqual(await advice(t, { program }), [])
    const cases: readonly (readonly [readonly string[], string, string, RegExp])[] = [
      [['--appendonly', 'no'], '', '', /keeps no append-only file: .*; set appendonly yes$/],
      [['--appendfsync', 'no'], '', '', /a power cut loses about 30 s; set appendfsync everysec$/],
      [[], '', 'ada:pw@', /does not allow CONFIG; appendfsync should be everysec$/],
      [[], '', 'bob:pw@', /does not allow INFO; docs\/engine.md/],
    ]
    for (const [flags, query, login, sentence] of cases) {
      const [only, ...more] = await advice(t, { program, flags }, query, login)
      assert.match(only!, sentence)
      assert.deepEqual(more, [])
    }
    const [required, alone, ...more] = await advice(t, { program }, '?wait=1')
    assert.match(required!, /^wait=1 holds only while .*; set min-replicas-to-write 1, and the crawl waits/)
    assert.match(alone!, /has 0 of the 1 replicas that every change should reach/)
    assert.deepEqual(more, [])
  })

  testOnEngines('engine settings: one that deletes URLs when its memory is full is an error', async (t, program) => {
    const bounded = (policy: string) => ['--maxmemory', '50mb', '--maxmemory-policy', policy]
    await assert.rejects(advice(t, { program, flags: bounded('allkeys-lru') }), {
      code: 'FRONTIER_ENGINE_EVICTS',
      message: /deletes URLs .* set maxmemory-policy noeviction$/,
    })
    const [rules] = await advice(t, { program, flags: bounded('volatile-ttl') })
    assert.match(rules!, /deletes robots\.txt rules .* set maxmemory-policy noeviction$/)
    // Without a bound nothing is ever deleted.
    assert.deepEqual(await advice(t, { program, flags: ['--maxmemory-policy', 'allkeys-lru'] }), [])
  })

  test('engine settings: a version before 7.0 is an error', async t => {
    const server = await startRedis(t, { program: REDIS })
    const older = (data: Buffer) => Buffer.from(data.toString('latin1').replace(/(redis_version:)\d/, '$16'), 'latin1')
    const leash = await Leash.to(t, server.port, { answer: older })
    const { opening } = await open(t, `redis://127.0.0.1:${leash.port}/x`)
    await assert.rejects(opening, { code: 'FRONTIER_ENGINE_TOO_OLD', message: /version 6\..*use Redis 7\.0 or newer/ })
  })

  testOnEngines(
    'wait=1: a primary without its replica says that changes count without it, and how many',
    async (t, program) => {
      const primary = await startRedis(t, { program })
      const replica = await startRedis(t, { program, flags: ['--replicaof', `127.0.0.1 ${primary.port}`] })
      const hasReplica = async () => (await primary.info('replication')).slave0?.includes('state=online') ?? false
      await until('the replica to be online', 10_000, hasReplica)
      const { opening, advised } = await open(t, primary.url('x', '?wait=1'))
      const engine = await opening
      assert.match(advised.join('|'), /^wait=1 holds only while/)
      await engine.run(COUNT, '{x}', ['1'])
      await replica.kill()
      await engine.run(COUNT, '{x}', ['2'])
      await engine.run(COUNT, '{x}', ['3'])
      await until('it to be missed', 15_000, async () => {
        await engine.run(COUNT, '{x}', ['4'])
        return advised.length > 1
      })
      assert.match(advised[1]!, /has 0 of the 1 replicas .*; start a replica, and set min-replicas-to-write 1/)
      await replica.start()
      await until('it to be there again', 15_000, async () => advised.length > 2)
      assert.match(advised[2]!, /has its replicas again; \d+ changes counted without them meanwhile$/)
    },
  )

  testOnEngines(
    'wait=1: with min-replicas-to-write 1, a change waits until the replica is back',
    async (t, program) => {
      const primary = await startRedis(t, { program, flags: ['--min-replicas-to-write', '1'] })
      const replica = await startRedis(t, { program, flags: ['--replicaof', `127.0.0.1 ${primary.port}`] })
      const hasReplica = async () => (await primary.info('replication')).slave0?.includes('state=online') ?? false
      await until('the replica to be online', 10_000, hasReplica)
      const { opening, said, advised } = await open(t, primary.url('x', '?wait=1'))
      const engine = await opening
      await engine.run(COUNT, '{x}', ['1'])
      await replica.kill()
      await until('it to be missed', 5_000, async () => !(await hasReplica()))
      let isDone = false
      const late = engine.run(COUNT, '{x}', ['2']).then(() => (isDone = true))
      await until('it to be said', 10_000, () => said.length > 0)
      assert.equal(isDone, false)
      await replica.start()
      await late
      assert.equal(await replica.ask('HGET', '{x}m', 'last'), '2')
      assert.match(said[0]!, /the replicas of .* do not acknowledge changes; waiting until they do/)
      assert.deepEqual(advised, [])
    },
  )
})
