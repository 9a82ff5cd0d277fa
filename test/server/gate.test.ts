// Who may come in: the token, the names that the server answers to, and the sites that may ask.
import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { test } from 'node:test'
import { type Asking, ask, codeOf, serveStandIn, TOKEN } from './ask-server.ts'

const CHANGE = { method: 'POST', isKnown: false } as const
const READ = { isKnown: false } as const

test('token: nothing but /healthz answers without the token, with a wrong one, or with one in the wrong place', async t => {
  const { port, view } = await serveStandIn(t)
  const wrong: readonly Readonly<Record<string, string>>[] = [
    {},
    { authorization: 'Bearer wrong' },
    { authorization: `Bearer ${TOKEN}x` },
    { authorization: `Bearer ${TOKEN.slice(0, -1)}` },
    { authorization: `Basic ${TOKEN}` },
    { authorization: TOKEN },
    { authorization: 'Bearer ' },
    { cookie: `escalona-${port}=${TOKEN}` },
    { cookie: `escalona-${port}=` },
    { cookie: `token=${TOKEN}` },
    { 'x-token': TOKEN },
  ]
  const paths = ['/', '/hosts', '/app.js', '/api/crawl', '/api/events', '/openapi.json', '/metrics', '/api/nothing']
  for (const headers of wrong) {
    for (const path of paths) {
      const answer = await ask(port, path, { isKnown: false, headers })
      assert.deepEqual([answer.status, codeOf(answer)], [401, 'UI_NO_TOKEN'], `${path} ${JSON.stringify(headers)}`)
      assert.ok(!answer.text.includes(TOKEN))
      assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer/)
    }
    assert.equal((await ask(port, '/api/crawl/stop', { ...CHANGE, headers })).status, 401)
  }
  assert.equal((await ask(port, '/?token=wrong', READ)).status, 401)
  assert.equal((await ask(port, `/api/crawl/stop?token=${TOKEN}`, CHANGE)).status, 401, 'a URL cannot change anything')
  assert.deepEqual(view.acted, [])
  const health = await ask(port, '/healthz', READ)
  assert.deepEqual([health.status, health.text], [200, 'ok\n'])
})

test('token: a person without the token sees what to do, in their language', async t => {
  const { port } = await serveStandIn(t)
  const headers = { accept: 'text/html,*/*', 'accept-language': 'pt-BR' }
  const { status, text, headers: sent } = await ask(port, '/', { isKnown: false, headers })
  assert.equal(status, 401)
  assert.match(sent['content-type'] ?? '', /^text\/html/)
  assert.match(text, /lang="pt-BR"[\s\S]*Abra o endereço que o escalona mostrou/)
  assert.ok(!/<script|<style|style=/.test(text))
})

/** The cookie that a browser gets. */
async function cookieOf(port: number): Promise<string> {
  const { headers } = await ask(port, `/?token=${TOKEN}`, READ)
  return headers['set-cookie']![0]!.split(';')[0]!
}

test('token: the token in a URL becomes a cookie once, and leaves the URL', async t => {
  const { port, server } = await serveStandIn(t)
  assert.equal(server.url, `http://127.0.0.1:${port}/?token=${TOKEN}`)
  const { status, headers, text } = await ask(port, `/?token=${TOKEN}`, READ)
  assert.deepEqual([status, headers.location, text], [303, '/', ''])
  const [cookie, ...attributes] = headers['set-cookie']![0]!.split('; ')
  assert.match(cookie!, new RegExp(`^escalona-${port}=[\\w-]{22}$`))
  assert.ok(!cookie!.includes(TOKEN))
  assert.deepEqual(attributes.toSorted(), ['HttpOnly', 'Path=/', 'SameSite=Strict'])
  const known = { isKnown: false, headers: { cookie: cookie! } }
  assert.equal((await ask(port, '/api/crawl', known)).status, 200)
  for (const token of [TOKEN, 'of-an-earlier-start']) {
    const again = await ask(port, `/hosts?token=${token}&q=a`, known)
    assert.deepEqual(
      [again.status, again.headers.location],
      [303, '/hosts?q=a'],
      'opened again by a browser that is in',
    )
  }
  for (const [from, to] of [
    [`/hosts?q=a%20b&token=${TOKEN}&sort=name`, '/hosts?q=a+b&sort=name'],
    [`//evil.example/x?token=${TOKEN}`, '/evil.example/x'],
    [`/%5Cevil.example?token=${TOKEN}`, '/%5Cevil.example'],
    [`/x%0d%0aset-cookie:a=b?token=${TOKEN}`, '/x%0d%0aset-cookie:a=b'],
  ])
    assert.equal((await ask(port, from!, READ)).headers.location, to, from)
})

