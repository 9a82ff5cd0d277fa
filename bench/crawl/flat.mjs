// Does memory stay flat? The collector archives very many pages in a row, and the memory of it and of all it starts is read as
// it goes: 100,000 pages of 1,000 hosts, then 200,000 hosts with one page each.
//   npm run bench:crawl-flat -- [--pages 100000] [--hosts 200000] [--only pages,hosts]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { escalona } from '../measured.mjs'
import { childrenOf, finish, median, memoryKib, option } from '../tools.mjs'
import { serveManyHosts } from './many-hosts-web.mjs'
import { benchFolder } from './peers.mjs'
import { serveStaticWeb } from './static-web.mjs'

const SAMPLE_MS = 200
const PAGES_A_HOST = 100

const pages = Number(option('pages', 100_000))
const hosts = Number(option('hosts', 200_000))
const only = option('only', 'pages,hosts').split(',')
mkdirSync(benchFolder, { recursive: true })
const data = mkdtempSync(join(benchFolder, 'flat-'))
process.on('exit', () => rmSync(data, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const rows = {}
if (only.includes('pages')) {
  const { seeds, stop } = await serveStaticWeb(benchFolder, Math.ceil(pages / PAGES_A_HOST), PAGES_A_HOST)
  rows.pages = await measured(['-s', seeds, '-n', String(pages)])
  stop()
}
if (only.includes('hosts')) {
  const { seeds, names, stop } = await serveManyHosts(data, hosts)
  rows.hosts = await measured(['-s', seeds, '-n', String(hosts), '--hosts', names, '--per-server', '48'])
  stop()
}
finish({ bench: 'crawl-flat', ...rows })

/** Runs a crawl to its end. */
async function measured(args) {
  const crawlFolder = join(data, 'crawl')
  rmSync(crawlFolder, { recursive: true, force: true })
  const options = [...args, '-o', crawlFolder, '--delay', '0', '--allow-network', '127.0.0.0/8', '-q']
  const start = performance.now()
  const child = spawn('node', [escalona, 'crawl', ...options], { stdio: ['ignore', 'ignore', 'inherit'] })
  process.on('exit', () => child.kill('SIGKILL'))
  const mb = []
  const poll = setInterval(() => mb.push(treeMb(child.pid)), SAMPLE_MS)
  const shown = setInterval(() => {
    console.error(`${((performance.now() - start) / 1000).toFixed(0)} s: ${mb.at(-1)?.toFixed(0)} MB`)
  }, 5000)
  const [code] = await once(child, 'exit')
  const seconds = (performance.now() - start) / 1000
  clearInterval(poll)
  clearInterval(shown)
  if (code !== 0) throw new Error(`escalona ended with ${code}`)
  const quarter = Math.ceil(mb.length / 4)
  const [first, last] = [mb.slice(0, quarter), mb.slice(-quarter)]
  const report = JSON.parse(readFileSync(join(crawlFolder, 'report.json'), 'utf8'))
  return {
    pages: report.totals.pages,
    hosts: report.totals.hosts,
    seconds,
    pagesASecond: report.totals.pages / seconds,
    peakMb: Math.max(...mb),
    mostMbInFirstQuarter: Math.max(...first),
    mostMbInLastQuarter: Math.max(...last),
    medianMbInFirstQuarter: median(first),
    medianMbInLastQuarter: median(last),
    growth: median(last) / median(first),
    folderMb: folderBytes(crawlFolder) / 1e6,
  }
}

/** The resident memory of a process and of its children's children. */
function treeMb(pid) {
  return childrenOf(pid).reduce((sum, one) => sum + treeMb(one), memoryKib(pid, 'VmRSS') / 1024)
}

function folderBytes(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
