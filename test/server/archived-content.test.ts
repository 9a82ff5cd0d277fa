// What the reading room sends: archived bytes under /at/, with their own policy, behind their own key.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { VisitDifference } from '../../src/replay/reading-room.ts'
import { type AddressUse, atPath, stampOf } from '../../src/replay/rewrite/at-path.ts'
import { archivedWeb, atMs, type MadeAnswer } from '../replay/archived-web.ts'
import { type Answered, type Asking, ask, codeOf, serveStandIn, TOKEN } from './ask-server.ts'
import { HOSTILE, StandInView } from './stand-in-view.ts'

const POLICY =
  "sandbox; default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
  "form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
const SITE = 'http://a.example'
const EVIL_HEADERS = [
  ...['Set-Cookie', 'a=1', 'Refresh', '0; url=http://c.example/', 'Link', '<http://c.example/>; rel=preload'],
  ...['Content-Security-Policy', 'report-uri http://c.example/', 'Strict-Transport-Security', 'max-age=9'],
  ...['Service-Worker-Allowed', '/', 'Clear-Site-Data', '"*"', 'WWW-Authenticate', 'Basic', 'NEL', '{}'],
  ...['Access-Control-Allow-Origin', '*', 'Location', 'http://c.example/', 'X-Whatever', 'evil', 'ETag', '"evil"'],
]

const ANSWERS: readonly MadeAnswer[] = [
  { url: `${SITE}/`, headers: EVIL_HEADERS, body: '<title>First</title><a href=/next>next</a>' },
  { url: `${SITE}/`, day: 3, isSame: true },
  { url: `${SITE}/`, day: 5, body: '<title>Second</title>new' },
  { url: `${SITE}/`, day: 6, status: 503, body: 'busy' },
  { url: `${SITE}/`, day: 7, body: '<title>Half', truncated: 'disconnect' },
  { url: `${SITE}/x|y?q={z}^`, body: '<title>Odd</title>' },
  { url: `${SITE}/moved`, status: 301, headers: ['Location', '/target'], body: '' },
  { url: `${SITE}/target`, body: '<title>Target</title><img src=a.png>' },
  { url: `${SITE}/circle`, status: 302, headers: ['Location', '/circle'], body: '' },
  { url: `${SITE}/s.css`, type: 'text/css', body: 'p{background:url(/p.png)}' },
  { url: `${SITE}/s.js`, type: 'text/javascript', body: 'alert(1)' },
  { url: `${SITE}/p.png`, type: 'image/png', body: 'PNG' },
  { url: `${SITE}/v.svg`, type: 'image/svg+xml', body: '<svg onload="alert(1)"/>' },
  { url: `${SITE}/f.woff2`, type: 'font/woff2', body: 'WOFF' },
  { url: `${SITE}/b.bin`, type: 'application/octet-stream', body: 'bytes' },
  { url: `${SITE}/head`, type: 'video/mp4', body: 'x'.repeat(100), kept: 'head' },
  { url: `${SITE}/latin`, type: 'text/html; charset=iso-8859-1', body: Buffer.from([0xe9]) },
]

interface Room {
  readonly port: number
  readonly key: string
  get(use: AddressUse, url: string, asking?: Asking & { readonly day?: number }): Promise<Answered>
}

async function room(t: TestContext): Promise<Room> {
  const folder = await archivedWeb(t, ANSWERS)
  const { port } = await serveStandIn(t, TOKEN, new StandInView(folder))
  const { key } = JSON.parse((await ask(port, '/api/frame')).text) as { key: string }
  const get: Room['get'] = (use, url, { day = 0, ...asking } = {}) =>
    ask(port, atPath({ key, use, stamp: stampOf(atMs(day)), url }), { isKnown: false, ...asking })
  return { port, key, get }
}

