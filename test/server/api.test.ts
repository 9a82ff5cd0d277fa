// Every route answers as the OpenAPI description says, and the description is one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { atPath } from '../../src/replay/rewrite/at-path.ts'
import { archivedWeb } from '../replay/archived-web.ts'
import { type Asking, ask, codeOf, type Served, serveStandIn, TOKEN } from './ask-server.ts'
import { describedBy, Judge } from './described.ts'
import { HOSTILE, StandInView } from './stand-in-view.ts'

test('API: an OpenAPI validator accepts /openapi.json, which names every route', async t => {
  const served = await serveStandIn(t)
  const all = await describedBy(path => ask(served.port, path))
  assert.equal(all.openapi.slice(0, 3), '3.1')
  const { valid, errors } = await new Validator().validate(structuredClone(all) as never)
  assert.ok(valid, JSON.stringify(errors))
  const routes = Object.entries(all.paths).flatMap(([path, one]) =>
    Object.keys(one).map(method => `${method.toUpperCase()} ${path}`),
  )
  for (const route of [
    ...[
      'GET /api/crawl',
      'GET /api/hosts',
      'GET /api/hosts/{host}',
      'GET /api/pages',
      'GET /api/search',
      'GET /api/explain',
    ],
    ...['GET /api/events', 'POST /api/crawl/pause', 'POST /api/crawl/resume', 'POST /api/crawl/stop'],
    ...['POST /api/seeds', 'PATCH /api/settings', 'PATCH /api/hosts/{host}', 'GET /openapi.json'],
    ...['GET /healthz', 'GET /metrics'],
  ])
    assert.ok(routes.includes(route), route)
})

/** A request of each route that answers with JSON, by its operation. */
const RIGHT: Readonly<Record<string, readonly [path: string, asking?: Asking]>> = {
  crawl: ['/api/crawl'],
  series: ['/api/series'],
  totals: ['/api/totals'],
  hosts: ['/api/hosts?q=a&sort=waiting&reverse=true&offset=0&limit=10'],
  host: ['/api/hosts/a.example%3A8080'],
  links: ['/api/links?states=failed,held&reason=status-*&origin=seed&host=*.a&q=x&sort=url&reverse=true&limit=10'],
  pages: ['/api/pages?q=%3Cscript%3E&offset=0&limit=10'],
  search: ['/api/search?q=%22a+b%22&host=a.example&since=2026-01-01&offset=0&limit=10'],
  changes: ['/api/changes?offset=0&limit=10'],
  page: [`/api/page?url=${encodeURIComponent('http://a.example/')}`],
  visits: ['/api/visits?url=a.example'],
  difference: ['/api/difference?url=a.example&from=0&to=9'],
  frame: ['/api/frame'],
  explain: ['/api/explain?url=a.example'],
  settings: ['/api/settings'],
  actions: ['/api/actions'],
  pause: ['/api/crawl/pause', { method: 'POST' }],
  resume: ['/api/crawl/resume', { method: 'POST' }],
  stop: ['/api/crawl/stop', { method: 'POST' }],
  seeds: ['/api/seeds', { method: 'POST', body: '{"urls":["https://b.example/"]}' }],
  retryLinks: ['/api/links/retry', { method: 'POST', body: '{"states":["failed"],"reason":"timeout"}' }],
  letLinksIn: ['/api/links/let-in', { method: 'POST', body: '{"host":"a.example"}' }],
  changeSettings: ['/api/settings', { method: 'PATCH', body: '{"limit":null,"delayMs":250,"exclude":["*/x"]}' }],
  changeHost: [
    '/api/hosts/a.example',
    { method: 'PATCH', body: '{"delayMs":2000,"blockedUntilMs":null,"clear":true}' },
  ],
  crawls: ['/api/crawls'],
  openapi: ['/openapi.json'],
}

