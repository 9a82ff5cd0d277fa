// Does memory stay flat? Crawls of 1,000, 10,000, 100,000 pages and so on are exported, and the most memory that each export had is
// compared. The pages are small: what grows with their number would show. `--pages 1000,100000`, `--table pages`, `--format jsonl`.
//   npm run bench:export-flat -- [--pages 1000,10000,100000,1000000] [--jobs pages/jsonl,links/parquet]
import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { escalona } from '../measured.mjs'
import { finish, option, timed } from '../tools.mjs'
import { makeCrawl } from './crawl-folder.mjs'

const sizes = option('pages', '1000,10000,100000,1000000').split(',').map(Number)
const jobs = option('jobs', 'pages/jsonl,pages/parquet,links/jsonl,pages/wet').split(',')
const cache = join(tmpdir(), 'escalona-bench-export')
const crawl = join(cache, 'flat')
const WORDS =
  'lorem dolor amet frontier crawl host queue depth url page robots archive link graph polite strategy'.split(' ')
const LINKS = 10

mkdirSync(cache, { recursive: true })
process.on('exit', () => rmSync(crawl, { recursive: true, force: true }))
const figures = {}
for (const size of sizes) {
  rmSync(crawl, { recursive: true, force: true })
  await makeCrawl(crawl, smallPages(size))
  for (const job of jobs) {
    const [table, format] = job.split('/')
    const text = table === 'pages' ? ['--text'] : []
    const args = ['export', crawl, '--table', table, '--format', format, ...text, '-q', '-o', join(cache, 'flat-out')]
    const { seconds, cpuSeconds, peakMb } = await timed(['node', escalona, ...args])
    console.log(`${job}, ${size} pages: ${peakMb.toFixed(0)} MB at most, ${seconds.toFixed(1)} s`)
    figures[job] ??= {}
    figures[job][size] = { peakMb, seconds, cpuSeconds }
  }
}
rmSync(join(cache, 'flat-out'), { force: true })
finish({ bench: 'export-flat', ...figures })

function* smallPages(count) {
  for (let n = 0; n < count; n++) {
    let html = `<!doctype html><html lang="en"><title>Page ${n}</title><body>`
    for (let link = 1; link <= LINKS; link++)
      html += `<p><a href="/page-${n + link}.html">${WORDS[(n + link) % 16]}</a>`
    for (let word = 0; word < 60; word++) html += ` ${WORDS[(n * 7 + word * word) % 16]}`
    yield { url: `http://host${n % 1000}.example/page-${n}.html`, body: Buffer.from(html) }
  }
}
