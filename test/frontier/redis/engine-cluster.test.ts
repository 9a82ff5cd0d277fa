// What the engine promises when something happens to a cluster, shown on scripts that count. The lanes count all the time;
// each fault prints the longest time that a call has taken.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Engine } from '../../../src/frontier/redis/engine.ts'
import { slotOf } from '../../../src/frontier/redis/slot.ts'
import { parseWhere } from '../../../src/frontier/redis/where.ts'
import { startCluster } from '../../redis/cluster.ts'
import { COUNT, Counting, tagsIn } from '../../redis/counting.ts'

const cluster = await startCluster({ after })

async function openEngine(said: string[] = []): Promise<Engine> {
  const engine = await Engine.open({ where: parseWhere(cluster.url('x')), onTrouble: message => said.push(message) })
  after(() => engine.close())
  return engine
}

test('issue 11.3: slots that are moved key by key under load lose, double and tear nothing', async t => {
  const engine = await openEngine()
  assert.equal(engine.hasReplicas, true)
  const tags = tagsIn(24)
  const counting = new Counting(engine, tags)
  await sleep(500)
  const [from, to] = [await cluster.primaryOf(0), await cluster.primaryOf(16_383)]
  counting.longest()
  for (const tag of tags.slice(0, 8)) await cluster.moveSlot(slotOf(tag), from, to)
  const stoodMs = counting.longest()
  await sleep(200)
  for (const tag of tags.slice(0, 8)) await cluster.moveSlot(slotOf(tag), to, from)
  await counting.stop()
  t.diagnostic(`${counting.total} calls; stood for at most ${stoodMs} ms`)
  assert.deepEqual(await counting.complaints(engine), [])
  assert.ok(stoodMs < 500)
})

test('issue 11.3: without the key that never exists a moving slot tears scripts apart', async () => {
  const engine = await openEngine()
  const tags = tagsIn(4, 1000, 1400)
  // The same script with one declared key.
  const counting = new Counting(engine, tags, 1, (tag, number) =>
    engine.ask(tag, ['EVAL', COUNT.text, '1', `${tag}m`, String(number)], true),
  )
  await sleep(200)
  const [from, to] = [await cluster.primaryOf(0), await cluster.primaryOf(16_383)]
  const stopped = assert.rejects(async () => {
    await sleep(200)
    await counting.stop()
  }, /non local key/)
  for (const tag of tags) await cluster.moveSlot(slotOf(tag), from, to)
  await stopped
  assert.ok((await counting.complaints(engine)).some(one => one.includes('torn')))
})
