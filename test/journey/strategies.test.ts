// Whatever decides the order, and however many work at once: in the end the same pages lie in the archive.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expected } from '../web/synthetic-web.ts'
import { archivedUrls } from './collected.ts'
import { crawl, differences, journey, urlsOf } from './crawl.ts'
import { mostAtOnce } from './politeness.ts'

const WAYS = [
  ['-e', 'depth', '--workers', '1', '--concurrency', '1'],
  ['-e', 'breadth', '--workers', '2', '--concurrency', '4'],
  ['-e', 'best', '--workers', '3', '--concurrency', '100'],
  ['-e', 'explore', '--explore', '1', '--seed', '7'],
]

for (const way of WAYS) {
  test(`rule 3.1: ${way.join(' ')} archives the same pages`, async t => {
    const trip = await journey(t, { seed: 51, hosts: 30, pagesAHost: 3, waitMs: 40, oddities: false })
    const ending = await crawl(trip, '-n', '100000', '--delay', '0', ...way)
    assert.equal(ending.code, 0, ending.stderr)
    const wanted = urlsOf(expected(trip.web).archived, trip)
    assert.deepEqual(differences(await archivedUrls(trip.folder), wanted), { missing: [], extra: [] })
    const concurrency = Number(way[way.indexOf('--concurrency') + 1]) || 48
    const most = mostAtOnce(trip.server.log)
    t.diagnostic(`${wanted.length} pages, at most ${most} requests at once, ${ending.tookMs.toFixed(0)} ms`)
    assert.ok(most <= concurrency, `${most} requests at once`)
    if (concurrency > 1) assert.ok(most > 1)
  })
}
