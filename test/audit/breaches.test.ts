// Every breach that is planted is found, in every style of archive, and nothing else.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { audit } from '../../src/audit/audit.ts'
import { type Breach, breachesOf, type Rules } from '../../src/audit/breaches.ts'
import { type Asked, pages, recordsOf, robotsTxt, START_MS, type Style, WarcFolder } from './synthetic-warc.ts'

const HOST = 'a.example'
const ORIGIN = `http://${HOST}`
const STRICT: Rules = { delayMs: 1000, robots: true, course: false }
const OPEN = robotsTxt(ORIGIN, 0, 'User-agent: *\nDisallow: /private\n')

async function found(t: TestContext, asked: readonly Asked[], style: Style = {}, rules = STRICT): Promise<Breach[]> {
  const folder = new WarcFolder(t)
  folder.add('one.warc.gz', recordsOf(asked, style))
  return breachesIn(folder, rules)
}

async function breachesIn(folder: WarcFolder, rules = STRICT): Promise<Breach[]> {
  const result = await audit([folder.path], rules.delayMs === undefined ? {} : { delayMs: rules.delayMs })
  return breachesOf(result, rules)
}

function kinds(breaches: readonly Breach[]): string[] {
  return breaches.map(({ kind, count }) => `${kind} ${count}`)
}

const STYLES: Readonly<Record<string, Style>> = {
  'requests first': {},
  'responses first': { isResponseFirst: true },
  'without WARC-Concurrent-To': { hasPartners: false },
  'no request records': { hasRequests: false },
  'LF only': { lineEnd: '\n' },
}

for (const [name, style] of Object.entries(STYLES)) {
  test(`audit, ${name}: a polite crawl has no breach`, async t => {
    assert.deepEqual(await found(t, [OPEN, ...pages(ORIGIN, 20, 1000, 1000)], style), [])
  })

  test(`audit, ${name}: a gap that is too short is found, with its two moments`, async t => {
    const asked = [OPEN, ...pages(ORIGIN, 5, 1000, 1000), { url: `${ORIGIN}/early`, at: 5990 }]
    const breaches = await found(t, asked, style)
    assert.deepEqual(breaches, [
      { kind: 'delay', host: HOST, count: 1, example: { fromMs: START_MS + 5000, toMs: START_MS + 5990 } },
    ])
  })

  test(`audit, ${name}: a request that robots.txt forbade is found, with the line`, async t => {
    const asked = [OPEN, { url: `${ORIGIN}/a`, at: 1000 }, { url: `${ORIGIN}/private/x`, at: 2000 }]
    const [breach, ...others] = await found(t, asked, style)
    assert.deepEqual(others, [])
    assert.equal(breach?.kind, 'robots')
    assert.deepEqual(breach?.kind === 'robots' && breach.example, {
      url: `${ORIGIN}/private/x`,
      timeMs: START_MS + 2000,
      line: 2,
      robotsMs: START_MS,
    })
  })
}

test('audit: a request within Retry-After is found, in seconds and as a date', async t => {
  const date = new Date(START_MS + 61_000).toUTCString()
  for (const wait of ['60', date]) {
    const busy = { url: `${ORIGIN}/busy`, at: 1000, status: 503, headers: [`Retry-After: ${wait}`] }
    assert.deepEqual(kinds(await found(t, [OPEN, busy, { url: `${ORIGIN}/b`, at: 60_000 }])), ['retry-after 1'])
    assert.deepEqual(kinds(await found(t, [OPEN, busy, { url: `${ORIGIN}/b`, at: 61_000 }])), [])
  }
})

test('audit: a gap shorter than Crawl-delay is found; that of another crawler does not count', async t => {
  const slow = robotsTxt(ORIGIN, 0, 'User-agent: testbot\nCrawl-delay: 5\n\nUser-agent: *\nCrawl-delay: 60\n')
  const asked = [slow, { url: `${ORIGIN}/a`, at: 5000 }, { url: `${ORIGIN}/b`, at: 9000 }]
  assert.deepEqual(kinds(await found(t, asked)), ['crawl-delay 1'])
  assert.deepEqual(kinds(await found(t, asked.slice(0, 2))), [])
})

