// Whole crawls through tinyproxy, which looks nothing up here: hosts are addresses of loopback.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createPort } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { escalonaBeside, temporaryFolder } from '../cli/run-cli.ts'
import { certificate, NO_OPENSSL } from '../fetch/certificate.ts'
import { running } from './crawl.ts'
import { NO_TINYPROXY, tinyproxy } from './tinyproxy.ts'

const OPTIONS = ['--allow-network', '127.0.0.0/8', '--delay', '5ms', '--retries', '0', '--workers', '1']

async function port(t: TestContext, server: Server | ReturnType<typeof createPort>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A page at / with these links, pages at /1, /2 …, and no robots.txt. */
function pages(links: () => readonly string[]): RequestListener {
  return (request, response) => {
    response.setHeader('Content-Type', 'text/html')
    if (request.url === '/robots.txt') return void response.writeHead(404).end()
    response.end(
      request.url === '/'
        ? links()
            .map(href => `<a href="${href}">x</a>`)
            .join('')
        : '<p>a page',
    )
  }
}

/** A port that speaks first, whoever connects. */
function speaksFirst(t: TestContext, banner: string): Promise<number> {
  return port(
    t,
    createPort(socket => void socket.on('error', () => {}).write(banner)),
  )
}

function urlsIn(folder: string): string[] {
  const lines = readFileSync(join(folder, 'pages.jsonl'), 'utf8').trim().split('\n')
  return lines.map(line => (JSON.parse(line) as { url: string }).url).sort()
}

test('proxy: through tinyproxy, ports that speak first cost nothing but themselves, and --max-time holds', {
  skip: NO_TINYPROXY || NO_OPENSSL,
}, async t => {
  const proxy = await tinyproxy(t)
  const secure = certificate(t, '127.0.0.1')
  const httpsPort = await port(
    t,
    createSecureServer(
      secure,
      pages(() => ['/1', '/2', '/3']),
    ),
  )
  const banners = ['220 mail.example ESMTP\r\n', 'SSH-2.0-OpenSSH_9.2p1\r\n', '* OK IMAP4rev1\r\n'.repeat(5000)]
  const spoken = await Promise.all(banners.map(banner => speaksFirst(t, banner)))
  const wrong = spoken.map(at => `https://127.0.0.1:${at}/`)
  const right = Array.from({ length: 10 }, (_, i) => `/${i}`)
  const httpPort = await port(t, createServer(pages(() => [...wrong, ...right, `https://127.0.0.1:${httpsPort}/`])))
  const folder = join(temporaryFolder(t), 'crawl')
  const args = [`http://127.0.0.1:${httpPort}/`, '-o', folder, ...OPTIONS, '--proxy', proxy, '--ca', secure.path]
  const { code, stderr, tookMs, peakMb } = await running(t, [...args, '--max-time', '40s']).ending
  assert.equal(code, 0, stderr)
  const expected = [
    ...['/', ...right].map(path => `http://127.0.0.1:${httpPort}${path}`),
    ...['/', '/1', '/2', '/3'].map(path => `https://127.0.0.1:${httpsPort}${path}`),
  ]
  assert.deepEqual(urlsIn(folder), expected.sort())
  assert.ok(tookMs < 50_000, `${tookMs} ms`)
  assert.ok(peakMb < 500, `${peakMb} MB`)
  assert.match(stderr, / tls, 3 links: No encrypted connection could be made/)
})

test('proxy: a login that tinyproxy asks for, missing and given', { skip: NO_TINYPROXY }, async t => {
  const proxy = await tinyproxy(t, 'me sesame-9431')
  const httpPort = await port(t, createServer(pages(() => ['/1'])))
  const folder = join(temporaryFolder(t), 'crawl')
  const args = [`http://127.0.0.1:${httpPort}/`, '-o', folder, ...OPTIONS]
  const refused = await running(t, [...args, '--proxy', proxy]).ending
  assert.notEqual(refused.code, 0)
  assert.match(refused.stderr, /requires a user name/)
  const ending = await running(t, [...args, '--proxy', proxy.replace('//', '//me:sesame-9431@')]).ending
  assert.equal(ending.code, 0, ending.stderr)
  assert.equal(urlsIn(folder).length, 2)
})

test('--ca: explain says which fault a certificate has; with another file the pages come, and it is kept', {
  skip: NO_OPENSSL,
}, async t => {
  const [known, other] = [certificate(t, '127.0.0.1'), certificate(t, '127.0.0.1')]
  const page = pages(() => ['/1', '/2'])
  // From robots.txt on, it has another certificate.
  const server = createSecureServer(known, (request, response) => {
    if (request.url === '/robots.txt') server.setSecureContext(other)
    page(request, response.setHeader('Connection', 'close'))
  })
  const seed = `https://127.0.0.1:${await port(t, server)}/`
  const folder = join(temporaryFolder(t), 'crawl')
  const first = await running(t, [seed, '-o', folder, ...OPTIONS, '--ca', known.path]).ending
  assert.notEqual(first.code, 0)
  const [en, pt] = await Promise.all(
    ['en', 'pt'].map(async lang => String((await escalonaBeside(['explain', folder, seed, '--lang', lang])).stdout)),
  )
  assert.match(en!, /tls-self-signed[\s\S]*certificate is signed by itself[\s\S]*--ca/)
  assert.match(pt!, /certificado do host é assinado por ele mesmo[\s\S]*--ca/)
  const broken = join(temporaryFolder(t), 'broken.pem')
  writeFileSync(broken, 'nothing of the kind')
  for (const [file, message] of [
    [broken, /the file of --ca has no certificate/],
    ['missing.pem', /missing\.pem: there is no such file/],
  ] as const) {
    const { code, stderr } = await escalonaBeside(['resume', folder, '--ca', file])
    assert.notEqual(code, 0)
    assert.match(String(stderr), message)
  }
  const second = await running(t, [folder, '--ca', other.path, '-n', '1'], { command: 'resume' }).ending
  assert.equal(second.code, 0, second.stderr)
  assert.deepEqual(urlsIn(folder), [seed], 'the setting that kept it out has changed')
  const third = await running(t, [folder, '-n', '3'], { command: 'resume' }).ending
  assert.equal(third.code, 0, third.stderr)
  assert.equal(urlsIn(folder).length, 3)
})
