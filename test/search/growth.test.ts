// The index follows the crawl: new visits, newer visits of known pages, pages that are gone; and others read it meanwhile.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Search } from '../../src/search/search.ts'
import { isBehind, updateIndex } from '../../src/search/update-index.ts'
import { GrowingCrawl, type MadePage, naiveSearch, numbersOf, randomPages } from './growing-crawl.ts'

const ALL = { limit: 10_000 }

test('search: the newest visit of a page is found, and a page that is gone is not', async t => {
  const crawl = new GrowingCrawl(t)
  const search = new Search(crawl.folder, () => 0)
  t.after(() => search.close())
  const found = async (q: string) =>
    (await search.find({ q }, ALL)).items.map(({ url }) => new URL(url).pathname).sort()
  await crawl.add([
    { url: 'http://a.example/1', text: 'apples' },
    { url: 'http://a.example/2', text: 'apples' },
    { url: 'http://a.example/3', text: 'apples' },
  ])
  await updateIndex(crawl.folder, { workers: 1 })
  assert.deepEqual(await found('apples'), ['/1', '/2', '/3'])
  await crawl.add([
    { url: 'http://a.example/1', text: 'pears', change: 'changed', day: 1 },
    { url: 'http://a.example/2', text: '', change: 'gone', day: 1 },
    { url: 'http://a.example/3', text: 'apples', change: 'same', day: 1 },
    { url: 'http://a.example/4', text: 'cherries', day: 1 },
    { url: 'http://a.example/4', text: 'plums', change: 'changed', day: 2 },
  ])
  assert.ok(isBehind(crawl.folder))
  const { pages } = await updateIndex(crawl.folder, { workers: 1 })
  assert.equal(pages, 3)
  assert.ok(!isBehind(crawl.folder))
  assert.deepEqual(await found('apples'), ['/3'])
  assert.deepEqual(await found('pears'), ['/1'])
  assert.deepEqual(await found('cherries'), [])
  assert.deepEqual(await found('plums'), ['/4'])
  await crawl.add([{ url: 'http://a.example/2', text: 'apples again', change: 'changed', day: 3 }])
  await updateIndex(crawl.folder, { workers: 1 })
  assert.deepEqual(await found('apples'), ['/2', '/3'])
})

test('search: many small updates, with pages that change and go, keep few files and find what a naive search finds', async t => {
  const crawl = new GrowingCrawl(t)
  const search = new Search(crawl.folder, () => 0)
  t.after(() => search.close())
  const next = numbersOf(3)
  const all: MadePage[] = []
  for (let round = 0; round < 25; round++) {
    const fresh = randomPages(20, round).map(page => ({ ...page, url: `${page.url}/${round}` }))
    const again = Array.from({ length: round === 0 ? 0 : 5 }, (_, n): MadePage => {
      const page = all[Math.floor(next() * all.length)]!
      const { text } = randomPages(1, 1000 * round + n)[0]!
      return { ...page, text, change: n === 0 ? 'gone' : 'changed' }
    })
    await crawl.add([...fresh, ...again])
    all.push(...fresh, ...again)
    const { pages } = await updateIndex(crawl.folder, { workers: 1 })
    assert.equal(pages, naiveSearch(all, []).length)
    for (const q of ['thepa', 'caca', '"pari"'])
      assert.deepEqual(
        (await search.find({ q }, ALL)).items.map(({ url }) => url).sort(),
        naiveSearch(all, [q.replaceAll('"', '')]),
        `${q} after round ${round}`,
      )
  }
  const files = readdirSync(join(crawl.folder, 'search')).filter(name => name.endsWith('.segment'))
  assert.ok(files.length <= 12, `${files.length} segments of 25 updates`)
})

test('search: readers find whole pages at every moment while the index grows and is merged', async t => {
  const crawl = new GrowingCrawl(t)
  const search = new Search(crawl.folder, () => 0)
  t.after(() => search.close())
  let isOver = false
  let searches = 0
  const reading = (async () => {
    let most = 0
    while (!isOver) {
      const { items, total } = await search.find({ q: 'always "two words"' }, ALL)
      assert.equal(new Set(items.map(({ url }) => url)).size, items.length)
      assert.ok(items.length >= most, `${items.length} of ${total} after ${most}: what was found stays`)
      assert.ok(items.every(({ snippet }) => snippet.some(({ isMatch }) => isMatch)))
      most = items.length
      searches++
      await new Promise(resolve => setImmediate(resolve))
    }
  })()
  for (let round = 0; round < 15; round++) {
    const page = (n: number) => ({ url: `http://a.example/${round}/${n}`, text: `always ${n} two words and more` })
    await crawl.add(Array.from({ length: 30 }, (_, n) => page(n)))
    await updateIndex(crawl.folder, { workers: 2 })
  }
  isOver = true
  await reading
  assert.ok(searches > 5, `${searches} searches`)
  assert.equal((await search.find({ q: 'always' })).total, 450)
})

test('search: an index of another pages.jsonl, or in another format, is built again', async t => {
  const crawl = new GrowingCrawl(t)
  await crawl.add(randomPages(30, 1))
  await updateIndex(crawl.folder, { workers: 1 })
  const path = join(crawl.folder, 'search', 'index.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as { check: number; format: number }
  for (const wrong of [
    { check: manifest.check ^ 1 },
    { format: 99 },
    { upTo: 1e12 },
    { segments: [{ file: '../x' }] },
  ]) {
    writeFileSync(path, JSON.stringify({ ...manifest, ...wrong }))
    assert.ok(isBehind(crawl.folder), JSON.stringify(wrong))
    assert.equal((await updateIndex(crawl.folder, { workers: 1 })).pages, 30)
  }
  assert.equal(readdirSync(join(crawl.folder, 'search')).filter(name => name.endsWith('.segment')).length, 1)
})

test('search: of two that index at once, one is refused', async t => {
  const crawl = new GrowingCrawl(t)
  await crawl.add(randomPages(200, 1))
  const both = await Promise.allSettled([1, 2].map(() => updateIndex(crawl.folder, { workers: 1 })))
  const refused = both.filter(one => one.status === 'rejected')
  assert.deepEqual(
    refused.map(({ reason }) => (reason as { code: string }).code),
    ['SEARCH_LOCKED'],
  )
})
