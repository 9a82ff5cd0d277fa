// Reads one long sitemap, which is made while it is read, and says how much memory that took at most.
import { createGzip } from 'node:zlib'
import { transformed } from '../../src/base/structures/unpacked-pieces.ts'
import { SitemapReader } from '../../src/sitemap/sitemap-reader.ts'

const MIB = 2 ** 20

/** 45,000 entries in nearly 50 MB. */
async function* long(): AsyncGenerator<Buffer> {
  yield Buffer.from('<urlset>')
  for (let n = 0; n < 45_000; n += 50) {
    const entries = Array.from(
      { length: 50 },
      (_, i) => `<url><loc>http://a.org/${n + i}/${'x'.repeat(1000)}</loc></url>\n`,
    )
    yield Buffer.from(entries.join(''))
  }
}

/** A gigabyte of blanks, packed. */
async function* blanks(): AsyncGenerator<Buffer> {
  yield Buffer.from('<urlset>')
  const piece = Buffer.alloc(MIB, ' ')
  for (let n = 0; n < 1024; n++) yield piece
}

const SOURCES: Readonly<Record<string, () => AsyncIterable<Uint8Array>>> = {
  long,
  packed: () => transformed(long(), createGzip({ level: 1 })),
  bomb: () => transformed(blanks(), createGzip({ level: 1 })),
}

const source = SOURCES[process.argv[2]!]!
const warm = new SitemapReader()
for await (const _ of warm.read(source())) break
globalThis.gc!()
const startBytes = process.memoryUsage().rss
let mostBytes = startBytes
const reader = new SitemapReader()
for await (const _ of reader.read(source())) mostBytes = Math.max(mostBytes, process.memoryUsage().rss)
mostBytes = Math.max(mostBytes, process.memoryUsage().rss)
const { kind, entries, cutAt } = reader
process.stdout.write(JSON.stringify({ kind, entries, cutAt, grownMb: (mostBytes - startBytes) / 1e6 }))
