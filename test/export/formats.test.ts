import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { ParquetEncoder, ParquetFrame } from '../../src/export/formats/parquet.ts'
import { columnsOf } from '../../src/export/tables.ts'
import { fieldOf, readByWarcio, slowSha1 } from '../archive/with-warcio.ts'
import { crawlOf, exported, parsedJson, type Visited } from './crawl-folder.ts'

/** Everything that somebody on the web could put where a terminal, a spreadsheet or a parser obeys it. */
const EVIL = '\u001b[31m\u0007\u0000\u009b2J\u202e\u2066\u200f\u2028\u2029\ufeff\r\n"quoted", =1+1; \ud83d\ude00 ä'
const HOSTILE: readonly Visited[] = [
  {
    url: 'http://example.org/evil',
    html: `<html lang="\u001b[2J"><title>${EVIL}</title><p>${EVIL}<a rel="${EVIL.replaceAll('"', "'")}" href="/x">=HYPERLINK("http://evil.example/";"${EVIL}")</a>&#27;&#x9b;&#8238;&#0;`,
  },
  {
    url: 'http://example.org/formula',
    html: '<title>=cmd|calc!A1</title><p>@SUM(1)<a href=/y>+1</a><a href=/z>-1</a>',
  },
  { url: 'http://example.org/lone', html: Buffer.from('<title>\xed\xa0\xbd\xff</title><p>\xf0\x9f', 'latin1') },
  { url: 'http://example.org/empty', html: '' },
]
/** Anything but a line feed, which divides blocks of text. */
const OBEYED = /(?!\n)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