test('RFC 9309 2.2.1: the rules for the crawler that asked are applied, also if it calls itself Mozilla (compatible; …)', async t => {
  const robots = robotsTxt(ORIGIN, 0, 'User-agent: testbot\nDisallow: /x\n\nUser-agent: *\nDisallow: /\n')
  const asks = (agent: string) =>
    found(t, [
      { ...robots, agent },
      { url: `${ORIGIN}/y`, at: 1000, agent },
      { url: `${ORIGIN}/x`, at: 2000, agent },
    ])
  assert.deepEqual(kinds(await asks('testbot/2.0')), ['robots 1'])
  assert.deepEqual(kinds(await asks('Mozilla/5.0 (compatible; testbot/2.0; +http://t.example)')), ['robots 1'])
  assert.deepEqual(kinds(await asks('otherbot')), ['robots 2'])
})

test('RFC 9309 2.3.1: after 5xx nothing is allowed, after 404 everything, and a redirect leads to the rules', async t => {
  const page = { url: `${ORIGIN}/a`, at: 5000 }
  const answered = (status: number, headers: readonly string[] = []) => ({ ...OPEN, status, headers, body: '' })
  assert.deepEqual(kinds(await found(t, [answered(503), page])), ['robots 1'])
  assert.deepEqual(kinds(await found(t, [answered(404), page])), [])
  const moved = answered(301, ['Location: /other/robots-2.txt'])
  const rules = { ...OPEN, url: `${ORIGIN}/other/robots-2.txt`, at: 1000, body: 'User-agent: *\nDisallow: /\n' }
  assert.deepEqual(kinds(await found(t, [moved, rules, page])), ['robots 1'])
})

test('audit: robots.txt is read in chunks and compressed, and also where a tool left such headers on what it decoded', async t => {
  const text = Buffer.from('User-agent: *\nDisallow: /private\n')
  const chunked = Buffer.concat([Buffer.from(`${text.length.toString(16)}\r\n`), text, Buffer.from('\r\n0\r\n\r\n')])
  const bodies: [string, Buffer][] = [
    ['Transfer-Encoding: chunked', chunked],
    ['Transfer-Encoding: chunked', text],
    ['Content-Encoding: gzip', gzipSync(text)],
    ['Content-Encoding: gzip', text],
    ['Content-Encoding: br', brotliCompressSync(text)],
  ]
  for (const [header, body] of bodies) {
    const robots = { ...OPEN, headers: [header], body }
    const breaches = await found(t, [robots, { url: `${ORIGIN}/private`, at: 2000 }])
    assert.deepEqual(kinds(breaches), ['robots 1'], `${header} ${body.length}`)
  }
})

test('audit: robots.txt counts from when it was asked for, whatever the order of records and files', async t => {
  const folder = new WarcFolder(t)
  const before = [robotsTxt(ORIGIN, 0, ''), { url: `${ORIGIN}/p`, at: 1000 }]
  const after = [robotsTxt(ORIGIN, 60_000, 'User-agent: *\nDisallow: /p\n'), { url: `${ORIGIN}/p2`, at: 70_000 }]
  folder.add('1.warc', recordsOf(after))
  folder.add('2.warc', recordsOf(before))
  assert.deepEqual(kinds(await breachesIn(folder)), ['robots 1'])
  const { hosts } = await audit([folder.path])
  assert.equal(hosts[0]?.forbiddenExample?.url, `${ORIGIN}/p2`)
})

