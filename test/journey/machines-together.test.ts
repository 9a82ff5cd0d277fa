// Many machines that start at the same moment on a crawl that does not exist yet, as the pods of a cluster do.
import assert from 'node:assert/strict'
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
