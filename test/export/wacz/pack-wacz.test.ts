import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { finishIndex } from '../../../src/archive/index-files.ts'
import { openArchive } from '../../../src/archive/open-archive.ts'
import { PagesFile } from '../../../src/archive/pages-file.ts'
import { readRecord } from '../../../src/archive/read.ts'
import { archiveRecords, notModifiedRecords, type Original, type Records } from '../../../src/archive/records.ts'
import type { RecordLocation } from '../../../src/archive/scan.ts'
import { FolderLock } from '../../../src/base/files/folder-lock.ts'
import { packWacz, type WaczOptions, type WaczSummary } from '../../../src/export/wacz/pack-wacz.ts'
import { PackedFiles } from '../../../src/export/wacz/packed-files.ts'
import { crawlFolder, exchange, fileName, options, page, robots, START_MS } from '../../archive/sample.ts'
import { escalona } from '../../cli/run-cli.ts'
import { readZip, type ZipEntry } from './read-zip.ts'

interface Collected {
  readonly records: Records
  readonly place: RecordLocation
  readonly url: string
}

/** Archives records as a crawl does; pages get their lines. With `isRunning`, the last file stays in progress. */
async function collect(crawl: string, batch: readonly Records[], isRunning = false): Promise<Collected[]> {
  mkdirSync(join(crawl, 'frontier'), { recursive: true })
  const { writer } = openArchive(crawl, options())
  const pages = new PagesFile(join(crawl, 'pages.jsonl'), { files: [], onRepair: () => {} })
  const places = writer.append(batch)
  await writer.sync()
  const collected = batch.map((records, n) => ({ records, place: places[n]!, url: urlAt(crawl, places[n]!) }))
  pages.append(collected.filter(({ records }) => records.isPage).map(lineOf))
  await pages.close()
  if (isRunning) return collected
  await writer.close()
  finishIndex(crawl)
  return collected
}

function urlAt(crawl: string, { file, offset }: RecordLocation): string {
  const { fields } = readRecord(crawl, file, offset)
  return fields.get('escalona-url') ?? fields.get('warc-target-uri')!
}

function lineOf({ records: { date }, place, url }: Collected) {
  const numbers = { status: 200, bytes: 1, tokens: 1, hops: 0, linksOut: 0 }
  return { ...numbers, ...place, url, title: 'T', dateMs: Date.parse(date), change: 'new' as const }
}

async function packed(crawl: string, options?: WaczOptions): Promise<{ summary: WaczSummary; entries: ZipEntry[] }> {
  const chunks: Uint8Array[] = []
  const summary = await packWacz(crawl, bytes => chunks.push(Buffer.from(bytes)), options)
  const zip = Buffer.concat(chunks)
  assert.equal(summary.bytes, zip.length)
  return { summary, entries: readZip(zip) }
}

function bytesOf(entries: readonly ZipEntry[], path: string): Buffer {
  return entries.find(entry => entry.path === path)?.bytes ?? assert.fail(`${path} is missing`)
}

function jsonLines(bytes: Buffer): Record<string, unknown>[] {
  return bytes
    .toString()
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
}

function indexOf(entries: readonly ZipEntry[]): string[] {
  return gunzipSync(bytesOf(entries, 'indexes/index.cdx.gz')).toString().split('\n').slice(0, -1)
}

