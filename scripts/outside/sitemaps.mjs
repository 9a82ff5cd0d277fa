// The URLs in 100 generated sitemaps of every form beside those that ultimate-sitemap-parser and npm's sitemap find.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { sitemapFiles } from '../../examples/web/index.mjs'
import { ownModules } from './support/own-modules.mjs'

const FILES = 100

export async function check(context) {
  const python = await context.python(['ultimate-sitemap-parser'])
  const { SitemapReader } = await ownModules(context, ['src/sitemap/sitemap-reader'])
  const folder = join(context.scratch, 'sitemaps')
  mkdirSync(folder, { recursive: true })
  const files = sitemapFiles({ seed: 2026, count: FILES, isPlain: true })
  for (const { name, bytes } of files) writeFileSync(join(folder, name), bytes)
  const script = fileURLToPath(new URL('sitemaps.py', import.meta.url))
  const theirs = JSON.parse(await context.run(python, [script, folder]))
  let [urls, byPackage] = [0, 0]
  for (const { name, kind, bytes } of files) {
    const ours = await locationsIn(new SitemapReader(), bytes)
    compare(name, 'usp', ours, theirs[name])
    urls += ours.size
    const others = await fromPackage(kind, bytes)
    if (others === undefined) continue
    compare(name, "npm's sitemap", ours, others)
    byPackage++
  }
  return `${urls} URLs of ${FILES} sitemaps as usp finds them, and those of ${byPackage} as npm's sitemap does`
}

async function locationsIn(reader, bytes) {
  const locations = new Set()
  for await (const entries of reader.read(Readable.from([bytes]))) for (const { loc } of entries) locations.add(loc)
  return locations
}

/** It reads XML sitemaps and indexes only. */
async function fromPackage(kind, bytes) {
  if (kind !== 'urlset' && kind !== 'sitemapindex') return undefined
  const { ErrorLevel, XMLToSitemapIndexStream, XMLToSitemapItemStream } = await import('sitemap')
  const Parser = kind === 'urlset' ? XMLToSitemapItemStream : XMLToSitemapIndexStream
  const plain = bytes[0] === 0x1f ? gunzipSync(bytes) : bytes
  const items = await Readable.from([plain])
    .pipe(new Parser({ level: ErrorLevel.SILENT }))
    .toArray()
  return items.map(({ url }) => url)
}

function compare(name, who, ours, list) {
  const theirs = new Set(list)
  const missing = [...theirs].filter(url => !ours.has(url))
  const extra = [...ours].filter(url => !theirs.has(url))
  if (missing.length + extra.length === 0) return
  const shown = JSON.stringify({ missing: missing.slice(0, 3), extra: extra.slice(0, 3) })
  throw new Error(`${name}: ${who} finds other URLs: ${shown}`)
}
