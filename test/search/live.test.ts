// The search of those who ask again and again: indexing goes on behind the answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { systemTimer } from '../../src/base/clock.ts'
import { LiveSearch } from '../../src/search/live-search.ts'
import { CrawlView } from '../../src/view/crawl-view.ts'
import { GrowingCrawl, randomPages } from './growing-crawl.ts'

test('search: the view answers the question of the API, and indexes by itself', async t => {
  const crawl = new GrowingCrawl(t)
  await crawl.add([{ url: 'http://a.example/', title: 'A', text: 'one <b>two</b> three' }])
  const view = new CrawlView(crawl.folder, { isLive: true })
  t.after(() => view.close())
  let found = await view.ask('search', { q: '"two b three"' })
  while (found.isIndexing) found = await view.ask('search', { q: 'two' })
  assert.deepEqual([found.total, found.indexed, found.isCut], [1, 1, false])
  assert.deepEqual(found.items[0]?.snippet.map(({ isMatch }) => isMatch).includes(true), true)
  await assert.rejects(view.ask('search', { q: '?' }), { code: 'SEARCH_BAD_QUERY' })
})

test('search: of a crawl that runs, new pages are indexed now and then, and answers come meanwhile', async t => {
  const crawl = new GrowingCrawl(t)
  let nowMs = 0
  const live = new LiveSearch(crawl.folder, () => nowMs, systemTimer)
  t.after(() => live.close())
  const settled = async () => {
    for (;;) {
      const found = await live.find({ q: 'example' }, {})
      if (!found.isIndexing) return found.total
      await wait(10)
    }
  }
  assert.equal(await settled(), 0, 'an empty crawl')
  await crawl.add(randomPages(50, 1))
  nowMs += 10_000
  assert.equal(await settled(), 50)
  await crawl.add(randomPages(50, 2).map(page => ({ ...page, url: `${page.url}/x` })))
  assert.equal((await live.find({ q: 'example' }, {})).total, 50, 'not at once')
  nowMs += 10_000
  assert.equal(await settled(), 100)
})
