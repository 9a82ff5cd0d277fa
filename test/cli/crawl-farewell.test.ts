import assert from 'node:assert/strict'
import { test } from 'node:test'
import { farewell } from '../../src/cli/crawl/crawl-lines.ts'
import { Survey } from '../../src/folder/stats/host-survey.ts'
import { Stats } from '../../src/folder/stats/stats.ts'
import { openLocal } from '../../src/frontier/local/open.ts'

test('farewell: the end of a crawl says how many links --max-held left out', async () => {
  const frontier = await openLocal()
  const stats = new Stats(0)
  const end = { because: 'nothing left', frontier: await frontier.counts(), hosts: new Survey().result() } as const
  await frontier.close()
  const said = () => farewell(stats, end, 'crawl', false).join('\n')
  assert.doesNotMatch(said(), /held-limit/)
  stats.record({ kind: 'links refused', url: 'http://a.org/', counts: { 'held-limit': 3 } }, 0)
  assert.match(said(), /held-limit, 3 links: .*Raise --max-held/)
})

test('farewell: the share of a machine is never above 100 %, and the command that is suggested has its folder', async () => {
  const frontier = await openLocal()
  const counts = { ...(await frontier.counts()), pages: 4 }
  await frontier.close()
  const share = { where: 'redis://h:1/web', pages: 10, machines: 1 }
  const end = { because: 'nothing left', frontier: counts, hosts: new Survey().result(), share } as const
  const said = farewell(new Stats(0), end, 'crawl', false).join('\n')
  assert.match(said, /\(100 %\).*escalona frontier redis:\/\/h:1\/web report -o report$/m)
})

test('farewell: the end of a crawl says how many sitemaps were read, and why others were not', async () => {
  const frontier = await openLocal()
  const end = { because: 'nothing left', frontier: await frontier.counts(), hosts: new Survey().result() } as const
  await frontier.close()
  const stats = new Stats(0)
  const said = () => farewell(stats, end, 'crawl', false).join('\n')
  assert.doesNotMatch(said(), /sitemaps/)
  const url = 'http://a.org/s.xml'
  stats.record({ kind: 'sitemap', url, why: 'status-404' }, 0)
  assert.match(said(), /^sitemaps 1 = 1 not read \(status-404\)$/m)
  stats.record({ kind: 'sitemap', url, form: 'urlset', entries: 3 }, 0)
  stats.record({ kind: 'sitemap', url, form: 'text', entries: 3 }, 0)
  assert.match(said(), /^sitemaps 3 = 2 read \+ 1 not read \(status-404\)$/m)
})

test('farewell: the end of a crawl whose only seed is a sitemap that was not read says why', async () => {
  const frontier = await openLocal()
  const end = { because: 'nothing left', frontier: await frontier.counts(), hosts: new Survey().result() } as const
  await frontier.close()
  const said = (stats: Stats) => farewell(stats, end, 'crawl', false).join('\n')
  const missing = new Stats(0)
  missing.record({ kind: 'sitemap', url: 'http://a.org/s.xml', form: 'urlset', entries: 0 }, 0)
  assert.doesNotMatch(said(missing), /sitemap-|urlset/)
  missing.record({ kind: 'sitemap', url: 'http://a.org/t.xml', why: 'status-404' }, 0)
  assert.match(said(missing), /^ {2}sitemap-status-404: While fetching a sitemap: /m)
  const shut = new Stats(0)
  shut.record({ kind: 'failed', url: 'http://a.org/robots.txt', why: 'robots-status-500' }, 0)
  assert.match(said(shut), /^ {2}robots-status-500: .*robots\.txt/m)
})