for (const table of ['pages', 'links'] as const) {
  test(`export: hostile text is harmless in every format, and the same in all of them: ${table}`, async t => {
    const { folder } = await crawlOf(t, HOSTILE)
    const wanted = { table, text: table === 'pages' }
    const json = (await exported(folder, wanted)).toString()
    assert.doesNotMatch(json, OBEYED)
    const rows = parsedJson(json)
    for (const [name, value] of rows.flatMap(row => Object.entries(row)))
      assert.doesNotMatch(String(value), OBEYED, `${table}.${name}`)
    assert.ok(rows.some(row => JSON.stringify(row).includes('\u{1f600}')))
    assert.deepEqual(await parquetRows(await exported(folder, { ...wanted, format: 'parquet' })), rows)

    // RFC 4180, and a spreadsheet finds no formula in what a page says.
    const csv = (await exported(folder, { ...wanted, format: 'csv' })).toString()
    assert.doesNotMatch(csv.replaceAll('\r\n', ''), OBEYED)
    const [head, ...records] = parsedCsv(csv)
    assert.deepEqual(
      head,
      columnsOf(table, true).map(({ name }) => name),
    )
    const guarded = (text: string) => text.replace(/(^|[,;"])(?= *[=+\-@])/g, "$1'")
    assert.deepEqual(
      records,
      rows.map(row => head!.map(name => guarded(String(row[name] ?? '')))),
    )
    for (const formula of table === 'pages' ? ["'=cmd|calc!A1", "'@SUM(1)+1-1"] : ["'+1", "'-1"])
      assert.ok(records.flat().includes(formula), formula)
  })
}

test('export: the name of a host is no formula in CSV either', async t => {
  const links = ['=1+1.evil.example', '+cmd.example', '-2+3.example'].map(host => `<a href="http://${host}/">x</a>`)
  const { folder } = await crawlOf(t, [{ url: 'http://example.org/', html: links.join('') }])
  const [, ...records] = parsedCsv((await exported(folder, { table: 'hosts', format: 'csv' })).toString())
  assert.deepEqual(records.map(([host]) => host).sort(), [
    "'+cmd.example",
    "'-2+3.example",
    "'=1+1.evil.example",
    'example.org',
  ])
})

test('export: Parquet has the types of the columns, and row groups of several threads one after the other', async () => {
  const columns = columnsOf('pages', true)
  const row = (n: number) => ({
    ...Object.fromEntries(columns.map(({ name }) => [name, `${name} ${n}`])),
    fetch_time: Date.UTC(2026, 0, 1) + n,
    fetch_status: 200,
    warc_record_offset: 2 ** 40 + n,
    warc_record_length: n,
    hops: n % 3,
    lang: n % 2 === 0 ? null : 'pt',
    text: n % 5 === 0 ? null : `\u{1f600} text \uff21 ${n}`,
    content_truncated: null,
  })
  const frame = new ParquetFrame(columns)
  const parts: Uint8Array[] = [frame.head()]
  for (const [from, to] of [
    [0, 3],
    [3, 4],
    [4, 100],
  ] as const) {
    const encoder = new ParquetEncoder(columns)
    assert.equal(encoder.take(), undefined)
    for (let n = from; n < to; n++) encoder.add(row(n))
    const part = encoder.take()!
    frame.place(part)
    parts.push(part.bytes)
  }
  const bytes = Buffer.concat([...parts, frame.end()])
  const metadata = parquetMetadata(arrayBufferOf(bytes))
  assert.deepEqual([metadata.num_rows, metadata.row_groups.map(group => group.num_rows)], [100n, [3n, 1n, 96n]])
  const times = metadata.schema.find(({ name }) => name === 'fetch_time')
  assert.deepEqual([times?.type, times?.converted_type], ['INT64', 'TIMESTAMP_MILLIS'])
  const expected = Array.from({ length: 100 }, (_, n) => row(n)).map(one => ({
    ...one,
    fetch_time: new Date(one.fetch_time).toISOString(),
  }))
  assert.deepEqual(await parquetRows(bytes), expected)
  // Bounds in another order than the one of the format would make readers skip rows that they look for.
  for (const { columns: chunks } of metadata.row_groups) {
    const boundsOf = (name: string) => chunks[columns.findIndex(column => column.name === name)]?.meta_data?.statistics
    assert.equal(boundsOf('text'), undefined)
    assert.ok(boundsOf('url')?.min_value !== undefined)
  }
})

test('export: an empty table is a whole Parquet file', async t => {
  const { folder } = await crawlOf(t, [])
  const bytes = await exported(folder, { format: 'parquet' })
  assert.deepEqual(await parquetRows(bytes), [])
  assert.equal(parquetMetadata(arrayBufferOf(bytes)).schema.length - 1, columnsOf('pages', false).length)
})

test('export: WET holds a conversion record for each visit, which refers to its record in the archive', async t => {
  const { folder, ids } = await crawlOf(t, [
    { url: 'http://example.org/', html: '<title>T</title><h1>Olá</h1><p>mundo' },
    { url: 'http://example.org/{x}', html: '' },
    { url: 'http://example.org/', again: 0, notModified: true, change: 'same' },
    { url: 'http://example.org/gone', html: 'gone', status: 404, change: 'gone' },
  ])
  const [info, ...records] = await readByWarcio(await exported(folder, { format: 'wet' }))
  assert.equal(fieldOf(info!, 'WARC-Type'), 'warcinfo')
  assert.match(info!.payload.toString(), /^software: Escalona\/[\d.]+\r\n/)
  const seen = records.map(record => ({
    type: fieldOf(record, 'WARC-Type'),
    refersTo: fieldOf(record, 'WARC-Refers-To'),
    date: fieldOf(record, 'WARC-Date'),
    text: record.payload.toString(),
  }))
  const date = (second: string) => `2026-01-02T03:04:${second}.678Z`
  assert.deepEqual(seen, [
    { type: 'conversion', refersTo: `<${ids[0]}>`, date: date('05'), text: 'Olá\nmundo' },
    { type: 'conversion', refersTo: `<${ids[1]}>`, date: date('06'), text: '' },
    { type: 'conversion', refersTo: `<${ids[2]}>`, date: date('07'), text: 'Olá\nmundo' },
  ])
  for (const record of records) assert.equal(fieldOf(record, 'WARC-Block-Digest'), `sha1:${slowSha1(record.payload)}`)
  assert.equal(new Set(records.map(record => fieldOf(record, 'WARC-Record-ID'))).size, 3)
})

/** As hyparquet reads them, with the types of JSON. */
async function parquetRows(bytes: Buffer): Promise<Record<string, unknown>[]> {
  const compressors = { GZIP: (input: Uint8Array) => gunzipSync(input) }
  const rows = await parquetReadObjects({ file: arrayBufferOf(bytes), compressors })
  return rows.map(row =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === 'bigint' ? Number(value) : value instanceof Date ? value.toISOString() : (value ?? null),
      ]),
    ),
  )
}

function arrayBufferOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}

/** RFC 4180, by the letter. */
function parsedCsv(text: string): string[][] {
  const records: string[][] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  let record: string[] = []
  while (field.lastIndex < text.length) {
    const at = field.lastIndex
    const match = field.exec(text)
    assert.ok(match !== null, `no field at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`)
    record.push(match[1] === undefined ? match[2]! : match[1].replaceAll('""', '"'))
    if (match[3] === ',') continue
    records.push(record)
    record = []
  }
  return records
}