/** Requests by their headers, with what a reader and what a change gets. */
const SENDERS: readonly (readonly [read: number, change: number, headers: Readonly<Record<string, string>>])[] = [
  [200, 200, { origin: 'http://127.0.0.1:PORT' }],
  [200, 200, { host: 'localhost:PORT', origin: 'http://localhost:PORT' }],
  [200, 200, { host: '[::1]:PORT', origin: 'http://[::1]:PORT' }],
  [200, 200, { host: `${hostname()}:PORT`, origin: `http://${hostname().toLowerCase()}:PORT` }],
  [200, 200, { 'sec-fetch-site': 'same-origin' }],
  [200, 403, {}],
  [200, 403, { 'sec-fetch-site': 'none' }],
  [403, 403, { origin: 'http://evil.example' }],
  [403, 403, { origin: 'http://127.0.0.1:1' }],
  [403, 403, { origin: 'http://localhost:PORT' }],
  [403, 403, { origin: 'null' }],
  [403, 403, { origin: '' }],
  [403, 403, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  [403, 403, { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
  [421, 421, { host: 'evil.example' }],
  [421, 421, { host: 'evil.example:PORT', origin: 'http://evil.example:PORT' }],
  [421, 421, { host: 'localhost.evil.example:PORT' }],
  [421, 421, { host: '127.0.0.1.evil.example:PORT' }],
  [421, 421, { host: '127.1:PORT' }],
]

test('token: foreign sites and names that were pointed at us are refused, with the cookie too', async t => {
  const { port, view } = await serveStandIn(t)
  const cookie = await cookieOf(port)
  for (const [read, change, given] of SENDERS) {
    const entries = Object.entries(given).map(([name, value]) => [name, value.replaceAll('PORT', String(port))])
    const headers = { cookie, ...(Object.fromEntries(entries) as Record<string, string>) }
    const asked = view.acted.length
    assert.equal((await ask(port, '/api/crawl', { ...READ, headers })).status, read, JSON.stringify(headers))
    assert.equal((await ask(port, '/api/crawl/pause', { ...CHANGE, headers })).status, change, JSON.stringify(headers))
    assert.equal(view.acted.length - asked, change === 200 ? 1 : 0)
    if (read === 421) assert.equal((await ask(port, '/healthz', { ...READ, headers })).status, 421)
  }
})

test('token: a program with the token may change things without an Origin, but not for a foreign site', async t => {
  const { port, view } = await serveStandIn(t)
  assert.equal((await ask(port, '/api/crawl/pause', { method: 'POST' })).status, 200)
  const foreign: Asking = { method: 'POST', headers: { origin: 'http://evil.example' } }
  assert.equal((await ask(port, '/api/crawl/pause', foreign)).status, 403)
  assert.equal(view.acted.length, 1)
})

test('token: every answer has the strict headers, and no foreign site is allowed anything', async t => {
  const { port } = await serveStandIn(t)
  const answers = await Promise.all([
    ask(port, '/api/crawl'),
    ask(port, '/api/nothing'),
    ask(port, '/', READ),
    ask(port, `/?token=${TOKEN}`, READ),
    ask(port, '/healthz', READ),
    ask(port, '/metrics'),
    ask(port, '/api/crawl', { headers: { host: 'evil.example' } }),
    ask(port, '/api/crawl', { method: 'OPTIONS', headers: { origin: 'http://evil.example' } }),
  ])
  for (const { headers, status } of answers) {
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /^default-src 'none'; script-src 'self';/, String(status))
    assert.match(policy, /frame-ancestors 'none'/)
    assert.ok(!/unsafe|\*|http/.test(policy), policy)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['x-powered-by'], undefined)
    assert.equal(headers['access-control-allow-origin'], undefined)
  }
})

test('ours: guesses at a short token are slowed down, while a browser that is in stays in', async t => {
  const { port } = await serveStandIn(t, 'short')
  const { headers } = await ask(port, '/?token=short', READ)
  const cookie = headers['set-cookie']![0]!.split(';')[0]!
  const guess = (authorization: string) => ask(port, '/api/crawl', { isKnown: false, headers: { authorization } })
  const statuses: number[] = []
  for (let n = 0; n < 60; n++) statuses.push((await guess(`Bearer guess-${n}`)).status)
  assert.deepEqual([...new Set(statuses)].toSorted(), [401, 429])
  assert.ok(statuses.filter(status => status === 429).length > 20, String(statuses))
  assert.equal((await guess('Bearer short')).status, 429, 'a right guess is not revealed meanwhile')
  assert.equal((await ask(port, '/api/crawl', { isKnown: false, headers: { cookie } })).status, 200)
})
