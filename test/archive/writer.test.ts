import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { REQUESTS_PER_FILE } from '../../src/archive/archive-writer.ts'
import { finishIndex, writePart } from '../../src/archive/index-files.ts'
import { openArchive } from '../../src/archive/open-archive.ts'
import { readRecord, readWarc } from '../../src/archive/read.ts'
import { archiveRecords } from '../../src/archive/records.ts'
import { httpOf } from '../../src/archive/warc-record.ts'
import { RandomSource } from '../model/random-source.ts'
import { crawlFolder, exchange, fileName, indexLines, options, PAGE, page, robots } from './sample.ts'
import { fieldOf, readByWarcio } from './with-warcio.ts'

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

function names(crawl: string): string[] {
  return readdirSync(join(crawl, 'archive')).sort()
}

function pagesIn(crawl: string, name: string): number {
  return [...readWarc(join(crawl, 'archive', name))].filter(record => record.fields.has('escalona-page')).length
}

test('rule 5.11: 1,000 pages a file, however often the crawl is interrupted', async context => {
  const crawl = crawlFolder(context)
  const ends = [400, 999, 1000, 1700, 2500]
  let from = 0
  for (const to of ends) {
    const { writer, recent } = openArchive(crawl, options())
    const before = recent.filter(one => one.isPage).map(one => one.url)
    assert.deepEqual(before, urlsOf(numbers(Math.max(0, (Math.ceil(from / 1000) - 2) * 1000), from)))
    const batch = numbers(from, to).map(page)
    const places = writer.append([...batch.slice(0, 100), robots(to), ...batch.slice(100)])
    assert.equal(places.length, to - from + 1)
    await writer.sync()
    await writer.close()
    assert.deepEqual(
      names(crawl).filter(name => name.endsWith('.open')),
      [],
    )
    from = to
  }
  assert.deepEqual(
    names(crawl).map(name => [name, pagesIn(crawl, name)]),
    [
      ['escalona-a1b2c3d4-20260102030405-00001.warc.gz', 1000],
      ['escalona-a1b2c3d4-20260102030405-00002.warc.gz', 1000],
      ['escalona-a1b2c3d4-20260102030405-00003.warc.gz', 500],
    ],
  )
  finishIndex(crawl)
  const lines = indexLines(crawl)
  assert.equal(lines.length, 2500 + ends.length)
  assert.deepEqual(lines, [...lines].sort())
})

function urlsOf(pages: readonly number[]): string[] {
  return pages.map(n => `http://host${n % 7}.example/page-${n}.html`)
}

test('ours: a whole file, read by warcio and by zcat', async context => {
  const crawl = crawlFolder(context)
  const { writer } = openArchive(crawl, options())
  const places = writer.append([robots(1), ...numbers(0, 5).map(page)])
  await writer.close()
  const bytes = readFileSync(join(crawl, 'archive', 'escalona-a1b2c3d4-20260102030405-00001.warc.gz'))
  const [info, ...records] = await readByWarcio(bytes)
  assert.ok(info)
  assert.equal(fieldOf(info, 'WARC-Type'), 'warcinfo')
  assert.equal(fieldOf(info, 'WARC-Filename'), 'escalona-a1b2c3d4-20260102030405-00001.warc.gz')
  assert.match(info.payload.toString(), /^software: Escalona\/test\r\nformat: WARC File Format 1\.1\r\n/)
  assert.match(info.payload.toString(), /\r\nhttp-header-user-agent: test \(\+http:\/\/example\.com\/bot\)\r\n$/)
  assert.equal(records.length, 12)
  assert.deepEqual(
    records.filter((_, i) => i % 2 === 0).map(({ offset, length }) => ({ offset, length })),
    places.map(({ offset, length }) => ({ offset, length })),
  )
  assert.equal(
    gunzipSync(bytes)
      .toString('latin1')
      .match(/^WARC\/1\.1\r$/gm)?.length,
    13,
  )
})

test('ours: a record is read back while its file grows, and after', async context => {
  const crawl = crawlFolder(context)
  const { writer } = openArchive(crawl, options())
  const body = Buffer.from('<p>over and over')
  const [place] = writer.append([archiveRecords(exchange({ body, status: 404, statusText: 'Not Found' }), PAGE)])
  const check = () => {
    const record = readRecord(crawl, place!.file, place!.offset)
    assert.equal(record.fields.get('warc-target-uri'), exchange().url)
    const http = httpOf(record)
    assert.deepEqual(Buffer.from(http.body), body)
    assert.equal(http.status, 404)
    assert.equal(http.startLine, 'HTTP/1.1 404 Not Found')
    assert.deepEqual(http.headers.slice(0, 2), ['Content-Type', 'text/html; charset=utf-8'])
  }
  check()
  await writer.close()
  check()
  for (const offset of [place!.offset + 1, 1e9, -1, Number.NaN]) {
    assert.throws(() => readRecord(crawl, place!.file, offset), { code: 'ARCHIVE_DAMAGED' })
  }
  assert.throws(() => readRecord(crawl, 'escalona-a1b2c3d4-20260102030405-00009.warc.gz', 0), {
    code: 'ARCHIVE_UNREADABLE',
  })
})

