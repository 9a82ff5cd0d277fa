import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sitemapFiles } from '../web/synthetic-web.ts'
import { read, urlset } from './read.ts'

test('sitemaps: a sitemap gives its locations and dates, whatever else stands in it', async () => {
  const { kind, entries } = await read(`<?xml version="1.0" encoding="UTF-8"?>
    <?xml-stylesheet href="x.xsl"?><!-- <url><loc>http://a.org/no</loc></url> -->
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="x">
    <url><loc> http://a.org/1?a=1&amp;b=2 </loc><lastmod>2024-05-06</lastmod><priority>1</priority>
      <image:image><image:loc>http://a.org/i.png</image:loc></image:image></url>
    <url><lastmod>soon</lastmod><loc><![CDATA[http://a.org/2?a=1&b=2]]></loc></url>
    <url><loc>http://a.org/3?x=1&y=&#x32;&unknown;</loc><lastmod>2024-05-06T07:08:09+02:00</lastmod></url>
    <url></url><url/><url><loc></loc></url></urlset>`)
  assert.equal(kind, 'urlset')
  assert.deepEqual(entries, [
    { loc: 'http://a.org/1?a=1&b=2', lastmodMs: Date.UTC(2024, 4, 6) },
    { loc: 'http://a.org/2?a=1&b=2' },
    { loc: 'http://a.org/3?x=1&y=2&unknown;', lastmodMs: Date.UTC(2024, 4, 6, 5, 8, 9) },
  ])
})

test('sitemaps: index, RSS, Atom and text are read, too', async () => {
  const index = '<sitemapindex><sitemap><loc>http://a.org/1.xml</loc><lastmod>2024</lastmod></sitemap></sitemapindex>'
  assert.deepEqual(await read(index), {
    kind: 'sitemapindex',
    cutAt: undefined,
    entries: [{ loc: 'http://a.org/1.xml', lastmodMs: Date.UTC(2024) }],
    locations: ['http://a.org/1.xml'],
  })
  const rss = `<rss><channel><link>http://a.org/</link><image><url>http://a.org/i.png</url></image>
    <item><link>http://a.org/1</link><pubDate>Tue, 03 Jun 2003 09:39:21 GMT</pubDate></item>
    <item><atom:link href="http://a.org/no"/><link>http://a.org/2</link></item></channel></rss>`
  assert.deepEqual((await read(rss)).entries, [
    { loc: 'http://a.org/1', lastmodMs: Date.UTC(2003, 5, 3, 9, 39, 21) },
    { loc: 'http://a.org/2' },
  ])
  const rdf = '<rdf:RDF><channel><link>http://a.org/</link></channel><item><link>http://a.org/1</link></item></rdf:RDF>'
  assert.deepEqual((await read(rdf)).locations, ['http://a.org/1'])
  const atom = `<feed><link href="http://a.org/"/><entry><link rel='edit' href='http://a.org/no'/>
    <link rel="alternate" href="http://a.org/1?a&amp;b"/><published>2001-01-01</published><updated>2002-02-02</updated></entry></feed>`
  assert.deepEqual((await read(atom)).entries, [{ loc: 'http://a.org/1?a&b', lastmodMs: Date.UTC(2002, 1, 2) }])
  const text = '\uFEFF\n\nhttp://a.org/1\r\n # no\rHTTP://a.org/2  \nftp://a.org/'
  assert.deepEqual(await read(text).then(({ kind, locations }) => [kind, locations]), [
    'text',
    ['http://a.org/1', 'HTTP://a.org/2'],
  ])
})

test('sitemaps: what is no sitemap is none, and is not read to its end', async () => {
  for (const file of ['', ' ', '<html><body><a href="/x">x</a></body></html>', 'some text\nand more', '\u0000\u0001'])
    assert.deepEqual(await read(file).then(({ kind, locations }) => [kind, locations]), ['none', []], file)
  let pieces = 0
  async function* endless(piece: string) {
    for (;;) {
      pieces++
      yield Buffer.from(piece.repeat(1000))
    }
  }
  const { SitemapReader } = await import('../../src/sitemap/sitemap-reader.ts')
  for (const piece of ['<html>', 'words and words ']) {
    const reader = new SitemapReader()
    for await (const entries of reader.read(endless(piece))) assert.deepEqual(entries, [])
    assert.equal(reader.kind, 'none')
  }
  assert.ok(pieces < 20, String(pieces))
})

