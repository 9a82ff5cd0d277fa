import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { readWarc } from '../../src/archive/read.ts'
import { findAnswer } from '../../src/archive/visits-of.ts'
import { httpOf, type WarcRecord } from '../../src/archive/warc-record.ts'
import { type CrawlOptions, crawl } from '../../src/library/crawl.ts'
import { crawlFolder } from '../archive/sample.ts'
import { type RawServer, rawServer } from '../fetch/raw-server.ts'

const LONG = 'z'.repeat(100_000)
const HTML = 'Content-Type: text/html'
const PATHS = [
  'missing',
  'gone',
  'image',
  'text',
  'noindex',
  'noarchive',
  'both',
  'moved',
  'broken',
  'busy',
  'old',
  'a|b{c}?d=[^]',
]

function answer(status: string, body: string | Buffer, ...headers: string[]): Buffer {
  const head = [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${body.length}`, '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(head), Buffer.from(body)])
}

/** Every kind of answer, each once; `/busy` works at the second attempt. */
function answerTo(path: string, tries: number): Buffer {
  switch (path) {
    case '/':
      return answer('200 OK', PATHS.map(name => `<a href="/${name}">${name}</a>`).join(''), HTML)
    case '/robots.txt':
      return answer('404 No', LONG, 'Content-Type: text/plain')
    case '/missing':
      return answer('404 No', LONG, HTML)
    case '/gone':
      return answer('410 Gone', LONG, HTML, 'X-Robots-Tag: noarchive')
    case '/image':
      return answer('200 OK', LONG, 'Content-Type: image/png')
    case '/text':
      return answer('200 OK', 'short', 'Content-Type: text/plain')
    case '/noindex':
      return answer('200 OK', `<meta name=robots content=noindex>${LONG}`, HTML)
    case '/noarchive':
      return answer('200 OK', '<meta name=robots content=noarchive>', HTML)
    case '/both':
      return answer('200 OK', '<meta name=robots content="noindex, noarchive">', HTML)
    case '/moved':
      return answer('301 Go', 'garbage', 'Location: /', 'Content-Encoding: gzip')
    case '/broken':
      return answer('500 Oh', 'sorry', HTML)
    case '/busy':
      return tries === 0 ? answer('503 Wait', 'busy', HTML, 'Retry-After: 0') : answer('200 OK', 'well', HTML)
    case '/old':
      return Buffer.from(`HTTP/1.0 200 OK\r\n${HTML}\r\nConnection: close\r\n\r\nold`)
    default: {
      const zipped = gzipSync('zipped')
      const head = `HTTP/1.1 200 OK\r\n${HTML}\r\nTransfer-Encoding: gzip, chunked\r\n\r\n${zipped.length.toString(16)}\r\n`
      return Buffer.concat([Buffer.from(head), zipped, Buffer.from('\r\n0\r\n\r\n')])
    }
  }
}

async function crawled(t: TestContext, options: Partial<CrawlOptions> = {}) {
  const tries = new Map<string, number>()
  const server = await rawServer(t, (socket, head) => {
    const path = head.split(' ')[1]!
    const bytes = answerTo(path, tries.get(path) ?? 0)
    tries.set(path, (tries.get(path) ?? 0) + 1)
    if (path === '/old') socket.end(bytes)
    else socket.write(bytes)
  })
  const folder = crawlFolder(t)
  const own = { folder, delayMs: 1, retries: 1, workers: 1, allowNetworks: ['127.0.0.0/8'] }
  const pages: string[] = []
  for await (const { url } of crawl({ seeds: [`${server.origin}/`], ...own, ...options })) pages.push(url)
  const names = readdirSync(join(folder, 'archive'))
  const records = names.flatMap(name => [...readWarc(join(folder, 'archive', name))])
  return { folder, server, records, pages }
}

function byPath(records: readonly WarcRecord[], { origin }: RawServer): Map<string, WarcRecord[]> {
  const found = new Map<string, WarcRecord[]>()
  for (const record of records.filter(({ type }) => type === 'response')) {
    const path = record.fields.get('warc-target-uri')!.slice(origin.length)
    found.set(path, [...(found.get(path) ?? []), record])
  }
  return found
}

test('archive: every answer leaves a record, short where it is no page, and every request is there byte for byte', async t => {
  const { folder, server, records, pages } = await crawled(t)
  const found = byPath(records, server)
  const seen = (path: string) =>
    (found.get(path) ?? []).map(record => {
      const { status, body, startLine } = httpOf(record)
      return [status, body.length, record.fields.get('warc-truncated') ?? '', startLine.slice(0, 8)].join(' ')
    })
  const KEPT = 64 << 10
  for (const [path, ...expected] of [
    ['/robots.txt', `404 ${KEPT} length HTTP/1.1`],
    ['/missing', `404 ${KEPT} length HTTP/1.1`],
    ['/gone', '410 0 length HTTP/1.1'],
    ['/image', '200 0 length HTTP/1.1'],
    ['/text', '200 0 length HTTP/1.1'],
    ['/noindex', `200 ${KEPT} length HTTP/1.1`],
    ['/noarchive', '200 0 length HTTP/1.1'],
    ['/both', '200 0 length HTTP/1.1'],
    ['/moved', '301 0 length HTTP/1.1'],
    ['/broken', '500 5  HTTP/1.1', '500 5  HTTP/1.1'],
    ['/busy', '503 4  HTTP/1.1', '200 4  HTTP/1.1'],
    ['/old', '200 3  HTTP/1.0'],
    ['/a%7Cb%7Bc%7D?d=%5B%5E%5D', '200 6  HTTP/1.1'],
  ] as const)
    assert.deepEqual(seen(path), expected, path)
  const marked = records.filter(({ fields }) => fields.get('escalona-page') === 'yes')
  assert.equal(marked.length, pages.length)
  assert.equal(pages.length, 4)

  const sent = records
    .filter(({ type }) => type === 'request')
    .map(({ block }) => Buffer.from(block).toString('latin1'))
  assert.deepEqual(sent.sort(), [...server.heads].sort())

  // A URL is found as the crawl knows it.
  const odd = pages.find(url => url.includes('|'))!
  const place = findAnswer(folder, odd)!
  assert.ok(marked.some(({ offset, fields }) => offset === place.offset && fields.get('escalona-url') === odd))
})

test('archive: with --archive pages, only pages, redirects and robots.txt are archived', async t => {
  const { server, records } = await crawled(t, { archive: 'pages' })
  const paths = [...byPath(records, server).keys()].sort()
  assert.deepEqual(paths, ['/', '/a%7Cb%7Bc%7D?d=%5B%5E%5D', '/busy', '/moved', '/old', '/robots.txt'])
})
