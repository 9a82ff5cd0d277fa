// Many hosts on few addresses, a delay that can be seen, hosts that ask for a longer one, and answers that say "later".
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seeds } from '../model/random-source.ts'
import { crawl, journey } from './crawl.ts'
import { politeness } from './politeness.ts'

/** The first crawl ends before it has met all hosts, so nobody knows how many wanted more. */
for (const [delayMs, leastLonger, options] of [
  [100, 0, ['-n', '250']],
  [0, 10, ['-n', '2000', '--concurrency', '200', '--workers', '3']],
] as const) {
  test(`SPEC 5: one request at a time per host and per address, ${delayMs} ms apart at least`, async t => {
    const [seed = 1] = seeds(t, 0, 1)
    const trip = await journey(t, { seed, hosts: 90, pagesAHost: 6 })
    const fast = ['--timeout', '1s', '--retries', '1', '-q']
    const ending = await crawl(trip, '--delay', `${delayMs}ms`, ...options, ...fast)
    assert.equal(ending.code, 0, ending.stderr)
    const { complaints, pairs, longer, shortestMs } = politeness(trip.web, trip.server.log, delayMs)
    t.diagnostic(
      `seed ${seed}: ${trip.server.log.length} requests in ${ending.tookMs.toFixed(0)} ms, ${pairs} pairs, ` +
        `${longer} of which wanted more, the closest ${shortestMs.toFixed(1)} ms apart`,
    )
    assert.ok(pairs > 300 && longer >= leastLonger, `only ${pairs} pairs, ${longer} of which wanted more`)
    assert.deepEqual(complaints, [])
  })
}
