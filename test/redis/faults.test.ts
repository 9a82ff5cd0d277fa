// What happens to a crawl when something happens to its cluster, while links are offered and tickets settled. Each fault
// prints what was lost, what was doubled and how long it stood.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { slotOf } from '../../src/frontier/redis/engine/slot.ts'
import { parseWhere } from '../../src/frontier/redis/engine/where.ts'
import { openRedis } from '../../src/frontier/redis/open.ts'
import { shardTags } from '../../src/frontier/redis/shard/host-shards.ts'
import { ONLY_IN_SOAK, SOAK } from '../model/random-source.ts'
import { audit, tears } from './audit.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { REDIS, testOnEngines } from './engines.ts'
import { type Server, until } from './servers.ts'
import { damageOf, Storm } from './storm.ts'

const SHARDS = 24
let crawls = 0

interface Fault {
  /** What happens to the primary of the first shard, and its replica. */
  readonly happens: (primary: Server, replica: Server, storm: Storm, name: string) => Promise<void>
  /** The replica becomes the primary. */
  readonly isTakenOver?: boolean
  /** The longest that a call may take. */
  readonly mostMs: number
}

/** Lets a storm rage while something happens; afterwards everything that was acknowledged must be there, once. */
async function survive(
  t: TestContext,
  cluster: Cluster,
  { happens, isTakenOver = false, mostMs }: Fault,
): Promise<void> {
  await cluster.whole()
  const name = `storm${++crawls}`
  const said: string[] = []
  const where = parseWhere(cluster.url(name, `?shards=${SHARDS}&wait=1`))
  const frontier = await openRedis({ where, crawler: 'a', onTrouble: message => said.push(message) })
  t.after(() => frontier.close())
  const storm = new Storm(frontier)
  await sleep(700)
  const primary = await cluster.primaryOf(0)
  const replica = await cluster.replicaOf(primary)
  // What a call takes at most on this machine, now: a busy one must not look like a crawl that stands.
  const usual = storm.stood()
  const slackMs = 10 * Math.max(usual.offers, usual.visits)
  const startMs = performance.now()
  await happens(primary, replica, storm, name)
  if (isTakenOver) {
    await until('a new primary', 15_000, async () => (await cluster.primaryOf(0, replica)) === replica)
  }
  const tookMs = Math.round(performance.now() - startMs)
  const visited = storm.visited
  await until('visits to go on', 10_000, () => storm.visited > visited + 50)
  await sleep(300)
  const stood = storm.stood()
  const { lost, doubled, late, links, visits } = await damageOf([storm])
  const counts = await frontier.counts()
  const torn = tears(
    counts,
    await audit(
      name,
      cluster.servers.filter(server => server.isUp),
    ),
  )
  t.diagnostic(
    `${links} links, ${visits} visits: ${lost} lost, ${doubled.length} doubled, ${late.length} late; stood for at most ${stood.offers} ms (offers), ${stood.visits} ms (visits); the fault took ${tookMs} ms`,
  )
  for (const message of said) t.diagnostic(message)
  assert.deepEqual({ lost, doubled, late, torn }, { lost: 0, doubled: [], late: [], torn: [] })
  assert.deepEqual([counts.done, counts.waiting, counts.leased], [visits, 0, 0])
  assert.ok(said.length === 0 || said.length === 2, said.join('\n'))
  // On a busy machine the cluster itself may take its time.
  const allowedMs = slackMs + Math.max(mostMs, isTakenOver ? tookMs + 1_000 : 0)
  assert.ok(Math.max(stood.offers, stood.visits) < allowedMs, `more than ${allowedMs} ms`)
}

testOnEngines('engine: nothing that was acknowledged is lost, nor leased twice', async (t, program) => {
  const cluster = await startCluster(t, { program })
  // What `npm test` leaves out on Valkey takes its time.
  const often = program === REDIS ? {} : ONLY_IN_SOAK
  for (let round = 1; round <= SOAK; round++) {
    await t.test('engine: ten slots that hold shards are moved by hand, key by key', async t => {
      let [slowestMs, keys] = [0, 0]
      await survive(t, cluster, {
        happens: async (from, _, storm, name) => {
          const to = await cluster.primaryOf(16_383)
          const slots = shardTags(name, SHARDS).map(slotOf).slice(0, 8)
          // Eight shards lie at the first primary; two of them come back.
          for (const [source, target, slot] of [
            ...slots.map(slot => [from, to, slot] as const),
            ...slots.slice(0, 2).map(slot => [to, from, slot] as const),
          ]) {
            const startMs = performance.now()
            keys += await cluster.moveSlot(slot, source, target, 10)
            slowestMs = Math.max(slowestMs, performance.now() - startMs)
          }
          const { offers, visits } = storm.stood()
          t.diagnostic(`${keys} keys; the slowest slot took ${Math.round(slowestMs)} ms; stood ${offers}, ${visits} ms`)
          assert.ok(Math.max(offers, visits) < Math.max(1_000, 2 * slowestMs + 300))
          for (const slot of slots.slice(2)) await cluster.moveSlot(slot, to, from, 10)
        },
        mostMs: 1_000,
      })
    })

    await t.test('engine: the memory is full: offers wait, visits go on', often, async t => {
      await survive(t, cluster, {
        happens: async (_primary, _replica, storm) => {
          // A settlement with links to other shards waits like an offer.
          storm.staysHome = true
          await storm.offer(5_000)
          await cluster.configure('maxmemory', '1')
          try {
            const visited = storm.visited
            // The machine may be busy; what counts is that they go on at all.
            await until('visits while the memory is full', 10_000, () => storm.visited > visited + 50)
            await sleep(500)
            assert.ok(storm.stood().offers > 400, 'no offer was taken meanwhile')
          } finally {
            await cluster.configure('maxmemory', '0')
          }
        },
        mostMs: 5_000,
      })
    })

    await t.test('engine: a primary is killed and restarted, with its append-only file', often, async t => {
      await survive(t, cluster, {
        happens: async primary => {
          await primary.kill()
          await sleep(300)
          await primary.start()
        },
        mostMs: 5_000,
      })
    })

    await t.test('engine: a primary is killed and its replica takes over', async t => {
      let killed: Server | undefined
      await survive(t, cluster, { happens: primary => (killed = primary).kill(), isTakenOver: true, mostMs: 5_000 })
      await killed!.start()
    })

    await t.test('engine: a primary is frozen and its replica takes over', often, async t => {
      let frozen: Server | undefined
      try {
        await survive(t, cluster, {
          happens: async primary => (frozen = primary).freeze(),
          isTakenOver: true,
          mostMs: 5_000,
        })
      } finally {
        frozen?.thaw()
      }
    })

    await t.test('engine: a replica is cut off for 0.8 s before its primary is killed', async t => {
      let killed: Server | undefined
      await survive(t, cluster, {
        happens: async (primary, replica) => {
          await cluster.cutOff(replica, primary)
          await sleep(800)
          await (killed = primary).kill()
        },
        isTakenOver: true,
        mostMs: 5_000,
      })
      if (round === SOAK) return
      await cluster.configure('masterauth', '')
      await killed!.start()
    })
  }
})
