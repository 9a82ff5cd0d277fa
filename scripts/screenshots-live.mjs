// The pictures of the live page in docs/images, from a crawl of a small web on loopback that runs for two minutes. Needs port 80.
//   npm run build && node scripts/screenshots-live.mjs [-o FOLDER]
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { has } from './needs.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const { values } = parseArgs({
  options: { output: { type: 'string', short: 'o', default: join(ROOT, 'docs', 'images') } },
})
const NAMES = [
  'juniper',
  'willow',
  'aurora',
  'cedar',
  'harbor',
  'atlas',
  'northlake',
  'ironbridge',
  'meridian',
  'saltmarsh',
]
const KINDS = ['library', 'museum', 'journal', 'school', 'press', 'archive']
const SECTIONS = ['about', 'articles', 'calendar', 'collections', 'notes', 'projects']
const TITLES = ['About us', 'Articles', 'Events', 'Collections', 'Notes from the reading room', 'Research projects']
const PAGES_A_SECTION = 40
const RUN_MS = 120_000
const TOKEN = 'a-token-for-pictures-only'

const hosts = NAMES.flatMap(name => KINDS.flatMap(kind => ['www', 'news'].map(sub => `${sub}.${name}-${kind}.example`)))
const [failing, dead, patient] = ['www.cedar-press.example', 'www.willow-archive.example', 'www.atlas-museum.example']
const addressOf = index => `127.22.0.${(index % 60) + 1}`
const capital = text => text[0].toUpperCase() + text.slice(1)

function pageOf(host, section, number) {
  const [, name, kind] = /\.([a-z]+)-([a-z]+)\./.exec(host)
  const owner = `${capital(name)} ${capital(kind)}`
  const title = `${TITLES[section]} – ${owner}`
  const index = hosts.indexOf(host)
  const own = [1, 2, 3, 7, 11].map(
    step => `/${SECTIONS[(section + step) % SECTIONS.length]}/page-${(number + step) % PAGES_A_SECTION}`,
  )
  const others = [1, 13].map(step => `http://${hosts[(index + step + number) % hosts.length]}/`)
  const odd = number % 9 === 0 ? [`/missing/page-${number}`, `/files/report-${number}.pdf`, '/private/staff'] : []
  const links = [...own, ...others, ...odd].map(url => `<li><a href="${url}">${url}</a></li>`).join('')
  const text = `The ${owner} keeps letters, maps and newspapers, and opens its reading room from Monday to Friday. `
  return `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${text.repeat(3 + (number % 20))}</p><ul>${links}</ul>`
}

function answer(request, response) {
  const { host } = request.headers
  const [, section, number] = /^\/(?:(\w+)\/page-(\d+))?$/.exec(request.url) ?? []
  const send = (status, type, body) => response.writeHead(status, { 'content-type': type }).end(body)
  if (request.url === '/robots.txt')
    return send(200, 'text/plain', `User-agent: *\nDisallow: /private/\n${host === patient ? 'Crawl-delay: 5\n' : ''}`)
  if (host === failing) return send(503, 'text/html', 'later')
  if (request.url.endsWith('.pdf')) return send(200, 'application/pdf', '%PDF')
  const known = request.url === '/' ? 0 : SECTIONS.indexOf(section)
  if (known < 0) return send(404, 'text/html', 'there is no such page')
  return setTimeout(() => send(200, 'text/html', pageOf(host, known, Number(number ?? 0))), 40)
}

const folder = mkdtempSync(join(tmpdir(), 'escalona-pictures-'))
const servers = new Map()
let crawl
let browser
try {
  for (const [index] of hosts.entries()) {
    const address = addressOf(index)
    if (servers.has(address)) continue
    const server = createServer(answer)
    servers.set(address, server)
    await new Promise((done, fail) => server.once('error', fail).listen(80, address, done))
  }
  const named = hosts.filter(host => host !== dead).map(host => `${addressOf(hosts.indexOf(host))} ${host}`)
  writeFileSync(join(folder, 'hosts'), `${named.join('\n')}\n`)
  writeFileSync(
    join(folder, 'seeds'),
    `${hosts
      .filter((_, index) => index % 6 === 0)
      .map(host => `http://${host}/`)
      .join('\n')}\n`,
  )
  mkdirSync(values.output, { recursive: true })
  const options = [
    '-n',
    '20000',
    '--delay',
    '2s',
    '--server-delay',
    '100ms',
    '--allow-network',
    '127.0.0.0/8',
    '--retries',
    '1',
  ]
  crawl = spawn(
    process.execPath,
    [
      join(ROOT, 'dist', 'cli', 'main.js'),
      'crawl',
      '-s',
      'seeds',
      '--hosts',
      'hosts',
      ...options,
      '-o',
      'museums',
      '--ui',
      '-q',
      '--contact',
      'you@ufmg.br',
    ],
    { cwd: folder, env: { ...process.env, ESCALONA_UI_TOKEN: TOKEN, LANG: 'C' }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const origin = await new Promise((done, fail) => {
    let said = ''
    crawl.stderr.setEncoding('utf8').on('data', text => {
      said += text
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
      if (found !== undefined) done(found)
    })
    crawl.once('exit', () => fail(new Error(said)))
  })
  await wait(RUN_MS)
  const [page] = await pagesOf(origin)
  const host = encodeURIComponent('www.juniper-press.example')
  await fetch(`${origin}/api/hosts/www.aurora-school.example`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ blockedUntilMs: Date.now() + 3_600_000 }),
  })
  const shown = {
    now: '/',
    hosts: '/hosts',
    host: `/host?name=${host}`,
    links: '/links?states=refused',
    pages: '/pages',
    page: `/page?url=${encodeURIComponent(page)}`,
    why: `/why?url=${encodeURIComponent('http://www.juniper-press.example/private/staff')}`,
    settings: '/settings',
  }
  browser = await chromium.launch({
    executablePath: execFileSync('which', [BROWSERS.find(has) ?? 'chromium'], { encoding: 'utf8' }).trim(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  })
  const wide = { width: 1440, height: 1000 }
  const narrow = { width: 390, height: 844 }
  for (const [prefix, viewport, colorScheme, names] of [
    ['live', wide, 'light', Object.keys(shown)],
    ['live-phone', narrow, 'light', Object.keys(shown)],
    ['live', wide, 'dark', ['now']],
  ]) {
    const context = await browser.newContext({ locale: 'en-US', viewport, colorScheme, reducedMotion: 'reduce' })
    const view = await context.newPage()
    await view.goto(`${origin}/?token=${TOKEN}`)
    for (const name of names) {
      await view.goto(`${origin}${shown[name]}`)
      await wait(3000)
      const file = `${prefix}-${name}${colorScheme === 'dark' ? '-dark' : ''}.png`
      const fullPage = prefix === 'live' && (name === 'now' || name === 'settings')
      await view.screenshot({ path: join(values.output, file), fullPage })
    }
    await context.close()
  }
} finally {
  await browser?.close()
  if (crawl?.exitCode === null) {
    crawl.kill()
    await new Promise(done => crawl.once('exit', done))
  }
  for (const server of servers.values()) server.close()
  for (const server of servers.values()) server.closeAllConnections()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function pagesOf(origin) {
  const answered = await fetch(`${origin}/api/pages?limit=1`, { headers: { authorization: `Bearer ${TOKEN}` } })
  return (await answered.json()).items.map(({ url }) => url)
}
