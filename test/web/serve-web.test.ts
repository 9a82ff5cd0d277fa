import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryFolder } from '../cli/run-cli.ts'
import { expected, makeWeb, type Place, pageAt, type Served, serveWeb, type Web } from './synthetic-web.ts'

interface Got {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

async function served(t: TestContext, web: Web, logFile?: string): Promise<Served> {
  const server = await serveWeb(web, logFile === undefined ? {} : { logFile })
  t.after(() => server.close())
  return server
}

function get(web: Web, { port }: Served, place: Place): Promise<Got> {
  const slash = place.indexOf('/')
  const name = place.slice(0, slash)
  const headers = { Host: `${name}:${port}`, 'User-Agent': 'tester' }
  const options = { host: web.names.get(name), port, path: place.slice(slash), headers, agent: false as const }
  return new Promise((resolve, reject) => {
    const asking = request(options, response => {
      const parts: Buffer[] = []
      response.on('data', part => parts.push(part))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(parts) }),
      )
    })
    asking.setTimeout(700, () => asking.destroy(new Error('no answer')))
    asking.on('error', reject).end()
  })
}

test('ours: every place that may be asked for answers as it is described, on an address of its own', async t => {
  const web = makeWeb({ hosts: 60 })
  const server = await served(t, web)
  const places = [...expected(web).requested].filter(place => !isStrange(pageAt(web, place)!.act))
  for (const place of places) {
    const page = pageAt(web, place)!
    const got = await get(web, server, place)
    assert.equal(got.status, page.status, place)
    if (page.status !== 204) assert.equal(got.headers['content-type'], page.headers['Content-Type'], place)
    const body = typeof page.body === 'function' ? page.body(server.port) : Buffer.from(page.body)
    assert.ok(got.body.equals(body), place)
    assert.ok(!got.body.includes('{{port}}') && !got.headers.location?.includes('{{port}}'), place)
  }
  assert.ok(places.length > 600)
  assert.ok(server.log.every(entry => entry.isKnown && entry.address === web.names.get(entry.host)))
})

function isStrange(act: object): boolean {
  return Object.keys(act).length > 0
}

test('ours: the log says who asked for what, and when', async t => {
  const web = makeWeb({ hosts: 5, oddities: false })
  const file = join(temporaryFolder(t), 'log.jsonl')
  const server = await served(t, web, file)
  const beforeMs = performance.timeOrigin + performance.now()
  await get(web, server, web.seeds[0]!)
  await get(web, server, `${web.sites[1]!.name}/nothing/here`)
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  assert.deepEqual(lines, JSON.parse(JSON.stringify(server.log)))
  const [first, second] = server.log
  assert.deepEqual(
    [first!.host + first!.path, first!.agent, first!.status, first!.isKnown],
    [web.seeds[0], 'tester', 200, true],
  )
  assert.deepEqual([second!.path, second!.status, second!.isKnown], ['/nothing/here', 404, false])
  assert.ok(beforeMs <= first!.startMs && first!.startMs <= first!.endMs! && first!.endMs! <= second!.endMs!)
})

test('ours: hosts that hang, reset, cut, come later, are slow or say too much', async t => {
  const web = makeWeb({ hosts: 60 })
  const server = await served(t, web)
  const named = (kind: string, path: string) => `${web.sites.find(site => site.kind === kind)!.name}${path}`
  await assert.rejects(get(web, server, named('robots: silent', '/robots.txt')), /no answer/)
  await assert.rejects(get(web, server, named('robots: reset', '/robots.txt')), /ECONNRESET|socket hang up/)
  await assert.rejects(get(web, server, named('always cut', '/broken/cut.html')), /aborted|ECONNRESET/)
  const later = named('statuses', '/status/429-then-fine.html')
  const [once, twice] = [await get(web, server, later), await get(web, server, later)]
  assert.deepEqual([once.status, once.headers['retry-after'], twice.status], [429, '2', 200])
  assert.deepEqual(
    server.log.slice(-2).map(entry => entry.retryAfterMs),
    [2000, 0],
  )
  const startMs = performance.now()
  assert.equal((await get(web, server, named('slow', '/slow/1.html'))).status, 200)
  assert.ok(performance.now() - startMs >= 290)
  const film = await get(web, server, named('types', '/files/film'))
  assert.deepEqual([film.body.length, server.log.at(-1)!.sentBytes], [64 << 20, 64 << 20])
})

test('ours: an endless host has another page behind every page', async t => {
  const web = makeWeb({ hosts: 5, oddities: false, endlessHosts: 1 })
  const server = await served(t, web)
  const site = web.sites.find(one => one.kind === 'endless')!
  let path = '/session/1'
  for (let n = 0; n < 20; n++) {
    const { status, body } = await get(web, server, site.name + path)
    assert.equal(status, 200)
    path = /href="([^"]*2)"/.exec(body.toString())![1]!
  }
  assert.equal(path, `/session/1${'2'.repeat(20)}`)
  assert.equal((await get(web, server, `${site.name}/session/3`)).status, 404)
})