test('WACZ: a WACZ has the archive as it is, the index, the page list, and the SHA-256 of each', async t => {
  const crawl = crawlFolder(t)
  const [, first = assert.fail()] = await collect(crawl, [robots(1), ...Array.from({ length: 30 }, (_, n) => page(n))])
  const { summary, entries } = await packed(crawl)
  const [file] = [fileName(1)]
  assert.deepEqual(
    entries.map(({ path }) => path),
    [
      `archive/${file}`,
      'indexes/index.cdx.gz',
      'indexes/index.idx',
      'pages/pages.jsonl',
      'datapackage.json',
      'datapackage-digest.json',
    ],
  )
  assert.deepEqual(bytesOf(entries, `archive/${file}`), readFileSync(join(crawl, 'archive', file)))
  assert.deepEqual(
    entries.filter(({ isStored }) => isStored).map(({ path }) => path),
    [`archive/${file}`, 'indexes/index.cdx.gz'],
    'a player reads pieces of what is compressed already',
  )
  assert.equal(`${indexOf(entries).join('\n')}\n`, readFileSync(join(crawl, 'index.cdxj'), 'utf8'))
  const description = bytesOf(entries, 'datapackage.json')
  const { profile, wacz_version, resources } = JSON.parse(description.toString())
  assert.deepEqual([profile, wacz_version], ['data-package', '1.1.1'])
  const hashOf = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  assert.deepEqual(
    resources,
    entries.slice(0, -2).map(({ path, bytes }) => {
      const name = path.slice(path.indexOf('/') + 1)
      assert.match(name, /^[-a-z0-9._]+$/)
      return { name, path, hash: hashOf(bytes), bytes: bytes.length }
    }),
  )
  assert.deepEqual(JSON.parse(bytesOf(entries, 'datapackage-digest.json').toString()), {
    path: 'datapackage.json',
    hash: hashOf(description),
  })
  const [header, ...lines] = jsonLines(bytesOf(entries, 'pages/pages.jsonl'))
  assert.deepEqual(header, { format: 'json-pages-1.0', id: 'pages', title: 'Pages', hasText: false })
  assert.equal(new Set(lines.map(({ id }) => id)).size, 30)
  const { id: _, ...line } = lines[0]!
  assert.deepEqual(line, { url: first.url, ts: new Date(START_MS).toISOString(), title: 'T' })
  const { files, pages, answers, inProgress, missing, originalsElsewhere } = summary
  assert.deepEqual({ files, pages, answers }, { files: 1, pages: 30, answers: 31 })
  assert.deepEqual([inProgress, missing, originalsElsewhere], [[], [], []])
})

test('WACZ: the index is in blocks of 1,024 lines, and index.idx says where each begins', async t => {
  const crawl = crawlFolder(t)
  await collect(
    crawl,
    Array.from({ length: 2050 }, (_, n) => robots(n)),
  )
  const { entries } = await packed(crawl)
  const [meta, ...blocks] = bytesOf(entries, 'indexes/index.idx').toString().trimEnd().split('\n')
  assert.equal(meta, '!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}')
  const index = bytesOf(entries, 'indexes/index.cdx.gz')
  const lines = indexOf(entries)
  assert.deepEqual(lines, lines.toSorted())
  assert.deepEqual([blocks.length, lines.length], [3, 2050])
  for (const [n, block] of blocks.entries()) {
    const { offset, length, digest } = JSON.parse(block.slice(block.indexOf('{')))
    const bytes = index.subarray(offset, offset + length)
    assert.equal(digest, `sha256:${createHash('sha256').update(bytes).digest('hex')}`)
    const some = gunzipSync(bytes).toString().split('\n').slice(0, -1)
    assert.deepEqual(some, lines.slice(n * 1024, (n + 1) * 1024))
    assert.ok(some[0]!.startsWith(block.slice(0, block.indexOf('{'))))
  }
})

test('WACZ: with text, every page has its own', async t => {
  const crawl = crawlFolder(t)
  await collect(crawl, [page(1), page(2)])
  const [header, ...lines] = jsonLines(bytesOf((await packed(crawl, { text: true })).entries, 'pages/pages.jsonl'))
  assert.equal(header!.hasText, true)
  assert.deepEqual(
    lines.map(({ text }) => text),
    ['This is page 1.', 'This is page 2.'],
  )
})

test('WACZ: the text of a page is bounded, and not repeated for a visit that found the same', async t => {
  const crawl = crawlFolder(t)
  const long = exchange({ url: 'http://example.com/long', body: Buffer.from(`<p>${'word '.repeat(250_000)}`) })
  await collect(crawl, [archiveRecords(long, { isPage: true, dateMs: START_MS }), page(1)])
  const path = join(crawl, 'pages.jsonl')
  const [first = '', second = ''] = readFileSync(path, 'utf8').split('\n')
  writeFileSync(path, `${first}\n${second.replace('"change":"new"', '"change":"same"')}\n`)
  const [, ...lines] = jsonLines(bytesOf((await packed(crawl, { text: true })).entries, 'pages/pages.jsonl'))
  assert.ok(String(lines[0]!.text).length <= 1_000_000 && String(lines[0]!.text).length > 999_000)
  assert.deepEqual([lines.length, lines[1]!.text], [2, undefined])
})

