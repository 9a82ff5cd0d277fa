// Searching the archive: how fast are pages indexed, beside the export of their text in the same run; how long does a search take, with its
// snippets; and how large is the index, beside the compressed text? The peer is SQLite's FTS5 over the same texts. Processor time counts, of
// all threads: what else the machine does changes little.
//   npm run bench:search -- [--pages 100000] [--queries 500] [--peer-pages 10000] [--alone]
//   --alone: without the peer; --synthetic: without real pages, which are fetched once
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGzip, gzipSync } from 'node:zlib'
import { makeCrawl } from '../export/crawl-folder.mjs'
import { installPackages } from '../install-packages.mjs'
import { escalona, sources } from '../measured.mjs'
import { finish, option, timed } from '../tools.mjs'
import { searchedPages } from './corpus.mjs'

const wanted = Number(option('pages', '100000'))
const queries = Number(option('queries', '500'))
const peerPages = Math.min(wanted, Number(option('peer-pages', '10000')))
const isAlone = process.argv.includes('--alone')
const isSynthetic = process.argv.includes('--synthetic')
const cache = join(tmpdir(), 'escalona-bench-export')
const crawl = join(cache, `search-${isSynthetic ? 'synthetic-' : ''}${wanted}`)
const exported = `${crawl}.jsonl`

mkdirSync(cache, { recursive: true })
await makeOnce()
const kind = readFileSync(join(crawl, 'made'), 'utf8')
rmSync(join(crawl, 'search'), { recursive: true, force: true })

const text = await timed(['node', escalona, 'export', crawl, '--text', '-q', '--workers', '1', '-o', exported])
const index = await timed(['node', escalona, 'search', crawl, '--index', '-q', '--workers', '1'])
const speedRatio = text.cpuSeconds / index.cpuSeconds
say(`${wanted} pages (${kind}); ms of the processor per page: export --text ${each(text)}, index ${each(index)}`)
say(`indexing at ${speedRatio.toFixed(2)} of the speed of export --text; ${index.peakMb.toFixed(0)} MB at most`)

const { sizes, asked, peerTexts } = await readTexts()
const indexBytes = bytesIn(join(crawl, 'search'))
const sizeRatio = indexBytes / sizes.eachGzipped
say(
  `index ${mb(indexBytes)} MB: ${sizeRatio.toFixed(3)} of the text of each page gzipped (${mb(sizes.eachGzipped)} MB),`,
)
say(
  `  ${(indexBytes / sizes.gzipped).toFixed(3)} of all text gzipped as one (${mb(sizes.gzipped)} MB); plain text ${mb(sizes.plain)} MB`,
)

const { Search } = await sources(['search/search'])
const search = new Search(crawl)
const ours = await timesOf(asked, async q => (await search.find({ q })).total)
search.close()
for (const [name, { p50, p99, max }] of Object.entries(ours))
  say(`${name}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, at most ${max.toFixed(1)} ms`)

const peer = isAlone ? undefined : await fts5()
rmSync(exported, { force: true })
finish({
  bench: 'search',
  corpus: { kind, pages: wanted, ...sizes },
  exportMs: (1000 * text.cpuSeconds) / wanted,
  indexMs: (1000 * index.cpuSeconds) / wanted,
  speedRatio,
  peakMb: index.peakMb,
  indexBytes,
  sizeRatio,
  sizeRatioWhole: indexBytes / sizes.gzipped,
  queries: ours,
  ...(peer && { fts5: peer }),
})

async function makeOnce() {
  if (existsSync(join(crawl, 'made'))) return
  say(`making a crawl of ${wanted} pages …`)
  const { kind, pages } = searchedPages(cache, wanted, isSynthetic)
  await makeCrawl(crawl, pages)
  writeFileSync(join(crawl, 'made'), kind)
}

/** Sizes of the texts, questions from them, and some for the peer. */
async function readTexts() {
  const sizes = { plain: 0, eachGzipped: 0, gzipped: 0 }
  const whole = createGzip()
  whole.on('data', bytes => (sizes.gzipped += bytes.length))
  const peerTexts = []
  const sampled = []
  let n = 0
  for await (const line of createInterface({ input: createReadStream(exported), crlfDelay: Infinity })) {
    const { title, text } = JSON.parse(line)
    const bytes = Buffer.from(`${title}\n${text}\n`)
    sizes.plain += bytes.length
    sizes.eachGzipped += gzipSync(bytes).length
    if (!whole.write(bytes)) await new Promise(resolve => whole.once('drain', resolve))
    if (n < peerPages) peerTexts.push({ title, text })
    if (n % Math.max(1, Math.floor(wanted / queries)) === 0) sampled.push(text)
    n++
  }
  await new Promise(resolve => whole.end(resolve))
  return { sizes, asked: questions(sampled), peerTexts }
}

