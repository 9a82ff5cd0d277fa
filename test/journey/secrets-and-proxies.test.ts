// Headers for named hosts and proxies, by the real command: who gets what, and that nobody else can read it afterwards.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { escalonaBeside, temporaryFolder } from '../cli/run-cli.ts'
import { proxyServer } from '../fetch/proxy-server.ts'
import { running } from './crawl.ts'

const SECRET = 'sesame-9431'
const OPTIONS = ['--allow-network', '127.0.0.0/8', '--delay', '5ms', '--retries', '0', '--workers', '1']

interface Request {
  readonly host: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/** A server for all names: pages that link to each other, and /away, which redirects to b.example. */
async function server(t: TestContext): Promise<{ readonly port: number; readonly log: Request[] }> {
  const log: Request[] = []
  const http = createServer((request, response) => {
    const [host = ''] = request.headers.host!.split(':')
    log.push({ host, path: request.url!, headers: request.headers })
    response.setHeader('Content-Type', 'text/html')
    if (request.url === '/away')
      return void response.writeHead(302, { Location: `http://b.example:${port}/landed` }).end()
    if (request.url === '/robots.txt') return void response.writeHead(404).end()
    response.end(`<a href="/1">1</a><a href="/away">away</a><a href="http://b.example:${port}/">b</a>`)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  t.after(() => {
    http.closeAllConnections()
    http.close()
  })
  const { port } = http.address() as AddressInfo
  return { port, log }
}

/** Everything that lies in a folder, with what is compressed in it. */
function everythingIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return files
    .map(({ name, parentPath, path }) => {
      const bytes = readFileSync(join(parentPath ?? path, name))
      return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')
    })
    .join('\n')
}

test('secrets and proxies: headers, cookies and logins reach the named host alone, and lie in no file and no message', async t => {
  const { port, log } = await server(t)
  const proxy = await proxyServer(t)
  const folder = join(temporaryFolder(t), 'crawl')
  const host = `http://a.example:${port}`
  const secrets = [
    '--header',
    `${host}: X-Key: ${SECRET}`,
    '--cookie',
    `${host}=id=${SECRET}`,
    '--cookie',
    `${host}=b=2`,
  ]
  const args = [
    `${host}/`,
    '-o',
    folder,
    ...OPTIONS,
    '--proxy',
    proxy.url,
    '--auth',
    `${host}=me:${SECRET}`,
    ...secrets,
  ]
  const { code, stdout, stderr } = await running(t, [...args, '--log', 'json']).ending
  assert.equal(code, 0, stderr)
  const [atA, atB] = [log.filter(({ host }) => host === 'a.example'), log.filter(({ host }) => host === 'b.example')]
  assert.deepEqual(atA.map(({ path }) => path).sort(), ['/', '/1', '/away', '/robots.txt'])
  assert.ok(
    atB.some(({ path }) => path === '/landed'),
    'the redirect was followed',
  )
  const login = Buffer.from(`me:${SECRET}`).toString('base64')
  for (const { headers } of atA) {
    assert.deepEqual([headers['x-key'], headers.cookie], [SECRET, `id=${SECRET}; b=2`])
    assert.equal(headers.authorization, `Basic ${login}`)
  }
  assert.doesNotMatch(JSON.stringify(atB), /sesame|x-key|cookie|authorization/i)
  const all = everythingIn(folder) + stdout + stderr
  assert.match(all, /WARC-Type: request/)
  for (const secret of [SECRET, login]) assert.equal(all.includes(secret), false, secret)
})

test('secrets and proxies: a whole crawl through a proxy of the environment, which looks names up itself', async t => {
  const { port, log } = await server(t)
  const proxy = await proxyServer(t, { login: `me:${SECRET}` })
  const folder = join(temporaryFolder(t), 'crawl')
  const env = { HTTP_PROXY: proxy.url.replace('//', `//me:${SECRET}@`), NO_PROXY: 'elsewhere.example' }
  const ending = await running(t, [`http://a.example:${port}/`, '-o', folder, ...OPTIONS], { env }).ending
  assert.equal(ending.code, 0, ending.stderr)
  assert.equal(proxy.asked.length, log.length)
  const pages = readFileSync(join(folder, 'pages.jsonl'), 'utf8').trim().split('\n')
  const urls = pages.map(line => (JSON.parse(line) as { url: string }).url).sort()
  const paths = ['a.example:P/', 'a.example:P/1', 'b.example:P/', 'b.example:P/1', 'b.example:P/landed']
  assert.deepEqual(
    urls,
    paths.map(path => `http://${path.replace('P', String(port))}`),
  )
  assert.doesNotMatch(everythingIn(folder) + ending.stdout + ending.stderr, /sesame|proxy-authorization/i)
})

test('secrets and proxies: a proxy that wants a login ends the crawl with what to do; with it the same folder goes on', async t => {
  const { port } = await server(t)
  const proxy = await proxyServer(t, { login: `me:${SECRET}` })
  const folder = join(temporaryFolder(t), 'crawl')
  const args = [`http://a.example:${port}/`, '-o', folder, ...OPTIONS]
  const refused = await running(t, [...args, '--proxy', proxy.url.replace('//', '//me:wrong-1234@')]).ending
  assert.notEqual(refused.code, 0)
  assert.match(
    refused.stderr,
    /the proxy http:\/\/127\.0\.0\.1:\d+ requires a user name .*write --proxy http:\/\/user:password@/,
  )
  assert.doesNotMatch(refused.stderr, /wrong-1234/)
  const ending = await running(t, [...args, '--proxy', proxy.url.replace('//', `//me:${SECRET}@`)]).ending
  assert.equal(ending.code, 0, ending.stderr)
  assert.equal(readFileSync(join(folder, 'pages.jsonl'), 'utf8').trim().split('\n').length, 5)
})

test('secrets and proxies: while the proxy is away nothing fails; the crawl goes on when it is back', async t => {
  const { port } = await server(t)
  const proxy = await proxyServer(t)
  await proxy.close()
  const folder = join(temporaryFolder(t), 'crawl')
  const command = running(t, [`http://a.example:${port}/`, '-o', folder, ...OPTIONS, '--proxy', proxy.url])
  await command.says(/the proxy cannot be reached; nothing counts as failed/)
  await proxyServer(t, {}, proxy.port)
  const ending = await command.ending
  assert.equal(ending.code, 0, ending.stderr)
  assert.equal(readFileSync(join(folder, 'pages.jsonl'), 'utf8').trim().split('\n').length, 5)
})

test('secrets and proxies: --max-time ends a run in good order; meanwhile it says what it waits for', async t => {
  const { port } = await server(t)
  const folder = join(temporaryFolder(t), 'crawl')
  const args = [`http://127.0.0.1:${port}/`, '-o', folder, ...OPTIONS, '--delay', '1h', '--max-time', '4s']
  const command = running(t, args)
  let status = ''
  for (let n = 0; n < 8 && !status.includes('--delay'); n++)
    status = (await escalonaBeside(['status', folder])).stdout.toString()
  assert.match(
    status,
    /(?:the only waiting URL belongs to )?127\.0\.0\.1:\d+,? (?:which )?is left alone for 1 h between requests \(--delay\); next in (?:1 h|60 min)/,
  )
  const { code, stderr, tookMs } = await command.ending
  assert.match(stderr, /the time is up \(--max-time\)/)
  assert.equal(code, 1, 'the robots.txt was read, and no page archived')
  assert.ok(tookMs > 4000 && tookMs < 20_000, `${tookMs} ms`)
})
