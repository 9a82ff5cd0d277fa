import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archivedUrls, isPage, pagesIn, reportOf, responsesIn } from './collected.ts'
import { crawl, journey, requestedUrls, twice } from './crawl.ts'

test('rule 5.2: -n is met exactly, in a first run and in one that goes on', async t => {
  const trip = await journey(t, { seed: 11, hosts: 20, pagesAHost: 10, oddities: false })
  for (const limit of [1, 37, 60]) {
    const ending = await crawl(trip, '-n', String(limit), '--delay', '5ms')
    assert.equal(ending.code, 0, ending.stderr)
    const archived = await archivedUrls(trip.folder)
    assert.deepEqual([archived.length, twice(archived)], [limit, []])
    assert.equal(reportOf(trip.folder).pages, limit)
    t.diagnostic(`${archived.length} pages, ${trip.server.log.length} requests so far`)
  }
  assert.deepEqual(twice(requestedUrls(trip)), [])
})

test('rule 5.11: a file of the archive holds 1,000 pages', async t => {
  const trip = await journey(t, { seed: 14, hosts: 130, pagesAHost: 8, oddities: false })
  const ending = await crawl(trip, '-n', '1003', '--delay', '0', '-q')
  assert.equal(ending.code, 0, ending.stderr)
  const files = (await responsesIn(trip.folder)).filter(isPage).map(({ file }) => file)
  const [first] = files
  const inFirst = files.filter(file => file === first).length
  assert.deepEqual([inFirst, files.length - inFirst, new Set(files).size], [1000, 3, 2])
  t.diagnostic(`${files.length} pages in ${ending.tookMs.toFixed(0)} ms`)
})

test('rule 5.2: a web without end ends at -n, and at --max-per-host', async t => {
  const trip = await journey(t, { seed: 12, hosts: 6, pagesAHost: 4, oddities: false, endlessHosts: 2 })
  const first = await crawl(trip, '-n', '60', '--delay', '2ms')
  assert.deepEqual([first.code, pagesIn(trip.folder).length], [0, 60], first.stderr)
  const other = { ...trip, args: trip.args.map(arg => (arg === trip.folder ? `${arg}-2` : arg)) }
  const second = await crawl(other, '-n', '100000', '--delay', '2ms', '--max-per-host', '9')
  assert.equal(second.code, 0, second.stderr)
  const { pagesByHost, refused } = reportOf(`${trip.folder}-2`)
  assert.ok(Object.values(pagesByHost).every(pages => pages <= 9))
  for (const { kind, name } of trip.web.sites) {
    if (kind === 'endless') assert.equal(pagesByHost[`${name}:${trip.server.port}`], 9)
  }
  assert.ok(refused['max-per-host']! > 0)
})

test('rule 5.10: --max-depth counts links from a seed', async t => {
  const trip = await journey(t, { seed: 13, hosts: 20, pagesAHost: 10, oddities: false })
  const ending = await crawl(trip, '-n', '100000', '--delay', '5ms', '--max-depth', '1')
  assert.equal(ending.code, 0, ending.stderr)
  const { web, server } = trip
  const near = new Set(web.seeds)
  for (const site of web.sites) {
    for (const page of site.pages.values()) {
      if (web.seeds.includes(site.name + page.path)) for (const place of page.leadsTo) near.add(place)
    }
  }
  const allowed = [...near].filter(place => !/\/private\//.test(place) || !isForbidden(place))
  const urls = allowed.map(place => `http://${place.replace('/', `:${server.port}/`)}`).sort()
  assert.deepEqual(await archivedUrls(trip.folder), urls)
  assert.ok(reportOf(trip.folder).frontier.refusedFor['max-depth']! > 0)
  t.diagnostic(`${urls.length} pages at most one link away from ${web.seeds.length} seeds`)

  function isForbidden(place: string): boolean {
    const site = web.sites.find(one => place.startsWith(`${one.name}/`))!
    return site.robots.forbidden !== 'everything' && site.robots.forbidden.has(place.slice(site.name.length))
  }
})