/** Questions of each kind, with words as they are in the texts: frequent ones often, rare ones rarely. */
function questions(texts) {
  const asked = { word: [], words: [], phrase: [], host: [] }
  for (const [n, text] of texts.entries()) {
    const words = text.match(/[\p{Script=Latin}\p{N}]{3,20}/gu) ?? []
    const runs = text.match(/(?:[\p{Script=Latin}\p{N}]{1,20} ){2}[\p{Script=Latin}\p{N}]{1,20}/gu) ?? []
    if (words.length < 3 || runs.length === 0) continue
    const word = i => words[(n * 7919 + i * 104729) % words.length]
    asked.word.push(word(0))
    asked.words.push(`${word(1)} ${word(2)} ${word(3)}`)
    asked.phrase.push(`"${runs[(n * 31) % runs.length]}"`)
    asked.host.push(`${word(4)} site:host${n % 500}.example`)
  }
  return asked
}

async function timesOf(asked, find) {
  const times = {}
  for (const kind of Object.keys(asked)) {
    // Once before, as a server that has answered before.
    for (const q of asked[kind].slice(0, 20)) await find(q)
    const ms = []
    for (const q of asked[kind]) {
      const start = process.cpuUsage()
      await find(q)
      const { user, system } = process.cpuUsage(start)
      ms.push((user + system) / 1000)
    }
    times[kind] = summary(ms)
  }
  times.all = summary(Object.values(times).flatMap(({ ms }) => ms))
  for (const one of Object.values(times)) delete one.ms
  return times
}

function summary(ms) {
  const sorted = ms.toSorted((a, b) => a - b)
  return { p50: sorted[sorted.length >> 1], p99: sorted[Math.floor(sorted.length * 0.99)], max: sorted.at(-1), ms }
}

/** SQLite's FTS5 without the texts themselves, with the same folding; compiled to WebAssembly, so that nothing is compiled here. */
async function fts5() {
  const home = join(tmpdir(), 'escalona-bench-search')
  installPackages(home, ['node-sqlite3-wasm'])
  const { Database } = createRequire(join(home, 'package.json'))('node-sqlite3-wasm')
  const path = join(home, 'fts5.db')
  for (const name of [path, `${path}.lock`]) rmSync(name, { recursive: true, force: true })
  const db = new Database(path)
  db.exec(`PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;
    CREATE VIRTUAL TABLE pages USING fts5(title, text, content='', tokenize='unicode61 remove_diacritics 2')`)
  const start = process.cpuUsage()
  db.exec('BEGIN')
  const insert = db.prepare('INSERT INTO pages(rowid, title, text) VALUES (?, ?, ?)')
  for (const [n, { title, text }] of peerTexts.entries()) insert.run([n + 1, title, text])
  insert.finalize()
  db.exec(`COMMIT; INSERT INTO pages(pages) VALUES ('optimize')`)
  const { user, system } = process.cpuUsage(start)
  const gzipped = peerTexts.reduce((sum, { title, text }) => sum + gzipSync(`${title}\n${text}\n`).length, 0)
  const found = db.prepare('SELECT rowid FROM pages WHERE pages MATCH ? ORDER BY bm25(pages, 5, 1) LIMIT 10')
  const quoted = q => q.replace(/ site:\S+/, '').replace(/^[^"].*/, words => words.replace(/\S+/g, '"$&"'))
  const { word, words, phrase } = asked
  const times = await timesOf({ word, words, phrase }, async q => found.all([quoted(q)]).length)
  found.finalize()
  db.exec('VACUUM')
  db.close()
  const figures = {
    pages: peerTexts.length,
    insertMs: (user + system) / 1000 / peerTexts.length,
    sizeRatio: statSync(path).size / gzipped,
    queries: times,
  }
  say(
    `FTS5 of ${figures.pages} pages: ${figures.insertMs.toFixed(3)} ms per page after extraction, ${figures.sizeRatio.toFixed(3)} of the gzipped text, p50 ${times.all.p50.toFixed(1)} ms, p99 ${times.all.p99.toFixed(1)} ms (without snippets)`,
  )
  rmSync(path)
  return figures
}

function bytesIn(folder) {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

function each({ cpuSeconds }) {
  return ((1000 * cpuSeconds) / wanted).toFixed(3)
}

function mb(bytes) {
  return (bytes / 1e6).toFixed(1)
}

function say(line) {
  console.log(line)
}
