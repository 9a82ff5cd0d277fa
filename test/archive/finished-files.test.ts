// Finished files are never changed by a start, whatever was done to them; their numbers are not given again.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { MOST_UNSETTLED_PAGES, PAGES_PER_FILE } from '../../src/archive/archive-writer.ts'
import { finishIndex } from '../../src/archive/index-files.ts'
import { finishedPath, partPath } from '../../src/archive/names.ts'
import { openArchive } from '../../src/archive/open-archive.ts'
import { PagesFile } from '../../src/archive/pages-file.ts'
import { readWarc } from '../../src/archive/read.ts'
import { crawlFolder, fileName, indexLines, lineOf, options, page } from './sample.ts'

/** A crawl that has ended, with so many pages. */
async function ended(t: TestContext, pages: number): Promise<string> {
  const crawl = crawlFolder(t)
  await archive(crawl, 0, pages)
  return crawl
}

/** Goes on with these pages; returns the files they came to, and what was reported. */
async function archive(crawl: string, from: number, to: number): Promise<{ files: Set<string>; repairs: string[] }> {
  const repairs: string[] = []
  const { writer } = openArchive(crawl, options(repairs))
  const pages = new PagesFile(join(crawl, 'pages.jsonl'), { files: [], onRepair: assert.fail })
  const numbers = Array.from({ length: to - from }, (_, i) => from + i)
  const places = writer.append(numbers.map(page))
  pages.append(places.map((place, i) => lineOf(numbers[i]!, place)))
  await writer.close()
  await pages.close()
  finishIndex(crawl)
  return { files: new Set(places.map(({ file }) => file)), repairs }
}

test('finished files: a finished file that was cut is an error that names it, wherever it was cut', async t => {
  const crawl = await ended(t, 130)
  const path = finishedPath(crawl, fileName(1))
  const whole = readFileSync(path)
  const records = [...readWarc(path)]
  const ends = records.map(({ offset, length }) => offset + length)
  const anywhere = [0, 1, 31, 32, whole.length >> 1, whole.length - 1]
  for (const end of [...anywhere, ...[0, 1, 2, 20, 21, 259].map(n => ends[n]!)]) {
    truncateSync(path, end)
    const named = {
      code: 'ARCHIVE_DAMAGED',
      message: /escalona-a1b2c3d4-20260102030405-00001\.warc\.gz is damaged.*put a good copy in its place/,
    }
    assert.throws(() => openArchive(crawl, options()), named, `cut at ${end}`)
    assert.ok(readFileSync(path).equals(whole.subarray(0, end)), `cut at ${end}: it was changed`)
    assert.deepEqual(readdirSync(join(crawl, 'archive')), [fileName(1)])
    writeFileSync(path, whole)
  }
  rmSync(partPath(crawl, fileName(1)))
  for (const end of anywhere) {
    truncateSync(path, end)
    assert.throws(() => openArchive(crawl, options()), { code: 'ARCHIVE_DAMAGED' }, `without its part, cut at ${end}`)
    writeFileSync(path, whole)
  }
  const { files, repairs } = await archive(crawl, 130, 140)
  assert.deepEqual([[...files], repairs], [[fileName(1)], []])
  // The second run says who it is, too.
  assert.equal([...readWarc(path)].length, 2 + 2 * 140)
})

test('ours: a cut file is noticed however old it is', async t => {
  const crawl = await ended(t, 3 * PAGES_PER_FILE)
  const path = finishedPath(crawl, fileName(1))
  const { length } = readFileSync(path)
  for (const end of [length - 1, length >> 1, 0]) {
    truncateSync(path, end)
    assert.throws(() => openArchive(crawl, options()), {
      code: 'ARCHIVE_DAMAGED',
      message: /escalona-a1b2c3d4-20260102030405-00001/,
    })
  }
})

test('finished files: files that were moved away are reported once, stay in the index, and their numbers are gone', async t => {
  const crawl = await ended(t, 2 * PAGES_PER_FILE + 30)
  const away = crawlFolder(t)
  const move = (n: number) => renameSync(finishedPath(crawl, fileName(n)), join(away, fileName(n)))
  move(3)
  const { files, repairs } = await archive(crawl, 2030, 2040)
  assert.deepEqual([...files], [fileName(4)])
  assert.equal(repairs.length, 1)
  assert.match(repairs[0]!, /escalona-a1b2c3d4-20260102030405-00003\.warc\.gz is not in .*the index keeps/)
  assert.equal(indexLines(crawl).length, 2040)
  for (const n of [1, 2, 4]) move(n)
  const again = await archive(crawl, 2040, 2050)
  assert.deepEqual([...again.files], [fileName(5)])
  assert.equal(again.repairs.length, 1)
  assert.match(again.repairs[0]!, /^4 files, escalona-a1b2c3d4-20260102030405-00001\.warc\.gz the first of them/)
  assert.equal(indexLines(crawl).length, 2050)
  // Brought back, they are as they were.
  for (const n of [1, 2, 3, 4]) renameSync(join(away, fileName(n)), finishedPath(crawl, fileName(n)))
  assert.deepEqual((await archive(crawl, 2050, 2060)).repairs, [])
})

test('ours: numbers that only pages.jsonl knows are not given again', async t => {
  const crawl = await ended(t, 30)
  rmSync(join(crawl, 'archive'), { recursive: true })
  rmSync(join(crawl, 'index'), { recursive: true })
  const { files } = await archive(crawl, 30, 40)
  assert.deepEqual([...files], [fileName(2)])
  assert.ok(!existsSync(finishedPath(crawl, fileName(1))))
})

test('ours: pages that may wait to be settled are all recent, wherever the end of a file is', async t => {
  assert.ok(MOST_UNSETTLED_PAGES < PAGES_PER_FILE)
  const crawl = await ended(t, PAGES_PER_FILE)
  for (const end of [1000, 1001, 1999, 2000, 2001]) {
    const { writer, recent } = openArchive(crawl, options())
    const have = recent.filter(one => one.isPage)
    const last = Number(/page-(\d+)/.exec(have.at(-1)!.url)![1])
    assert.ok(have.length >= MOST_UNSETTLED_PAGES, `${have.length} are recent`)
    writer.append(Array.from({ length: end - last - 1 }, (_, i) => page(last + 1 + i)))
    await writer.close()
  }
})
