import assert from 'node:assert/strict'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { surt } from '../../src/archive/surt.ts'
import { exportTable } from '../../src/export/export-table.ts'
import { slowSha1 } from '../archive/with-warcio.ts'
import { read } from '../extract/read.ts'
import { crawlOf, exported, rowsOf, type Visited } from './crawl-folder.ts'

const PAGE = `<!doctype html><html lang="pt-BR"><title>Casa &amp; jardim</title>
<body><h1>Olá</h1><p>Um <b>dois</b> três.</p><a href="/b.html" rel="NoFollow  me">Para  <i>lá</i></a>
<a href="http://other.example:8080/">fora</a> <a href="mailto:x@y">nada</a> <a href="/b.html">de novo</a>`

test('export: the table of pages says all of a page, with the names of Common Crawl', async t => {
  const { folder } = await crawlOf(t, [
    { url: 'http://www.example.co.uk:8080/a%28b%29?y=2&x=1', html: PAGE, isCut: true },
    { url: 'https://example.org/plain', html: '<p>Caf\xe9', headers: ['Content-Type', 'TEXT/HTML; charset=latin1'] },
  ])
  const rows = await rowsOf(folder, { text: true })
  const [file] = readdirSync(join(folder, 'archive')).filter(name => name.endsWith('.warc.gz'))
  const [first, second] = rows
  const { warc_record_offset: offset, warc_record_length: length, ...rest } = first!
  assert.deepEqual(rest, {
    url: 'http://www.example.co.uk:8080/a%28b%29?y=2&x=1',
    url_surtkey: surt('http://www.example.co.uk:8080/a%28b%29?y=2&x=1'),
    url_host_name: 'www.example.co.uk',
    url_host_registered_domain: 'example.co.uk',
    fetch_time: '2026-01-02T03:04:05.678Z',
    fetch_status: 200,
    content_digest: slowSha1(Buffer.from(PAGE)),
    content_mime_type: 'text/html',
    content_charset: 'utf-8',
    content_truncated: 'length',
    warc_filename: file,
    title: 'Casa & jardim',
    text: 'Olá\nUm dois três.\nPara lá fora nada de novo',
    hops: 0,
    text_digest: slowSha1(Buffer.from('Olá\nUm dois três.\nPara lá fora nada de novo')),
    simhash: read(PAGE, { wanted: { fingerprint: true } }).fingerprint!.simhash,
    lang: 'pt-br',
    change: 'new',
  })
  assert.ok(Number(offset) > 0 && Number(length) > 0)
  assert.deepEqual(
    ['content_charset', 'content_mime_type', 'content_truncated', 'lang', 'title', 'fetch_time', 'hops'].map(
      name => second![name],
    ),
    ['windows-1252', 'text/html', null, null, '', '2026-01-02T03:04:06.678Z', 1],
  )
  const without = await rowsOf(folder)
  assert.deepEqual(
    without,
    rows.map(({ text: _, ...others }) => others),
  )
})

test('export: the table of links has every link of a page in its order, also repeated ones', async t => {
  const { folder } = await crawlOf(t, [{ url: 'http://example.org/a/', html: PAGE }])
  const from = 'http://example.org/a/'
  assert.deepEqual(await rowsOf(folder, { table: 'links' }), [
    { from, to: 'http://example.org/b.html', anchor: 'Para lá', rel: 'nofollow me', internal: true },
    { from, to: 'http://other.example:8080/', anchor: 'fora', rel: '', internal: false },
    { from, to: 'http://example.org/b.html', anchor: 'de novo', rel: '', internal: true },
  ])
})

/** A page that was seen four times, one that is gone, and one that was seen once. */
const AGAIN: readonly Visited[] = [
  { url: 'http://a.example/', html: '<title>1</title><p>one<a href="http://b.example/">b</a>' },
  { url: 'http://b.example/', html: '<title>B</title><a href="/own">own</a><a href="http://a.example/">a</a>' },
  { url: 'http://a.example/', again: 0, change: 'same' },
  { url: 'http://c.example/', html: '<a href="http://a.example/">a</a>' },
  {
    url: 'http://a.example/',
    html: '<title>2</title><p>two<a href="http://c.example/">c</a><a href="http://c.example/x">x</a>',
    change: 'changed',
  },
  { url: 'http://c.example/', html: '<p>No such page <a href="/home">home</a>', status: 404, change: 'gone' },
  { url: 'http://a.example/', again: 4, notModified: true, change: 'same' },
]

