// A web on loopback for tools to read: every kind of page that a second visit treats in its own way, under every kind of URL that
// tools disagree about. It remembers what it answered.
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'

const HOSTS = 30
const PAGES_PER_HOST = 20
/** As they stand in links. */
const ODD_PATHS = [
  '/wiki/Escalona_%28Toledo%29',
  '/wiki/Escalona_(Toledo)?b=2&a=1',
  '/Upper/CASE.html?Q=Z',
  '/caf%C3%A9',
  '/caf%e9',
  '/a|b',
  '/a{b}',
  '/with%20space',
  '/p?x=1|2&y={3}',
  '/p?u=http://other.test/&v=%2F',
  '/~user/',
  '/a//b',
  '/plus+plus?q=a+b',
  '/semi;colon',
  '/at@at',
  '/percent%25',
  '/?q=root',
  '/x.html;jsessionid=0123456789ABCDEF0123456789ABCDEF',
  '/y?PHPSESSID=0123456789abcdef0123456789abcdef&z=1',
  '/www./index.html?',
]
/** What a page does when it is visited again. */
const KINDS = [
  'steady',
  'same',
  'changing',
  'shuffled',
  'steady-gzip',
  'steady-date',
  'same-chunked',
  'changing-tagged',
]
const MODIFIED = 'Thu, 01 Jan 2026 00:00:00 GMT'

/** Serves the web. `answers`: what was answered, in order: host, path, status, body (of a 304: that of the 200 before). */
export async function serveOutsideWeb() {
  const answers = []
  const visits = new Map()
  const bodies = new Map()
  const servers = []
  const hosts = Array.from({ length: HOSTS }, (_, n) => ({
    name: `${n % 3 === 0 ? 'www.' : ''}h${n}.test`,
    address: `127.0.3.${n + 1}`,
  }))
  let port = 0
  for (const { address } of hosts) {
    const server = createServer((request, response) => {
      const host = (request.headers.host ?? '').replace(/:\d+$/, '')
      const place = host + request.url
      const visit = (visits.get(place) ?? 0) + 1
      visits.set(place, visit)
      const { status, headers, body } = answerTo(request, visit, port)
      if (status === 200) bodies.set(place, body)
      answers.push({ host, path: request.url, status, body: status === 304 ? bodies.get(place) : body })
      response.writeHead(status, headers)
      response.end(headers['Content-Encoding'] === 'gzip' && status === 200 ? gzipSync(body) : body)
    })
    await new Promise((resolve, reject) => server.on('error', reject).listen(port, address, resolve))
    port ||= server.address().port
    servers.push(server)
  }
  return {
    port,
    hosts,
    answers,
    seeds: hosts.map(({ name }) => `http://${name}:${port}/`),
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections()
        await new Promise(resolve => server.close(resolve))
      }
    },
  }
}

function answerTo(request, visit, port) {
  const path = request.url
  const nothing = Buffer.alloc(0)
  if (path === '/robots.txt') return page('User-agent: *\nDisallow: /private/\n', 'text/plain')
  if (path === '/moved') return { status: 302, headers: { Location: '/p1.html' }, body: nothing }
  if (path === '/missing') return { ...page('<p>Not here.</p>'), status: 404 }
  if (path === '/logo.png') return page('\x89PNG no picture', 'image/png')
  const kind = path === '/' ? 'same' : KINDS[sumOf(path) % KINDS.length]
  return answerOfKind(kind, path, visit, request.headers, port)
}

function answerOfKind(kind, path, visit, asked, port) {
  const isChanging = kind.startsWith('changing')
  const text = `<!doctype html><html lang="en"><title>${kind} ${escaped(path)}</title>
<p>A page that is ${kind}${isChanging ? `, at visit ${visit}` : ''}. ${filling(path)}
${kind === 'shuffled' ? `<!-- ${visit} -->` : ''}${path === '/' ? links(port) : '<a href="/">home</a> é ü'}`
  const tag = isChanging ? `"v${visit}"` : '"v1"'
  const validators = {
    steady: { ETag: '"v1"', 'Last-Modified': MODIFIED },
    'steady-gzip': { ETag: '"v1"', 'Content-Encoding': 'gzip' },
    'steady-date': { 'Last-Modified': MODIFIED },
    'changing-tagged': { ETag: tag },
  }[kind]
  const isLatin = kind === 'steady-date'
  const answer = page(
    Buffer.from(text, isLatin ? 'latin1' : 'utf8'),
    `text/html; charset=${isLatin ? 'iso-8859-1' : 'utf-8'}`,
  )
  const headers = { ...answer.headers, ...validators }
  if (kind === 'same-chunked' || kind === 'steady-gzip') delete headers['Content-Length']
  const isKnown = asked['if-none-match'] === tag || (kind === 'steady-date' && asked['if-modified-since'] === MODIFIED)
  if (validators === undefined || !isKnown) return { ...answer, headers }
  return { status: 304, headers: validators, body: Buffer.alloc(0) }
}

function page(text, type = 'text/html; charset=utf-8') {
  const body = Buffer.from(text, 'latin1')
  return { status: 200, headers: { 'Content-Type': type, 'Content-Length': String(body.length) }, body }
}

function links(port) {
  const paths = Array.from({ length: PAGES_PER_HOST }, (_, n) => `/p${n}.html`)
  const all = [...paths, ...ODD_PATHS, '/moved', '/missing', '/logo.png', '/private/']
  const others = [0, 1, 2].map(n => `<a href="http://${n === 0 ? 'www.' : ''}h${n}.test:${port}/">h${n}</a>`)
  return [...all.map(path => `<a href="${escaped(path)}">${escaped(path)}</a>`), ...others].join('\n')
}

/** From a few hundred bytes to a few hundred kilobytes. */
function filling(path) {
  return `${path.length} words follow. ${'lorem ipsum dolor '.repeat(sumOf(path) % 50 === 0 ? 20_000 : 20)}`.replaceAll(
    '/',
    '',
  )
}

function sumOf(path) {
  return [...path].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 1_000_003, 7)
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
