import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Settlement, Ticket } from '../../src/frontier/frontier.ts'
import { parseWhere } from '../../src/frontier/redis/engine/where.ts'
import { openRedis } from '../../src/frontier/redis/open.ts'
import { audit, tears } from './audit.ts'
import { Leash } from './leash.ts'
import { startRedis, until } from './servers.ts'
import { damageOf, Storm } from './storm.ts'

/** Long enough that a busy machine does not cut the other one off as well. */
const LEASE_MS = 4_000

test('Redis faults: a crawler is cut off for longer than its lease: only what it had open is leased again', async t => {
  const server = await startRedis(t)
  const leash = await Leash.to(t, server.port)
  const open = async (crawler: string, port: number) => {
    const where = parseWhere(`redis://127.0.0.1:${port}/cut?shards=8`)
    const frontier = await openRedis({ where, crawler, leaseMs: LEASE_MS })
    t.after(() => frontier.close())
    return frontier
  }
  const frontier = await open('b', server.port)
  const other = new Storm(frontier, 'b', 30)
  const strayed = await open('a', leash.port)
  const cutOff = new Storm(strayed, 'a', 30)
  await until('both to visit', 10_000, () => Math.min(other.visited, cutOff.visited) > 100)
  const held: Ticket[] = []
  await until('it to have tickets', 10_000, async () => held.push(...(await strayed.take(8)).tickets) > 0)
  leash.cut()
  await sleep(LEASE_MS + 800)
  leash.mend()
  await sleep(300)
  const settlements = held.map(
    ({ id }): Settlement => ({
      ticketId: id,
      outcome: { kind: 'done', isPage: true },
      links: [],
      shown: 'answer',
      delayMs: 0,
    }),
  )
  assert.equal((await strayed.settle(settlements)).late.length, held.length)
  const { lost, doubled, late, links, visits } = await damageOf([other, cutOff])
  const counts = await frontier.counts()
  const torn = tears(counts, await audit('cut', [server]))
  t.diagnostic(`${links} links, ${visits} visits: ${lost} lost, ${doubled.length} doubled, ${late.length} late`)
  assert.deepEqual({ lost, torn, late: other.late }, { lost: 0, torn: [], late: [] })
  // At most what two lanes of visits had open.
  assert.ok(cutOff.late.length <= 64)
  const wasOpen = new Set(cutOff.late)
  assert.deepEqual(
    doubled.filter(url => !wasOpen.has(url)),
    [],
  )
  assert.deepEqual([counts.done, counts.waiting, counts.leased], [links, 0, 0])
  assert.equal(visits, links)
})
