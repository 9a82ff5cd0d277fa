// Runs the commands with Node for Windows, under Wine: separators, pipes instead of sockets, CRLF, files that are open, kill -9. This is not Windows,
// but its file names, its rules for open files and its Node. Needs Debian's package wine, which it installs.
//   npm run test:windows -- [22]
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { needs } from './needs.mjs'
import { nodeFolder } from './npm-node.mjs'

const PAGES = 60
const DELAY_MS = 200
const LONGEST_MS = 120_000
const [version = '22'] = process.argv.slice(2)
needs('wine', 'wine')
const node = join(nodeFolder(version, 'win-x64'), 'node.exe')
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'escalona-windows-'))
const env = {
  ...process.env,
  WINEPREFIX: join(folder, 'wine'),
  WINEDEBUG: '-all',
  // Wine says that it is Windows 7, which Node warns of.
  NODE_SKIP_PLATFORM_CHECK: '1',
  LANG: 'C.UTF-8',
}
const asked = []
const failed = []
const web = createServer((request, response) => {
  const n = Number(/^\/(\d+)$/.exec(request.url)?.[1] ?? (request.url === '/' ? 1 : 0))
  if (n > 0) asked.push({ n, atMs: performance.now() })
  response.writeHead(n === 0 ? 404 : 200, { 'Content-Type': 'text/html' })
  const links = [n + 1, 2 * n].filter(to => to <= PAGES).map(to => `<a href="/${to}">page ${to}</a>`)
  response.end(`<html><title>Page ${n}</title><body>The text of page ${n}: ${links.join(' ')}</body></html>`)
})
await new Promise(resolve => web.listen(0, '127.0.0.1', resolve))
const seed = `http://127.0.0.1:${web.address().port}/`
let running
let calls = 0
try {
  const shown = spawnSync('wine', [node, '--version'], { env, encoding: 'utf8' }).stdout.trim()
  console.log(`Node ${shown} for Windows, under ${execFileSync('wine', ['--version'], { encoding: 'utf8' }).trim()}`)
  await checkAll()
} finally {
  running?.kill()
  spawnSync('wineserver', ['-k'], { env })
  web.close()
  web.closeAllConnections()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}
console.log(failed.length === 0 ? 'all passed' : `not passed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

async function checkAll() {
  writeFileSync(join(folder, 'c.txt'), 'ADD_URLS 2\r\nhttp://a.com/b\r\nhttp://b.com\r\nESCALONA_TUDO\r\n')
  check(
    'a command file with CRLF',
    (await escalona('c.txt')).code === 0 && read('c-out.txt') === 'http://a.com/b\nhttp://b.com\n',
  )

  const crawl = escalona(
    'crawl',
    seed,
    '-o',
    'crawl',
    '--delay',
    `${DELAY_MS}ms`,
    '--allow-network',
    '127.0.0.0/8',
    '-n',
    `${PAGES}`,
  )
  await until('pages', () => asked.length > 5)
  check('status of a crawl that another process runs', (await escalona('status', 'crawl')).out.includes('running'))
  check('pause', (await escalona('pause', 'crawl')).code === 0)
  await wait(3 * DELAY_MS)
  const paused = asked.length
  await wait(5 * DELAY_MS)
  check('a paused crawl asks for nothing', asked.length === paused)
  check('resume, in the process that was paused', (await escalona('resume', 'crawl')).code === 0)
  await until('more pages', () => asked.length > paused + 5)
  check('stop', (await escalona('stop', 'crawl')).code === 0 && (await crawl).code === 0)

  const killed = escalona('resume', 'crawl')
  const before = asked.length
  await until('still more pages', () => asked.length > before + 5)
  running.kill()
  // What Wine started is another process.
  spawnSync('wineserver', ['-k'], { env })
  await killed
  const open = asked.length
  check('resume after a kill', (await escalona('resume', 'crawl')).code === 0)
  const again = asked.filter(({ n }, at) => asked.findIndex(one => one.n === n) < at)
  check('at most the page that was open is asked for again', again.length <= 1 && asked.indexOf(again[0]) <= open + 1)
  const gaps = asked.slice(1).map(({ atMs }, at) => atMs - asked[at].atMs)
  check(`every gap is ${DELAY_MS} ms`, Math.min(...gaps) > DELAY_MS - 5)
  const rows = (await escalona('list', 'crawl', '--state', 'done', '--json')).out.trim().split('\n')
  check(`all ${PAGES} pages are there`, new Set(rows.map(row => JSON.parse(row).url)).size === PAGES)

  for (const args of [
    ['status', 'crawl'],
    ['hosts', 'crawl', '--json'],
    ['list', 'crawl', '--json'],
    ['explain', 'crawl', `${seed}3`],
    ['cat', 'crawl', `${seed}3`],
    ['export', 'crawl', '--text', '-o', '-'],
    ['search', 'crawl', 'text', '--json'],
    ['audit', 'crawl/archive', '--json'],
  ]) {
    const [there, here] = [
      await escalona(...args),
      spawnSync(process.execPath, [main, ...args], { cwd: folder, env, encoding: 'utf8' }),
    ]
    const isSame = there.code === here.status && there.out.replaceAll(/\\+/g, '/') === here.stdout
    check(`${args[0]} prints the same as on this system`, isSame)
  }
  check('wacz', (await escalona('wacz', 'crawl')).code === 0)

  const looking = escalona('ui', 'crawl')
  await until('the address of the live page', () => /127\.0\.0\.1:\d+/.test(readFileSync(running.errPath, 'utf8')))
  const [, address] = /(127\.0\.0\.1:\d+)/.exec(readFileSync(running.errPath, 'utf8'))
  check('the live page answers', (await fetch(`http://${address}/healthz`)).ok)
  running.kill()
  spawnSync('wineserver', ['-k'], { env })
  await looking
}

/** Runs the command under Wine, with files for its output: Node for Windows cannot use the pipes of this system. */
function escalona(...args) {
  const [outPath, errPath] = ['out', 'err'].map(name => join(folder, `${name}-${++calls}.txt`))
  const [out, err] = [openSync(outPath, 'w'), openSync(errPath, 'w')]
  const child = spawn('wine', [node, main, ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', out, err],
    timeout: LONGEST_MS,
  })
  running = { errPath, kill: () => child.kill('SIGKILL') }
  return new Promise(resolve => {
    child.on('close', code => {
      closeSync(out)
      closeSync(err)
      resolve({ code, out: readFileSync(outPath, 'utf8'), err: readFileSync(errPath, 'utf8') })
    })
  })
}

function read(name) {
  return readFileSync(join(folder, name), 'utf8')
}

function check(name, isFine) {
  console.log(`${isFine ? 'ok    ' : 'FAILED'} ${name}`)
  if (!isFine) failed.push(name)
}

async function until(what, isSo) {
  for (const startMs = performance.now(); !isSo(); await wait(50)) {
    if (performance.now() - startMs > LONGEST_MS) throw new Error(`no ${what} in ${LONGEST_MS / 1000} s`)
  }
}