test('API: every route answers as it says, also to hostile text', async t => {
  const folder = await archivedWeb(t, [{ url: 'http://a.example/', body: `<title>${HOSTILE}</title>${HOSTILE}` }])
  const served = await serveStandIn(t, TOKEN, new StandInView(folder))
  const all = await describedBy(path => ask(served.port, path))
  const judge = new Judge(all)
  const { key } = JSON.parse((await ask(served.port, '/api/frame')).text) as { key: string }
  await ask(served.port, atPath({ key, use: 'page', stamp: '20260101000000', url: 'http://a.example/' }))
  const right: typeof RIGHT = { ...RIGHT, frameView: [`/api/frames/${key}`] }
  for (const [path, methods] of Object.entries(all.paths)) {
    for (const [method, { operationId, responses }] of Object.entries(methods)) {
      if (responses[200]!.content['application/json'] === undefined) continue
      const asked = right[operationId]
      assert.ok(asked, `no request for ${operationId}`)
      const answer = await ask(served.port, ...asked)
      assert.equal(answer.status, 200, `${operationId}: ${answer.text.slice(0, 300)}`)
      judge.isAsDescribed(path, method, answer)
    }
  }
  assert.deepEqual(
    served.view.acted,
    [
      { kind: 'pause' },
      { kind: 'resume' },
      { kind: 'stop' },
      { kind: 'add seeds', urls: ['https://b.example/'] },
      { kind: 'retry links', which: { states: ['failed'], reason: 'timeout' } },
      { kind: 'let links in', which: { host: 'a.example' } },
      { kind: 'change settings', settings: { limit: Number.POSITIVE_INFINITY, delayMs: 250, exclude: ['*/x'] } },
      { kind: 'change host', host: 'a.example', change: { delayMs: 2000, blockedUntilMs: null, clear: true } },
    ].toSorted((a, b) => order(a.kind, served) - order(b.kind, served)),
  )
  assert.deepEqual(served.view.asked, [
    { q: 'a', sort: 'waiting', reverse: true, offset: 0, limit: 10 },
    {
      ...{ states: ['failed', 'held'], reason: 'status-*', origin: 'seed', host: '*.a', q: 'x' },
      ...{ sort: 'url', reverse: true, limit: 10 },
    },
    { q: '<script>', offset: 0, limit: 10 },
    { q: '"a b"', host: 'a.example', since: '2026-01-01', offset: 0, limit: 10 },
  ])
})

function order(kind: string, { view }: Served): number {
  return view.acted.findIndex(action => action.kind === kind)
}

/** Mistakes, with their status and code. */
const WRONG: readonly (readonly [status: number, code: string, route: string, path: string, asking?: Asking])[] = [
  [400, 'UI_BAD_REQUEST', '/api/hosts', '/api/hosts?limit=201'],
  [400, 'UI_BAD_REQUEST', '/api/hosts', '/api/hosts?limit=0'],
  [400, 'UI_BAD_REQUEST', '/api/links', '/api/links?states=failed,lost'],
  [400, 'UI_BAD_REQUEST', '/api/links', '/api/links?sort=age'],
  [400, 'UI_BAD_REQUEST', '/api/hosts', '/api/hosts?offset=-1'],
  [400, 'UI_BAD_REQUEST', '/api/hosts', '/api/hosts?offset=1e3'],
  [400, 'UI_BAD_REQUEST', '/api/hosts', '/api/hosts?sort=age'],
  [400, 'UI_BAD_REQUEST', '/api/hosts', '/api/hosts?reverse=1'],
  [400, 'UI_BAD_REQUEST', '/api/hosts', '/api/hosts?q=a&q=b'],
  [400, 'UI_BAD_REQUEST', '/api/hosts', `/api/hosts?q=${'a'.repeat(1001)}`],
  [400, 'UI_BAD_REQUEST', '/api/hosts', '/api/hosts?__proto__=1'],
  [400, 'UI_BAD_REQUEST', '/api/explain', '/api/explain'],
  [400, 'UI_BAD_REQUEST', '/api/explain', '/api/explain?url='],
  [422, 'CRAWL_BAD_URL', '/api/explain', '/api/explain?url=nonsense'],
  [404, 'UI_NO_SUCH_HOST', '/api/hosts/{host}', '/api/hosts/%3Cscript%3E'],
  [404, 'UI_NO_SUCH_PAGE', '/api/page', '/api/page?url=b.example'],
  [404, 'UI_NO_SUCH_PAGE', '/api/visits', '/api/visits?url=b.example'],
  [422, 'CRAWL_BAD_URL', '/api/visits', '/api/visits?url=ftp%3A%2F%2Fb.example'],
  [400, 'UI_BAD_REQUEST', '/api/difference', '/api/difference?url=b.example&from=x&to=2'],
  [404, 'UI_NO_SUCH_PAGE', '/api/difference', '/api/difference?url=b.example&from=1&to=2'],
  [404, 'UI_NO_SUCH_FRAME', '/api/frames/{key}', '/api/frames/x'],
  [400, 'UI_BAD_REQUEST', '/api/seeds', '/api/seeds', { method: 'POST', body: '{"urls":' }],
  [400, 'UI_BAD_REQUEST', '/api/seeds', '/api/seeds', { method: 'POST', body: '{"urls":[]}' }],
  [400, 'UI_BAD_REQUEST', '/api/seeds', '/api/seeds', { method: 'POST', body: '{"urls":[5]}' }],
  [400, 'UI_BAD_REQUEST', '/api/seeds', '/api/seeds', { method: 'POST', body: '[]' }],
  [400, 'UI_BAD_REQUEST', '/api/seeds', '/api/seeds', { method: 'POST', body: '{"urls":["a"],"x":1}' }],
  [400, 'UI_BAD_REQUEST', '/api/settings', '/api/settings', { method: 'PATCH', body: '{"delayMs":"1s"}' }],
  [400, 'UI_BAD_REQUEST', '/api/settings', '/api/settings', { method: 'PATCH', body: '{"userAgent":"x"}' }],
  [400, 'UI_BAD_REQUEST', '/api/settings', '/api/settings', { method: 'PATCH', body: '{"__proto__":{"limit":1}}' }],
  [
    415,
    'UI_NOT_JSON',
    '/api/seeds',
    '/api/seeds',
    { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } },
  ],
]

