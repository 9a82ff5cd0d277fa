// An indexer that is killed at any moment, or whose files are damaged, never makes a search wrong.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Search } from '../../src/search/search.ts'
import { updateIndex } from '../../src/search/update-index.ts'
import { MAIN } from '../cli/run-cli.ts'
import { GrowingCrawl, naiveSearch, randomPages } from './growing-crawl.ts'

const ALL = { limit: 10_000 }
const KILLS = 12

test('search: after kill -9 at any moment, what is found is right, and indexing continues', async t => {
  const crawl = new GrowingCrawl(t)
  const pages = randomPages(1500, 5)
  await crawl.add(pages)
  const begun = performance.now()
  await indexed(crawl.folder)
  const wholeMs = performance.now() - begun
  rmSync(join(crawl.folder, 'search'), { recursive: true })
  const seen = new Set<number>()
  for (let kill = 0; kill < KILLS; kill++) {
    await indexed(crawl.folder, (wholeMs * (kill + 1)) / (KILLS + 1))
    const search = new Search(crawl.folder, () => 0)
    const { items, indexed: count } = await search.find({ q: 'thepa' }, ALL)
    search.close()
    seen.add(count)
    const expected = new Set(naiveSearch(pages, ['thepa']))
    assert.ok(
      items.every(({ url }) => expected.has(url)),
      'nothing wrong is found',
    )
    // Half of the time from the beginning, otherwise from where it was.
    if (kill % 2 === 0) rmSync(join(crawl.folder, 'search'), { recursive: true, force: true })
  }
  t.diagnostic(`${[...seen].join(', ')} pages when it was killed`)
  await updateIndex(crawl.folder, { workers: 1 })
  const search = new Search(crawl.folder, () => 0)
  t.after(() => search.close())
  for (const q of ['thepa', '"caca"'])
    assert.deepEqual(
      (await search.find({ q }, ALL)).items.map(({ url }) => url).sort(),
      naiveSearch(pages, [q.replaceAll('"', '')]),
    )
  const left = readdirSync(join(crawl.folder, 'search')).filter(
    name => !/^(?:lock-\d+|index\.json|\w+\.segment)$/.test(name),
  )
  assert.deepEqual(left, [])
})

/** Indexes as people do, and kills it after so many milliseconds. */
async function indexed(folder: string, killMs?: number): Promise<void> {
  const child = spawn(process.execPath, [MAIN, 'search', folder, '--index', '-q', '--workers', '2'], {
    stdio: 'ignore',
  })
  const ended = new Promise(resolve => child.on('close', resolve))
  if (killMs !== undefined) {
    await Promise.race([ended, wait(killMs)])
    child.kill('SIGKILL')
  }
  await ended
}

test('search: files that a killed writer left are removed, and a manifest that is torn counts as none', async t => {
  const crawl = new GrowingCrawl(t)
  await crawl.add(randomPages(40, 1))
  await updateIndex(crawl.folder, { workers: 1 })
  const folder = join(crawl.folder, 'search')
  writeFileSync(join(folder, 'abc.segment'), 'half of a segment')
  writeFileSync(join(folder, 'index.json.new'), '{"format":1')
  await crawl.add(randomPages(5, 2).map(page => ({ ...page, url: `${page.url}/more` })))
  assert.equal((await updateIndex(crawl.folder, { workers: 1 })).pages, 45)
  assert.ok(!readdirSync(folder).includes('abc.segment'))
  const path = join(folder, 'index.json')
  truncateSync(path, statSync(path).size >> 1)
  const search = new Search(crawl.folder, () => 0)
  t.after(() => search.close())
  assert.equal((await search.find({ q: 'example' })).total, 0)
  assert.equal((await updateIndex(crawl.folder, { workers: 1 })).pages, 45)
  assert.equal((await search.find({ q: 'example' })).total, 45)
})

test('search: a segment that is damaged anywhere is an error or found out, never endless; and it is built again', async t => {
  const crawl = new GrowingCrawl(t)
  const pages = randomPages(60, 3)
  await crawl.add(pages)
  await updateIndex(crawl.folder, { workers: 1 })
  const folder = join(crawl.folder, 'search')
  const name = readdirSync(folder).find(one => one.endsWith('.segment'))!
  const good = readFileSync(join(folder, name))
  let refused = 0
  for (let at = 0; at < good.length; at += 37) {
    const bad = Buffer.from(good)
    bad[at]! ^= 1 << (at % 8)
    writeFileSync(join(folder, name), bad)
    const search = new Search(crawl.folder, () => 0)
    for (const q of ['thepa', '"caca"', 'example'])
      await search.find({ q }, { limit: 3 }).catch((error: { code?: string }) => {
        assert.equal(error.code, 'SEARCH_DAMAGED', String(error))
        refused++
      })
    search.close()
  }
  assert.ok(refused > 0)
  writeFileSync(join(folder, name), good.subarray(0, good.length - 10))
  await crawl.add([{ url: 'http://x.example/', text: 'one more', change: 'changed' }])
  assert.equal((await updateIndex(crawl.folder, { workers: 1 })).pages, 61, 'built again')
})
