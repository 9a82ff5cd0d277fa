import assert from 'node:assert/strict'
import { renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openArchive } from '../../../src/archive/open-archive.ts'
import { archiveRecords, type Records } from '../../../src/archive/records.ts'
import { findAnswer } from '../../../src/archive/visits-of.ts'
import { AnswerIndex } from '../../../src/view/indexes/answer-index.ts'
import { crawlFolder, exchange, options, page, START_MS } from '../../archive/sample.ts'

function answer(url: string, status: number, atMs: number): Records {
  return archiveRecords(exchange({ url, status }), { isPage: false, dateMs: START_MS + atMs * 1000 })
}

const robotsOf = (n: number) => `http://host${n}.example/robots.txt`
const redirectOf = (n: number) => `http://host${n}.example/old`

test('answer index: robots.txt files and redirects are found by URL in many files and in the one in progress, while it grows', async t => {
  const crawl = crawlFolder(t)
  const { writer } = openArchive(crawl, options())
  const early = new AnswerIndex(crawl)
  t.after(() => early.close())
  assert.equal(await early.find(robotsOf(0)), undefined)
  const check = async (index: AnswerIndex, about: string) => {
    for (const url of [0, 3, 4].flatMap(n => [robotsOf(n), redirectOf(n)]))
      assert.deepEqual(await index.find(url), findAnswer(crawl, url), `${about}: ${url}`)
  }
  for (let n = 0; n < 4; n++) {
    writer.append([answer(robotsOf(n), 200, n), answer(redirectOf(n), 301, n), answer(robotsOf(0), 200, 100 + n)])
    writer.append(Array.from({ length: 700 }, (_, i) => page(700 * n + i)))
    await writer.sync()
    await check(early, `after ${n}`)
  }
  const late = new AnswerIndex(crawl)
  t.after(() => late.close())
  await check(late, 'opened late')
  assert.equal((await late.find(robotsOf(0)))?.file, 'escalona-a1b2c3d4-20260102030405-00003.warc.gz')
  // Another answer than a redirect or robots.txt is searched for.
  assert.deepEqual(
    await late.find('http://host3.example/page-3.html'),
    findAnswer(crawl, 'http://host3.example/page-3.html'),
  )
  await writer.close()
  await check(early, 'at the end')
  await check(late, 'at the end')
})

test('ours: a file in progress whose tail was lost in a crash and written anew is read again', async t => {
  const crawl = crawlFolder(t)
  const first = openArchive(crawl, options()).writer
  first.append([answer(robotsOf(0), 200, 0)])
  await first.sync()
  const path = join(crawl, 'archive', 'escalona-a1b2c3d4-20260102030405-00001.warc.gz.open')
  const { size } = statSync(path)
  first.append([answer(robotsOf(1), 200, 1), answer(robotsOf(2), 404, 2)])
  await first.sync()
  const index = new AnswerIndex(crawl)
  t.after(() => index.close())
  assert.deepEqual(await index.find(robotsOf(2)), findAnswer(crawl, robotsOf(2)))
  truncateSync(path, size)
  rmSync(join(crawl, 'archive', 'synced'))
  const second = openArchive(crawl, options()).writer
  second.append(Array.from({ length: 30 }, (_, n) => answer(redirectOf(n), 301, 10 + n)))
  second.append([answer(robotsOf(1), 200, 50)])
  await second.sync()
  assert.equal(await index.find(robotsOf(2)), undefined)
  for (const url of [robotsOf(0), robotsOf(1), redirectOf(29)])
    assert.deepEqual(await index.find(url), findAnswer(crawl, url), url)
  renameSync(join(crawl, 'archive'), join(crawl, 'away'))
  assert.equal(await index.find(robotsOf(3)), undefined)
})