test('API: a wrong request is refused as described, with what is wrong', async t => {
  const served = await serveStandIn(t)
  const all = await describedBy(path => ask(served.port, path))
  const judge = new Judge(all)
  for (const [status, code, route, path, asking] of WRONG) {
    const answer = await ask(served.port, path, asking)
    assert.deepEqual([answer.status, codeOf(answer)], [status, code], `${path} ${asking?.body ?? ''}: ${answer.text}`)
    judge.isAsDescribed(route, asking?.method ?? 'GET', answer)
  }
  assert.deepEqual(served.view.acted, [])
  const { text } = await ask(served.port, '/api/seeds', { method: 'POST', body: '{"urls":["a",5]}' })
  assert.match(text, /"urls\[1\] must be of the JSON type string; see GET \/openapi\.json"/)
})

test('API: what the crawl refuses is said in the language of the request', async t => {
  const { port } = await serveStandIn(t)
  for (const [language, message] of [
    [
      'pt-BR,pt;q=0.9',
      'nonsense não é um endereço da web que uma coleta possa conhecer (malformed); escreva https://host/caminho',
    ],
    ['en', 'nonsense is not a web address that a crawl could know (malformed); write https://host/path'],
  ] as const) {
    const { text } = await ask(port, '/api/explain?url=nonsense', { headers: { 'accept-language': language } })
    assert.deepEqual(JSON.parse(text), { error: { code: 'CRAWL_BAD_URL', message } })
  }
})

test('API: a crawl that has ended can be looked at, and refuses to be changed with 409', async t => {
  const folder = await archivedWeb(t, [{ url: 'http://a.example/', body: 'a' }])
  const served = await serveStandIn(t, TOKEN, new StandInView(folder))
  const all = await describedBy(path => ask(served.port, path))
  const judge = new Judge(all)
  served.view.isRunning = false
  for (const [operation, [path, asking]] of Object.entries(RIGHT)) {
    const answer = await ask(served.port, path, asking)
    assert.equal(answer.status, asking === undefined ? 200 : 409, operation)
    if (asking !== undefined) assert.equal(codeOf(answer), 'CRAWL_NOT_RUNNING')
  }
  judge.isAsDescribed('/api/crawl/pause', 'POST', await ask(served.port, '/api/crawl/pause', { method: 'POST' }))
})

test('ours: unknown addresses are 404, and wrong methods 405 with those that are right', async t => {
  const { port } = await serveStandIn(t)
  for (const path of ['/api', '/api/', '/api/nothing', '/nothing', '/api/hosts/a/b']) {
    const answer = await ask(port, path)
    assert.deepEqual([answer.status, codeOf(answer)], [404, 'UI_NO_SUCH_ROUTE'], path)
  }
  for (const [method, path, allow] of [
    ['DELETE', '/api/crawl', 'GET'],
    ['GET', '/api/crawl/pause', 'POST'],
    ['PUT', '/api/settings', 'GET, PATCH'],
    ['OPTIONS', '/api/seeds', 'POST'],
  ] as const) {
    const answer = await ask(port, path, { method })
    assert.deepEqual([answer.status, answer.headers.allow], [405, allow], `${method} ${path}`)
  }
})

test('API: sentences and mistakes are in the language of Accept-Language', async t => {
  const { port } = await serveStandIn(t)
  const sentence = async (languages: string) => {
    const { text } = await ask(port, '/api/crawl', { headers: { 'accept-language': languages } })
    return (JSON.parse(text) as { waitingFor: string }).waitingFor
  }
  assert.equal(await sentence('pt-BR,pt;q=0.9,en;q=0.8'), 'espera em português')
  assert.equal(await sentence('de, en;q=0.5, pt;q=0.9'), 'espera em português')
  for (const english of ['', 'en-US', 'de', 'en;q=0.9,pt;q=0.1', 'pt;q=0,en', 'ptx', ','.repeat(5000)])
    assert.equal(await sentence(english), 'waits in English', english.slice(0, 20))
  const wrong = await ask(port, '/api/hosts?limit=0', { headers: { 'accept-language': 'pt' } })
  assert.match(wrong.text, /limit deve ser no mínimo 1; veja/)
})
