// A crawl's folder made from pages, without a web: the archive's own code writes the WARC files, the index and pages.jsonl.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sources } from '../measured.mjs'

const START_MS = Date.UTC(2026, 0, 2)
const BATCH = 500
const { archiveRecords, openArchive, finishIndex, openCrawlFile, PagesFile } = await sources([
  ...['records', 'open-archive', 'index-files', 'pages-file'].map(name => `archive/${name}`),
  'folder/crawl-file',
])

/** Fills a folder with these pages (`{ url, body }`), one second after the other. */
export async function makeCrawl(folder, pages) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  openCrawlFile(folder, START_MS)
  const maker = { software: 'Escalona/bench', userAgent: 'bench', crawlId: 'benchmrk' }
  const { writer } = openArchive(folder, { maker, now: () => START_MS, onRepair() {} })
  const lines = new PagesFile(join(folder, 'pages.jsonl'), { files: [], onRepair() {} })
  let batch = []
  let count = 0
  const flush = async () => {
    const places = writer.append(batch.map(({ records }) => records))
    await writer.sync()
    lines.append(batch.map(({ line }, at) => ({ ...line, ...places[at] })))
    batch = []
  }
  for (const { url, body } of pages) {
    const dateMs = START_MS + 1000 * count++
    const about = { isPage: true, dateMs, hops: 1 }
    const line = {
      url,
      status: 200,
      title: '',
      bytes: body.length,
      tokens: 0,
      hops: 1,
      linksOut: 0,
      dateMs,
      change: 'new',
    }
    batch.push({ records: archiveRecords(exchangeOf(url, body), about), line })
    if (batch.length === BATCH) await flush()
  }
  await flush()
  await lines.close()
  await writer.close()
  finishIndex(folder)
  return count
}

function exchangeOf(url, body) {
  const { host, pathname } = new URL(url)
  const requestHead = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: bench\r\n\r\n`
  const headers = ['Content-Type', 'text/html', 'Server', 'nginx', 'Date', 'Fri, 02 Jan 2026 00:00:00 GMT']
  return { url, ip: '192.0.2.7', requestHead, status: 200, statusText: 'OK', headers, body, truncated: undefined }
}