test('WACZ: while the crawl runs, finished files are packed, with their pages and answers only', async t => {
  const crawl = crawlFolder(t)
  await collect(
    crawl,
    Array.from({ length: 1010 }, (_, n) => page(n)),
    true,
  )
  const before = readdirSync(crawl, { recursive: true }).sort()
  const { summary, entries } = await packed(crawl)
  assert.deepEqual([summary.files, summary.pages, summary.answers], [1, 1000, 1000])
  assert.deepEqual(summary.inProgress, [fileName(2)])
  assert.equal(jsonLines(bytesOf(entries, 'pages/pages.jsonl')).length, 1001)
  assert.ok(indexOf(entries).every(line => line.includes(fileName(1))))
  assert.deepEqual(readdirSync(crawl, { recursive: true }).sort(), before, 'nothing is written into the folder')
})

test('WACZ: a crawl without a finished file is not packed, and the message says what to do', async t => {
  const crawl = crawlFolder(t)
  await collect(crawl, [page(1)], true)
  await assert.rejects(packed(crawl), { code: 'WACZ_NOTHING', message: /escalona resume/ })
  await assert.rejects(packed(join(crawl, 'archive')), { code: 'CRAWL_NOT_FOUND' })
  const lock = await FolderLock.acquire(crawl)
  await assert.rejects(packed(crawl), { code: 'WACZ_NOTHING', message: /stop the crawl, or wait/ })
  lock.release()
  const empty = crawlFolder(t)
  await collect(empty, [])
  await assert.rejects(packed(empty), { code: 'WACZ_NOTHING', message: /nothing is archived in/ })
})

test('WACZ: a WARC file that was cut is damage; one that a run continues meanwhile is not', async t => {
  const crawl = crawlFolder(t)
  const collected = await collect(
    crawl,
    Array.from({ length: 5 }, (_, n) => page(n)),
  )
  const path = join(crawl, 'archive', fileName(1))
  const files = new PackedFiles(crawl)
  const { size } = statSync(path)
  const later = { file: fileName(1), offset: size, length: 10 }
  assert.throws(() => files.holds(later), { code: 'ARCHIVE_DAMAGED' })
  writeFileSync(path, 'ten bytes.', { flag: 'a' })
  assert.equal(files.holds(later), false)
  truncateSync(path, collected[3]!.place.offset)
  await assert.rejects(packed(crawl), { code: 'ARCHIVE_DAMAGED', message: /the file ends here, and it was longer/ })
})

test('WACZ: what cannot be read is counted: a damaged record has no text, a damaged line no page', async t => {
  const crawl = join(crawlFolder(t), 'crawl')
  mkdirSync(crawl)
  const odd = archiveRecords(exchange({ url: 'http://example.com/|' }), { isPage: true, dateMs: START_MS })
  const [, { place } = assert.fail(), { place: oddPlace } = assert.fail()] = await collect(crawl, [
    page(1),
    page(2),
    odd,
  ])
  const path = join(crawl, 'archive', place.file)
  const bytes = readFileSync(path)
  for (const { offset, length } of [place, oddPlace]) bytes.fill(0xff, offset + length - 60, offset + length - 40)
  writeFileSync(path, bytes)
  const { summary, entries } = await packed(crawl, { text: true })
  const [, ...lines] = jsonLines(bytesOf(entries, 'pages/pages.jsonl'))
  assert.deepEqual(
    lines.map(({ text }) => text),
    ['This is page 1.', undefined, undefined],
  )
  // The odd one: once for the index, where its record says how its URL is spelled.
  assert.deepEqual([summary.pages, summary.answers, summary.unread], [3, 3, 3])
  assert.match(summary.firstUnread!, /is damaged at byte/)
  writeFileSync(join(crawl, 'pages.jsonl'), 'garbage\n', { flag: 'a' })
  const { code, stderr } = escalona(['wacz', crawl, '--text', '-q'])
  assert.equal(code, 1)
  assert.match(stderr, /pages are not listed or without text: 4; the first: /)
  rmSync(join(crawl, 'pages.jsonl'))
  await assert.rejects(packed(crawl), { code: 'ARCHIVE_UNREADABLE', message: /pages\.jsonl is missing/ })
})

