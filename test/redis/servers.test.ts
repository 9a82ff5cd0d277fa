import assert from 'node:assert/strict'
import { Engine } from '../../src/frontier/redis/engine/engine.ts'
import { parseWhere } from '../../src/frontier/redis/engine/where.ts'
import { startCluster } from './cluster.ts'
import { testOnEngines } from './engines.ts'
import { startRedis } from './servers.ts'

testOnEngines('ours: a server of the tests keeps what it holds over a crash', async (t, program) => {
  const server = await startRedis(t, { program })
  const engine = await Engine.open({ where: parseWhere(server.url('x')) })
  t.after(() => engine.close())
  await engine.ask('{x}', ['SET', '{x}a', '1'], true)
  await server.restart()
  assert.equal(String(await engine.ask('{x}', ['GET', '{x}a'])), '1')
})

testOnEngines('ours: a cluster of the tests is whole', async (t, program) => {
  const start = performance.now()
  const cluster = await startCluster(t, { program })
  t.diagnostic(`formed in ${Math.round(performance.now() - start)} ms`)
  const [a, b] = [await cluster.primaryOf(0), await cluster.primaryOf(16_383)]
  assert.notEqual(a, b)
  await a.ask('SET', '{06S}x', '1')
  assert.equal(await a.ask('CLUSTER', 'KEYSLOT', '{06S}x'), 0)
  assert.equal(await cluster.moveSlot(0, a, b), 1)
  assert.equal(await b.ask('GET', '{06S}x'), '1')
})
