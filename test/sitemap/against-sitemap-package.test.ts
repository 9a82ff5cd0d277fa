import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { ErrorLevel, XMLToSitemapIndexStream, XMLToSitemapItemStream } from 'sitemap'
import { sitemapFiles } from '../web/synthetic-web.ts'
import { read } from './read.ts'

test('sitemaps: the same URLs as the package sitemap finds in 100 files', async () => {
  const files = sitemapFiles({ seed: 13, count: 100, forms: ['urlset', 'sitemapindex'], isPlain: true })
  let urls = 0
  for (const { name, kind, bytes } of files) {
    const plain = bytes[0] === 0x1f ? gunzipSync(bytes) : bytes
    const Parser = kind === 'urlset' ? XMLToSitemapItemStream : XMLToSitemapIndexStream
    const items = await Readable.from([plain])
      .pipe(new Parser({ level: ErrorLevel.SILENT }))
      .toArray()
    const theirs = items.map(({ url }: { readonly url: string }) => url)
    const { locations } = await read(bytes)
    assert.deepEqual([name, new Set(locations)], [name, new Set(theirs)])
    urls += theirs.length
  }
  assert.ok(urls > 1000, String(urls))
})
