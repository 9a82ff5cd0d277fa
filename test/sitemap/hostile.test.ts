import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { MarkupScanner } from '../../src/sitemap/markup-scanner.ts'
import { SITEMAP_BYTES, SITEMAP_ENTRIES } from '../../src/sitemap/sitemap-reader.ts'
import { read, urlset } from './read.ts'

/** What a process that reads one of the sitemaps in `read-in-child.ts` says. */
async function inChild(which: string): Promise<{ kind: string; entries: number; cutAt: string; grownMb: number }> {
  const file = fileURLToPath(new URL('./read-in-child.js', import.meta.url))
  const child = spawn(process.execPath, ['--expose-gc', file, which], { stdio: ['ignore', 'pipe', 'inherit'] })
  const printed = child.stdout.toArray()
  await once(child, 'close')
  return JSON.parse(Buffer.concat(await printed).toString())
}

test('sitemaps: a sitemap of 50 MB takes less than 32 MB, packed or not; a bomb ends at 50 MiB', async t => {
  for (const which of ['long', 'packed', 'bomb']) {
    const { kind, entries, cutAt, grownMb } = await inChild(which)
    t.diagnostic(`${which}: ${grownMb.toFixed(1)} MB more, ${entries} entries`)
    assert.ok(grownMb < 32, `${which}: ${grownMb}`)
    assert.equal(kind, 'urlset')
    if (which === 'bomb') assert.deepEqual([entries, cutAt], [0, 'bytes'])
    else assert.equal(entries, 45_000)
  }
})

test('sitemaps: reading ends at 50,000 entries and at 50 MiB', async () => {
  const many = urlset(...Array.from({ length: SITEMAP_ENTRIES + 10 }, (_, n) => `http://a.org/${n}`))
  const { entries, cutAt } = await read(many)
  assert.deepEqual([entries.length, cutAt], [SITEMAP_ENTRIES, 'entries'])
  const limits = { mostBytes: 1000, mostEntries: 10 }
  const text = Array.from({ length: 100 }, (_, n) => `http://a.org/${n}/${'x'.repeat(100)}`)
  const cut = await read(text.join('\n'), 333, limits)
  assert.deepEqual([cut.locations, cut.cutAt], [text.slice(0, 8), 'bytes'])
  assert.equal(SITEMAP_BYTES, 50 * 2 ** 20)
})

test('sitemaps: a million nested elements, entities in entities and things that never end take linear time', async () => {
  const parts = {
    nested: `<urlset><url>${'<a>'.repeat(1_000_000)}`,
    'open tags': `<urlset>${'<url '.repeat(500_000)}`,
    quotes: `<urlset><url ${'a="'.repeat(300_000)}`,
    comments: `<urlset>${'<!-- - -'.repeat(500_000)}`,
    sections: `<urlset><url><loc>${'<![CDATA[a]]'.repeat(300_000)}`,
    declarations: `${'<!DOCTYPE a [ <!ENTITY b "&b;&b;">'.repeat(100_000)}`,
    ampersands: `<urlset><url><loc>http://a.org/${'&#'.repeat(1_000_000)}</loc></url>`,
    'one long line': `http://a.org/${'x'.repeat(1_000_000)}`,
    'lines of nothing': `http://a.org/\n${'\r'.repeat(2_000_000)}`,
    'ends of tags': `<urlset>${'</url>'.repeat(500_000)}`,
  }
  for (const [name, text] of Object.entries(parts)) {
    const before = process.cpuUsage()
    await read(text, 16_384)
    const { user, system } = process.cpuUsage(before)
    assert.ok(user + system < 2_000_000, `${name}: ${(user + system) / 1000} ms`)
  }
})

test('ours: a location that is longer than any URL is cut, so that it is refused as too long', async () => {
  const [entry] = (await read(urlset(`http://a.org/${'x'.repeat(1_000_000)}`), 1000)).entries
  assert.equal(entry!.loc.length, 8192)
  const lines = ['http://a.org/1', `http://a.org/${'x'.repeat(1_000_000)}`, 'http://a.org/3']
  const { locations } = await read(gzipSync(lines.join('\n')))
  assert.deepEqual(
    locations.map(loc => loc.length),
    [14, 8192, 14],
  )
})

test('sitemaps: a declaration of many subsets takes linear time', () => {
  const scanner = new MarkupScanner({ wantsText: false, open() {}, close() {}, text() {} })
  const before = process.cpuUsage()
  scanner.push(`<!x${'[]'.repeat(300_000)}`)
  const { user, system } = process.cpuUsage(before)
  assert.ok(user + system < 500_000, `${(user + system) / 1000} ms`)
})
