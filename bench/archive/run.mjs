// What does archiving a page cost, and where does the time go? Levels of compression on a page of 20 KB and on its request,
// then whole pages: our records beside warcio's, and appended and synced in batches. One core; ratios count.
//   node bench/archive/run.mjs [--page FILE] [--rounds 15] [--batch 100]
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDeflateRaw, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib'
import { WARCRecord, WARCSerializer } from 'warcio'
import { sources } from '../measured.mjs'
import { finish, median, option } from '../tools.mjs'

const rounds = Number(option('rounds', 15))
const batchPages = Number(option('batch', 100))
const folder = mkdtempSync(join(tmpdir(), 'escalona-bench-archive-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const { archiveRecords, openArchive, finishIndex, readWarc } = await sources(
  ['records', 'open-archive', 'index-files', 'read'].map(name => `archive/${name}`),
)
const body = option('page') === undefined ? samplePage() : readFileSync(option('page'))
const exchange = exchangeOf(body)
const { plainResponse, plainRequest } = plainRecords()
const figures = { bodyBytes: body.length }

console.log(`a page of ${body.length} bytes; microseconds are the least of ${rounds} rounds\n`)
console.log('response record                µs    bytes   of level 6')
const responses = {}
for (const level of [1, 2, 3, 4, 5, 6]) responses[`level ${level}`] = () => deflateRawSync(plainResponse, { level })
responses['level 2, memLevel 9'] = () => deflateRawSync(plainResponse, { level: 2, memLevel: 9 })
responses['level 2, memLevel 5'] = () => deflateRawSync(plainResponse, { level: 2, memLevel: 5 })
responses['level 2, 8 KB window'] = () => deflateRawSync(plainResponse, { level: 2, windowBits: 13 })
responses['level 2, one handle for all'] = oneHandle(2)
table('response', responses, deflateRawSync(plainResponse, { level: 6 }).length)

console.log('\nrequest record                 µs    bytes   of level 6')
const requests = {}
for (const level of [0, 1, 6]) requests[`level ${level}`] = () => deflateRawSync(plainRequest, { level })
requests['level 1, 1 KB window'] = () => deflateRawSync(plainRequest, { level: 1, windowBits: 10, memLevel: 4 })
table('request', requests, deflateRawSync(plainRequest, { level: 6 }).length)

console.log('\na whole page, both records     µs    bytes')
const ours = () => archiveRecords(exchange, { isPage: true, dateMs: 1_767_323_045_678 }).bytes
const whole = await inTurn({
  'gzip of the bare body, level 6': async () => gzipSync(body),
  Escalona: async () => ours(),
  warcio: warcioBytes,
})
for (const [name, { us, bytes }] of Object.entries(whole)) row(name, us, bytes)
figures.whole = whole
const ratios = {
  'times as fast as warcio': whole.warcio.us / whole.Escalona.us,
  'of the time of a bare gzip, level 6': whole.Escalona.us / whole['gzip of the bare body, level 6'].us,
}

figures.disk = await throughTheDisk()
console.log(`\nappended, ${batchPages} pages a sync: ${figures.disk.usAppend.toFixed(1)} µs a page`)
console.log(
  `waiting for each sync: ${figures.disk.msSync.toFixed(2)} ms; read back: ${figures.disk.usRead.toFixed(0)} µs a page`,
)
console.log(`index of ${figures.disk.pages} pages: ${figures.disk.msIndex.toFixed(0)} ms`)
console.log()
for (const [words, ratio] of Object.entries(ratios)) console.log(`${ratio.toFixed(2).padStart(9)}  ${words}`)
finish({ bench: 'archive', rounds, figures, ratios })

/** Text with the entropy of a page: words by Zipf, links, some markup; the same every time. */
function samplePage() {
  let state = 42
  const below = limit => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  const syllables = 'ca de lo mi ra po ste ur gen to fi na quo pli ser vo an du bel tri'.split(' ')
  const words = Array.from({ length: 1500 }, () =>
    Array.from({ length: 1 + below(4) }, () => syllables[below(20)]).join(''),
  )
  const word = () => words[Math.floor(1500 ** (below(10_000) / 10_000)) - 1]
  let html = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title></head><body>\n'
  for (let i = 0; i < 31; i++)
    html += `<li class="item"><a href="/${word()}/${word()}-${below(1e5)}.html">${word()} ${word()}</a></li>\n`
  while (html.length < 20_000) html += `<p>${Array.from({ length: 50 }, word).join(' ')}.</p>\n`
  return Buffer.from(`${html}</body></html>\n`)
}

function exchangeOf(body) {
  const headers = { Server: 'nginx', Date: 'Fri, 02 Jan 2026 03:04:05 GMT', 'Content-Type': 'text/html; charset=utf-8' }
  const more = { 'Content-Length': '5678', 'Content-Encoding': 'gzip', ETag: '"67a1-4e20"', Vary: 'Accept-Encoding' }
  return {
    url: 'http://www.example.com/section/some-page-12345.html',
    ip: '192.0.2.7',
    requestHead:
      'GET /section/some-page-12345.html HTTP/1.1\r\nHost: www.example.com\r\n' +
      'User-Agent: Escalona/0.1.0 (+https://example.com/bot)\r\nAccept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.1\r\n' +
      'Accept-Encoding: gzip, deflate, br\r\nConnection: keep-alive\r\n\r\n',
    status: 200,
    statusText: 'OK',
    headers: Object.entries({ ...headers, ...more }).flat(),
    body,
    truncated: undefined,
  }
}

function plainRecords() {
  const { bytes, responseBytes } = archiveRecords(exchange, { isPage: true, dateMs: 1_767_323_045_678 })
  return {
    plainResponse: gunzipSync(bytes.subarray(0, responseBytes)),
    plainRequest: gunzipSync(bytes.subarray(responseBytes)),
  }
}

/** Through Node's inner parts, which it does not promise to keep: to see what making a new handle each time costs. */
function oneHandle(level) {
  const stream = createDeflateRaw({ level })
  const out = Buffer.allocUnsafe(1 << 20)
  return () => {
    stream._handle.reset()
    stream._handle.writeSync(4, plainResponse, 0, plainResponse.length, out, 0, out.length)
    return Buffer.from(out.subarray(0, out.length - stream._writeState[0]))
  }
}

/** The same two records by warcio, awaited one after the other. */
async function warcioBytes() {
  const date = new Date(1_767_323_045_678).toISOString()
  const common = { url: exchange.url, date, warcVersion: 'WARC/1.1' }
  const options = { gzip: true, digest: { algo: 'sha-1', prefix: 'sha1:', base32: true } }
  const one = async function* (bytes) {
    yield bytes
  }
  const httpHeaders = Object.fromEntries(
    Array.from({ length: exchange.headers.length / 2 }, (_, i) => exchange.headers.slice(2 * i, 2 * i + 2)),
  )
  const response = WARCRecord.create(
    { ...common, type: 'response', statusline: 'HTTP/1.1 200 OK', httpHeaders },
    one(body),
  )
  const [statusline, ...lines] = exchange.requestHead.trimEnd().split('\r\n')
  const requestHeaders = Object.fromEntries(lines.map(line => line.split(': ')))
  const empty = one(Buffer.alloc(0))
  const request = WARCRecord.create({ ...common, type: 'request', statusline, httpHeaders: requestHeaders }, empty)
  return Buffer.concat([
    await WARCSerializer.serialize(response, options),
    await WARCSerializer.serialize(request, options),
  ])
}

function table(name, ways, level6Bytes) {
  const times = Object.fromEntries(Object.keys(ways).map(way => [way, []]))
  for (let round = -2; round < rounds; round++) {
    for (const [way, run] of Object.entries(ways)) {
      const us = microseconds(run, 100)
      if (round >= 0) times[way].push(us)
    }
  }
  figures[name] = {}
  for (const [way, run] of Object.entries(ways)) {
    const bytes = run().length
    const us = Math.min(...times[way])
    figures[name][way] = { us, bytes }
    row(way, us, bytes, bytes / level6Bytes)
  }
}

function row(name, us, bytes, ratio) {
  console.log(`${name.padEnd(30)}${us.toFixed(1).padStart(6)}${String(bytes).padStart(8)}   ${ratio?.toFixed(3) ?? ''}`)
}

function microseconds(run, times) {
  const start = process.hrtime.bigint()
  for (let i = 0; i < times; i++) run()
  return Number(process.hrtime.bigint() - start) / 1e3 / times
}

async function inTurn(ways) {
  const times = Object.fromEntries(Object.keys(ways).map(way => [way, []]))
  for (let round = -2; round < rounds; round++) {
    for (const [way, run] of Object.entries(ways)) {
      const start = process.hrtime.bigint()
      for (let i = 0; i < 50; i++) await run()
      if (round >= 0) times[way].push(Number(process.hrtime.bigint() - start) / 1e3 / 50)
    }
  }
  const results = {}
  for (const [way, run] of Object.entries(ways))
    results[way] = { us: Math.min(...times[way]), bytes: (await run()).length }
  return results
}

async function throughTheDisk() {
  const crawl = join(folder, 'crawl')
  const pages = 20_000
  const maker = { software: 'bench', userAgent: 'bench', crawlId: 'a1b2c3d4' }
  const { writer } = openArchive(crawl, { maker, now: () => 0, onRepair: () => {} })
  const all = Array.from({ length: batchPages }, (_, n) => {
    const url = `http://host${n % 50}.example/page-${n}.html`
    return archiveRecords({ ...exchange, url }, { isPage: true, dateMs: 1_767_323_045_678 + n })
  })
  let append = 0n
  const syncs = []
  for (let done = 0; done < pages; done += batchPages) {
    const start = process.hrtime.bigint()
    writer.append(all)
    const between = process.hrtime.bigint()
    append += between - start
    await writer.sync()
    syncs.push(Number(process.hrtime.bigint() - between) / 1e6)
  }
  await writer.close()
  const indexed = process.hrtime.bigint()
  finishIndex(crawl)
  const read = process.hrtime.bigint()
  let records = 0
  const [first] = readdirSync(join(crawl, 'archive')).sort()
  for (const _ of readWarc(join(crawl, 'archive', first))) records++
  const end = process.hrtime.bigint()
  return {
    pages,
    usAppend: Number(append) / 1e3 / pages,
    msSync: median(syncs),
    msIndex: Number(read - indexed) / 1e6,
    usRead: (Number(end - read) / 1e3 / records) * 2,
  }
}