test('reading room: an archived page has exactly our headers, and none of its own', async t => {
  const { get, port } = await room(t)
  const { status, headers, text } = await get('page', `${SITE}/`)
  assert.deepEqual([status, headers['content-security-policy']], [200, POLICY])
  const names = Object.keys(headers).filter(
    name => !['date', 'connection', 'keep-alive', 'content-length'].includes(name),
  )
  assert.deepEqual(names.sort(), [
    'access-control-allow-origin',
    'cache-control',
    'content-security-policy',
    'content-type',
    'cross-origin-opener-policy',
    'cross-origin-resource-policy',
    'permissions-policy',
    'referrer-policy',
    'x-content-type-options',
    'x-dns-prefetch-control',
    'x-frame-options',
  ])
  assert.equal(headers['access-control-allow-origin'], 'null')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(text, /<a href="\/at\/[\w.-]+\/page\/\d{14}\/http%3A%2F%2Fa\.example%2Fnext">next<\/a>/)
  assert.match(text, /This page led on by itself to: <a href="\/at\//)
  // The page around it is as strict as ever, but may have frames of its own.
  const around = String((await ask(port, '/api/crawl')).headers['content-security-policy'])
  assert.match(around, /frame-src 'self'.*frame-ancestors 'none'/)
})

test('reading room: the visit nearest to a time is shown, and a revisit with the body of its original', async t => {
  const { get, port, key } = await room(t)
  const shown = async (day: number) => {
    const { text } = await get('page', `${SITE}/`, { day })
    const { dateMs, status } = JSON.parse((await ask(port, `/api/frames/${key}`)).text) as Record<string, number>
    return [/<title>(\w+)/.exec(text)?.[1], dateMs, status]
  }
  assert.deepEqual(await shown(0), ['First', atMs(0), 200])
  assert.deepEqual(await shown(3), ['First', atMs(3), 200])
  assert.deepEqual(await shown(5), ['Second', atMs(5), 200])
  assert.deepEqual((await shown(6)).slice(1), [atMs(6), 503], 'the very visit, though it got no page')
  assert.deepEqual(await shown(7), ['Half', atMs(7), 200], 'the very visit, though it broke off')
  assert.deepEqual(await shown(60), ['Second', atMs(5), 200], 'else the nearest that got one')
  const { items } = JSON.parse((await ask(port, `/api/visits?url=${encodeURIComponent('a.example')}`)).text) as {
    items: unknown[]
  }
  assert.deepEqual(
    items,
    [
      [0, 200, false, false],
      [3, 304, true, false],
      [5, 200, false, false],
      [6, 503, false, false],
      [7, 200, false, true],
    ].map(([day, status, isSame, isBrokenOff]) => ({ dateMs: atMs(day as number), status, isSame, isBrokenOff })),
  )
})

test('reading room: what an address stood for decides what is sent, whatever the answer calls itself', async t => {
  const { get } = await room(t)
  const types = async (path: string) => {
    const all = await Promise.all((['page', 'image', 'style', 'font'] as const).map(use => get(use, SITE + path)))
    return all.map(({ status, headers }) => (status === 200 ? headers['content-type']?.split(';')[0] : status))
  }
  assert.deepEqual(await types('/'), ['text/html', 404, 404, 404])
  assert.deepEqual(await types('/s.css'), ['text/plain', 404, 'text/css', 404])
  assert.deepEqual(await types('/s.js'), ['text/plain', 404, 404, 404])
  assert.deepEqual(await types('/p.png'), ['text/html', 'image/png', 404, 404])
  assert.deepEqual(await types('/v.svg'), ['text/html', 'image/svg+xml', 404, 404])
  assert.deepEqual(await types('/f.woff2'), ['text/html', 404, 404, 'font/woff2'])
  assert.deepEqual(await types('/b.bin'), ['text/html', 404, 404, 404])
  assert.deepEqual(await types('/head'), ['text/html', 404, 404, 404])
  assert.match((await get('page', `${SITE}/head`)).text, /Only its head is in the archive/)
  assert.match((await get('page', `${SITE}/v.svg`)).text, /<img src="&#47;|<img src="\/at\//)
  assert.match((await get('style', `${SITE}/s.css`)).text, /^p\{background:url\("\/at\/[\w.-]+\/image\/\d{14}\/http%3A/)
  assert.equal((await get('page', `${SITE}/latin`)).text, 'é')
  const odd = await get('page', `${SITE}/x|y?q={z}^`)
  assert.deepEqual([odd.status, odd.text], [200, '<title>Odd</title>'])
})

test('reading room: redirects are followed in the archive, and end', async t => {
  const { get, port, key } = await room(t)
  assert.match((await get('page', `${SITE}/moved`)).text, /Target/)
  const view = JSON.parse((await ask(port, `/api/frames/${key}`)).text) as { url: string; title: string }
  assert.deepEqual([view.url, view.title], [`${SITE}/target`, 'Target'])
  const circle = await get('page', `${SITE}/circle`)
  assert.deepEqual([circle.status, /leads in a circle/.test(circle.text)], [404, true])
})

test('reading room: what is not archived gets a page that says so, with nothing in it that runs', async t => {
  const { get, port, key } = await room(t)
  const url = `http://b.example/${encodeURI('<script>alert(1)</script>"\'&')}`
  const { status, text, headers } = await get('page', url, { headers: { 'accept-language': 'pt' } })
  assert.deepEqual([status, headers['content-security-policy']], [404, POLICY])
  assert.match(text, /Não está no arquivo/)
  assert.ok(!/<script|<a /i.test(text), text)
  const view = JSON.parse((await ask(port, `/api/frames/${key}`)).text) as { url: string; dateMs?: number }
  assert.deepEqual([new URL(view.url).host, view.dateMs], ['b.example', undefined])
  for (const bad of [
    'ftp://a.example/',
    'javascript:alert(1)',
    HOSTILE.replaceAll('\ud800', ''),
    '../../../etc/passwd',
  ])
    assert.equal((await get('page', bad)).status, 404, bad)
})

test('reading room: paths lead nowhere but into the archive', async t => {
  const { port, key } = await room(t)
  const inside = `/at/${key}/page/20260102030405`
  for (const path of [
    `${inside}/../../../../../etc/passwd`,
    `${inside}/%2e%2e%2f%2e%2e%2fetc%2fpasswd`,
    `${inside}/..%5c..%5ccrawl.json`,
    `${inside}/http:%2F%2Fa.example%2F/../../api/crawl`,
    `${inside}/file%3A%2F%2F%2Fetc%2Fpasswd`,
    `${inside}/%00`,
    `${inside}/%zz`,
    `${inside}/%C0%AE%C0%AE`,
    `${inside}/${'a'.repeat(30_000)}`,
    `/at/${key}/api/20260102030405/http%3A%2F%2Fa.example%2F`,
    `/at/${key}/page/99999999999999/http%3A%2F%2Fa.example%2F`,
    '/at/',
    '/at/../api/crawl',
    `/at/${key}/../../api/crawl`,
  ]) {
    const answer = await ask(port, path, { isKnown: false })
    assert.ok([404, 401].includes(answer.status), `${path.slice(0, 80)}: ${answer.status}`)
    assert.ok(!/root:|pagesPerSecond/.test(answer.text), path)
  }
})

test('reading room: a key opens archived content and nothing else, and nothing else opens that', async t => {
  const { port, key, get } = await room(t)
  const path = atPath({ key, use: 'page', stamp: stampOf(atMs(0)), url: `${SITE}/` })
  for (const other of [
    '',
    TOKEN,
    key.split('.')[0]!,
    `${key}x`,
    `x${key}`,
    key.replace('.', '..'),
    `${key.split('.')[0]}.`,
  ])
    assert.equal((await ask(port, path.replace(key, other || 'x'))).status, 404, `as the key: ${other}`)
  for (const asking of [
    { headers: { authorization: `Bearer ${key}` } },
    { headers: { cookie: `escalona-${port}=${key}` } },
  ])
    assert.equal((await ask(port, '/api/crawl', { isKnown: false, ...asking })).status, 401)
  assert.equal((await ask(port, `/api/crawl?token=${key}`, { isKnown: false })).status, 401)
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
    assert.equal((await get('page', `${SITE}/`, { method })).status, 405, method)
  assert.equal((await ask(port, '/api/frame', { isKnown: false })).status, 401)
})

test('reading room: under a name that is not this machine’s, nothing is sent', async t => {
  const { get } = await room(t)
  const rebound = await get('page', `${SITE}/`, { headers: { host: 'evil.example' } })
  assert.deepEqual([rebound.status, codeOf(rebound)], [421, 'UI_WRONG_HOST'])
})

test('reading room: style sheets, images and fonts are sent to archived pages only, as what they are', async t => {
  const { get } = await room(t)
  const as = async (use: AddressUse, url: string, dest: string, site: string) =>
    (await get(use, url, { headers: { 'sec-fetch-dest': dest, 'sec-fetch-site': site } })).status
  const png = `${SITE}/p.png`
  assert.equal(await as('image', png, 'image', 'cross-site'), 200, 'a document in a sandbox is from another site')
  assert.equal(await as('image', png, 'image', 'same-origin'), 403, 'our own pages need none of it')
  assert.equal(await as('style', `${SITE}/s.css`, 'style', 'cross-site'), 200)
  assert.equal(await as('style', `${SITE}/s.css`, 'style', 'same-origin'), 403)
  assert.equal(await as('font', `${SITE}/f.woff2`, 'font', 'cross-site'), 200)
  for (const dest of ['script', 'worker', 'serviceworker', 'object', 'embed', 'document', 'empty', 'manifest', 'track'])
    for (const [use, url] of [
      ['image', png],
      ['style', `${SITE}/s.css`],
    ] as const)
      assert.equal(await as(use, url, dest, 'cross-site'), 403, `${use} as ${dest}`)
  assert.equal(await as('page', `${SITE}/`, 'iframe', 'same-origin'), 200)
  assert.equal(await as('page', `${SITE}/`, 'iframe', 'cross-site'), 200, 'a link inside the frame')
  assert.equal(await as('page', `${SITE}/`, 'script', 'cross-site'), 403)
})

test('reading room: two visits are compared by their text', async t => {
  const { port } = await room(t)
  const query = `url=${encodeURIComponent(`${SITE}/`)}&from=${atMs(0)}&to=${atMs(5)}`
  const { text } = await ask(port, `/api/difference?${query}`)
  const { rows, addedWords, removedWords, from, to } = JSON.parse(text) as VisitDifference
  assert.deepEqual([addedWords, removedWords], [1, 1])
  assert.deepEqual(rows, [
    { kind: 'removed', before: [{ text: 'next', isChanged: true }] },
    { kind: 'added', after: [{ text: 'new', isChanged: true }] },
  ])
  assert.deepEqual([from.title, to.title], ['First', 'Second'])
  assert.equal((await ask(port, `/api/difference?url=http%3A%2F%2Fb.example%2F&from=1&to=2`)).status, 404)
  assert.equal((await ask(port, `/api/difference?url=http%3A%2F%2Fb.example%2F&from=-1&to=2`)).status, 400)
})