test('sitemaps: mistakes do not hide what follows them', async () => {
  const of = async (text: string) => (await read(text)).locations
  assert.deepEqual(
    await of('<urlset><url><loc>http://a.org/1<loc>http://a.org/2</url><url><loc>http://a.org/3</loc>'),
    ['http://a.org/3'],
  )
  assert.deepEqual(await of('<urlset><url a=">" b=\'>\'><loc >http://a.org/1</loc ></url ><url><loc>http://a.org/2'), [
    'http://a.org/1',
  ])
  assert.deepEqual(await of('<urlset><url <loc>http://a.org/0</loc></url><url><loc>http://a.org/1</loc></url>'), [
    'http://a.org/0',
    'http://a.org/1',
  ])
  assert.deepEqual(
    await of('<!DOCTYPE urlset [<!ENTITY a "]"><!ENTITY b "&a;">]><URLSET><Url><LOC>http://a.org/&b;</LOC></Url>'),
    ['http://a.org/&b;'],
  )
  assert.deepEqual(
    await of(
      `<urlset><url>< <loc>http://a.org/1</loc></url><${'x'.repeat(100_000)}><url><loc>http://a.org/2</loc></url>`,
    ),
    ['http://a.org/1', 'http://a.org/2'],
  )
})

test('sitemaps: a file that is packed, damaged or packed twice', async () => {
  const many = Array.from({ length: 20_000 }, (_, n) => `http://a.org/${n}/${(n * 7919) % 10_007}`)
  const packed = gzipSync(urlset(...many))
  assert.deepEqual((await read(packed)).locations, many)
  const half = await read(packed.subarray(0, packed.length / 2))
  assert.ok(half.locations.length > 5000)
  assert.deepEqual(half.locations, many.slice(0, half.locations.length))
  const broken = Buffer.from(packed)
  broken.fill(0x55, packed.length >> 1, (packed.length >> 1) + 100)
  assert.deepEqual((await read(broken)).locations.slice(0, 5000), many.slice(0, 5000))
  assert.equal((await read(gzipSync(packed))).kind, 'none')
  const members = Buffer.concat([gzipSync('<urlset><url><loc>http://a.org/1</loc>'), gzipSync('</url></urlset>')])
  assert.deepEqual((await read(members)).locations, ['http://a.org/1'])
  for (const rest of ['more', '\0\0\0', packed.subarray(0, 5), packed.subarray(0, 2000)]) {
    const followed = Buffer.concat([packed, Buffer.from(rest)])
    assert.deepEqual((await read(followed)).locations.slice(0, many.length), many, 'bytes after it are ignored')
    assert.deepEqual((await read(followed, 1000)).locations.slice(0, many.length), many, 'in pieces of any size')
  }
})

test('sitemaps: sitemaps of every sort are read as they were made, in pieces of any size', async () => {
  for (const [n, { name, kind, locations, bytes }] of sitemapFiles({ count: 100 }).entries()) {
    const found = await read(bytes, n % 20 === 0 ? 1 : 100 + n)
    assert.deepEqual([name, found.kind, found.locations], [name, kind, locations])
  }
})

test('sitemaps: dates as written', async () => {
  const of = async (lastmod: string) =>
    (await read(`<urlset><url><loc>http://a.org/</loc><lastmod>${lastmod}</lastmod></url></urlset>`)).entries[0]!
      .lastmodMs
  assert.equal(await of('1997-07-16T19:20:30.45+01:00'), Date.UTC(1997, 6, 16, 18, 20, 30, 450))
  assert.equal(await of(' 1997-07-16T19:20Z '), Date.UTC(1997, 6, 16, 19, 20))
  assert.equal(await of('1997-07-16 19:20:30'), Date.UTC(1997, 6, 16, 19, 20, 30))
  assert.equal(await of('1997-07'), Date.UTC(1997, 6))
  for (const none of ['', 'yesterday', '1997-13-01', '1997-02-30', '16/07/1997', '1997-07-16T25:00Z', '99999-01-01'])
    assert.equal(await of(none), undefined, none)
})