test('ours: the index cuts out exactly one gzip member, for pages and for what is none', async context => {
  const crawl = crawlFolder(context)
  const { writer } = openArchive(crawl, options())
  writer.append([robots(1), ...numbers(0, 20).map(page), robots(2)])
  await writer.close()
  finishIndex(crawl)
  const file = readFileSync(join(crawl, 'archive', 'escalona-a1b2c3d4-20260102030405-00001.warc.gz'))
  const lines = indexLines(crawl)
  assert.equal(lines.length, 22)
  for (const line of lines) {
    const [, key, time, json] = /^(\S+) (\d{14}) (\{.*\})$/.exec(line)!
    const entry = JSON.parse(json!) as Record<string, string>
    assert.deepEqual(Object.keys(entry), ['url', 'mime', 'status', 'digest', 'length', 'offset', 'filename'])
    assert.equal(entry.filename, 'escalona-a1b2c3d4-20260102030405-00001.warc.gz')
    const offset = Number(entry.offset)
    const [record, ...more] = await readByWarcio(file.subarray(offset, offset + Number(entry.length)))
    assert.ok(record && more.length === 0)
    assert.equal(fieldOf(record, 'WARC-Type'), 'response')
    assert.equal(fieldOf(record, 'WARC-Target-URI'), entry.url)
    assert.equal(fieldOf(record, 'WARC-Payload-Digest'), `sha1:${entry.digest}`)
    assert.equal(fieldOf(record, 'WARC-Date').replace(/\D/g, '').slice(0, 14), time)
    assert.match(key!, /^example,host\d\)\//)
    assert.equal(entry.mime, entry.url!.endsWith('robots.txt') ? 'text/plain' : 'text/html')
    assert.equal(entry.status, '200')
  }
})

test('ours: appending goes on while a sync is under way, over the end of a file', async context => {
  const crawl = crawlFolder(context)
  const { writer } = openArchive(crawl, options())
  const syncs: Promise<void>[] = []
  for (let n = 0; n < 2100; n += 70) {
    writer.append(numbers(n, n + 70).map(page))
    syncs.push(writer.sync())
  }
  await Promise.all(syncs)
  assert.deepEqual(names(crawl), [
    ...[
      'escalona-a1b2c3d4-20260102030405-00001.warc.gz',
      'escalona-a1b2c3d4-20260102030405-00002.warc.gz',
      'escalona-a1b2c3d4-20260102030405-00003.warc.gz.open',
      'synced',
    ],
  ])
  await writer.close()
  assert.equal(pagesIn(crawl, 'escalona-a1b2c3d4-20260102030405-00003.warc.gz'), 100)
})

test('ours: an archive in which nothing was put leaves no file', async context => {
  const crawl = crawlFolder(context)
  await openArchive(crawl, options()).writer.close()
  finishIndex(crawl)
  assert.deepEqual(names(crawl), [])
  assert.deepEqual(indexLines(crawl), [])
})

test('ours: a file without pages is full as well some day', async context => {
  const crawl = crawlFolder(context)
  const { writer } = openArchive(crawl, options())
  const one = robots(1)
  writer.append(Array.from({ length: REQUESTS_PER_FILE + 1 }, () => one))
  await writer.close()
  assert.deepEqual(names(crawl), [
    'escalona-a1b2c3d4-20260102030405-00001.warc.gz',
    'escalona-a1b2c3d4-20260102030405-00002.warc.gz',
  ])
  assert.equal([...readWarc(join(crawl, 'archive', 'escalona-a1b2c3d4-20260102030405-00002.warc.gz'))].length, 3)
})

test('ours: an index of more files than are merged at once is sorted', context => {
  const crawl = crawlFolder(context)
  for (const folder of ['archive', 'index']) mkdirSync(join(crawl, folder))
  const random = new RandomSource(1)
  const all: string[] = []
  for (let file = 1; file <= 150; file++) {
    const lines = Array.from(
      { length: random.below(400) },
      () => `com,a${random.below(1e9)})/ ${'x'.repeat(random.below(900))}`,
    )
    writeFileSync(join(crawl, 'archive', fileName(file)), '')
    writePart(crawl, fileName(file), lines)
    all.push(...lines)
  }
  finishIndex(crawl)
  assert.deepEqual(indexLines(crawl), all.sort())
  assert.ok(readdirSync(join(crawl, 'index')).every(name => /^escalona-[a-z\d-]+\.cdxj$|^merged$/.test(name)))
})

test('ours: an index that has no place is an error with a code', context => {
  const crawl = crawlFolder(context)
  mkdirSync(join(crawl, 'index.cdxj'))
  assert.throws(() => finishIndex(crawl), { code: 'ARCHIVE_INDEX_UNWRITTEN' })
})
