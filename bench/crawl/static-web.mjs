// A static web of HTML pages that link within and across hosts, one robots.txt a host, served by nginx by Host. The same
// arguments give the same bytes. It is made once, in the system's temporary folder; its links name its port, so it is made
// again where somebody else has taken that port.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { needs } from '../tools.mjs'

const OTHER_HOSTS_SHARE = 0.2
const LINKS_A_PAGE = 30
const BYTES_A_PAGE = 20_000
const WORDS =
  'lorem dolor amet frontier crawl host queue depth url page robots archive link graph polite strategy minas gerais'.split(
    ' ',
  )

/** Makes the web if need be and starts nginx. Gives the file of seeds and what stops nginx again. */
export async function serveStaticWeb(folder, hosts, pages) {
  needs('nginx', 'nginx-light')
  const web = join(folder, `web-${hosts}x${pages}`)
  const known = existsSync(join(web, 'port')) ? Number(readFileSync(join(web, 'port'), 'utf8')) : 0
  const port = await freePort(known)
  if (port !== known) {
    console.error(`making ${hosts * pages} pages on ${hosts} hosts in ${web} …`)
    rmSync(web, { recursive: true, force: true })
    rmSync(`${web}.tmp`, { recursive: true, force: true })
    writeWeb(`${web}.tmp`, hosts, pages, port)
    renameSync(`${web}.tmp`, web)
  }
  writeFileSync(join(web, 'nginx.conf'), nginxConfiguration(web, port))
  const nginx = spawn('nginx', ['-c', join(web, 'nginx.conf'), '-g', 'daemon off;'], { stdio: 'inherit' })
  const stop = () => nginx.kill('SIGTERM')
  process.on('exit', stop)
  await listening(port)
  return { seeds: join(web, 'seeds.txt'), stop }
}

function writeWeb(out, hosts, pages, port) {
  const random = mulberry32(42)
  const pick = limit => Math.floor(random() * limit)
  const url = (host, page) => `http://${address(host)}:${port}${path(page)}`
  const seeds = []
  for (let host = 0; host < hosts; host++) {
    seeds.push(`${url(host, 0)}\n`)
    for (let page = 0; page < pages; page++) {
      let html = `<!doctype html><html lang="pt"><head><meta charset="utf-8"><title>Page ${page} of host ${host}</title></head><body>\n`
      for (let link = 0; link < LINKS_A_PAGE; link++) {
        const target = random() < OTHER_HOSTS_SHARE ? url(pick(hosts), pick(pages)) : path(pick(pages))
        html += `<p><a href="${target}">${WORDS[pick(WORDS.length)]}</a></p>\n`
      }
      if (page + 1 < pages) html += `<a href="${path(page + 1)}">next</a>\n`
      while (html.length < BYTES_A_PAGE) {
        html += `<p>${Array.from({ length: 60 }, () => WORDS[pick(WORDS.length)]).join(' ')}</p>\n`
      }
      const file = join(out, address(host), page === 0 ? 'index.html' : path(page))
      mkdirSync(join(file, '..'), { recursive: true })
      writeFileSync(file, `${html}</body></html>\n`)
    }
    writeFileSync(join(out, address(host), 'robots.txt'), 'User-agent: *\nDisallow: /private/\n')
  }
  writeFileSync(join(out, 'seeds.txt'), seeds.join(''))
  writeFileSync(join(out, 'port'), String(port))
}

function address(host) {
  return `127.10.${host >> 8}.${host & 255}`
}

function path(page) {
  return page === 0 ? '/' : `/s${page % 7}/${page % 3 ? 'a/' : ''}page-${page}.html`
}

function nginxConfiguration(web, port) {
  return `worker_processes 1;
pid ${join(web, 'nginx.pid')};
error_log ${join(web, 'error.log')};
events { worker_connections 8192; }
http {
  types { text/html html; text/plain txt; }
  access_log off; keepalive_requests 1000000; keepalive_timeout 60s;
  open_file_cache max=10000; open_file_cache_valid 600s;
  allow 127.0.0.0/8; deny all;
  server { listen 0.0.0.0:${port} backlog=4096 reuseport; root ${web}/$host; index index.html; }
}
`
}

/** This port if nobody listens on it, otherwise another one. */
function freePort(wanted) {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', error => (wanted === 0 ? reject(error) : resolve(freePort(0))))
    server.listen(wanted, '0.0.0.0', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

async function listening(port) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const connected = await new Promise(resolve => {
      const socket = connect(port, '127.10.0.0')
      socket.on('connect', () => resolve(true))
      socket.on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (connected) return
    await wait(50)
  }
  throw new Error(`nginx does not listen on port ${port}`)
}

function mulberry32(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