test('export: pages has a row for each visit; a revisit has the text of its original, and its own place and status', async t => {
  const { folder } = await crawlOf(t, AGAIN)
  const rows = await rowsOf(folder, { text: true })
  const seen = rows.map(({ url, fetch_status: status, change, title }) => [url, status, change, title])
  assert.deepEqual(seen, [
    ['http://a.example/', 200, 'new', '1'],
    ['http://b.example/', 200, 'new', 'B'],
    ['http://a.example/', 200, 'same', '1'],
    ['http://c.example/', 200, 'new', ''],
    ['http://a.example/', 200, 'changed', '2'],
    ['http://c.example/', 404, 'gone', ''],
    ['http://a.example/', 304, 'same', '2'],
  ])
  assert.equal(new Set(rows.map(row => row.warc_record_offset)).size, rows.length)
  for (const [revisit, original] of [
    [2, 0],
    [6, 4],
  ] as const) {
    for (const name of ['text', 'text_digest', 'content_digest', 'content_mime_type'])
      assert.equal(rows[revisit]![name], rows[original]![name], name)
    assert.notEqual(rows[revisit]!.fetch_time, rows[original]!.fetch_time)
  }
})

test('export: links and hosts count the newest visit of each page once, and none of a page that is gone', async t => {
  const { folder } = await crawlOf(t, AGAIN)
  const links = await rowsOf(folder, { table: 'links' })
  assert.deepEqual(
    links.map(({ from, to }) => `${from} ${to}`),
    [
      'http://b.example/ http://b.example/own',
      'http://b.example/ http://a.example/',
      'http://a.example/ http://c.example/',
      'http://a.example/ http://c.example/x',
    ],
  )
  assert.deepEqual(await rowsOf(folder, { table: 'hosts' }), [
    { host: 'a.example', domain: 'a.example', pages: 1, links_in: 1, links_out: 2, links_internal: 0 },
    { host: 'b.example', domain: 'b.example', pages: 1, links_in: 0, links_out: 1, links_internal: 1 },
    { host: 'c.example', domain: 'c.example', pages: 0, links_in: 2, links_out: 0, links_internal: 0 },
  ])
})

test('ours: many batches over several threads come out in the order of pages.jsonl, whatever each of them costs', async t => {
  const visits = Array.from({ length: 500 }, (_, n) => ({
    url: `http://host${n % 7}.example/page-${n}`,
    // Every other batch is far slower than its neighbours.
    html: `<title>${n}</title><p>${'word '.repeat(n % 256 < 128 ? 200 : 1)}`,
  }))
  const { folder } = await crawlOf(t, visits)
  const shares: number[] = []
  const rows = await rowsOf(folder, { workers: 3, onProgress: share => shares.push(share) })
  assert.deepEqual(
    rows.map(({ url, title }) => [url, title]),
    visits.map(({ url }, n) => [url, String(n)]),
  )
  assert.ok(shares.length > 3 && shares.at(-1) === 1 && shares.every((share, n) => share >= (shares[n - 1] ?? 0)))
})

