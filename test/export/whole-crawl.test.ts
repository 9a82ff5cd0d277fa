import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportOf } from '../journey/collected.ts'
import { crawl, journey } from '../journey/crawl.ts'
import { rowsOf } from './crawl-folder.ts'

test('export: the counts of the tables equal those of report.json, and the links are those of the web', async t => {
  const trip = await journey(t, { seed: 31, hosts: 4, pagesAHost: 6, oddities: false })
  const ending = await crawl(trip, '-n', '100000', '--delay', '0', '-q')
  assert.equal(ending.code, 0, ending.stderr)
  const report = reportOf(trip.folder)
  const pages = await rowsOf(trip.folder)
  assert.ok(pages.length > 10)
  assert.equal(pages.length, report.pages)
  const hosts = await rowsOf(trip.folder, { table: 'hosts' })
  const withPages = hosts.filter(({ pages }) => Number(pages) > 0).map(({ host, pages }) => [host, pages])
  assert.deepEqual(Object.fromEntries(withPages), report.pagesByHost)
  const found = new Map<unknown, Set<unknown>>()
  for (const { from, to } of await rowsOf(trip.folder, { table: 'links' }))
    found.set(from, (found.get(from) ?? new Set()).add(to))
  for (const { name, pages: sitePages } of trip.web.sites) {
    for (const page of sitePages.values()) {
      const url = `http://${name}:${trip.server.port}${page.path}`
      if (!pages.some(row => row.url === url)) continue
      for (const place of page.leadsTo) {
        const target = `http://${place.replace('/', `:${trip.server.port}/`)}`
        assert.ok(found.get(url)?.has(target), `${url} leads to ${target}`)
      }
    }
  }
})