test('WACZ: a file that was moved away is left out and named, also when it holds the bodies of revisits', async t => {
  const crawl = crawlFolder(t)
  const first = await collect(
    crawl,
    Array.from({ length: 1001 }, (_, n) => page(n)),
  )
  const { records, place, url } = first[0]!
  const { recordId, date } = records
  const original: Original = { ...place, recordId, url, date, payloadDigest: 'A'.repeat(32) }
  const about = { isPage: true, dateMs: START_MS + 5000 }
  await collect(crawl, [notModifiedRecords(exchange({ url, status: 304, body: Buffer.alloc(0) }), about, original)])
  const whole = await packed(crawl, { text: true })
  assert.deepEqual([whole.summary.files, whole.summary.pages, whole.summary.originalsElsewhere], [2, 1002, []])
  const texts = jsonLines(bytesOf(whole.entries, 'pages/pages.jsonl')).filter(line => line.url === url)
  assert.deepEqual(
    texts.map(({ text }) => text),
    ['This is page 0.', 'This is page 0.'],
  )

  renameSync(join(crawl, 'archive', fileName(1)), join(crawl, 'elsewhere.warc.gz'))
  const { summary, entries } = await packed(crawl, { text: true })
  assert.deepEqual([summary.files, summary.pages, summary.answers], [1, 2, 2])
  assert.deepEqual([summary.missing, summary.originalsElsewhere], [[fileName(1)], [fileName(1)]])
  const description = JSON.parse(bytesOf(entries, 'datapackage.json').toString())
  assert.deepEqual(description.originalsElsewhere, [fileName(1)])
})

test('wacz: a part of the index that is gone is made again, outside of the folder', async t => {
  const crawl = crawlFolder(t)
  await collect(crawl, [page(1), page(2)])
  const wanted = indexOf((await packed(crawl)).entries)
  const part = join(crawl, 'index', fileName(1).replace('.warc.gz', '.cdxj'))
  rmSync(part)
  assert.deepEqual(indexOf((await packed(crawl)).entries), wanted)
  assert.ok(!readdirSync(join(crawl, 'index')).includes(part))
})

test('WACZ: an answer is found under its URL as browsers spell it, and as its record does', async t => {
  const crawl = crawlFolder(t)
  const url = 'http://example.com/p?x=1|2&y={3}'
  await collect(crawl, [archiveRecords(exchange({ url }), { isPage: true, dateMs: START_MS })])
  const { summary, entries } = await packed(crawl)
  const lines = indexOf(entries)
  assert.deepEqual(
    lines.map(line => JSON.parse(line.slice(line.indexOf('{"'))).url),
    ['http://example.com/p?x=1%7C2&y=%7B3%7D', url],
  )
  assert.deepEqual([summary.answers, lines], [1, lines.toSorted()])
})

test("WACZ: the command writes DIR.wacz, replaces it at once, and never one of the crawl's own files", async t => {
  const crawl = join(crawlFolder(t), 'crawl')
  mkdirSync(crawl)
  const [{ place } = assert.fail()] = await collect(crawl, [page(1)])
  writeFileSync(`${crawl}.wacz`, 'former')
  const { code, stderr } = escalona(['wacz', crawl])
  assert.deepEqual(
    [code, stderr.replace(/, [\d.]+ kB/, '')],
    [0, `escalona: ${crawl}.wacz: WARC files 1, pages 1, answers 1\n`],
  )
  assert.equal(readZip(readFileSync(`${crawl}.wacz`)).length, 6)
  const archived = join(crawl, 'archive', place.file)
  assert.equal(escalona(['wacz', crawl, '-o', archived]).code, 2)
  const link = join(crawl, '..', 'link.wacz')
  symlinkSync(archived, link)
  assert.match(escalona(['wacz', crawl, '-o', link]).stderr, /is in the folder of the crawl/)
  rmSync(link)
  const bytes = readFileSync(archived)
  rmSync(join(crawl, 'index'), { recursive: true })
  writeFileSync(archived, bytes.subarray(0, -3))
  assert.match(escalona(['wacz', crawl]).stderr, /the file ends/)
  assert.equal(readZip(readFileSync(`${crawl}.wacz`)).length, 6, 'the former one stays')
  assert.deepEqual(readdirSync(join(crawl, '..')).sort(), ['crawl', 'crawl.wacz'])
})
