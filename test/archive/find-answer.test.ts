import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openArchive } from '../../src/archive/open-archive.ts'
import { readRecord } from '../../src/archive/read.ts'
import { archiveRecords } from '../../src/archive/records.ts'
import { findAnswer } from '../../src/archive/visits-of.ts'
import { crawlFolder, exchange, options, page, robots, START_MS } from './sample.ts'

const urlOf = (n: number) => `http://host${n % 7}.example/page-${n}.html`

test('ours: every answer is found by its URL, in finished files and in the one in progress', async t => {
  const crawl = crawlFolder(t)
  const { writer } = openArchive(crawl, options())
  const places = writer.append(Array.from({ length: 2300 }, (_, n) => page(n)))
  const [robotsPlace] = writer.append([robots(5)])
  await writer.sync()
  assert.equal(readdirSync(join(crawl, 'archive')).filter(name => name.endsWith('.open')).length, 1)
  for (const n of [0, 1, 6, 7, 499, 998, 999, 1000, 1001, 1999, 2000, 2150, 2299]) {
    const { file, offset, length } = places[n]!
    assert.deepEqual(findAnswer(crawl, urlOf(n)), { file, offset, length }, `${n}`)
  }
  assert.equal(findAnswer(crawl, 'http://host5.example/robots.txt')?.offset, robotsPlace!.offset)
  assert.equal(findAnswer(crawl, urlOf(2300)), undefined)
  assert.equal(findAnswer(crawl, 'http://zzz.example/'), undefined)
  await writer.close()
  for (const n of [0, 999, 1000, 2299]) {
    const found = findAnswer(crawl, urlOf(n))!
    assert.equal(readRecord(crawl, found.file, found.offset).fields.get('warc-target-uri'), urlOf(n))
  }
})

test('ours: of several answers the newest is found, and URLs that share a key are told apart', async t => {
  const crawl = crawlFolder(t)
  const { writer } = openArchive(crawl, options())
  const answer = (url: string, n: number) =>
    archiveRecords(exchange({ url, body: Buffer.from(`answer ${n}`) }), { isPage: true, dateMs: START_MS + n * 1000 })
  // http and https, www and not: one key of the index.
  const urls = ['http://a.example/x', 'https://a.example/x', 'http://www.a.example/x', 'http://a.example/x']
  writer.append(urls.map(answer))
  await writer.close()
  const bodies = ['http://a.example/x', 'https://a.example/x', 'http://www.a.example/x'].map(url => {
    const { file, offset } = findAnswer(crawl, url)!
    return Buffer.from(readRecord(crawl, file, offset).block)
      .toString()
      .slice(-1)
  })
  assert.deepEqual(bodies, ['3', '1', '2'])
})

test('ours: a folder without an archive has no answers', t => {
  const crawl = crawlFolder(t)
  assert.equal(findAnswer(crawl, 'http://a.example/'), undefined)
  openArchive(crawl, options())
  rmSync(join(crawl, 'index'), { recursive: true })
  assert.equal(findAnswer(crawl, 'http://a.example/'), undefined)
})
