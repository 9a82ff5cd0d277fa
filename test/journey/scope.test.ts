import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { expected, type Place } from '../web/synthetic-web.ts'
import { archivedUrls, reportOf } from './collected.ts'
import { crawl, differences, journey, requestedUrls, urlsOf } from './crawl.ts'

interface Rule {
  readonly scope?: 'any' | 'domain' | 'host'
  readonly excludes?: (place: Place) => boolean
}

async function expectOnly(t: TestContext, args: readonly string[], rule: Rule, reason: string): Promise<void> {
  const trip = await journey(t, { seed: 21, hosts: 40, pagesAHost: 8, oddities: false })
  const ending = await crawl(trip, '-n', '100000', '--delay', '5ms', ...args)
  assert.equal(ending.code, 0, ending.stderr)
  const wanted = expected(trip.web, rule)
  assert.ok(wanted.outside.size > 0 && wanted.archived.size > 10)
  const none = { missing: [], extra: [] }
  assert.deepEqual(differences(await archivedUrls(trip.folder), urlsOf(wanted.archived, trip)), none)
  assert.deepEqual(differences(requestedUrls(trip), urlsOf(wanted.requested, trip)), none)
  const { refusedFor } = reportOf(trip.folder).frontier
  assert.equal(refusedFor[reason], wanted.outside.size, JSON.stringify(refusedFor))
}

for (const scope of ['host', 'domain'] as const) {
  test(`rule 5.10: --scope ${scope} stays with the seeds, and counts what it leaves`, t =>
    expectOnly(t, ['--scope', scope], { scope }, 'scope'))
}

test('rule 5.10: --exclude leaves out what fits a pattern', t =>
  expectOnly(
    t,
    ['--exclude', '*/s1/*', '--exclude', '*/s2/*'],
    { excludes: place => /\/s[12]\//.test(place) },
    'exclude',
  ))

test('rule 5.10: --include leaves out what fits no pattern, seeds apart', t =>
  expectOnly(
    t,
    ['--include', '*.test:*/s0/*', '--include', 'http://*/'],
    { excludes: place => !/^[^/]+(?:\/s0\/.*|.*\/)$/.test(place) },
    'include',
  ))

test('sitemaps: with --scope domain, what only sitemaps name is collected, too', async t => {
  const trip = await journey(t, { seed: 22, hosts: 60, pagesAHost: 4, oddities: false, sitemaps: true })
  const ending = await crawl(trip, '-n', '100000', '--delay', '5ms', '--scope', 'domain')
  assert.equal(ending.code, 0, ending.stderr)
  const wanted = expected(trip.web, { scope: 'domain' })
  assert.ok([...wanted.archived].filter(place => place.endsWith('/orphan.html')).length > 5)
  const none = { missing: [], extra: [] }
  assert.deepEqual(differences(await archivedUrls(trip.folder), urlsOf(wanted.archived, trip)), none)
  assert.deepEqual(differences(requestedUrls(trip), urlsOf(wanted.requested, trip)), none)
})