test('audit: what was asked for before robots.txt is judged by it, and counted', async t => {
  const folder = new WarcFolder(t)
  const asked = [
    { url: `${ORIGIN}/private/1`, at: 0 },
    { ...OPEN, at: 2000 },
    { url: `${ORIGIN}/a`, at: 4000 },
  ]
  folder.add('1.warc', recordsOf(asked))
  const { hosts } = await audit([folder.path])
  assert.deepEqual([hosts[0]?.beforeRobots, hosts[0]?.forbidden], [1, 1])
})

test('audit: times to the second prove a short gap by counting, and prove nothing otherwise', async t => {
  const style = { isToTheSecond: true }
  const quick = { ...STRICT, delayMs: 100 }
  // Truly 50 ms apart: 20 in a second.
  assert.ok((await found(t, [OPEN, ...pages(ORIGIN, 60, 50, 1000)], style, quick)).length === 1)
  // Truly 100 ms apart, and 250 ms after a delay of 200 ms.
  assert.deepEqual(await found(t, [OPEN, ...pages(ORIGIN, 60, 100, 1000)], style, quick), [])
  assert.deepEqual(await found(t, [OPEN, ...pages(ORIGIN, 60, 250, 1000)], style, { ...STRICT, delayMs: 200 }), [])
})

test('audit: two requests at a time are found where the archive says when answers came', async t => {
  const folder = new WarcFolder(t)
  const asked = [
    { url: `${ORIGIN}/a`, at: 0, answeredAt: 3000 },
    { url: `${ORIGIN}/b`, at: 1000, answeredAt: 1500 },
    { url: `http://b.example/a`, at: 0, answeredAt: 900 },
    { url: `http://b.example/b`, at: 1000, answeredAt: 1500 },
    { url: `http://c.example/a`, at: 0 },
  ]
  folder.add('1.warc', recordsOf(asked))
  const { hosts } = await audit([folder.path])
  const byName = Object.fromEntries(hosts.map(({ host, overlaps, isOneAtATime }) => [host, [overlaps, isOneAtATime]]))
  assert.deepEqual(byName, { 'a.example': [1, false], 'b.example': [0, true], 'c.example': [0, undefined] })
})

test('audit: repeats are counted, those after a failure apart', async t => {
  const folder = new WarcFolder(t)
  const url = `${ORIGIN}/a`
  folder.add(
    '1.warc',
    recordsOf([
      { url, at: 0, isUnanswered: true },
      { url, at: 2000, status: 503 },
      { url, at: 4000 },
      { url, at: 6000 },
      robotsTxt(ORIGIN, 8000, ''),
      robotsTxt(ORIGIN, 8000 + 86_400_000, ''),
    ]),
  )
  const [host] = (await audit([folder.path])).hosts
  assert.deepEqual([host?.requests, host?.repeats, host?.retries], [6, 3, 2])
})

const COURSE: Rules = { delayMs: 100, robots: true, course: true }

test('audit --course: 1,000 pages per file, only HTML, no page twice', async t => {
  const folder = new WarcFolder(t)
  folder.add('1.warc', recordsOf([OPEN, ...pages(ORIGIN, 1000, 100, 1000)]))
  folder.add('2.warc.gz', recordsOf(pages(ORIGIN, 10, 100, 200_000)))
  assert.deepEqual(await breachesIn(folder, COURSE), [])
  const third = folder.add('3.warc.gz', recordsOf([{ url: `${ORIGIN}/1000-7`, at: 300_000 }]))
  const image = { url: `${ORIGIN}/i.png`, at: 400_000, headers: ['Content-Type: image/png'], body: 'PNG' }
  const fourth = folder.add('4.warc', recordsOf([...pages(ORIGIN, 1001, 100, 500_000), image]))
  const breaches = await breachesIn(folder, COURSE)
  assert.deepEqual(kinds(breaches), [
    'repeat 1',
    'pages-per-file 10',
    'pages-per-file 1',
    'pages-per-file 1001',
    'not-html 1',
  ])
  assert.deepEqual(breaches.flatMap(breach => ('file' in breach ? breach.file : [])).slice(1), [third, fourth, fourth])
})
