// How soon is an archived page found among a million lines of the index, and shown? Random pages of an archive whose index has so many
// lines: the visits of a URL, and the page as the reading room sends it, each found from nothing.
//   node bench/replay/run.mjs [--lines 1000000] [--asks 2000] [--most 20]
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sources } from '../measured.mjs'
import { finish, median, option } from '../tools.mjs'

const LINES = Number(option('lines', 1e6))
const ASKS = Number(option('asks', 2000))
/** Milliseconds of processor time that a page may take. */
const MOST_MS = Number(option('most', 20))
const PAGES = 200
const folder = mkdtempSync(join(tmpdir(), 'escalona-bench-replay-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const code = await sources([
  ...['open-archive', 'records', 'index-files', 'index-state', 'cdx-line'].map(name => `archive/${name}`),
  'replay/reading-room',
  'base/random',
])
const urlOf = n => `http://h${String(n).padStart(8, '0')}.example/a/page.html`

const places = await archive()
writeIndex(places)
const room = new code.ReadingRoom(folder)
const stamp = '20260102030405'
const chosen = Array.from({ length: ASKS }, (_, i) => urlOf(Math.floor(code.chanceAt(7, i) * LINES)))
const visitsMs = await timesOf(async url => room.visits(url)?.items.length === 1)
const pageMs = await timesOf(
  async url => (await room.sent({ key: 'k', use: 'page', stamp, url }, 'en'))?.status === 200,
)
const missingMs = await timesOf(async url => room.visits(`${url}x`) === undefined)
const figures = { visitsMs: spread(visitsMs), pageMs: spread(pageMs), missingMs: spread(missingMs) }
for (const [name, { cpuMs, median, p99, longest }] of Object.entries(figures))
  console.log(
    `${name.padEnd(10)} processor ${cpuMs.toFixed(2)}   median ${median.toFixed(2)}   99 of 100 ${p99.toFixed(2)}   longest ${longest.toFixed(2)}`,
  )
finish({ bench: 'replay', lines: LINES, ...figures })
if (figures.pageMs.cpuMs > MOST_MS) process.exitCode = 1

async function timesOf(ask) {
  const times = []
  const before = process.cpuUsage()
  for (const url of chosen) {
    const startMs = performance.now()
    if (!(await ask(url))) throw new Error(`a wrong answer for ${url}`)
    times.push(performance.now() - startMs)
  }
  const { user, system } = process.cpuUsage(before)
  return { times, cpuMs: (user + system) / 1000 / chosen.length }
}

/** `cpuMs`: processor time of one answer, for a machine that has other things to do. */
function spread({ times, cpuMs }) {
  const sorted = times.toSorted((a, b) => a - b)
  return { cpuMs, median: median(times), p99: sorted[Math.floor(sorted.length * 0.99)], longest: sorted.at(-1) }
}

/** A few real pages of 20 KB; each line of the index leads to one of them. */
async function archive() {
  const maker = { software: 'Escalona/bench', userAgent: 'bench', crawlId: 'benchbmk' }
  const { writer } = code.openArchive(folder, { maker, now: () => 1_767_323_045_678, onRepair: () => {} })
  const found = []
  for (let n = 0; n < PAGES; n++) {
    const body = Buffer.from(`<title>Page ${n}</title>${`<p>Some words and <a href="/b/${n}">a link</a>.`.repeat(450)}`)
    const exchange = {
      url: urlOf(n),
      ip: '192.0.2.7',
      requestHead: 'GET /a/page.html HTTP/1.1\r\nHost: h.example\r\n\r\n',
      status: 200,
      statusText: 'OK',
      headers: ['Content-Type', 'text/html'],
      body,
      truncated: undefined,
    }
    found.push(...writer.append([code.archiveRecords(exchange, { isPage: true, dateMs: 1_767_323_045_678 })]))
  }
  await writer.close()
  code.finishIndex(folder)
  return found
}

function writeIndex(places) {
  const fd = openSync(join(folder, 'index.cdxj'), 'w')
  const about = { date: '2026-01-02T03:04:05.678Z', mime: 'text/html', status: 200, payloadDigest: 'A'.repeat(32) }
  for (let n = 0; n < LINES; ) {
    let text = ''
    for (const end = Math.min(LINES, n + 1000); n < end; n++) {
      const { file, offset, length } = places[n % places.length]
      text += `${code.wholeLine(code.lineStart({ ...about, url: urlOf(n), length }), file, offset)}\n`
    }
    writeSync(fd, text)
  }
  closeSync(fd)
  code.noteMerged(folder, [places[0].file])
}