test('ours: a thread that is far ahead waits, and a page with very many links comes out whole', async t => {
  const long = 'x'.repeat(1800)
  const many = (count: number) => Array.from({ length: count }, (_, n) => `<a href="${n}">${n}</a>`).join('')
  const visits = Array.from({ length: 260 }, (_, n) => ({
    url: `http://example.org/${n}/${long}/`,
    // 7 MB of rows in the first batch, and 20 MB in the second.
    html: many(n === 0 ? 2000 : n === 130 ? 5500 : 1),
  }))
  const { folder } = await crawlOf(t, visits)
  let rows = 0
  let last = -1
  const count = (bytes: Uint8Array) => {
    const text = Buffer.from(bytes).toString('latin1')
    for (const [, page] of text.matchAll(/^{"from":"http:\/\/example.org\/(\d+)\//gm)) {
      assert.ok(Number(page) >= last, `${page} after ${last}`)
      last = Number(page)
      rows++
    }
  }
  const summary = await exportTable(folder, count, { table: 'links', workers: 2 })
  assert.deepEqual([rows, summary], [2000 + 5500 + 258, { rows, visits: 260, unread: 0 }])
})

test('ours: what is not in the archive any more is counted and named, and the rest is exported', async t => {
  const { folder } = await crawlOf(
    t,
    Array.from({ length: 1003 }, (_, n) => ({ url: `http://example.org/${n}`, html: `<p>${n}` })),
  )
  const [first] = readdirSync(join(folder, 'archive')).filter(name => name.endsWith('.warc.gz'))
  renameSync(join(folder, 'archive', first!), join(folder, 'moved'))
  const parts: Uint8Array[] = []
  const summary = await exportTable(folder, bytes => parts.push(bytes), { workers: 2 })
  const { firstUnread, ...counts } = summary
  assert.deepEqual(counts, { rows: 3, visits: 3, unread: 1000 })
  assert.ok(firstUnread?.includes(first!), firstUnread)
  assert.equal(Buffer.concat(parts).toString().split('\n').length, 4)
})

test('ours: a line of pages.jsonl that is none is counted, and a missing pages.jsonl is an error', async t => {
  const { folder } = await crawlOf(t, [
    { url: 'http://example.org/1', html: '<p>1' },
    { url: 'http://example.org/2', html: '<p>2' },
  ])
  const path = join(folder, 'pages.jsonl')
  const [first = ''] = readFileSync(path, 'utf8').split('\n')
  const wrong = ['"url":"http://"', '"time":"x"', '"offset":-1', '"hops":1.5'].map(part =>
    first.replace(new RegExp(`"${part.slice(1, part.indexOf('":'))}":(?:"[^"]*"|\\d+)`), part),
  )
  writeFileSync(path, `${[first, '\xff garbage', ...wrong].join('\n')}\n`, 'latin1')
  const { firstUnread, ...counts } = await exportTable(folder, () => {}, { workers: 1 })
  assert.deepEqual(counts, { rows: 1, visits: 1, unread: 5 })
  assert.match(firstUnread!, new RegExp(`pages\\.jsonl is damaged at byte ${first.length + 1}: this is no line`))
  rmSync(path)
  await assert.rejects(exported(folder), { code: 'ARCHIVE_UNREADABLE', message: /pages\.jsonl is missing/ })
})

test('ours: a file in progress is read as far as pages.jsonl names it', async t => {
  const { folder } = await crawlOf(t, [{ url: 'http://example.org/', html: '<title>T</title>' }], { isRunning: true })
  assert.ok(readdirSync(join(folder, 'archive')).some(name => name.endsWith('.open')))
  writeFileSync(join(folder, 'pages.jsonl'), '{"url":"http://example.org/half', { flag: 'a' })
  assert.deepEqual(
    (await rowsOf(folder)).map(({ title }) => title),
    ['T'],
  )
})

test('ours: an empty crawl is an empty table; a writer that fails, or a signal, ends the export', async t => {
  const empty = await crawlOf(t, [])
  assert.equal((await exported(empty.folder)).length, 0)
  assert.match((await exported(empty.folder, { format: 'csv' })).toString(), /^url,url_surtkey,[^\n]*\r\n$/)
  const { folder } = await crawlOf(
    t,
    Array.from({ length: 300 }, (_, n) => ({ url: `http://example.org/${n}`, html: '<p>x' })),
  )
  const full = () => {
    throw new Error('the disk is full')
  }
  await assert.rejects(exportTable(folder, full), /the disk is full/)
  const aborted = AbortSignal.abort()
  await assert.rejects(
    exportTable(folder, () => {}, { signal: aborted }),
    { code: 'EXPORT_ABORTED' },
  )
  const controller = new AbortController()
  const abort = () => controller.abort()
  await assert.rejects(exportTable(folder, abort, { signal: controller.signal }), { code: 'EXPORT_ABORTED' })
})

test('ours: options that make no sense are refused before anything is read', async t => {
  const { folder } = await crawlOf(t, [])
  const wrong: readonly unknown[] = [
    { table: 'page' },
    { format: 'xml' },
    { format: 'wet', table: 'links' },
    { table: 'hosts', text: true },
    { workers: 0 },
    { workers: 1.5 },
  ]
  for (const options of wrong)
    await assert.rejects(
      exportTable(folder, () => {}, options as object),
      { code: 'EXPORT_BAD_OPTIONS' },
    )
  await assert.rejects(
    exportTable(join(folder, 'nowhere'), () => {}),
    { code: 'CRAWL_NOT_FOUND' },
  )
})
