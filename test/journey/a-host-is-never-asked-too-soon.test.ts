// Many hosts on few addresses, a delay that can be seen, hosts that ask for a longer one, and answers that say "later".
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seeds } from '../model/random-source.ts'
import { crawl, journey } from './crawl.ts'
import { crawlDelaysOf, politeness } from './politeness.ts'
import { plainHost, smallWeb } from './small-web.ts'

/** The first crawl ends before it has met all hosts, so nobody knows how many wanted more. */
for (const [delayMs, leastLonger, options] of [
  [100, 0, ['-n', '250']],
  [0, 5, ['-n', '2000', '--concurrency', '200', '--workers', '3']],
] as const) {
  test(`rules 5.4 and 5.5: one request at a time per host, ${delayMs} ms apart at least, and four at a server, ${delayMs / 4} ms apart`, async t => {
    const [seed = 1] = seeds(t, 0, 1)
    const trip = await journey(t, { seed, hosts: 90, pagesAHost: 6 })
    const fast = ['--timeout', '1s', '--retries', '1', '-q']
    const ending = await crawl(trip, '--delay', `${delayMs}ms`, ...options, ...fast)
    assert.equal(ending.code, 0, ending.stderr)
    const manners = { delayMs, crawlDelaysMs: crawlDelaysOf(trip.web) }
    const { complaints, pairs, longer, shortestMs, ...servers } = politeness(trip.server.log, manners)
    t.diagnostic(
      `seed ${seed}: ${trip.server.log.length} requests in ${ending.tookMs.toFixed(0)} ms, ${pairs} pairs, ` +
        `${longer} of which wanted more, the closest ${shortestMs.toFixed(1)} ms apart; at most ` +
        `${servers.mostAtServer} at a server, ${servers.aheadMs.toFixed(1)} ms ahead of its gaps`,
    )
    assert.ok(pairs > 200 && longer >= leastLonger, `only ${pairs} pairs, ${longer} of which wanted more`)
    assert.deepEqual(complaints, [])
  })
}

for (const perServer of [undefined, 2]) {
  const most = perServer ?? 4
  test(`rule 5.5: slow hosts at one address: ${most} requests at once and no more${perServer ? ', with --per-server' : ''}`, async t => {
    const hosts = Array.from({ length: 10 }, (_, n) => plainHost(`s${n}.test`, '127.47.0.1', 1, 200))
    const web = await smallWeb(t, hosts)
    const options = perServer === undefined ? [] : ['--per-server', String(perServer)]
    const ending = await crawl(web, '--delay', '40ms', ...options)
    assert.equal(ending.code, 0, ending.stderr)
    const { complaints, mostAtServer, aheadMs } = politeness(web.log, { delayMs: 40, perServer: most })
    t.diagnostic(
      `${web.log.length} requests in ${ending.tookMs.toFixed(0)} ms, ${aheadMs.toFixed(1)} ms ahead of their gaps`,
    )
    assert.deepEqual([complaints, mostAtServer], [[], most])
  })
}
