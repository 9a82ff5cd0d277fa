// Many machines that start at the same moment on a crawl that does not exist yet, as the pods of a cluster do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SOAK } from '../model/random-source.ts'
import { testOnEngines } from '../redis/engines.ts'
import { expected } from '../web/synthetic-web.ts'
import { differences, twice, urlsOf } from './crawl.ts'
import { machines, shares, union } from './machines.ts'

const COUNT = SOAK > 1 ? 20 : 6
/** All of them start on this machine's cores; only one that hangs takes so long. */
const LONGEST_MS = 300_000

testOnEngines(`machines: ${COUNT} that start together on a new crawl all join it`, async (t, program) => {
  const trip = await machines(t, { seed: 77, hosts: 40, pagesAHost: 5, waitMs: 20, oddities: false }, { program })
  const all = Array.from({ length: COUNT }, (_, n) =>
    trip.start(n + 1, n === 0 ? ['--delay', '60ms'] : [], { longestMs: LONGEST_MS }),
  )
  const endings = await Promise.all(all.map(({ ending }) => ending))
  for (const { code, stderr } of endings) assert.equal(code, 0, stderr)
  const archived = await union(trip, COUNT)
  assert.deepEqual(twice(archived), [])
  assert.deepEqual(differences(archived, urlsOf(expected(trip.web).archived, trip)), { missing: [], extra: [] })
  t.diagnostic(`shares ${shares(trip, COUNT)}`)
})

test('machines: one that is started before its engine says that it waits; Ctrl-C ends it at once', async t => {
  const trip = await machines(t, { seed: 78, hosts: 4, pagesAHost: 2, oddities: false })
  await trip.redis.kill()
  const early = trip.start(1)
  await early.says(/escalona: waiting for the frontier's engine at 127\.0\.0\.1:\d+: .*ECONNREFUSED/)
  early.kill('SIGINT')
  assert.equal((await early.ending).signal, 'SIGINT')
  const again = trip.start(1)
  await again.says(/escalona: waiting for/)
  await trip.redis.start()
  const ending = await again.ending
  assert.equal(ending.code, 0, ending.stderr)
})
